"""A picture of the number of prompts of each pair of levels of two factors."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bvf import BvfError
from bvf.drawing import FONT, GREY, ColumnNames, Dots, MarkedPicture, Marks, Matrix, RowNames, caption_of, shown_name
from bvf.errors import nearest
from bvf.interfaces import Columns, Figure
from bvf.stats import IntArray
from bvf_factors.covering.coverage import cell_counts
from bvf_factors.reading.table import FactorColumn
from bvf_factors.run import FactorsResult

BELOW = 1.0
"""Inches for the slanted names below the cells."""
MOST_CELLS = 4_000
"""The most cells that a browser draws quickly."""


@dataclass(frozen=True)
class Coverage(MarkedPicture):
    """Numbers of prompts of each pair of levels. Rows are levels of the first factor, columns of the second."""

    kind: ClassVar[str] = "coverage"
    title: ClassVar[str] = "How many prompts there are of pairs of levels"
    wide: ClassVar[Columns] = 2

    first: str
    second: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    counts: IntArray

    def caption(self) -> str:
        first, second = shown_name(self.first), shown_name(self.second)
        return caption_of(
            f"How many prompts there are of each pair of {first} and {second}: {self.counts.sum():,} in all, none in "
            f"{(self.counts == 0).sum()} of {self.counts.size} pairs, which are crossed out."
        )

    def marks(self) -> Marks:
        """The number of prompts of each pair of levels. Pairs without prompts are white and crossed out."""
        there = np.where(self.counts > 0, self.counts, np.nan)
        cells = Matrix(there, (0.0, float(self.counts.max())), "prompts (x: none)", digits=",.0f", hover="%{z} prompts")
        rows, columns = np.nonzero(self.counts == 0)
        crosses = Dots(columns.astype(float), rows.astype(float), GREY, "x", hover="none")
        below = ColumnNames(self.columns, BELOW, shown_name(self.second), font=FONT)
        beside = RowNames(self.rows, pitch=0.2, edges=BELOW + 0.3, title=shown_name(self.first))
        return Marks([cells, crosses], below, beside, grid="")

    def interactive(self) -> Figure | None:
        """Return the picture for plotly; None: there are too many cells for a browser."""
        return super().interactive() if self.counts.size <= MOST_CELLS else None


def coverage(first: FactorColumn, second: FactorColumn) -> Coverage:
    """Return the number of prompts of each pair of levels of two factors of a table."""
    counts = cell_counts(first, second)
    return Coverage(
        first.name, second.name, tuple(map(str, counts.index)), tuple(map(str, counts.columns)), counts.to_numpy()
    )


def coverage_of(analysis: FactorsResult, first: str = "", second: str = "") -> Coverage:
    """Return the number of prompts of each pair of levels of two factors, by default the first two of the analysis."""
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
    """Return the two named factors. An empty name stands for the first other factor of the analysis."""
    known = refuse_unknown(analysis, [name for name in (first, second) if name])
    others = [name for name in known if name not in {first, second}]
    chosen = [name or (others.pop(0) if others else "") for name in (first, second)]
    if not all(chosen) or chosen[0] == chosen[1]:
        raise BvfError(f"{analysis.title}: a picture of pairs takes two factors", f"its factors are {', '.join(known)}")
    return chosen[0], chosen[1]


def refuse_unknown(analysis: FactorsResult, names: Sequence[str]) -> list[str]:
    """Return the names of the factors of an analysis. Refuses given names that are not among these."""
    known = list(analysis.coverage.counts)
    for name in names:
        if name not in known:
            raise BvfError(f"{analysis.title}: there is no factor {name}", nearest(name, known))
    return known
