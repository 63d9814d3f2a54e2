"""Cells of a table: combinations of levels of some factors, and their contents."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import prod

import numpy as np

from bvf.arrays import BoolArray, FloatArray, IntArray
from bvf.errors import BvfError
from bvf.tables.words import counted
from bvf_factors.reading.table import ABSENT, FactorColumn

MOST_COUNTED = 2**22
"""The most cells that are counted in one array; of more, the filled ones are found by sorting."""


@dataclass(frozen=True)
class Cells:
    """The filled cells of some factors.

    Args:
        factors: Their names.
        levels: Index of each factor's level in each cell, shape (S, F).
        rows: Number of rows, shape (S,).
        outcome: Sums of the outcome, shape (S,).
        squares: Sums of the squared outcome, shape (S,).
    """

    factors: tuple[str, ...]
    levels: IntArray
    rows: FloatArray
    outcome: FloatArray
    squares: FloatArray


def factor_sets(factors: Sequence[FactorColumn], order: int) -> list[tuple[FactorColumn, ...]]:
    """Return every set of ``order`` different factors, in their order. Refuses an order that no set can have."""
    if not 1 <= order <= len(factors):
        names = ", ".join(each.name for each in factors)
        raise BvfError(
            f"subgroups of {counted(order, 'factor')}: there {'is' if len(factors) == 1 else 'are'} {len(factors)} "
            f"({names})",
            "choose 1" if len(factors) == 1 else f"choose 1 to {len(factors)}",
        )
    return list(combinations(factors, order))


def cell_of_rows(factors: tuple[FactorColumn, ...]) -> tuple[IntArray, BoolArray, tuple[int, ...]]:
    """Return each row's cell, (P,); also whether the row has all factors, (P,); also each factor's number of levels.

    Cells are numbered as by `numpy.ravel_multi_index`; a row without one of the factors has any number.
    """
    sizes = tuple(len(each.levels) for each in factors)
    there = np.ones(len(factors[0].codes), dtype=bool)
    cells = np.zeros(len(there), dtype=np.intp)
    for each, size in zip(factors, sizes, strict=True):
        cells = cells * size + each.codes
        if each.within:
            there &= each.codes != ABSENT
    return cells, there, sizes


def cells_of(factors: tuple[FactorColumn, ...], outcome: FloatArray) -> Cells:
    """Return the filled cells of some factors. Rows in which a factor is absent are in no cell."""
    cells, there, sizes = cell_of_rows(factors)
    if not there.all():
        cells, outcome = cells[there], outcome[there]
    if prod(sizes) > MOST_COUNTED:
        filled, cells = np.unique(cells, return_inverse=True)
    else:
        filled = np.arange(prod(sizes))
    rows, sums, squares = (np.bincount(cells, of, len(filled)).astype(np.float64) for of in (None, outcome, outcome**2))
    some = rows > 0
    levels = np.stack(np.unravel_index(filled[some], sizes), axis=1)
    names = tuple(each.name for each in factors)
    return Cells(names, levels, rows[some], sums[some], squares[some])
