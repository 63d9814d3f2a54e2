"""Comparison of models in the same contexts and groups: tested differences, possible ranks, trends."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import permutations

import numpy as np

from bvf.arrays import BoolArray, FloatArray
from bvf.errors import BvfError
from bvf.stats.estimates import Estimate
from bvf.stats.intervals import Sampled
from bvf.stats.probabilities import ROUNDING
from bvf.stats.quantiles import student_quantile
from bvf.stats.ranks import permutation_p_values, standardised_ranks
from bvf.stats.rare import WithOneMore, with_one_more
from bvf.stats.samples import NO_ERROR, ContextSample

POWER = 0.8
MOST_EXACT = 9
"""The most values for which a trend is tested with all permutations; for more, permutations are sampled."""
ORDERS_DRAWN = 100_000
FEWEST_FOR_TREND = 3


@dataclass(frozen=True)
class Difference:
    """The difference of a quantity between two models (first - second), overall or per group, and its interval.

    Args:
        value: The difference of the plug-in estimates.
        p_value: The smallest 1 - level at which the interval excludes 0.
        detectable: The smallest true difference that is detected with a power of 0.8.
        cross_fit: The difference of the cross-fit estimates; None if the quantity is a mean, which needs none.
    """

    value: FloatArray
    low: FloatArray
    high: FloatArray
    p_value: FloatArray
    detectable: FloatArray
    cross_fit: FloatArray | None = None


@dataclass(frozen=True)
class Differences:
    """First minus second model: E_c[J(v)] (``total``), J(E_c[v]) (``of_mean``) and their difference (``rest``)."""

    total: Difference
    of_mean: Difference
    rest: Difference


def differences(first: Sampled, second: Sampled, group_weights: FloatArray, level: float) -> Differences:
    """Compare two models, measured in the same contexts, by paired t tests on the influence of each context.

    Intervals are clipped to the possible range of a difference of two quantities from 0 to the largest J.

    The plug-in estimate of J(E_c[v]) is biased, more so for the more volatile model. So its difference, and that of
    E_c[J(v)] - J(E_c[v]), is tested twice: on plug-in estimates, and on cross-fit estimates with the same halves for
    both models. The p value is the larger one, and the interval is the hull of the two intervals.

    Args:
        first: The risk of one model.
        second: The risk of the other model, with the same sample and the same missing contexts.
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
            replace(
                each,
                low=np.maximum(each.low, -np.maximum(others_most, theirs.value)),
                high=np.minimum(each.high, np.maximum(most, ours.value)),
            )
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
    """A difference, with the hull of the intervals of its plug-in and cross-fit estimates, and `paired_p_values`.

    If the difference is the same in all contexts, the interval only allows for the unseen part of the source, which may
    change it by ``unseen`` times the share of that part.
    """
    apart = [ours - theirs for ours, theirs in zip(first.bracket, second.bracket, strict=True)]
    apart = [np.where(np.abs(difference) < ROUNDING, 0.0, difference) for difference in apart]
    error, (below, above) = sample.standard_errors(influence), sample.margins(influence, level)
    below, above = (
        np.where(error <= NO_ERROR, sample.at_most(level) * unseen, ends * error) for ends in (below, above)
    )
    low, high = np.minimum(*apart) - below, np.maximum(*apart) + above
    return Difference(
        value=apart[0],
        low=low,
        high=high,
        p_value=paired_p_values(apart, influence, unseen, sample),
        detectable=_half(apart[0], low, high) + error * student_quantile(POWER, sample.freedom),
        cross_fit=None if first.cross_fit is None else apart[1],
    )


def paired_p_values(
    apart: Sequence[FloatArray], influence: FloatArray, unseen: FloatArray, sample: ContextSample
) -> FloatArray:
    """Return the larger of the p values of two estimates of a difference, shape (...); 1 if their signs differ.

    Args:
        apart: The difference of the plug-in estimates, and that of the cross-fit estimates, shape (...) each.
        influence: Influence of an occurrence of each context on the difference, shape (..., C).
        unseen: How far the part of the source that was not seen can move the difference, per unit of its share. If all
            contexts have the same difference, p is the probability that this part cancels it.
        sample: The contexts.
    """
    steady, size = sample.standard_errors(influence) <= NO_ERROR, sample.effective_size
    p_values = [
        np.where(steady, _p_of_unseen(difference, unseen, size), sample.p_values(difference, influence))
        for difference in apart
    ]
    return np.where(apart[0] * apart[1] >= 0, np.maximum(*p_values), 1.0)


def _with_rare(difference: Difference, lower: WithOneMore, upper: WithOneMore, level: float) -> Difference:
    """Widen the interval and raise p to allow for one more, rare context, as extreme as any in the sample."""
    outside = (1.0 - level) / 2.0
    p_values = 2.0 * np.minimum(lower.below(0.0), 1.0 - upper.below(0.0))
    low = np.minimum(difference.low, lower.quantile(outside))
    high = np.maximum(difference.high, upper.quantile(1.0 - outside))
    further = _half(difference.value, low, high) - _half(difference.value, difference.low, difference.high)
    return replace(
        difference,
        low=low,
        high=high,
        p_value=np.maximum(difference.p_value, np.minimum(p_values, 1.0)),
        detectable=difference.detectable + further,
    )


def _half(value: FloatArray, low: FloatArray, high: FloatArray) -> FloatArray:
    """The larger of the distances from the value to the ends of its interval."""
    return np.maximum(value - low, high - value)


def _p_of_unseen(difference: FloatArray, unseen: FloatArray, size: float) -> FloatArray:
    """The probability that the sample misses contexts with so much weight that they cancel the difference."""
    share = np.divide(np.abs(difference), unseen, out=np.ones_like(unseen), where=unseen > 0.0)
    return np.where(difference == 0.0, 1.0, (1.0 - np.minimum(share, 1.0)) ** size)


def rank_ranges(above: BoolArray) -> list[tuple[int, int]]:
    """Return the lowest and highest possible rank of each model, 1 the best (Mogstad, Romano, Shaikh, Wilhelm 2024).

    ``above[i, j]``: model i is significantly above model j, with error control over all pairs together; shape (M, M).
    """
    models = len(above)
    better, worse = above.sum(axis=0), above.sum(axis=1)
    return [(1 + int(better[j]), models - int(worse[j])) for j in range(models)]


@dataclass(frozen=True)
class Trend:
    """Spearman's rank correlation of two quantities, and the p value of its permutation test.

    Args:
        p_value: The share of permutations whose correlation is at least as far from 0; two-sided.
        smallest_p: The smallest p value that is possible with this many values.
        exact: All permutations were used; otherwise a random sample of them.
    """

    correlation: float
    p_value: float
    smallest_p: float
    exact: bool


def trend(x: FloatArray, y: FloatArray, seed: int = 0) -> Trend:
    """Return the rank correlation of two lists of numbers, and the p value of its permutation test.

    ``seed`` is for sampling permutations if there are too many to use them all.

    Raises:
        BvfError: There are fewer than 3 values, or all values of a list are the same.
    """
    if len(x) < FEWEST_FOR_TREND or len(set(x)) == 1 or len(set(y)) == 1:
        raise BvfError(
            f"a trend over {len(set(x))} values of the label and {len(set(y))} figures says nothing",
            "it needs three runs or more that differ in both",
        )
    u, v = standardised_ranks(x), standardised_ranks(y)
    exact = len(x) <= MOST_EXACT
    if exact:
        orders = np.array(list(permutations(range(len(x)))))
    else:
        orders = np.random.default_rng(seed).permuted(np.tile(np.arange(len(x)), (ORDERS_DRAWN, 1)), axis=1)
    correlation = float(u @ v)
    return Trend(correlation, *permutation_p_values(np.abs(v[orders] @ u), abs(correlation), exact=exact), exact)
