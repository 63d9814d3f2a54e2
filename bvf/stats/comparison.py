"""Two models or several over the same contexts and groups: differences, families of tests, ranks, trends."""

from dataclasses import dataclass
from itertools import permutations

import numpy as np
from scipy.stats import rankdata
from scipy.stats import t as student

from bvf.arrays import BoolArray, FloatArray, IntArray
from bvf.errors import BvfError
from bvf.stats.intervals import Estimate, Sampled
from bvf.stats.samples import ContextSample

POWER = 0.8
"""With which the smallest detectable difference would be found."""
MOST_EXACT = 9
"""Values of which every order is tried for a trend; for more, orders are drawn."""
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


@dataclass(frozen=True)
class Differences:
    """Differences of E_c[J(v)], of J(E_c[v]), and of what lies between the two."""

    total: Difference
    of_mean: Difference
    rest: Difference


def differences(first: Sampled, second: Sampled, group_weights: FloatArray, level: float) -> Differences:
    """Return how two models differ in the same contexts: paired t tests on what each context adds.

    J(E_c[v]) of both models errs to one side, and by more in the model that is more volatile. So its difference, and
    that of the rest, is tested twice: on the plug-in estimates, and on the cross-fit ones, with the same halves for
    both models. Both have to find a difference. The ends of the interval are the outer ones of the two.

    Args:
        first: Of one model.
        second: Of the other, with the same sample and the same missing contexts.
        group_weights: Of the groups in each sum, shape (..., X).
        level: Of the intervals, such as 0.95.
    """
    sign = -1.0 if first.J.concave else 1.0
    one, other = (model.estimates(group_weights, level) for model in (first, second))
    on_total, on_mean, on_rest = (
        group_weights @ (ours - theirs) for ours, theirs in zip(first.influences, second.influences, strict=True)
    )
    sample = first.sample
    return Differences(
        total=_difference(one.total, other.total, sign * on_total, sample, level),
        of_mean=_difference(one.of_mean, other.of_mean, sign * on_mean, sample, level),
        rest=_difference(one.rest, other.rest, on_rest, sample, level),
    )


def _difference(
    first: Estimate, second: Estimate, influence: FloatArray, sample: ContextSample, level: float
) -> Difference:
    """The outer ends of the intervals of both differences, and the larger p value; 1 if they are of different sign."""
    apart = [_rounded(ours - theirs) for ours, theirs in zip(first.bracket, second.bracket, strict=True)]
    error, (below, above) = sample.standard_errors(influence), sample.margins(influence, level)
    p_values = [sample.p_values(difference, influence) for difference in apart]
    freedom = sample.freedom
    return Difference(
        value=apart[0],
        low=np.minimum(*apart) - below * error,
        high=np.maximum(*apart) + above * error,
        p_value=np.where(apart[0] * apart[1] >= 0, np.maximum(*p_values), 1.0),
        detectable=error * (student.ppf(0.5 + level / 2.0, freedom) + student.ppf(POWER, freedom)),
        cross_fit=None if first.cross_fit is None else apart[1],
    )


def _rounded(difference: FloatArray) -> FloatArray:
    """0 where two numbers are as close as rounding can tell."""
    rounded: FloatArray = np.where(np.abs(difference) < ROUNDING, 0.0, difference)
    return rounded


def holm(p_values: FloatArray) -> FloatArray:
    """Return p values adjusted for a family of tests (Holm 1979), shape (T,): below alpha, and the test is passed.

    >>> holm(np.array([0.01, 0.04, 0.03])).tolist()
    [0.03, 0.06, 0.06]
    """
    order = np.argsort(p_values)
    steps = np.maximum.accumulate(p_values[order] * np.arange(len(p_values), 0, -1))
    adjusted = np.empty_like(p_values)
    adjusted[order] = np.minimum(steps, 1.0)
    return adjusted


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
        correlation: Spearman's, of the two.
        p_value: How many orders of the values give one that is as far from 0 or further; two-sided.
        smallest_p: The smallest p value that so many values can have.
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
        seed: Of the orders, where there are too many to try them all.

    Raises:
        BvfError: There are fewer values, or all are the same.
    """
    if len(x) < FEWEST_FOR_TREND or len(set(x)) == 1 or len(set(y)) == 1:
        raise BvfError(
            f"a trend over {len(set(x))} values of the label and {len(set(y))} figures says nothing",
            "it needs three runs or more that differ in both",
        )
    u, v = _standardised(rankdata(x)), _standardised(rankdata(y))
    found, exact = float(u @ v), len(x) <= MOST_EXACT
    orders = np.array(list(permutations(range(len(x))))) if exact else _drawn_orders(len(x), seed)
    correlations = np.abs(v[orders] @ u)
    as_far = int((correlations >= abs(found) - ROUNDING).sum())
    if not exact:
        return Trend(found, (as_far + 1.0) / (len(orders) + 1.0), 1.0 / (len(orders) + 1.0), exact=False)
    furthest = int((correlations >= correlations.max() - ROUNDING).sum())
    return Trend(found, as_far / len(orders), furthest / len(orders), exact=True)


def _standardised(ranks: FloatArray) -> FloatArray:
    centred = ranks - ranks.mean()
    standardised: FloatArray = centred / np.sqrt((centred**2).sum())
    return standardised


def _drawn_orders(length: int, seed: int) -> IntArray:
    rng = np.random.default_rng(seed)
    orders: IntArray = rng.permuted(np.tile(np.arange(length), (ORDERS_DRAWN, 1)), axis=1)
    return orders
