"""Cells of a table: the combinations of levels of some factors, and what is in them."""

from dataclasses import dataclass
from itertools import combinations
from math import prod

import numpy as np

from bvf.arrays import BoolArray, FloatArray, IntArray
from bvf_factors.reading.table import ABSENT, FactorColumn, Table

MOST_COUNTED = 2**22
"""The most cells that are counted in an array of all; more are found by sorting."""


@dataclass(frozen=True)
class Cells:
    """The filled cells of some factors.

    Args:
        factors: Their names.
        levels: Index of each factor's level in each cell, shape (S, F).
        rows: Number of rows in each, shape (S,).
        outcome: Sum of the outcome in each, shape (S,).
        squares: Sum of its squares, likewise.
    """

    factors: tuple[str, ...]
    levels: IntArray
    rows: FloatArray
    outcome: FloatArray
    squares: FloatArray


def factor_sets(table: Table, size: int, but: tuple[str, ...] = ()) -> list[tuple[FactorColumn, ...]]:
    """Return every set of this many different factors, in their order."""
    return list(combinations([each for each in table.factors if each.name not in but], size))


def cell_of_rows(factors: tuple[FactorColumn, ...]) -> tuple[IntArray, BoolArray, tuple[int, ...]]:
    """Return the cell of each row, shape (P,), whether all factors are there in it, and the number of levels of each.

    The cell is the number that `numpy.ravel_multi_index` gives the levels; without one of the factors, any number.
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
    """Return the filled cells of some factors, with their outcome; rows in which a factor is not there have none."""
    cells, there, sizes = cell_of_rows(factors)
    if not there.all():
        cells, outcome = cells[there], outcome[there]
    if prod(sizes) > MOST_COUNTED:
        filled, cells = np.unique(cells, return_inverse=True)
    else:
        filled = np.arange(prod(sizes))
    rows, sums, squares = (_sums(cells, of, len(filled)) for of in (None, outcome, outcome**2))
    some = rows > 0
    levels = np.stack(np.unravel_index(filled[some], sizes), axis=1)
    names = tuple(each.name for each in factors)
    return Cells(names, levels, rows[some], sums[some], squares[some])


def _sums(cells: IntArray, of: FloatArray | None, number: int) -> FloatArray:
    return np.bincount(cells, weights=of, minlength=number).astype(np.float64)
