"""Spearman's correlation from standardised ranks, and p values of permutation tests."""

import numpy as np
from numpy.typing import ArrayLike

from bvf.arrays import FloatArray

ROUNDING = 1e-12


def standardised_ranks(values: ArrayLike) -> FloatArray:
    """Return the ranks of M values, centred and scaled to a vector of length 1, (M,). Values are not all equal.

    The scalar product of two such vectors is Spearman's correlation. Ties have the mean of their ranks.
    """
    from scipy.stats import rankdata

    ranks = rankdata(values)
    centred = ranks - ranks.mean()
    standardised: FloatArray = centred / np.sqrt((centred**2).sum())
    return standardised


def spearman(first: FloatArray, second: FloatArray) -> float | None:
    """Return Spearman's rank correlation; None if one of the lists has fewer than two distinct values."""
    from scipy.stats import spearmanr

    if len(set(first.tolist())) < 2 or len(set(second.tolist())) < 2:
        return None
    return float(spearmanr(first, second).statistic)


def permutation_p_values(statistics: FloatArray, observed: float, *, exact: bool) -> tuple[float, float]:
    """Return two p values of a one-sided permutation test: that of ``observed``, and the smallest one possible.

    Args:
        statistics: The test statistic of all permutations, or of a random sample of them, shape (N,).
        observed: The test statistic of the data.
        exact: ``statistics`` has all permutations; for a random sample, the data count as one more permutation.
    """
    as_far = int((statistics >= observed - ROUNDING).sum())
    if not exact:
        return (as_far + 1.0) / (len(statistics) + 1.0), 1.0 / (len(statistics) + 1.0)
    furthest = int((statistics >= statistics.max() - ROUNDING).sum())
    return as_far / len(statistics), furthest / len(statistics)
