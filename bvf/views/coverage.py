"""How many prompts there are of each pair of levels of two factors."""

from dataclasses import dataclass

import numpy as np

from bvf.arrays import IntArray
from bvf.errors import BvfError, nearest
from bvf.factors.covering import cell_counts
from bvf.factors.run import FactorsResult
from bvf.factors.table import FactorColumn


@dataclass(frozen=True)
class Coverage:
    """Numbers of prompts.

    Args:
        first: The factor of the rows.
        second: The factor of the columns.
        rows: The levels of the first factor.
        columns: The levels of the second factor.
        counts: Prompts of each pair, shape (rows, columns).
    """

    first: str
    second: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    counts: IntArray

    @property
    def prompts(self) -> int:
        """How many there are."""
        return int(self.counts.sum())

    @property
    def empty(self) -> int:
        """How many pairs have none."""
        return int((self.counts == 0).sum())


def coverage(first: FactorColumn, second: FactorColumn) -> Coverage:
    """Return the numbers of prompts of two factors of a table."""
    counts = cell_counts(first, second)
    return Coverage(
        first.name, second.name, tuple(map(str, counts.index)), tuple(map(str, counts.columns)), counts.to_numpy()
    )


def coverage_of(analysis: FactorsResult, first: str = "", second: str = "") -> Coverage:
    """Return the numbers of prompts of two factors of an analysis.

    Args:
        analysis: An analysis of two factors or more.
        first: The factor of the rows; empty: the first.
        second: That of the columns; empty: the next.

    Raises:
        BvfError: There are no two factors, or none of such a name.
    """
    first, second = two_factors(analysis, first, second)
    levels = analysis.coverage.counts
    rows, columns = tuple(levels[first]), tuple(levels[second])
    counts = np.zeros((len(rows), len(columns)), dtype=np.intp)
    for each in analysis.subgroups[1].found:
        if set(each.factors) == {first, second}:
            level_of = dict(zip(each.factors, each.levels, strict=True))
            counts[rows.index(level_of[first]), columns.index(level_of[second])] = each.rows
    return Coverage(first, second, rows, columns, counts)


def two_factors(analysis: FactorsResult, first: str = "", second: str = "") -> tuple[str, str]:
    """Return the two named factors; for an empty name, the first other factor of the analysis.

    Raises:
        BvfError: There are no two factors, or none of such a name.
    """
    known = list(analysis.coverage.counts)
    for name in filter(None, (first, second)):
        if name not in known:
            raise BvfError(f"{analysis.title}: there is no factor {name}", nearest(name, known))
    others = [name for name in known if name not in {first, second}]
    chosen = [name or (others.pop(0) if others else "") for name in (first, second)]
    if not all(chosen) or chosen[0] == chosen[1]:
        raise BvfError(f"{analysis.title}: a picture of pairs takes two factors", f"its factors are {', '.join(known)}")
    return chosen[0], chosen[1]
