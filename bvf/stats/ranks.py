"""Spearman's correlation, by ranks as vectors of length 1, and p values of permutation tests."""

import numpy as np
from numpy.typing import ArrayLike

from bvf.arrays import FloatArray

ROUNDING = 1e-12


def standardised_ranks(values: ArrayLike) -> FloatArray:
    """Return the ranks of values that are not all the same, less their mean and divided by their length, shape (M,).

    The product of two is Spearman's correlation. Ties have the mean of their ranks.
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


def permutation_p_values(statistics: FloatArray, observed: float, *, exact: bool) -> tuple[float, float]:
    """Return the share of permutations whose statistic is at least as large, and the smallest that it could be.

    Args:
        statistics: Of every permutation, or of those drawn, shape (N,).
        observed: The statistic of the values as they are.
        exact: Every permutation was tried; if they were drawn, the observed order counts as one more.
    """
    as_far = int((statistics >= observed - ROUNDING).sum())
    if not exact:
        return (as_far + 1.0) / (len(statistics) + 1.0), 1.0 / (len(statistics) + 1.0)
    furthest = int((statistics >= statistics.max() - ROUNDING).sum())
    return as_far / len(statistics), furthest / len(statistics)
