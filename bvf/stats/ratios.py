"""Two risks beside each other: their difference and their ratio, in the same contexts or in contexts of their own."""

from dataclasses import dataclass
from math import exp, hypot, log

from bvf.arrays import FloatArray
from bvf.stats.comparison import differences
from bvf.stats.intervals import Sampled
from bvf.stats.samples import NO_ERROR

Ends = tuple[float, float]


@dataclass(frozen=True)
class Known:
    """A figure above 0 or 0 with the ends of its interval; both are the figure itself where it has no error."""

    value: float
    low: float
    high: float


def difference_of_independent(first: Known, second: Known) -> Ends:
    """Return the ends of the interval of first - second, where neither tells of the error of the other.

    Each end is as far off as the two intervals reach in that direction, as squares add up (Zou and Donner 2008,
    Statistics in Medicine 27): low = d - sqrt((v1 - l1)^2 + (u2 - v2)^2), high = d + sqrt((u1 - v1)^2 + (v2 - l2)^2).
    """
    apart = first.value - second.value
    return (
        apart - hypot(first.value - first.low, second.high - second.value),
        apart + hypot(first.high - first.value, second.value - second.low),
    )


def ratio_of_independent(first: Known, second: Known) -> Ends | None:
    """Return the ends of the interval of first / second: those of the difference of their logarithms.

    None where the interval of the second holds 0, so that the ratio may be as large as one likes; a first that may
    be 0 has the lower end 0.
    """
    if second.low <= 0.0 or first.value <= 0.0:
        return None
    ours = Known(log(first.value), log(first.low) if first.low > 0.0 else float("-inf"), log(first.high))
    theirs = Known(log(second.value), log(second.low), log(second.high))
    low, high = difference_of_independent(ours, theirs)
    return exp(low), exp(high)


def difference_of_paired(first: Sampled, second: Sampled, group_weights: FloatArray, level: float) -> Ends:
    """Return the ends of the interval of the difference of both E_x[E_c[J]]: a paired t test on what contexts add.

    Args:
        first: Of one model, with J convex or concave.
        second: Of the other, with the same sample of contexts.
        group_weights: P(X), shape (X,).
        level: Of the interval, such as 0.95.
    """
    total = differences(first, second, group_weights, level).total
    return float(total.low), float(total.high)


def ratio_of_paired(first: Sampled, second: Sampled, group_weights: FloatArray, level: float) -> Ends | None:
    """Return the ends of the interval of the ratio of both E_x[E_c[J]]: a paired t test on its logarithm.

    An occurrence that moves the two risks by i and j moves log(R / R') by i / R - j / R'. Where no context moves it,
    the ends are those of independent risks, which say what contexts that nobody has seen may do.

    Args:
        first: As for `difference_of_paired`.
        second: Likewise.
        group_weights: P(X), shape (X,).
        level: Of the interval.
    """
    ours, theirs = known(first, group_weights, level), known(second, group_weights, level)
    if ours.value <= 0.0 or theirs.value <= 0.0:
        return None
    sign = -1.0 if first.J.concave else 1.0
    on_first, on_second = (group_weights @ each.influences[0] for each in (first, second))
    influence = sign * (on_first / ours.value - on_second / theirs.value)
    error = float(first.sample.standard_errors(influence))
    if error <= NO_ERROR:
        return ratio_of_independent(ours, theirs)
    below, above = first.sample.margins(influence, level)
    ratio = ours.value / theirs.value
    return ratio * exp(-float(below) * error), ratio * exp(float(above) * error)


def known(risk: Sampled, group_weights: FloatArray, level: float) -> Known:
    """Return E_x[E_c[J]] with its interval, P(X) of shape (X,)."""
    total = risk.estimates(group_weights, level).total
    return Known(float(total.value), float(total.low), float(total.high))
