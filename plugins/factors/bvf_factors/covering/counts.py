"""How much of a design prompts cover: the share of cells that have any, and how unequally they are filled.

A cell is a combination of levels, one of each factor. Empty cells are never stored: they only shift ranks.
"""

from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

from bvf.arrays import FloatArray, IntArray
from bvf.errors import BvfError

MOST_CELLS = 2**62


@dataclass(frozen=True)
class Coverage:
    """The cells of some factors, and the prompts in them.

    Args:
        cells: N, how many there are, or how many are possible.
        filled: How many of them have a prompt.
        gini: The Gini index of the numbers of prompts in all cells (Eq. 2): 0 where all have the same.
    """

    cells: int
    filled: int
    gini: float

    @property
    def proportion(self) -> float:
        """CP, the share of cells with a prompt (Eq. 1)."""
        return self.filled / self.cells


def coverage_of(levels: IntArray, sizes: tuple[int, ...], possible: int | None = None) -> Coverage:
    """Return the coverage of the combinations of some factors.

    Args:
        levels: Index of the level of each factor in each prompt, shape (P, F), 0 to the factor's size - 1.
        sizes: Number of levels of each factor, length F.
        possible: How many of all combinations are possible; None: all.

    Raises:
        BvfError: There is no prompt, or more combinations have prompts than are possible.
    """
    return coverage_of_counts(prompts_per_cell(levels, sizes), prod(sizes) if possible is None else possible)


def coverage_of_counts(filled: NDArray[np.integer], cells: int) -> Coverage:
    """Return the coverage of cells.

    Args:
        filled: How many prompts are in each cell that has any, shape (C,), each 1 or more.
        cells: How many cells there are, with those that have none.

    Raises:
        BvfError: There is no prompt, or there are more filled cells than cells.

    >>> covered = coverage_of_counts(np.array([4, 2, 3, 1]), 6)
    >>> round(covered.proportion, 4), round(covered.gini, 4)
    (0.6667, 0.5)
    """
    if not filled.size:
        raise BvfError("there is no prompt, so nothing is covered")
    if filled.size > cells:
        raise BvfError(f"{filled.size} combinations have prompts, and only {cells} are possible")
    ascending: FloatArray = np.sort(filled).astype(np.float64)
    above = np.arange(len(ascending), 0, -1) - 0.5  # N - k + 1/2, where empty cells have the first ranks
    gini = 1.0 - 2.0 * float(ascending @ above) / (float(ascending.sum()) * cells)
    return Coverage(cells, len(ascending), gini)


def prompts_per_cell(levels: IntArray, sizes: tuple[int, ...]) -> NDArray[np.intp]:
    """Return the number of prompts of each filled cell, shape (C,).

    Args:
        levels: As for `coverage_of`.
        sizes: Likewise.
    """
    if prod(sizes) < MOST_CELLS:
        cells = np.ravel_multi_index(tuple(levels.T), sizes)
        return np.unique(cells, return_counts=True)[1]
    return np.unique(levels, axis=0, return_counts=True)[1]
