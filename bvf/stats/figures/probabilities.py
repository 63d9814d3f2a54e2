"""Probabilities of attributes, and weights of contexts and groups: Eq. 8, E_c, margins, checks.

Axes: X groups, C contexts, Y attributes (classes). A context whose probabilities are NaN is missing for that group,
and the weights of the group's other contexts are rescaled to sum to 1.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bvf.arrays import BoolArray, FloatArray, floats, missing, summed
from bvf.errors import BvfError

SUM_TOLERANCE = 1e-6
"""Tolerance for the sum of probabilities over attributes, which should be 1."""
ROUNDING = 1e-12
"""Differences of risks below this (for a risk above 1: below this share of it) count as 0."""


def class_probabilities(word_logp: NDArray[Any], class_of_word: NDArray[np.intp], classes: int) -> FloatArray:
    """Return p(y | x, c) from log p-hat(v | x, c) (Eq. 8), shape (P, Y). NaN where all words have probability 0.

    Args:
        word_logp: Natural logarithms, shape (P, W), P prompts and W words; known up to a constant per row.
        class_of_word: Class of each word, shape (W,), 0 to ``classes`` - 1.
        classes: |Y|.
    """
    of_class = np.empty((len(word_logp), classes))
    for rows in in_blocks(len(word_logp)):
        mass = masses_of(word_logp[rows])
        of_class[rows] = np.stack([mass[:, class_of_word == y].sum(axis=1) for y in range(classes)], axis=1)
    return shares_of(of_class, axis=1)


def masses_of(logp: NDArray[Any]) -> FloatArray:
    """Return p of words, (..., W), from log p that is known up to a constant per row: the largest in a row is 1."""
    logp = logp.astype(np.float64)
    largest = logp.max(axis=-1, keepdims=True)
    masses: FloatArray = np.exp(logp - np.where(np.isfinite(largest), largest, 0.0))
    return masses


def in_blocks(length: int, most: int = 4096) -> list[slice]:
    """Return slices of at most so many places: what is computed of a block takes little memory."""
    return [slice(first, first + most) for first in range(0, length, most)]


def shares_of(mass: FloatArray, axis: int) -> FloatArray:
    """Return ``mass`` divided by its sum over an axis; NaN where the sum is 0."""
    total = mass.sum(axis=axis, keepdims=True)
    shares: FloatArray = np.divide(mass, total, out=np.full_like(mass, np.nan), where=total > 0)
    return shares


def among_candidates(probabilities: FloatArray, candidates: BoolArray) -> FloatArray:
    """Return p(y | x, c), shape (X, C, Y), renormalised over each subject's candidate answers (Eq. 8).

    ``candidates`` is a mask of shape (X, Y). Where all candidates have probability 0, the result is NaN.
    """
    return shares_of(np.where(candidates[:, np.newaxis, :], probabilities, 0.0), axis=2)


def margins(probabilities: FloatArray, level_of_class: NDArray[np.intp]) -> FloatArray:
    """Return p(y | x, c) summed over the classes of each level of a factor, such as gender of gender x age.

    If p* is summed in the same way, the total variation from p* is never larger for a margin than for all classes, as
    positive and negative differences may cancel in a sum (data-processing inequality).

    ``level_of_class``, shape (Y,), is the index of the level of each class on the last axis.
    """
    levels = range(int(level_of_class.max()) + 1)
    return np.stack([probabilities[..., level_of_class == level].sum(axis=-1) for level in levels], -1)


def mean_probabilities(probabilities: FloatArray, context_weights: ArrayLike | None = None) -> FloatArray:
    """Return E_c[p(y | x, c)], shape (X, Y), over the contexts that are not missing."""
    return mean_over_contexts(probabilities, normalised_context_weights(context_weights, probabilities))


def mean_reference(reference: FloatArray, probabilities: FloatArray, context_weights: ArrayLike | None) -> FloatArray:
    """Return E_c[p*(y | x, c)], shape (X, Y), over the contexts in which a group has probabilities.

    p* has the shape (X, Y), (X, 1, Y) or (X, C, Y). For P(C) see `normalised_context_weights`.
    """
    if reference.ndim == 2:
        return reference
    if reference.shape[1] == 1:
        return reference[:, 0]
    return mean_over_contexts(reference, normalised_context_weights(context_weights, probabilities))


def checked_probabilities(values: ArrayLike) -> FloatArray:
    """Return probabilities as a float64 array of shape (X, C, Y). Raises `BvfError` if they are invalid."""
    p = floats(values, "probabilities")
    if p.ndim != 3 or p.shape[2] < 2 or 0 in p.shape:
        raise BvfError(
            f"probabilities have shape {p.shape}",
            "they should be (groups, contexts, attributes), two attributes or more",
        )
    there = p[~missing(p)]
    if there.size and (there.min() < 0 or np.abs(summed(there) - 1.0).max() > SUM_TOLERANCE):
        raise BvfError(
            "probabilities are negative or do not sum to 1 over the attributes", "divide by the sum over the last axis"
        )
    return p


def mean_over_contexts(values: FloatArray, weights: FloatArray) -> FloatArray:
    """Return E_c of values, (X, C) or (X, C, Y), under weights of shape (X, C). NaN of weight 0 is ignored."""
    wide = weights if values.ndim == 2 else weights[..., np.newaxis]
    mean: FloatArray = (values * wide if weights.all() else np.where(wide > 0, values, 0.0) * wide).sum(axis=1)
    return mean


def normalised_context_weights(given: ArrayLike | None, p: FloatArray) -> FloatArray:
    """Return P(C) for each group over its contexts that are not missing, shape (X, C). Each row sums to 1.

    Args:
        given: Shape (C,) or (X, C), 0 or more; uniform if None.
        p: Shape (X, C, Y); NaN where a context is missing.

    Raises:
        BvfError: The shape is wrong, a weight is negative or not a number, or a group has no context left.
    """
    groups, contexts, _ = p.shape
    weights = np.ones(contexts) if given is None else floats(given, "context weights")
    if weights.shape not in {(contexts,), (groups, contexts)}:
        raise BvfError(f"context weights have shape {weights.shape}, not ({contexts},)")
    _refuse_bad_weights(weights, "context weights")
    there = np.where(missing(p), 0.0, weights)
    total = there.sum(axis=1, keepdims=True)
    if (total == 0).any():
        raise BvfError(f"group {int(np.argmin(total))} has no context with probabilities")
    normalised: FloatArray = there / total
    return normalised


def normalised_weights(
    p: FloatArray, context_weights: ArrayLike | None, group_weights: ArrayLike | None
) -> tuple[FloatArray, FloatArray]:
    """Return P(C) for each group, as of `normalised_context_weights`, and P(X), shape (X,), which sums to 1.

    Raises:
        BvfError: As `normalised_context_weights`, and where weights of groups are wrong.
    """
    of_contexts = normalised_context_weights(context_weights, p)
    weights = np.ones(len(p)) if group_weights is None else floats(group_weights, "group weights")
    if weights.shape != (len(p),):
        raise BvfError(f"group weights have shape {weights.shape}, not ({len(p)},)")
    _refuse_bad_weights(weights, "group weights")
    return of_contexts, weights / weights.sum()


def _refuse_bad_weights(weights: FloatArray, what: str) -> None:
    if not (np.isfinite(weights) & (weights >= 0)).all() or not 0 < weights.sum() < np.inf:
        raise BvfError(f"{what} are negative, not numbers, too large to sum, or all zero")


def without_rounding(difference: FloatArray, total: FloatArray) -> FloatArray:
    """Return a difference of two risks, with rounding errors set to 0. ``total`` is the larger of the two risks."""
    return np.where(np.abs(difference) < ROUNDING * np.maximum(1.0, np.abs(total)), 0.0, difference)
