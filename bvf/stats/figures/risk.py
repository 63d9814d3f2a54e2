"""From probabilities to R (risk), R^b (bias), R^v (volatility), and to shared and particular risk (Eq. 1 to 7).

Axes: X groups, C contexts, Y attributes (classes). A context whose probabilities are NaN is missing for that group,
and the weights of the group's other contexts are rescaled to sum to 1.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, permutations

import numpy as np
from numpy.typing import ArrayLike

from bvf.arrays import BoolArray, FloatArray
from bvf.domain.scale import USUAL, Scale, ends_at_1
from bvf.errors import BvfError
from bvf.interfaces.criterion import Criterion
from bvf.stats.figures.probabilities import (
    SUM_TOLERANCE,
    checked_probabilities,
    mean_over_contexts,
    normalised_weights,
    without_rounding,
)

NO_RISK = 1e-9
"""A J below this counts as 0."""
TIE = 1e-12
"""Stereotypes of two attributes that differ by less than this count as equal."""


@dataclass(frozen=True)
class Parts:
    """The risk of the mean lean of all groups (``shared``), and of each group's deviation from it (``particular``).

    In context c the shared lean is m_c = E_x[p - p*]; as a stereotype of group x it is m_c / p*, which is E_x[s] if p*
    is the same for all groups. For a sublinear J, R <= shared + particular on the raw scale.

    Args:
        shared: E_x[E_c[J(m_c / p*)]].
        shared_bias: E_x[J(E_c[m_c / p*])].
        shared_volatility: shared - shared_bias.
        particular: E_x[E_c[J(s - m_c / p*)]].
        particular_bias: E_x[J(E_c[s - m_c / p*])].
        particular_volatility: particular - particular_bias.
        x_particular: E_c[J(s - m_c / p*)] of each group, shape (X,).
        x_particular_bias: J(E_c[s - m_c / p*]), shape (X,).
        x_particular_volatility: x_particular - x_particular_bias, shape (X,).
        x_apart: E_c[p - p* - m_c], in probability, shape (X, Y).
        particular_divisor: Particular risks have been divided by it (see `particular_divisor_of`); shared ones, by the
            divisor of the risk.
    """

    shared: float
    shared_bias: float
    shared_volatility: float
    particular: float
    particular_bias: float
    particular_volatility: float
    x_particular: FloatArray
    x_particular_bias: FloatArray
    x_particular_volatility: FloatArray
    x_apart: FloatArray
    particular_divisor: float


@dataclass(frozen=True)
class Risk:
    """Risk, bias risk and volatility risk of a model, and of each group (Eq. 3 to 7).

    Args:
        R: E_x[r_x] (Eq. 4).
        R_bias: E_x[r_x^b] (Eq. 7).
        R_volatility: E_x[r_x^v] (Eq. 7).
        r: E_c[J(s)] of each group, shape (X,) (Eq. 3).
        r_bias: J(E_c[s]), shape (X,) (Eq. 5).
        r_volatility: r - r_bias, shape (X,) (Eq. 6).
        spread: Standard deviation over contexts of the probability of the attribute to which the group leans on
            average, shape (X,).
        changes_sides: Whether the attribute with the largest s differs between contexts of a group, shape (X,).
        other_side: Share of P(C) in which that attribute is another than in most contexts, shape (X,).
        group_weights: P(X), shape (X,), sums to 1.
        divisor: All risks have been divided by it: on the unit scale, J of the most stereotyped prediction, averaged
            over contexts and groups; 1 on the raw scale.
        parts: Shared and particular risk; None if J is not sublinear, or for a single group.
    """

    R: float
    R_bias: float
    R_volatility: float
    r: FloatArray
    r_bias: FloatArray
    r_volatility: FloatArray
    spread: FloatArray
    changes_sides: BoolArray
    other_side: FloatArray
    group_weights: FloatArray
    divisor: float
    parts: Parts | None


def decompose_risk(
    probabilities: ArrayLike,
    criterion: Criterion,
    *,
    context_weights: ArrayLike | None = None,
    group_weights: ArrayLike | None = None,
    reference: ArrayLike | None = None,
    scale: Scale = USUAL,
) -> Risk:
    """Split discrimination risk into bias and volatility (Eq. 3 to 7), and compute shared and particular risk.

    Args:
        probabilities: p(y | x, c), shape (X, C, Y), 0 to 1, sums to 1 over Y; NaN where missing.
        criterion: J.
        context_weights: P(C), shape (C,) or (X, C), >= 0; normalised here. Uniform if None.
        group_weights: P(X), shape (X,), >= 0; normalised here. Uniform if None.
        reference: p*, shape (Y,), (X, Y), (X, 1, Y) or (X, C, Y), > 0. Uniform if None.
        scale: ``unit`` divides by J of the most stereotyped prediction, averaged over contexts and groups, so that a
            model that is certain of the least likely attribute everywhere has R = 1; ``raw`` does not divide.

    Raises:
        BvfError: A shape or a range is wrong, a group has no context left, or the criterion cannot be used with p*.
    """
    p = checked_probabilities(probabilities)
    judged = _judged(p, criterion, context_weights, group_weights, reference, scale)
    leading = mean_over_contexts(judged.s, judged.weights).argmax(axis=1)
    of_leading = np.take_along_axis(p, leading[:, np.newaxis, np.newaxis], axis=2)[..., 0]
    away = of_leading - mean_over_contexts(of_leading, judged.weights)[:, np.newaxis]
    ahead = judged.s >= judged.s.max(axis=2, keepdims=True) - TIE  # several attributes where they tie
    steady = (ahead | (judged.weights == 0)[..., np.newaxis]).all(axis=1).any(axis=1)
    several = np.count_nonzero(judged.p_x) > 1
    return Risk(
        *judged.totals,
        *judged.risks,
        spread=np.sqrt(mean_over_contexts(away**2, judged.weights)),
        changes_sides=~steady,
        other_side=np.clip(1.0 - mean_over_contexts(ahead.astype(np.float64), judged.weights).max(axis=1), 0.0, 1.0),
        group_weights=judged.p_x,
        divisor=judged.divisor,
        parts=_parts(judged, p, scale) if judged.J.sublinear and several else None,
    )


def total_risk(
    probabilities: FloatArray,
    criterion: Criterion,
    *,
    context_weights: ArrayLike | None = None,
    group_weights: ArrayLike | None = None,
    reference: ArrayLike | None = None,
    scale: Scale = USUAL,
) -> tuple[float, float, float]:
    """Return R, R^b (bias) and R^v (volatility) as `decompose_risk` does, but faster: probabilities are not checked."""
    return _judged(probabilities, criterion, context_weights, group_weights, reference, scale).totals


@dataclass(frozen=True)
class _Judged:
    """Stereotypes s, criterion and weights, and the resulting r, r^b and r^v of each group."""

    s: FloatArray
    J: Criterion
    p_star: FloatArray
    weights: FloatArray
    p_x: FloatArray
    divisor: float
    risks: tuple[FloatArray, FloatArray, FloatArray]

    @property
    def totals(self) -> tuple[float, float, float]:
        r, r_bias, r_volatility = self.risks
        return float(self.p_x @ r), float(self.p_x @ r_bias), float(self.p_x @ r_volatility)


def _judged(
    p: FloatArray,
    criterion: Criterion,
    context_weights: ArrayLike | None,
    group_weights: ArrayLike | None,
    reference: ArrayLike | None,
    scale: Scale,
) -> _Judged:
    p_star = checked_reference(reference, p.shape)
    weights, p_x = normalised_weights(p, context_weights, group_weights)
    s = p / p_star - 1.0  # Eq. 1
    J = criterion_for(criterion, p_star)
    divisor = divisor_of(scale, J, p_star, weights, p_x)
    r, r_bias, r_volatility = (risk / divisor for risk in _split(J, s, weights))
    return _Judged(s, J, p_star, weights, p_x, divisor, (r, r_bias, r_volatility))


def mean_prediction(
    probabilities: FloatArray, context_weights: ArrayLike | None = None, group_weights: ArrayLike | None = None
) -> FloatArray:
    """Return E_x[E_c[p]], shape (Y,), for p(y | x, c) of shape (X, C, Y), P(C) and P(X) (None: uniform)."""
    weights, p_x = normalised_weights(probabilities, context_weights, group_weights)
    return p_x @ mean_over_contexts(probabilities, weights)


def check_criterion(criterion: Criterion, p_star: FloatArray, called: str) -> None:
    """Check that J is 0 at p = p*, and finite and >= 0 for a few other predictions. ``p_star`` has shape (..., Y).

    Raises:
        BvfError: A check fails, or J cannot be used with p*; in the message the criterion has the name ``called``.
    """
    p_star = p_star.reshape(-1, 1, p_star.shape[-1])
    one, other = np.eye(p_star.shape[-1])[[0, -1]]
    predictions = np.stack([share * one + (1.0 - share) * other for share in (0.0, 0.2, 1.0)])
    s = 0.9 * (predictions / p_star - 1.0)  # nine parts of them and one of p*, so that no probability is 0
    s = np.concatenate([np.zeros_like(p_star), s], axis=1)
    with np.errstate(all="ignore"):
        j = criterion.for_reference(p_star)(s)
    at_p_star, elsewhere = j[:, 0], j[:, 1:]
    for risks, right, asked in (
        (at_p_star, np.abs(at_p_star) <= NO_RISK, "where p is p*: there it is 0"),
        (elsewhere, (elsewhere >= -NO_RISK) & (elsewhere < np.inf), "for a prediction: a risk is 0 or more"),
    ):
        if not right.all():
            raise BvfError(
                f"the criterion {called} gives {risks[~right][0]:g} {asked}",
                "choose another criterion; bvf check says what is wrong with one",
            )


def criterion_for(criterion: Criterion, p_star: FloatArray) -> Criterion:
    """Return a criterion adapted to p*. ``p_star`` has shape (X, 1, Y) or (X, C, Y).

    Raises:
        BvfError: The criterion cannot be used with this p*.
    """
    if criterion.needs_uniform_reference and np.ptp(p_star, axis=-1).max() > SUM_TOLERANCE:
        raise BvfError(
            f"{type(criterion).__name__} is for a uniform p* only, and this p* is not uniform",
            "leave the reference out, or choose another criterion",
        )
    known = criterion.for_reference(p_star)
    if known is not criterion and p_star.shape[1] > 1:
        raise BvfError(
            f"{type(criterion).__name__} depends on p*, and this p* changes with the context",
            "give p* of shape (Y,) or (X, Y), or a criterion of s alone such as linf",
        )
    return known


def _split(criterion: Criterion, s: FloatArray, weights: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """r, r^b and r^v of each group: E_c[J(s)], J(E_c[s]) and their difference (Eq. 3, 5, 6)."""
    mean_s = mean_over_contexts(s, weights)[:, np.newaxis, :]
    J = criterion.towards(mean_s)
    total = mean_over_contexts(J(s), weights)
    bias = J(mean_s)[:, 0]
    return total, bias, without_rounding(total - bias, total)


def _parts(judged: _Judged, p: FloatArray, scale: Scale) -> Parts:
    J, p_star, weights, p_x, divisor = judged.J, judged.p_star, judged.weights, judged.p_x, judged.divisor
    particular_divisor = particular_divisor_of(divisor, scale, J, p_star, weights, p_x)
    lean = p - p_star
    common = mean_over_groups(lean, weights, p_x)
    apart = lean - common
    shared, shared_bias, shared_volatility = (
        float(p_x @ risk) / divisor for risk in _split(J, common / p_star, weights)
    )
    of_group, bias_of_group, volatility_of_group = (
        risk / particular_divisor for risk in _split(J, apart / p_star, weights)
    )
    return Parts(
        shared=shared,
        shared_bias=shared_bias,
        shared_volatility=shared_volatility,
        particular=float(p_x @ of_group),
        particular_bias=float(p_x @ bias_of_group),
        particular_volatility=float(p_x @ volatility_of_group),
        x_particular=of_group,
        x_particular_bias=bias_of_group,
        x_particular_volatility=volatility_of_group,
        x_apart=mean_over_contexts(apart, weights),
        particular_divisor=particular_divisor,
    )


def mean_over_groups(values: FloatArray, weights: FloatArray, p_x: FloatArray) -> FloatArray:
    """Return E_x of values (X, C, Y) over groups with a value, shape (C, Y); 0 where no group has one."""
    p_xc = np.where(weights > 0, p_x[:, np.newaxis], 0.0)
    summed = (np.where(p_xc[..., np.newaxis] > 0, values, 0.0) * p_xc[..., np.newaxis]).sum(axis=0)
    total = p_xc.sum(axis=0)[:, np.newaxis]
    mean: FloatArray = np.divide(summed, total, out=np.zeros_like(summed), where=total > 0)
    return mean


def divisor_of(scale: Scale, J: Criterion, p_star: FloatArray, weights: FloatArray, p_x: FloatArray) -> float:
    """Return the divisor of risks.

    It is 1 on the raw scale, and the risk of a fully stereotyped model on the unit scale.

    That model gives all probability to one attribute, the one for which J is largest.

    Args:
        scale: ``unit`` or ``raw``.
        J: The criterion, for ``p_star``.
        p_star: Shape (X, 1, Y) or (X, C, Y).
        weights: P(C) for each group, shape (X, C).
        p_x: P(X), shape (X,).
    """
    if not ends_at_1(scale):
        return 1.0
    return _mean_of([J(certain / p_star - 1.0) for certain in np.eye(p_star.shape[-1])], weights, p_x)


def particular_divisor_of(
    divisor: float, scale: Scale, J: Criterion, p_star: FloatArray, weights: FloatArray, p_x: FloatArray
) -> float:
    """Return the divisor of particular risks, which makes them at most 1 on the unit scale.

    It is ``divisor``, that of the risk (see `divisor_of`, which has the other arguments), or an upper bound of the
    particular risk of any model if that bound is larger. J is convex, so that the particular risk is largest for a
    model that is certain of a class y_x for each group. Where all groups have the same p*, it is then at most
    E_x E_x'[J((e_y_x - e_y_x') / p*)], and the share of pairs of groups of different classes is at most 1 - 1 / Y
    (Motzkin and Straus 1965). Where p* differs between groups, the bound is the largest J of a lean minus a common one.
    """
    if not ends_at_1(scale):
        return divisor
    vertices = np.eye(p_star.shape[-1])
    if np.ptp(p_star, axis=0).max() <= SUM_TOLERANCE:
        both_ways = [J((one - other) / p_star) + J((other - one) / p_star) for one, other in combinations(vertices, 2)]
        return max(divisor, (1.0 - 1.0 / len(vertices)) / 2.0 * _mean_of(both_ways, weights, p_x))
    mean = np.tensordot(p_x, p_star, 1)
    differences = [J((one - other + mean - p_star) / p_star) for one, other in permutations(vertices, 2)]
    return max(divisor, _mean_of(differences, weights, p_x))


def _mean_of(risks: Sequence[FloatArray], weights: FloatArray, p_x: FloatArray) -> float:
    """The largest of several risks, (X, 1) or (X, C), each averaged over contexts and groups."""
    largest = np.broadcast_to(np.max(risks, axis=0), weights.shape)
    return float(p_x @ mean_over_contexts(largest, weights))


def checked_reference(reference: ArrayLike | None, shape: tuple[int, ...]) -> FloatArray:
    """Return p*, shape (X, 1, Y), or (X, C, Y) if it depends on the context; uniform if ``reference`` is None.

    Raises:
        BvfError: p* does not fit probabilities of ``shape``, has a probability of 0 or less, or does not sum to 1.
    """
    groups, _, classes = shape
    if reference is None:
        return np.full((groups, 1, classes), 1.0 / classes)
    p_star = np.asarray(reference, dtype=np.float64)
    by_group = (groups, 1, classes)
    if p_star.shape not in {(classes,), (groups, classes), by_group, shape}:
        raise BvfError(
            f"the reference has shape {p_star.shape}", f"it should be ({classes},), {(groups, classes)} or {shape}"
        )
    if not (p_star > 0).all() or np.abs(p_star.sum(axis=-1) - 1.0).max() > SUM_TOLERANCE:
        raise BvfError(
            "the reference has a probability that is not above 0, or does not sum to 1 over the attributes",
            "where p* is 0, any probability would be infinitely overrepresented: give every attribute some",
        )
    if p_star.ndim == 3:
        return p_star if np.ptp(p_star, axis=1).any() else p_star[:, :1]
    return np.broadcast_to(p_star, (groups, classes))[:, np.newaxis, :]
