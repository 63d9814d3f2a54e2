"""Knowledge: which answers a subject is asked to choose among."""

import hashlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from bvf.arrays import BoolArray, FloatArray
from bvf.errors import BvfError
from bvf.stats.probabilities import shares_of


def draw_candidates(
    subjects: Sequence[str], truth: NDArray[np.intp], answers: int, distractors: int, seed: int
) -> BoolArray:
    """Return the true answer of every subject and some wrong ones, shape (X, Y), with distractors + 1 True per row.

    The draw of a subject depends on its name and the seed alone, not on the other subjects.

    Args:
        subjects: Names, length X.
        truth: Index of each subject's true answer, shape (X,).
        answers: Y, the number of answers there are.
        distractors: Wrong answers per subject, 1 to Y - 1.
        seed: 0 or more.

    Raises:
        BvfError: There are not that many wrong answers.
    """
    if distractors > answers - 1:
        raise BvfError(
            f"--distractors {distractors}: the topic has {answers} answers, so {answers - 1} wrong ones per subject",
            f"say {answers - 1} or less; 0 takes all answers",
        )
    mask = np.zeros((len(subjects), answers), dtype=np.bool_)
    for x, subject in enumerate(subjects):
        digest = hashlib.sha256(subject.encode()).digest()
        rng = np.random.default_rng([seed, *np.frombuffer(digest, dtype=np.uint32).tolist()])
        wrong = np.delete(np.arange(answers), truth[x])
        mask[x, rng.choice(wrong, size=distractors, replace=False)] = True
        mask[x, truth[x]] = True
    return mask


def among_candidates(probabilities: FloatArray, candidates: BoolArray) -> FloatArray:
    """Return p(y | x, c), shape (X, C, Y), over the candidates alone, shape (X, Y): Eq. 8 with their words only.

    It is NaN where no candidate has any probability.
    """
    return shares_of(np.where(candidates[:, np.newaxis, :], probabilities, 0.0), axis=2)
