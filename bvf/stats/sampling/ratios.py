"""Intervals of the difference and the ratio of two risks.

They are for the same contexts (paired) or independent ones.
"""

from dataclasses import replace
from math import exp, hypot
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from bvf.arrays import FloatArray
from bvf.stats.comparing.comparison import differences
from bvf.stats.sampling.intervals import Estimate, Sampled
from bvf.stats.sampling.samples import NO_ERROR

Ends = tuple[float, float]
Of = Literal["total", "of_mean"]
"""E_x[E_c[J]], such as R; or E_x[J(E_c)], such as R^b."""
INFLUENCES: dict[Of, int] = {"total": 0, "of_mean": 1}


def difference_of_independent(first: Estimate, second: Estimate) -> Ends:
    """Return the interval of first - second if their errors are independent.

    For estimates from a to b (plug-in and cross-fit; a = b for a mean) with intervals from l to u, the ends are
    a1 - b2 - sqrt((a1 - l1)^2 + (u2 - b2)^2) and b1 - a2 + sqrt((u1 - b1)^2 + (a2 - l2)^2): the formula of Zou and
    Donner (2008, Statistics in Medicine 27), which is for unbiased estimates, at the pair that is furthest to a side.
    An interval that is cut at 0 reaches as far below its estimates as above: the cut says nothing of their error.
    """
    return _combined(*map(_uncut, (first, second)))


def _combined(first: Estimate, second: Estimate) -> Ends:
    (a1, b1), (a2, b2) = (sorted(map(float, each.bracket)) for each in (first, second))
    l1, u1, l2, u2 = map(float, (first.low, first.high, second.low, second.high))
    return (
        a1 - b2 - hypot(max(a1 - l1, 0.0), max(u2 - b2, 0.0)),
        b1 - a2 + hypot(max(u1 - b1, 0.0), max(a2 - l2, 0.0)),
    )


def ratio_of_independent(first: Estimate, second: Estimate) -> Ends | None:
    """Return the interval of first / second for independent errors, from the difference of logarithms.

    None if the first is 0, or if the interval of the second includes 0, so that the ratio is unbounded. The lower end
    is 0 if the interval of the first includes 0.
    """
    if second.low <= 0.0 or first.value <= 0.0:
        return None
    low, high = _combined(*map(_logarithm, (first, second)))
    return exp(low) if first.low > 0.0 else 0.0, exp(high)


def _uncut(quantity: Estimate) -> Estimate:
    lower, upper = np.minimum(*quantity.bracket), np.maximum(*quantity.bracket)
    uncut = np.minimum(quantity.low, lower - (quantity.high - upper))
    return replace(quantity, low=np.where(quantity.low > 0.0, quantity.low, uncut))


def _logarithm(quantity: Estimate) -> Estimate:
    """The estimate of the logarithm of a quantity; an end or estimate that is not above 0 is minus infinity."""
    ends = (quantity.value, quantity.low, quantity.high, quantity.bracket[1])
    return Estimate(*(np.log(each) if each > 0.0 else np.asarray(-np.inf) for each in ends))


def difference_of_paired(
    first: Sampled, second: Sampled, group_weights: FloatArray, level: float, of: Of = "total"
) -> Ends:
    """Return the interval of the difference of two risks, by a paired t test over contexts.

    J is convex or concave, both risks have the same sample of contexts, and P(X) has the shape (X,). For ``of_mean``
    the interval is the hull of those of the plug-in and the cross-fit difference.
    """
    difference = getattr(differences(first, second, group_weights, level), of)
    return float(difference.low), float(difference.high)


def ratio_of_paired(
    first: Sampled, second: Sampled, group_weights: FloatArray, level: float, of: Of = "total"
) -> Ends | None:
    """Return the interval of the ratio of two risks; None if it is unbounded. It uses a paired t test on the logarithm.

    An occurrence with influences i and j on two risks has the influence i / R - j / R' on log(R / R'). If all contexts
    have the influence 0, the interval is that of independent risks, which allows for unseen contexts. J(E_c) is
    biased upwards, so the interval is the hull of those of the plug-in and the cross-fit ratio. The lower end is 0 if
    the cross-fit estimate of the first is not above 0. None if the plug-in estimate of the first is not above 0, or if
    the interval of the second includes 0 (Fieller 1954). For arguments see `difference_of_paired`.
    """
    ours, theirs = (getattr(each.estimates(group_weights, level), of) for each in (first, second))
    values = [(float(one), float(other)) for one, other in zip(ours.bracket, theirs.bracket, strict=True)]
    if of == "total":  # noise of sampled answers may have raised either
        values = [(values[0][0], values[1][1]), (values[1][0], values[0][1])]
    value, of_other = values[0]
    if value <= 0.0 or theirs.low <= 0.0 or any(other <= 0.0 for _, other in values):
        return None
    sign = -1.0 if first.J.concave else 1.0
    on_first, on_second = (group_weights @ each.influences[INFLUENCES[of]] for each in (first, second))
    influence = sign * (on_first / value - on_second / of_other)
    error = float(first.sample.standard_errors(influence))
    if error <= NO_ERROR:
        return ratio_of_independent(
            averaged(first, group_weights, level, of), averaged(second, group_weights, level, of)
        )
    below, above = first.sample.margins(influence, level)
    ratios = [max(one, 0.0) / other for one, other in values]
    return min(ratios) * exp(-float(below) * error), max(ratios) * exp(float(above) * error)


def ratio_off_by(ends: Ends, first: tuple[float, float], second: tuple[float, float]) -> Ends | None:
    """Return the interval of a ratio that also holds if either risk is off by its error bound; None if unbounded.

    ``first`` and ``second`` are each risk and its error bound, (v, a) and (w, b). The lower end is multiplied by
    (1 - a / v) / (1 + b / w), the upper end by (1 + a / v) / (1 - b / w).
    The interval is unbounded if b >= w, or if v is 0 and a is not.
    """
    (value, within), (of_other, others_within) = first, second
    if others_within >= of_other or within > value <= 0.0:
        return None
    (low, high), ours, theirs = ends, within and within / value, others_within / of_other
    return low * max(1.0 - ours, 0.0) / (1.0 + theirs), high * (1.0 + ours) / (1.0 - theirs)


def averaged(risk: Sampled, group_weights: FloatArray, level: float, of: Of = "total") -> Estimate:
    """Return a risk averaged over groups, with its interval.

    ``of`` selects the risk or its bias; ``group_weights`` is P(X), (X,).
    """
    found, value = getattr(risk.estimates(group_weights, level), of), risk.values(group_weights)[INFLUENCES[of]]
    return replace(estimate(value, found.low, found.high), cross_fit=found.cross_fit)


def estimate(value: ArrayLike, low: ArrayLike | None = None, high: ArrayLike | None = None) -> Estimate:
    """Return a number and the ends of its interval as an `Estimate`; without ends, a number without error."""
    ends = (value if end is None else end for end in (low, high))
    return Estimate(*(np.asarray(each, dtype=np.float64) for each in (value, *ends)))
