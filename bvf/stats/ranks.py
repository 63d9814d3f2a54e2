"""Ranks as vectors of length 1, so that the product of two is Spearman's correlation."""

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
