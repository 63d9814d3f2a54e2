"""Spearman's and Kendall's correlations of two rankings, p values of permutation tests, and intervals."""

from dataclasses import dataclass
from itertools import permutations
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from bvf.arrays import FloatArray, IntArray
from bvf.errors import BvfError
from bvf.stats.figures.quantiles import student_quantile

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


def orders_of(number: int, most: int, drawn: int, seed: int) -> tuple[IntArray, bool]:
    """Return every order of so many things, (N, number), and True; of more than ``most``, random ones, and False."""
    if number <= most:
        return np.array(list(permutations(range(number)))), True
    return np.random.default_rng(seed).permuted(np.tile(np.arange(number), (drawn, 1)), axis=1), False


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


MOST_PERMUTED = 8
"""The most things with ties of which every order is tried; of more, orders are drawn."""
ORDERS_DRAWN = 20_000


@dataclass(frozen=True)
class RankAgreement:
    """Kendall's tau-b of two rankings of N things.

    Args:
        kendall: 1: the same order; -1: the opposite one.
        p_value: The share of orders with a tau as far from 0, two-sided.
        smallest_p: The smallest p that so many things can have.
        low: Lower end of the interval for other things of the kind; None: the order is the same or the opposite one.
        high: Upper end of the interval.
        rough: There are too few things for the interval to be exact.
    """

    kendall: float
    p_value: float
    smallest_p: float
    low: float | None
    high: float | None
    rough: bool
    FEWEST: ClassVar[int] = 3
    ENOUGH: ClassVar[int] = 12
    """With fewer things the interval is rough: see docs/evidence/factors.md."""
    DECIMALS: ClassVar[int] = 12
    """Decimals to which values are rounded before they are ranked."""

    @classmethod
    def of(cls, first: FloatArray, second: FloatArray, level: float = 0.95, seed: int = 0) -> Self:
        """Return how far two lists of N values rank the same things alike.

        p is exact: without ties from the distribution of tau, with ties from every order of up to eight things; with
        ties among more things, orders are drawn by ``seed``. The interval is that of a jackknife over things, by
        Student's t.

        Raises:
            BvfError: There are fewer than three things, or all values of a list are equal.

        >>> found = RankAgreement.of(np.array([1.0, 2.0, 3.0, 4.0]), np.array([1.0, 3.0, 2.0, 4.0]))
        >>> round(found.kendall, 4), round(found.p_value, 4), round(found.smallest_p, 4)
        (0.6667, 0.3333, 0.0833)
        """
        x, y = (np.round(values, cls.DECIMALS) for values in (first, second))
        if len(x) < cls.FEWEST or not np.ptp(x) or not np.ptp(y):
            why = f"{len(x)} things: whether they are ranked alike cannot be tested"
            raise BvfError(why, "three that differ can be")
        signs = [np.sign(np.subtract.outer(values, values)) for values in (x, y)]
        length = float(np.sqrt(np.prod([(sign**2).sum() for sign in signs])))
        alike = signs[0] * signs[1]
        p_value, smallest_p = _p_values(x, y, signs, seed)
        low, high = _interval(signs, level)
        return cls(float(alike.sum()) / length, p_value, smallest_p, low, high, len(x) < cls.ENOUGH)


def _p_values(x: FloatArray, y: FloatArray, signs: list[FloatArray], seed: int) -> tuple[float, float]:
    """The p value of the data, and the smallest one that is possible."""
    from scipy.stats import kendalltau

    if len(set(x.tolist())) == len(set(y.tolist())) == len(x):
        every = kendalltau(x, x, method="exact")
        return float(kendalltau(x, y, method="exact").pvalue), float(every.pvalue)
    orders, exact = orders_of(len(x), MOST_PERMUTED, ORDERS_DRAWN, seed)
    one, other = signs
    rows, columns = np.triu_indices(len(x), 1)
    far = np.abs(sum(one[i, j] * other[orders[:, i], orders[:, j]] for i, j in zip(rows, columns, strict=True)))
    return permutation_p_values(far, abs(float(np.triu(one * other).sum())), exact=exact)


def _interval(signs: list[FloatArray], level: float) -> tuple[float, float] | tuple[None, None]:
    """The ends of the interval of a jackknife over things. None: nothing varies, or tau is undefined without one."""
    one, other = signs
    alike, squares = one * other, [sign**2 for sign in signs]
    size, tau = len(alike), float(alike.sum() / np.sqrt(np.prod([square.sum() for square in squares])))
    lengths = np.sqrt(np.prod([square.sum() - 2.0 * square.sum(axis=1) for square in squares], axis=0))
    if not lengths.all():
        return None, None
    without = (alike.sum() - 2.0 * alike.sum(axis=1)) / lengths
    variance = (size - 1) / size * float(((without - without.mean()) ** 2).sum())
    if variance < 10.0**-RankAgreement.DECIMALS:
        return None, None
    reach = float(student_quantile(0.5 + level / 2.0, size - 1)) * float(np.sqrt(variance))
    return max(tau - reach, -1.0), min(tau + reach, 1.0)
