"""Candidate answers for measuring knowledge, and probabilities without what a model prefers to answer.

Some answers are likely after a wording whoever is asked about, such as "English" after "the official language is". The
domain-conditional PMI (Holtzman et al. 2021, EMNLP, "Surface Form Competition") divides by that prior probability q:

    corrected p(y | x, c) = p(y | x, c) / q(y | c), divided by its sum over the answers y

Contextual calibration (Zhao et al. 2021, ICML) takes q from a prompt without a subject. Here q needs no further prompt:
it is the bias of answers in Luce's model of confusions (Luce 1963, Handbook of Mathematical Psychology 1, 103). Where
the answer y is wrong for the subject x,

    p(y | x, c) = a(x, c) q(y | c)

with a number a(x, c) of each subject. It is fitted to wrong answers alone, as a table with empty cells for true ones
(quasi-independence; Goodman 1968, JASA 63, 1091), by iterative proportional fitting. So what a model knows of subjects
is no preference. The plain mean over subjects would count it as one, and take it away. The q of a subject comes from
the other subjects.

Axes: X subjects, C wordings of one question, Y candidate answers.
"""

import hashlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from bvf import BvfError
from bvf.stats import BoolArray, FloatArray

FEWEST_SUBJECTS = 10
"""The fewest subjects from which the prior is fitted."""
FEWEST_ANSWERS = 3
"""The fewest answers: with two, each subject has a single wrong one, and its share of the wrong answers is always 1."""
FLOOR = 1e-6
"""The part of a probability that is spread evenly over all answers, so that no answer is impossible."""
STEPS, CONVERGED = 200, 1e-10


def is_true(answers: NDArray[np.intp], truth: BoolArray) -> BoolArray:
    """Return whether answers, shape (X, ...), are among the true ones, shape (X, Y). A tie (-1) is not."""
    of_each = answers.reshape(len(truth), -1)
    true: BoolArray = np.take_along_axis(truth, of_each, axis=1) & (of_each >= 0)
    return true.reshape(answers.shape)


def draw_candidates(subjects: Sequence[str], truth: BoolArray, distractors: int, seed: int) -> BoolArray:
    """Return a mask of the candidate answers, shape (X, Y).

    Each subject has its true answers and some random wrong ones.

    The wrong answers of a subject depend on its name and the seed alone, not on the other subjects.

    Args:
        subjects: Names, length X.
        truth: Which answers of each subject are true, shape (X, Y).
        distractors: Wrong answers per subject, 1 or more.
        seed: Seed of the random choice, 0 or more.

    Raises:
        BvfError: There are fewer wrong answers than ``distractors``.
    """
    wrong = (~truth).sum(axis=1)
    if distractors > (fewest := wrong.min()):
        of_one = f"of {truth.shape[1]} answers, {fewest} are wrong for {subjects[wrong.argmin()]}"
        raise BvfError(f"--distractors {distractors}: {of_one}", f"give {fewest} or less; 0 takes all answers")
    mask = truth.copy()
    for x, subject in enumerate(subjects):
        digest = hashlib.sha256(subject.encode()).digest()
        rng = np.random.default_rng([seed, *np.frombuffer(digest, dtype=np.uint32).tolist()])
        mask[x, rng.choice(np.flatnonzero(~truth[x]), size=distractors, replace=False)] = True
    return mask


def without_prior(probabilities: FloatArray, truth: BoolArray) -> FloatArray | None:
    """Return p(y | x, c) / q(y | c), normalised, shape (X, C, Y); NaN where a prompt is missing.

    None if q is undefined: subjects or answers are too few, or an answer is true for all other subjects.

    Args:
        probabilities: p(y | x, c), shape (X, C, Y); NaN where a prompt is missing.
        truth: Which answers of each subject are true, shape (X, Y).
    """
    subjects, _, answers = probabilities.shape
    if subjects < FEWEST_SUBJECTS or answers < FEWEST_ANSWERS:
        return None
    floored: FloatArray = (1.0 - FLOOR) * probabilities + FLOOR / answers
    corrected: FloatArray = np.empty_like(floored)
    for c in range(floored.shape[1]):
        prior = _priors(floored[:, c], truth)
        if prior is None:
            return None
        ratios = floored[:, c] / prior
        corrected[:, c] = ratios / ratios.sum(axis=1, keepdims=True)
    return corrected


def _priors(p: FloatArray, truth: BoolArray) -> FloatArray | None:
    """q(y) for each subject, from the wrong answers of the others, in one wording, shape (X, Y); None: undefined."""
    wrong = np.where(np.isnan(p[:, :1]), 0.0, np.ones_like(p))
    wrong[truth] = 0.0
    said = np.where(wrong > 0.0, p, 0.0)
    of_others = wrong.sum(axis=0) - wrong
    if not (of_others > 0.0).all():
        return None
    q = np.full(p.shape[1], 1.0 / p.shape[1])
    for _ in range(STEPS):
        fitted = wrong * _times(said, wrong, q)
        before, q = q, said.sum(axis=0) / fitted.sum(axis=0)
        q /= q.sum()
        if np.abs(q - before).max() < CONVERGED:
            break
    fitted = wrong * _times(said, wrong, q)
    priors: FloatArray = (said.sum(axis=0) - said) / (fitted.sum(axis=0) - fitted)
    return priors


def _times(said: FloatArray, wrong: FloatArray, q: FloatArray) -> FloatArray:
    """a(x) for which the fitted wrong answers of each subject have the sum of those said, shape (X, 1)."""
    expected = (wrong * q).sum(axis=1, keepdims=True)
    total, none = said.sum(axis=1, keepdims=True), np.zeros_like(expected)
    times: FloatArray = np.divide(total, expected, out=none, where=expected > 0.0)
    return times
