"""Spearman's correlation; ranks as vectors of length 1, so that the product of two is this correlation."""

import numpy as np
from numpy.typing import ArrayLike

from bvf.arrays import FloatArray


def standardised_ranks(values: ArrayLike) -> FloatArray:
    """Return the ranks of values that are not all the same, less their mean and divided by their length, shape (M,).

    Ties have the mean of their ranks.
    """
    from scipy.stats import rankdata

    ranks = rankdata(values)
    centred = ranks - ranks.mean()
    standardised: FloatArray = centred / np.sqrt((centred**2).sum())
    return standardised


def spearman(first: FloatArray, second: FloatArray) -> float | None:
    """Return Spearman's rank correlation; None where one of them has fewer than two different values."""
    from scipy.stats import spearmanr

    if len(set(first.tolist())) < 2 or len(set(second.tolist())) < 2:
        return None
    return float(spearmanr(first, second).statistic)
