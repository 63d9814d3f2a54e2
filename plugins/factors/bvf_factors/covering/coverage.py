"""What the prompts of a table cover: each factor, each pair of factors, and all of them together."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, product
from math import prod

import numpy as np
import pandas as pd
from pydantic import BaseModel, ConfigDict

from bvf.arrays import IntArray
from bvf.errors import BvfError
from bvf_factors.covering.counts import coverage_of_counts, prompts_per_cell
from bvf_factors.covering.designing import followers
from bvf_factors.reading.table import ABSENT, FactorColumn, Table
from bvf_factors.regressing.rank import Dependence, dependences, same_rows

MOST_EMPTY = 1_000
MOST_LISTED = 100_000
"""The most cells that are searched for empty ones."""


class Covered(BaseModel):
    """How much of the cells of some factors has prompts.

    Attributes:
        factors: Their names.
        cells: N, the product of the numbers of levels that occur.
        possible: How many cells there can be: nested factors are there only within others, and a factor that another
            one decides has no cells of its own.
        filled: How many have a prompt.
        proportion: CP, filled cells in all (Eq. 1).
        gini: GI of the numbers of prompts in all cells (Eq. 2).
        possible_proportion: CP of possible cells.
        possible_gini: GI of possible cells.
    """

    model_config = ConfigDict(frozen=True)

    factors: tuple[str, ...]
    cells: int
    possible: int
    filled: int
    proportion: float
    gini: float
    possible_proportion: float
    possible_gini: float


class CoverageResult(BaseModel):
    """What the prompts of a table cover.

    Attributes:
        rows: How many prompts there are.
        single: Each factor.
        pairs: Each pair of factors.
        joint: All of them; None for one factor.
        counts: Prompts of each level, by factor.
        decided: Factors whose level follows from another factor, with that factor.
        same_rows: Levels of several factors that are the same rows, a sentence each.
        constants: Factors with only one level, and that level.
        unseen: Values that are declared and have no prompt, by factor.
    """

    model_config = ConfigDict(frozen=True)

    rows: int
    single: tuple[Covered, ...]
    pairs: tuple[Covered, ...]
    joint: Covered | None
    counts: dict[str, dict[str, int]]
    decided: dict[str, str]
    same_rows: tuple[str, ...]
    constants: dict[str, str]
    unseen: dict[str, tuple[str, ...]]

    def to_frame(self) -> pd.DataFrame:
        """Return a row per factor and per pair, and one of all factors."""
        every = [*self.single, *self.pairs, *([self.joint] if self.joint else [])]
        return pd.DataFrame([{**each.model_dump(), "factors": " x ".join(each.factors)} for each in every])


def coverage(table: Table, names: tuple[str, ...] = ()) -> CoverageResult:
    """Return what prompts cover.

    Args:
        table: Prompts; it needs no outcome.
        names: Factors; none: all.

    Raises:
        BvfError: There is no such factor, or it has one level.
    """
    factors = tuple(table.factor(name) for name in names) or table.factors
    twice = next((each.name for each in factors if names.count(each.name) > 1), None)
    if twice:
        raise BvfError(f"{twice} is named twice", "name it once")
    chosen = [each.name for each in factors]
    decide = dependences(table, chosen)
    return CoverageResult(
        rows=table.rows,
        single=tuple(covered((each,)) for each in factors),
        pairs=tuple(covered(pair, decide) for pair in combinations(factors, 2)),
        joint=covered(factors, decide) if len(factors) > 1 else None,
        counts={each.name: _counts(each) for each in factors},
        decided=followers(chosen, decide),
        same_rows=tuple(map(str, same_rows(table, chosen))),
        constants=dict(table.constants),
        unseen={each.name: each.unseen for each in factors if each.unseen},
    )


def covered(factors: tuple[FactorColumn, ...], decide: Sequence[Dependence] = ()) -> Covered:
    """Return how much of the cells of some factors has prompts.

    A nested factor counts as absent only beside what it is nested in; otherwise prompts without it are left out.

    Args:
        factors: One or more.
        decide: Which of them decide others, for what is possible.
    """
    levels, sizes = _levels(factors)
    counts, cells = prompts_per_cell(levels, sizes), prod(sizes)
    possible = max(_possible(factors, decide), len(counts))
    of_all, of_possible = coverage_of_counts(counts, cells), coverage_of_counts(counts, possible)
    return Covered(
        factors=tuple(each.name for each in factors),
        cells=cells,
        possible=possible,
        filled=of_all.filled,
        proportion=of_all.proportion,
        gini=of_all.gini,
        possible_proportion=of_possible.proportion,
        possible_gini=of_possible.gini,
    )


def cell_counts(first: FactorColumn, second: FactorColumn) -> pd.DataFrame:
    """Return the prompts of each pair of levels: a row per level of the first factor, a column per level of the other.

    For heat maps, and to see which cells are empty.
    """
    (a, b), sizes = _levels((first, second))[0].T, (len(first.labels), len(second.labels))
    table = np.bincount(a * sizes[1] + b, minlength=prod(sizes)).reshape(sizes)
    frame = pd.DataFrame(table, index=list(first.labels), columns=list(second.labels))
    return frame.loc[list(first.levels), list(second.levels)] if not _labelled((first, second)) else frame


def empty_cells(factors: tuple[FactorColumn, ...]) -> list[tuple[str, ...]]:
    """Return the levels of combinations without a prompt, the first thousand.

    Raises:
        BvfError: There are more than 100,000 combinations.
    """
    levels, sizes = _levels(factors)
    if prod(sizes) > MOST_LISTED:
        raise BvfError(f"{prod(sizes):,} cells are too many to list the empty ones", "name fewer factors")
    filled = set(map(tuple, np.unique(levels, axis=0).tolist()))
    empty = (cell for cell in product(*map(range, sizes)) if cell not in filled)
    return [
        tuple(each.labels[level] for each, level in zip(factors, cell, strict=True))
        for cell, _ in zip(empty, range(MOST_EMPTY), strict=False)
    ]


def _labelled(factors: tuple[FactorColumn, ...]) -> set[str]:
    """Nested factors that are listed together with all factors that they are nested in."""
    names = {each.name for each in factors}
    return {each.name for each in factors if each.within and set(each.within) <= names}


def _levels(factors: tuple[FactorColumn, ...]) -> tuple[IntArray, tuple[int, ...]]:
    """Levels in the rows that count, shape (P', F), and their numbers."""
    labelled = _labelled(factors)
    there = np.ones(len(factors[0].codes), dtype=bool)
    for each in factors:
        if each.name not in labelled:
            there &= each.codes != ABSENT
    columns = [(each.cells if each.name in labelled else each.codes)[there] for each in factors]
    sizes = tuple(len(each.labels if each.name in labelled else each.levels) for each in factors)
    return np.column_stack(columns), sizes


def _possible(factors: tuple[FactorColumn, ...], decide: Sequence[Dependence]) -> int:
    """How many cells there can be."""
    labelled, decided = _labelled(factors), followers([each.name for each in factors], decide)
    outer_names = {name for each in factors if each.name in labelled for name in each.within}
    outer = [each for each in factors if each.name in outer_names]
    nested = [each for each in factors if each.name in labelled]
    free = [each for each in factors if each not in outer and each not in nested and each.name not in decided]
    of_outer = sum(
        prod(len(each.levels) if _there(each.within, levels) else 1 for each in nested) for levels in _combined(outer)
    )
    return of_outer * prod(len(each.levels) for each in free)


def _combined(outer: list[FactorColumn]) -> Iterator[Mapping[str, str]]:
    for levels in product(*(each.levels for each in outer)):
        yield dict(zip((each.name for each in outer), levels, strict=True))


def _there(within: Mapping[str, tuple[str, ...]], levels: Mapping[str, str]) -> bool:
    return all(levels[name] in values for name, values in within.items())


def _counts(factor: FactorColumn) -> dict[str, int]:
    numbers = np.bincount(factor.cells, minlength=len(factor.labels))
    return dict(zip(factor.labels, map(int, numbers), strict=True))
