"""From probabilities to R, R^b and R^v: arrays in, arrays out (Eq. 1 to 7).

Axes: X groups, C contexts, Y attributes. A context whose probabilities are NaN is missing for that group:
its weight goes to the group's other contexts.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bvf.arrays import FloatArray
from bvf.criterion import Criterion, KnowledgeCriterion
from bvf.errors import BvfError

Scale = Literal["unit", "raw"]
SUM_TOLERANCE = 1e-6


@dataclass(frozen=True)
class Risk:
    """Risks over all groups and of each (Eq. 3 to 7).

    Args:
        R: E_x[r_x] (Eq. 4).
        R_bias: E_x[r_x^b] (Eq. 7).
        R_volatility: E_x[r_x^v] (Eq. 7).
        r: E_c[J(s)] of each group, shape (X,) (Eq. 3).
        r_bias: J(E_c[s]), shape (X,) (Eq. 5).
        r_volatility: r - r_bias, shape (X,) (Eq. 6).
        group_weights: P(X), shape (X,), sums to 1.
    """

    R: float
    R_bias: float
    R_volatility: float
    r: FloatArray
    r_bias: FloatArray
    r_volatility: FloatArray
    group_weights: FloatArray


@dataclass(frozen=True)
class Knowledge:
    """Scores of the true answers over all subjects and of each (Appendix E.1).

    Args:
        mastery: E_x[J(E_c[p])].
        expected_score: E_x[E_c[J(p)]].
        confidence_gap: mastery - expected_score, >= 0 for a concave J.
        x_mastery: J(E_c[p]), shape (X,).
        x_expected_score: E_c[J(p)], shape (X,).
        x_confidence_gap: Their difference, shape (X,).
        group_weights: P(X), shape (X,), sums to 1.
    """

    mastery: float
    expected_score: float
    confidence_gap: float
    x_mastery: FloatArray
    x_expected_score: FloatArray
    x_confidence_gap: FloatArray
    group_weights: FloatArray


def decompose_risk(
    probabilities: ArrayLike,
    criterion: Criterion,
    *,
    context_weights: ArrayLike | None = None,
    group_weights: ArrayLike | None = None,
    reference: ArrayLike | None = None,
    scale: Scale = "unit",
) -> Risk:
    """Split discrimination risk into bias and volatility (Eq. 3 to 7).

    Args:
        probabilities: p(y | x, c), shape (X, C, Y), 0 to 1, sums to 1 over Y; NaN where missing.
        criterion: J.
        context_weights: P(C), shape (C,) or (X, C), >= 0; normalised here. Uniform if None.
        group_weights: P(X), shape (X,), >= 0; normalised here. Uniform if None.
        reference: p*, shape (Y,), (X, Y) or (X, C, Y), > 0. Uniform if None.
        scale: ``unit`` divides by J of the most stereotyped prediction, ``raw`` does not.

    Raises:
        BvfError: A shape or a range is wrong, or a group has no context left.
    """
    p = checked_probabilities(probabilities)
    unbiased = _reference(reference, p.shape)
    weights = _context_weights(context_weights, p)
    stereotype = p / unbiased - 1.0  # Eq. 1
    mean_stereotype = _mean_over_contexts(stereotype, weights)
    directed = criterion.towards(mean_stereotype)
    r = _mean_over_contexts(directed(stereotype), weights)  # Eq. 3
    r_bias = directed(mean_stereotype)  # Eq. 5
    if scale == "unit":
        most = _mean_over_contexts(_most_stereotyped(criterion, unbiased), weights)
        r, r_bias = r / most, r_bias / most
    r_volatility = r - r_bias  # Eq. 6
    p_x = _normalised(group_weights, p.shape[0], "group weights")
    return Risk(float(p_x @ r), float(p_x @ r_bias), float(p_x @ r_volatility), r, r_bias, r_volatility, p_x)


def decompose_knowledge(
    probabilities: ArrayLike,
    truth: ArrayLike,
    criterion: KnowledgeCriterion,
    *,
    context_weights: ArrayLike | None = None,
    group_weights: ArrayLike | None = None,
) -> Knowledge:
    """Split mastery into what one gets on average and the confidence gap (Appendix E.1).

    Args:
        probabilities: p(y | x, c), shape (X, C, Y), as for `decompose_risk`.
        truth: Index of the true attribute of each group, shape (X,).
        criterion: A concave J.
        context_weights: P(C), shape (C,); normalised here. Uniform if None.
        group_weights: P(X), shape (X,); normalised here. Uniform if None.
    """
    p = checked_probabilities(probabilities)
    weights = _context_weights(context_weights, p)
    true_p = np.take_along_axis(p, np.asarray(truth, dtype=np.intp)[:, np.newaxis, np.newaxis], axis=2)[..., 0]
    mastery = criterion(_mean_over_contexts(true_p, weights))
    expected = _mean_over_contexts(criterion(true_p), weights)
    gap = mastery - expected
    p_x = _normalised(group_weights, p.shape[0], "group weights")
    return Knowledge(float(p_x @ mastery), float(p_x @ expected), float(p_x @ gap), mastery, expected, gap, p_x)


def class_probabilities(word_logp: FloatArray, class_of_word: NDArray[np.intp], classes: int) -> FloatArray:
    """Return p(y | x, c) from log p-hat(v | x, c) (Eq. 8).

    Args:
        word_logp: Natural logarithms, shape (P, W); a constant a row cancels.
        class_of_word: Class of each word, shape (W,), 0 to ``classes`` - 1.
        classes: |Y|.

    Returns:
        Probabilities, shape (P, Y), sums to 1; NaN in a row whose words all have probability 0.
    """
    largest = word_logp.max(axis=1, keepdims=True)
    mass = np.exp(word_logp - np.where(np.isfinite(largest), largest, 0.0))
    by_class = np.stack([mass[:, class_of_word == y].sum(axis=1) for y in range(classes)], axis=1)
    total = by_class.sum(axis=1, keepdims=True)
    probabilities: FloatArray = np.divide(by_class, total, out=np.full_like(by_class, np.nan), where=total > 0)
    return probabilities


def top_answers(probabilities: FloatArray) -> NDArray[np.intp]:
    """Return the most probable class along the last axis; -1 where two share that place, or for NaN."""
    largest = probabilities.max(axis=-1, keepdims=True)
    top: NDArray[np.intp] = np.where((probabilities == largest).sum(axis=-1) == 1, probabilities.argmax(axis=-1), -1)
    return top


def consistency(probabilities: FloatArray) -> FloatArray:
    """Return how often two contexts have the same class on top, right or wrong (ParaRel, Elazar et al. 2021).

    Contexts count alike, whatever their weight. A context in which two classes share the top agrees with no other.

    Args:
        probabilities: Shape (X, C, Y); NaN where a context is missing.

    Returns:
        Share of the unordered pairs of contexts, shape (X,); NaN for a group with fewer than two contexts.
    """
    shares = np.full(len(probabilities), np.nan)
    for x, answers in enumerate(top_answers(probabilities)):
        there = answers[~np.isnan(probabilities[x]).any(axis=-1)]
        _, times = np.unique(there[there >= 0], return_counts=True)
        pairs = len(there) * (len(there) - 1) / 2
        if pairs:
            shares[x] = (times * (times - 1) / 2).sum() / pairs
    return shares


def mean_probabilities(probabilities: FloatArray, context_weights: ArrayLike | None = None) -> FloatArray:
    """Return E_c[p(y | x, c)], shape (X, Y), over the contexts that are there."""
    return _mean_over_contexts(probabilities, _context_weights(context_weights, probabilities))


def checked_probabilities(values: ArrayLike) -> FloatArray:
    """Return (X, C, Y) float64 probabilities, or raise `BvfError` that says what is wrong with them."""
    p = np.asarray(values, dtype=np.float64)
    if p.ndim != 3 or p.shape[2] < 2 or 0 in p.shape:
        raise BvfError(
            f"probabilities have shape {p.shape}",
            "they should be (groups, contexts, attributes), two attributes or more",
        )
    there = p[~np.isnan(p).any(axis=2)]
    if there.size and (there.min() < 0 or np.abs(there.sum(axis=1) - 1.0).max() > SUM_TOLERANCE):
        raise BvfError(
            "probabilities are negative or do not sum to 1 over the attributes", "divide by the sum over the last axis"
        )
    return p


def _mean_over_contexts(values: FloatArray, weights: FloatArray) -> FloatArray:
    """E_c of (X, C) or (X, C, Y) under (X, C) weights; weight 0 hides a NaN."""
    wide = weights if values.ndim == 2 else weights[..., np.newaxis]
    mean: FloatArray = (np.where(wide > 0, values, 0.0) * wide).sum(axis=1)
    return mean


def _most_stereotyped(criterion: Criterion, unbiased: FloatArray) -> FloatArray:
    """J when one class has all the probability, at its largest over the classes; shape (X, C)."""
    certain = np.eye(unbiased.shape[-1])
    largest: FloatArray = np.max([criterion(certain[y] / unbiased - 1.0) for y in range(len(certain))], axis=0)
    return largest


def _reference(reference: ArrayLike | None, shape: tuple[int, ...]) -> FloatArray:
    groups, _, classes = shape
    if reference is None:
        uniform: FloatArray = np.full(shape, 1.0 / classes)
        return uniform
    unbiased = np.asarray(reference, dtype=np.float64)
    if unbiased.shape == (groups, classes):
        unbiased = unbiased[:, np.newaxis, :]
    if unbiased.shape[-1:] != (classes,) or unbiased.ndim not in {1, 3}:
        raise BvfError(
            f"the reference has shape {unbiased.shape}", f"it should be ({classes},), {(groups, classes)} or {shape}"
        )
    if not (unbiased > 0).all() or np.abs(unbiased.sum(axis=-1) - 1.0).max() > SUM_TOLERANCE:
        raise BvfError("the reference has a probability that is not above 0, or does not sum to 1 over the attributes")
    everywhere: FloatArray = np.array(np.broadcast_to(unbiased, shape), dtype=np.float64)
    return everywhere


def _context_weights(given: ArrayLike | None, p: FloatArray) -> FloatArray:
    """P(C) for each group over the contexts that are there, shape (X, C)."""
    groups, contexts, _ = p.shape
    weights = np.ones(contexts) if given is None else np.asarray(given, dtype=np.float64)
    if weights.shape not in {(contexts,), (groups, contexts)}:
        raise BvfError(f"context weights have shape {weights.shape}, not ({contexts},)")
    if not (np.isfinite(weights) & (weights >= 0)).all() or weights.sum() == 0:
        raise BvfError("context weights are negative, not numbers, or all zero")
    there = np.where(np.isnan(p).any(axis=2), 0.0, weights)
    total = there.sum(axis=1, keepdims=True)
    if (total == 0).any():
        raise BvfError(f"group {int(np.argmin(total))} has no context with probabilities")
    normalised: FloatArray = there / total
    return normalised


def _normalised(given: ArrayLike | None, length: int, what: str) -> FloatArray:
    weights = np.ones(length) if given is None else np.asarray(given, dtype=np.float64)
    if weights.shape != (length,):
        raise BvfError(f"{what} have shape {weights.shape}, not ({length},)")
    if not (np.isfinite(weights) & (weights >= 0)).all() or weights.sum() == 0:
        raise BvfError(f"{what} are negative, not numbers, or all zero")
    normalised: FloatArray = weights / weights.sum()
    return normalised
