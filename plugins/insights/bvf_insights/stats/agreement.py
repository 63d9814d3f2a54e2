"""Agreement of measures and of rankings: correlations over groups, and Kendall's W.

Noise in two measures makes their correlation smaller. Divided by the root of both reliabilities, it is the correlation
of what each measures without noise (Spearman 1904, American Journal of Psychology 15, 88). It may exceed 1. W is 1 if
all rankings are the same, and 1 / S on average if S rankings are independent. With few things it has more power than
the correlation of two rankings: three things have only six rankings.
"""

from dataclasses import dataclass
from itertools import permutations
from math import factorial

import numpy as np
from scipy.stats import norm, rankdata

from bvf import BvfError
from bvf.stats import FloatArray, permutation_p_values, standardised_ranks, student_quantile
from bvf_insights.stats.reliability import correlations

DRAWS, SEED = 2000, 0


@dataclass(frozen=True)
class Correlation:
    """Pearson's correlation of two measures, the ends of its interval, and Spearman's correlation."""

    value: float
    low: float
    high: float
    ranks: float


def correlated(x: FloatArray, y: FloatArray, level: float) -> Correlation | None:
    """Return the correlation of two measures of groups, (X,); None if a measure is the same for all.

    The interval of ``level`` is a bootstrap percentile: groups are resampled. Its tails are smaller than nominal, as
    resamples of few groups vary too little (Hesterberg 2015, The American Statistician 69, 371: expanded percentiles).

    >>> correlated(np.array([1.0, 2.0, 3.0]), np.array([1.0, 9.0, 25.0]), 0.95).ranks
    1.0
    """
    value = float(correlations(x, y))
    if np.isnan(value):
        return None
    drawn = np.random.default_rng(SEED).integers(len(x), size=(DRAWS, len(x)))
    wider = np.sqrt(len(x) / (len(x) - 1.0)) * student_quantile(0.5 + level / 2.0, len(x) - 1.0)
    low, high = np.nanquantile(correlations(x[drawn], y[drawn]), norm.cdf([-wider, wider]))
    return Correlation(value, float(low), float(high), float(correlations(rankdata(x), rankdata(y))))


def noise_factor(first: float | None, second: float | None) -> float | None:
    """Return the number to multiply a correlation by, given both reliabilities; None if one is 0, less, or unknown.

    >>> noise_factor(0.5, 0.5)
    2.0
    """
    return (first * second) ** -0.5 if first and second and min(first, second) > 0.0 else None


MOST_EXACT = 200_000
"""The most combinations of permutations that are all used; if there are more, they are sampled."""
DRAWN = 20_000
FEWEST_THINGS, FEWEST_ORDERS = 3, 2


@dataclass(frozen=True)
class Concordance:
    """Kendall's coefficient W, 0 to 1, and the p value of its permutation test."""

    W: float  # the coefficient
    p_value: float  # the share of combinations of permutations with the same or a larger W
    smallest_p: float  # the smallest p value that is possible with this number of rankings and things
    exact: bool  # all combinations were used; otherwise a random sample of them


def concordance(values: FloatArray) -> Concordance:
    """Return Kendall's W of S rankings of M things, and its permutation test. Rankings are values of shape (S, M).

    With u the ranks in one ranking, centred and scaled to length 1, W is |sum of all u|^2 / S^2 (Kendall and Babington
    Smith 1939). Ties have the mean of their ranks. Too many combinations to use them all are sampled.

    Raises:
        BvfError: There are fewer than three things or two rankings, or all values of a ranking are equal.

    >>> concordance(np.array([[1.0, 2.0, 3.0], [10.0, 20.0, 30.0], [0.1, 0.2, 0.4]])).p_value  # 1 of 36 combinations
    0.027777777777777776
    """
    orders, things = values.shape
    if orders < FEWEST_ORDERS or things < FEWEST_THINGS or (np.ptp(values, axis=1) == 0.0).any():
        raise BvfError(
            f"{orders} orders of {things} things: whether they agree cannot be tested",
            "it needs two orders or more, of three things or more that are not all in one place",
        )
    u = np.array([standardised_ranks(order) for order in values])
    exact = factorial(things) ** (orders - 1) <= MOST_EXACT
    length = float((u.sum(axis=0) ** 2).sum())
    if exact:
        sums = _every_sum(u)
    else:
        rng = np.random.default_rng(SEED)
        sums = u[0] + sum(rng.permuted(np.tile(ranks, (DRAWN, 1)), axis=1) for ranks in u[1:])
    W = min(1.0, length / orders**2)
    return Concordance(W, *permutation_p_values((sums**2).sum(axis=1), length, exact=exact), exact)


def _every_sum(u: FloatArray) -> FloatArray:
    """The sum of standardised ranks for every combination of permutations. The first ranking is not permuted."""
    orders = np.array(list(permutations(range(u.shape[1]))))
    sums = u[:1]
    for ranks in u[1:]:
        sums = (sums[:, np.newaxis] + ranks[orders]).reshape(-1, u.shape[1])
    return sums
