"""Margins of crossed classes: the probability of a level of one factor, whatever the level of the others."""

import numpy as np
from numpy.typing import NDArray

from bvf.arrays import FloatArray


def margins(probabilities: FloatArray, factor_of_class: NDArray[np.intp]) -> FloatArray:
    """Return the sums of p(y | x, c) over the classes of each level of a factor.

    The total variation from p* is never larger for a margin than for the product, if p* is summed likewise: a sum
    over classes lets positive and negative differences cancel, and adds none (data-processing inequality).

    Args:
        probabilities: p, last axis Y; p* likewise. NaN where it is missing.
        factor_of_class: Index of the level of each class, shape (Y,), every number from 0 to the largest.

    Returns:
        The same shape but for the last axis, the number of levels.
    """
    levels = range(int(factor_of_class.max()) + 1)
    return np.stack([probabilities[..., factor_of_class == level].sum(axis=-1) for level in levels], -1)
