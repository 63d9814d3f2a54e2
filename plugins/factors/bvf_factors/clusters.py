"""How many clusters there are, by Kish's number, and whether they are too few."""

import numpy as np
from numpy.typing import ArrayLike

from bvf.stats import FloatArray
from bvf.tables import counted

ENOUGH_CLUSTERS = 40
"""With fewer clusters, by Kish's number, p values and intervals are rough (Cameron, Miller 2015)."""
SAME_SIZES = 0.01
"""Kish's number is below the number of clusters by less than this share: their sizes are nearly the same."""


def effective_clusters(sizes: ArrayLike) -> FloatArray:
    """Return Kish's number of clusters, shape (...): so many of equal size say as much. ``sizes``: rows, (..., G).

    >>> effective_clusters([[5, 5, 5, 5], [10, 6, 4, 0], [0, 0, 0, 0]]).round(2).tolist()
    [4.0, 2.63, 0.0]
    """
    rows = np.asarray(sizes, dtype=np.float64)
    squares = (rows**2).sum(axis=-1)
    return np.asarray(rows.sum(axis=-1) ** 2 / np.where(squares > 0.0, squares, 1.0))


def few_clusters(number: int, effective: float, cluster: str) -> str:
    """Return why clusters are few, given their number and Kish's; empty: they are enough, or every row is one.

    >>> few_clusters(100, 21.74, "template")
    '100 values of template, of unequal sizes, count as 21.7, fewer than 40'
    """
    if not cluster or effective >= ENOUGH_CLUSTERS:
        return ""
    values = f"{counted(number, 'value')} of {cluster}"
    if number - effective < SAME_SIZES * number:
        return f"{values} {'is' if number == 1 else 'are'} fewer than {ENOUGH_CLUSTERS}"
    return f"{values}, of unequal sizes, count as {effective:.1f}, fewer than {ENOUGH_CLUSTERS}"
