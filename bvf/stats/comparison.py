"""Two models or several over the same contexts and groups: differences, families of tests, ranks, trends."""

from dataclasses import dataclass, replace
from itertools import permutations

import numpy as np

from bvf.arrays import BoolArray, FloatArray, IntArray
from bvf.errors import BvfError
from bvf.stats.intervals import Estimate, Sampled
from bvf.stats.quantiles import student_quantile
from bvf.stats.ranks import standardised_ranks
from bvf.stats.rare import WithOneMore, with_one_more
from bvf.stats.samples import NO_ERROR, ContextSample

POWER = 0.8
"""The probability with which the smallest detectable difference would be found."""
MOST_EXACT = 9
"""The most values of which every order is tried for a trend; for more, orders are drawn."""
ORDERS_DRAWN = 100_000
ROUNDING = 1e-12
FEWEST_FOR_TREND = 3


@dataclass(frozen=True)
class Difference:
    """A quantity of the first model less that of the second, or one per group.

    Args:
        value: The difference of the plug-in estimates.
        low: Lower end of its interval.
        high: Upper end.
        p_value: The smallest 1 - level at which the interval does not hold 0.
        detectable: The smallest true difference that would be found with a probability of 0.8.
        cross_fit: The difference of the cross-fit estimates; None for a mean.
    """

    value: FloatArray
    low: FloatArray
    high: FloatArray
    p_value: FloatArray
    detectable: FloatArray
    cross_fit: FloatArray | None = None

    def reaching(self, low: FloatArray, high: FloatArray) -> "Difference":
        """Return the same with an interval at least this wide; the detectable difference grows by as much."""
        low, high = np.minimum(self.low, low), np.maximum(self.high, high)
        further = _half(self.value, low, high) - _half(self.value, self.low, self.high)
        return replace(self, low=low, high=high, detectable=self.detectable + further)

    def within(self, least: FloatArray, most: FloatArray) -> "Difference":
        """Return the same with its interval cut at the largest possible difference."""
        return replace(self, low=np.maximum(self.low, least), high=np.minimum(self.high, most))


@dataclass(frozen=True)
class Differences:
    """Differences of E_c[J(v)], of J(E_c[v]), and of what lies between the two."""

    total: Difference
    of_mean: Difference
    rest: Difference


def differences(first: Sampled, second: Sampled, group_weights: FloatArray, level: float) -> Differences:
    """Return how two models differ in the same contexts: paired t tests on what each context adds.

    No interval reaches further than the quantities of both models can: from 0 to the largest that J can be.

    J(E_c[v]) of both models errs to one side, and by more in the model that is more volatile. So its difference, and
    that of the rest, is tested twice: on the plug-in estimates, and on the cross-fit ones, with the same halves for
    both models. Both have to find a difference. The ends of the interval are the outer ones of the two.

    Args:
        first: The risk of one model.
        second: That of the other, with the same sample and the same missing contexts.
        group_weights: Weights of the groups in each sum, shape (..., X).
        level: Level of the intervals, such as 0.95.
    """
    sign = -1.0 if first.J.concave else 1.0
    one, other = (model.estimates(group_weights, level) for model in (first, second))
    on_total, on_mean, on_rest = (
        group_weights @ (ours - theirs) for ours, theirs in zip(first.influences, second.influences, strict=True)
    )
    ours, theirs = first.moved_by_unseen(group_weights), second.moved_by_unseen(group_weights)
    unseen = [
        np.maximum(mine.up + others.down, mine.down + others.up) for mine, others in zip(ours, theirs, strict=True)
    ]
    sample = first.sample
    rest = _difference(one.rest, other.rest, on_rest, unseen[2], sample, level)
    lower, upper = (
        with_one_more(sample, rest.value, on_rest, extreme - rest.value) for extreme in (-theirs[2].up, ours[2].up)
    )
    each_difference = (
        _difference(one.total, other.total, sign * on_total, unseen[0], sample, level),
        _difference(one.of_mean, other.of_mean, sign * on_mean, unseen[1], sample, level),
        _with_rare(rest, lower, upper, level),
    )
    most, others_most = first.most(group_weights), second.most(group_weights)
    pairs = ((one.total, other.total), (one.of_mean, other.of_mean), (one.rest, other.rest))
    return Differences(
        *(
            each.within(-np.maximum(others_most, theirs.value), np.maximum(most, ours.value))
            for each, (ours, theirs) in zip(each_difference, pairs, strict=True)
        )
    )


def _difference(
    first: Estimate,
    second: Estimate,
    influence: FloatArray,
    unseen: FloatArray,
    sample: ContextSample,
    level: float,
) -> Difference:
    """The outer ends of the intervals of both differences, and the larger p value; 1 if they are of different sign.

    Where a difference is the same in all contexts, the interval goes as far as an unseen part of the source may move
    it, by ``unseen`` per share.
    """
    apart = [_rounded(ours - theirs) for ours, theirs in zip(first.bracket, second.bracket, strict=True)]
    error, (below, above) = sample.standard_errors(influence), sample.margins(influence, level)
    steady = error <= NO_ERROR
    below, above = (np.where(steady, sample.at_most(level) * unseen, ends * error) for ends in (below, above))
    p_values = [
        np.where(steady, _p_of_unseen(difference, unseen, sample.size), sample.p_values(difference, influence))
        for difference in apart
    ]
    low, high = np.minimum(*apart) - below, np.maximum(*apart) + above
    return Difference(
        value=apart[0],
        low=low,
        high=high,
        p_value=np.where(apart[0] * apart[1] >= 0, np.maximum(*p_values), 1.0),
        detectable=_half(apart[0], low, high) + error * student_quantile(POWER, sample.freedom),
        cross_fit=None if first.cross_fit is None else apart[1],
    )


def _with_rare(difference: Difference, lower: WithOneMore, upper: WithOneMore, level: float) -> Difference:
    """A difference that one more, rare context may decide, in which a model is as far out as in any that was seen."""
    outside = (1.0 - level) / 2.0
    p_values = 2.0 * np.minimum(lower.below(0.0), 1.0 - upper.below(0.0))
    reaching = difference.reaching(lower.quantile(outside), upper.quantile(1.0 - outside))
    return replace(reaching, p_value=np.maximum(difference.p_value, np.minimum(p_values, 1.0)))


def _half(value: FloatArray, low: FloatArray, high: FloatArray) -> FloatArray:
    """The longer of the two distances from the value to an end of its interval."""
    return np.maximum(value - low, high - value)


def _p_of_unseen(difference: FloatArray, unseen: FloatArray, size: float) -> FloatArray:
    """The probability that no seen unit is from a part of the source that is large enough to cancel a difference."""
    share = np.divide(np.abs(difference), unseen, out=np.ones_like(unseen), where=unseen > 0.0)
    return np.where(difference == 0.0, 1.0, (1.0 - np.minimum(share, 1.0)) ** size)


def _rounded(difference: FloatArray) -> FloatArray:
    """0 where two numbers are as close as rounding can tell."""
    return np.where(np.abs(difference) < ROUNDING, 0.0, difference)


def rank_ranges(above: BoolArray) -> list[tuple[int, int]]:
    """Return the ranks that each of M models may have, 1 the highest (Mogstad, Romano, Shaikh, Wilhelm 2024).

    Args:
        above: Whether model i is surely above model j, at a level for all pairs together, shape (M, M).
    """
    models = len(above)
    better, worse = above.sum(axis=0), above.sum(axis=1)
    return [(1 + int(better[j]), models - int(worse[j])) for j in range(models)]


@dataclass(frozen=True)
class Trend:
    """Whether a quantity rises with another.

    Args:
        correlation: Spearman's rank correlation of the two.
        p_value: The share of orders of the values with a correlation as far from 0 or further; two-sided.
        smallest_p: The smallest p value that this many values can have.
        exact: Every order was tried; else orders were drawn.
    """

    correlation: float
    p_value: float
    smallest_p: float
    exact: bool


def trend(x: FloatArray, y: FloatArray, seed: int = 0) -> Trend:
    """Return the rank correlation of two lists of numbers, and its permutation test.

    Args:
        x: Shape (M,), 3 or more values that are not all the same.
        y: Shape (M,), likewise.
        seed: Seed of the orders, where there are too many to try them all.

    Raises:
        BvfError: There are fewer values, or all are the same.
    """
    if len(x) < FEWEST_FOR_TREND or len(set(x)) == 1 or len(set(y)) == 1:
        raise BvfError(
            f"a trend over {len(set(x))} values of the label and {len(set(y))} figures says nothing",
            "it needs three runs or more that differ in both",
        )
    u, v = standardised_ranks(x), standardised_ranks(y)
    correlation, exact = float(u @ v), len(x) <= MOST_EXACT
    orders = np.array(list(permutations(range(len(x))))) if exact else _drawn_orders(len(x), seed)
    correlations = np.abs(v[orders] @ u)
    as_far = int((correlations >= abs(correlation) - ROUNDING).sum())
    if not exact:
        return Trend(correlation, (as_far + 1.0) / (len(orders) + 1.0), 1.0 / (len(orders) + 1.0), exact=False)
    furthest = int((correlations >= correlations.max() - ROUNDING).sum())
    return Trend(correlation, as_far / len(orders), furthest / len(orders), exact=True)


def _drawn_orders(length: int, seed: int) -> IntArray:
    rng = np.random.default_rng(seed)
    return rng.permuted(np.tile(np.arange(length), (ORDERS_DRAWN, 1)), axis=1)
