"""Intervals of benchmark scores and of their differences, from sums by cluster, as arrays.

The variance is that of a jackknife over clusters. The interval of a score is Clopper's and Pearson's for as many
independent answers as would have this variance (Korn and Graubard 1998): for independent answers it is exact. Degrees
of freedom of the variance are Kish's number of clusters less one, as few large ones may have most of the answers.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy

from bvf.interfaces import Formula
from bvf.stats import POWER, BoolArray, FloatArray, IntArray, student_quantile, student_tail
from bvf_factors.clusters import effective_clusters

Ends = tuple[float, float]
NO_VARIANCE = 1e-20
STEPS = 60
"""Bisections for a p value: 2^-60 is below what a double can tell from 0."""


@dataclass(frozen=True)
class Estimate:
    """A score, and by how much each cluster moves it."""

    value: float
    # the score less that without the cluster, shape (J, G), for each formula of which the score is the lowest
    moves: FloatArray
    values: FloatArray  # the value of each of the J formulas
    answers: IntArray  # the number of answers of each cluster, shape (G,)
    lowest: float  # the lowest score that is possible
    highest: float  # the highest score that is possible
    reach: float  # the highest value that a formula may have

    @property
    def there(self) -> BoolArray:
        """Whether a cluster has an answer, shape (G,)."""
        return self.answers > 0

    @property
    def effective(self) -> float:
        """Kish's number of clusters."""
        return float(effective_clusters(self.answers))

    @property
    def clusters(self) -> int:
        """The number of clusters with an answer."""
        return int(np.count_nonzero(self.there))

    def interval(self, level: float) -> Ends:
        """Return the interval of a score that is the lowest of several formulas: the lowest of their ends."""
        ends = [self._interval(j, level) for j in range(len(self.values))]
        return min(low for low, _ in ends), min(self.highest, *(high for _, high in ends))

    def p_value(self, ideal: float) -> float:
        """Return the largest p for which the interval of level 1 - p has the ideal value."""
        low, high = 0.0, 1.0
        for _ in range(STEPS):
            middle = (low + high) / 2.0
            ends = self.interval(1.0 - middle)
            low, high = (middle, high) if ends[0] <= ideal <= ends[1] else (low, middle)
        return high

    def needed(self, ideal: float, level: float) -> int | None:
        """Return the number of clusters with which such a score is told from its ideal with a power of 80 %."""
        lowest = int(np.argmin(self.values))
        variance = self._spread(lowest) / self._independent(lowest)
        distance = abs(self.value - ideal)
        if variance <= NO_VARIANCE or distance <= 1e-9 * (self.highest - self.lowest):
            return None
        reach = scipy.special.ndtri(0.5 + level / 2.0) + scipy.special.ndtri(POWER)
        return math.ceil(self.clusters * variance * float(reach / distance) ** 2 - 1e-9)

    def _spread(self, j: int) -> float:
        """The variance of one independent answer, if it has the lowest or the highest score and nothing between."""
        return float((self.values[j] - self.lowest) * (self.reach - self.values[j]))

    def _independent(self, j: int) -> float:
        """As many independent answers would have the variance of the score; if nothing varies, each cluster is one."""
        variance = jackknife_variance(self.moves[j][self.there])
        tiny = NO_VARIANCE * (self.reach - self.lowest) ** 2
        return self.clusters if variance <= tiny else 1.0 + self._spread(j) / variance

    def _interval(self, j: int, level: float) -> Ends:
        independent = self._independent(j)
        reach = student_quantile(0.5 + level / 2.0, [max(independent - 1.0, 1.0), self.effective - 1.0])
        if reach[1] > 0.0:
            independent *= min(float(reach[0] / reach[1]) ** 2, 1.0)
        width, tail = self.reach - self.lowest, (1.0 - level) / 2.0
        deviating = independent * float(np.clip((self.values[j] - self.lowest) / width, 0.0, 1.0))
        others = independent - deviating
        none, every = deviating <= 1e-9, others <= 1e-9
        low = 0.0 if none else float(scipy.special.betaincinv(deviating, others + 1.0, tail))
        high = 1.0 if every else float(scipy.special.betaincinv(deviating + 1.0, others, 1.0 - tail))
        return self.lowest + width * low, self.lowest + width * high


def estimated(
    numbers: FloatArray,
    clusters: IntArray,
    formulas: Sequence[Formula],
    bounds: Ends,
    count: int,
    reach: float | None = None,
) -> Estimate | None:
    """Return the score of numbers of answers (N, K) by cluster (N,); None: undefined without one of them."""
    answers = np.bincount(clusters, minlength=count)
    there = answers > 0
    if np.count_nonzero(there) < 2:
        return None
    sums = np.stack([np.bincount(clusters, column, count) for column in numbers.T], axis=-1)
    totals = sums.sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        values = np.array([float(formula(totals)) for formula in formulas])
        moves = np.stack([value - formula(totals - sums) for value, formula in zip(values, formulas, strict=True)])
    moves = np.where(there, moves, 0.0)
    if not (np.isfinite(values).all() and np.isfinite(moves).all()):
        return None
    return Estimate(float(values.min()), moves, values, answers, *bounds, bounds[1] if reach is None else reach)


def mean_of(estimates: Sequence[Estimate]) -> Estimate | None:
    """Return the mean of a score over wordings, whose clusters are the same."""
    first = estimates[0]
    values = np.mean([each.values for each in estimates], axis=0)
    moves = np.mean([each.moves for each in estimates], axis=0)
    if len(estimates) > 1 and len(values) > 1:
        return None
    value = float(np.mean([each.value for each in estimates]))
    answers = np.sum([each.answers for each in estimates], axis=0)
    return Estimate(value, moves, values, answers, first.lowest, first.highest, first.reach)


def jackknife_variance(moves: FloatArray) -> float:
    """Return the variance of a score from by how much each cluster moves it, shape (G,)."""
    size = len(moves)
    return float((size - 1) / size * ((moves - moves.mean()) ** 2).sum())


@dataclass(frozen=True)
class Difference:
    """The difference of a score between two models, the first less the second, and its two-sided p value."""

    value: float
    low: float | None
    high: float | None
    p_value: float | None
    method: str
    # the number of answers that differ, for McNemar's test; Kish's of clusters, for that of Student's t
    differing: float = 0.0


def difference_of(first: Estimate, second: Estimate, level: float, *, same_items: bool = True) -> Difference:
    """Return the difference by Student's t, paired by cluster. The ends of its interval are differences that can be.

    t has one degree of freedom less than Kish's number of clusters; of different items, of the side that has fewer.
    There is no interval where nothing varies, where the score has a kink, or where one cluster has most of the answers.
    """
    value = first.value - second.value
    there = first.there | second.there
    moves = (first.moves[0] - second.moves[0])[there] if len(first.values) == 1 else np.zeros(2)
    variance = jackknife_variance(moves)
    together = float(effective_clusters(first.answers + second.answers))
    freedom = (together if same_items else min(first.effective, second.effective)) - 1.0
    if freedom < 1.0 or variance <= NO_VARIANCE * (first.highest - first.lowest) ** 2:
        return Difference(value, None, None, None, "")
    error = math.sqrt(variance)
    reach = float(student_quantile(0.5 + level / 2.0, freedom)) * error
    p_value = float(2.0 * student_tail(abs(value) / error, freedom))
    most = first.highest - first.lowest
    return Difference(value, max(value - reach, -most), min(value + reach, most), p_value, "t", together)


def mcnemar(first: BoolArray, second: BoolArray, level: float, scale: float = 1.0) -> Difference:
    """Return the difference of two shares of the same independent answers, shape (N,).

    p is exact (McNemar 1947): of answers that differ, each side has half. The interval is Bonett's and Price's (2012).

    >>> apart = mcnemar(np.arange(20) < 12, np.arange(20) < 5, 0.95)
    >>> [round(float(each), 4) for each in (apart.value, apart.low, apart.high, apart.p_value)]
    [0.35, 0.0863, 0.55, 0.0156]
    """
    one, other, size = int((first & ~second).sum()), int((second & ~first).sum()), len(first)
    p_value = min(1.0, 2.0 * float(scipy.special.bdtr(min(one, other), one + other, 0.5))) if one + other else 1.0
    shares = (one + 1) / (size + 2), (other + 1) / (size + 2)
    middle = shares[0] - shares[1]
    error = math.sqrt((sum(shares) - middle**2) / (size + 2))
    reach = float(scipy.special.ndtri(0.5 + level / 2.0)) * error
    low, high = max(middle - reach, -1.0), min(middle + reach, 1.0)
    return Difference(scale * (one - other) / size, scale * low, scale * high, p_value, "McNemar", one + other)
