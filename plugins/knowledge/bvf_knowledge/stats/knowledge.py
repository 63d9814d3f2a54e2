"""Probabilities of true answers, their scores for intervals, and the consistency of a model (Appendix E.1).

Axes: X subjects, C wordings of one question, Y candidate answers.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bvf import BvfError, KnowledgeCriterion
from bvf.stats import ContextSample, FloatArray, Judged, Sampled, checked_probabilities, floats

STEP = 1e-6
"""Step in probability for the slope of the score; at most a thousandth of the probability."""


def true_probabilities(probabilities: ArrayLike, truth: ArrayLike) -> FloatArray:
    """Return the probability of the true answer, or of any of several, shape (X, C).

    Arguments are those of `decompose_knowledge`.

    Raises:
        BvfError: A shape or a range is wrong.
    """
    p, _ = checked_probabilities(probabilities), floats(truth, "truth")
    given = np.asarray(truth)
    subjects, _, answers = p.shape
    if given.dtype == np.bool_ and given.shape == (subjects, answers) and given.any(axis=1).all():
        of_any: FloatArray = np.minimum(np.where(given[:, np.newaxis], p, 0.0).sum(axis=2), 1.0)
        return of_any
    if given.shape != (subjects,):
        hint = "give one true answer per subject, or booleans, of which one or more are true"
        raise BvfError(f"the truth has shape {given.shape}, not ({subjects},)", hint)
    if not (np.issubdtype(given.dtype, np.integer) and (given >= 0).all() and (given < answers).all()):
        raise BvfError(f"the truth is not an index of an answer: {given.tolist()}", f"indices are 0 to {answers - 1}")
    return np.take_along_axis(p, given.astype(np.intp)[:, np.newaxis, np.newaxis], axis=2)[..., 0]


def sampled_knowledge(
    probabilities: ArrayLike, truth: ArrayLike, criterion: KnowledgeCriterion, sample: ContextSample
) -> Sampled:
    """Return the scores of true answers as a `Sampled`, for intervals.

    Contexts are wordings of a question, described by ``sample``; the total of the `Sampled` is the expected score.
    Other arguments are those of `decompose_knowledge`.

    Raises:
        BvfError: A shape or a range is wrong.
    """

    def value(p: FloatArray) -> FloatArray:
        return -criterion(p[..., 0])

    def gradient(p: FloatArray) -> FloatArray:
        step = np.where(p > 0.0, np.minimum(STEP, p / 1000.0), STEP)
        above, below = np.minimum(p + step, 1.0), np.maximum(p - step, 0.0)
        slope: FloatArray = (criterion(above) - criterion(below)) / (above - below)
        return -slope

    p = true_probabilities(probabilities, truth)[..., np.newaxis]
    ends = np.broadcast_to(np.array([[0.0], [1.0]]), (len(p), 2, 1))
    return Sampled(p, Judged(value, gradient, value, ends, concave=True, most=1.0), sample)


def top_answers(probabilities: FloatArray) -> NDArray[np.intp]:
    """Return the index of the most probable class along the last axis; -1 for a tie or NaN."""
    largest = probabilities.max(axis=-1, keepdims=True)
    return np.where((probabilities == largest).sum(axis=-1) == 1, probabilities.argmax(axis=-1), -1)


def consistency(probabilities: FloatArray) -> FloatArray:
    """Return the fraction of pairs of contexts with the same most probable class (Elazar et al. 2021), (X,).

    All contexts that are not NaN have equal weight. A context in which two classes are equally probable at the top
    agrees with no other. The result is NaN for a group with fewer than two contexts.
    """
    shares = np.full(len(probabilities), np.nan)
    for x, answers in enumerate(top_answers(probabilities)):
        there = answers[~np.isnan(probabilities[x]).any(axis=-1)]
        _, times = np.unique(there[there >= 0], return_counts=True)
        pairs = len(there) * (len(there) - 1) / 2
        if pairs:
            shares[x] = (times * (times - 1) / 2).sum() / pairs
    return shares
