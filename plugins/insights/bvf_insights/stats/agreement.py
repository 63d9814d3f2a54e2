"""Pearson's correlation over groups: its bootstrap interval, and what it would be without noise.

Noise in two measures makes their correlation smaller. Divided by the root of both reliabilities, it is the correlation
of what each measures without noise (Spearman 1904, American Journal of Psychology 15, 88). It may exceed 1.
"""

from dataclasses import dataclass

import numpy as np
from scipy.stats import norm, rankdata

from bvf.stats import FloatArray, student_quantile
from bvf_insights.stats.reliability import correlations

DRAWS = 2000


@dataclass(frozen=True)
class Correlation:
    """Pearson's correlation of two measures, the ends of its interval, and Spearman's correlation."""

    value: float
    low: float
    high: float
    ranks: float


def correlation(x: FloatArray, y: FloatArray, level: float, seed: int = 0) -> Correlation | None:
    """Return the correlation of two measures of groups, (X,); None if a measure is the same for all.

    The interval of ``level`` is a bootstrap percentile: groups are resampled. Its tails are smaller than nominal, as
    resamples of few groups vary too little (Hesterberg 2015, The American Statistician 69, 371: expanded percentiles).

    >>> correlation(np.array([1.0, 2.0, 3.0]), np.array([1.0, 9.0, 25.0]), 0.95).ranks
    1.0
    """
    value = float(correlations(x, y))
    if np.isnan(value):
        return None
    drawn = np.random.default_rng(seed).integers(len(x), size=(DRAWS, len(x)))
    wider = np.sqrt(len(x) / (len(x) - 1.0)) * student_quantile(0.5 + level / 2.0, len(x) - 1.0)
    low, high = np.nanquantile(correlations(x[drawn], y[drawn]), norm.cdf([-wider, wider]))
    return Correlation(value, float(low), float(high), float(correlations(rankdata(x), rankdata(y))))


def noise_factor(first: float | None, second: float | None) -> float | None:
    """Return the number to multiply a correlation by, given both reliabilities; None if one is 0, less, or unknown.

    >>> noise_factor(0.5, 0.5)
    2.0
    """
    return (first * second) ** -0.5 if first and second and min(first, second) > 0.0 else None
