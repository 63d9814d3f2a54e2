"""Candidate answers for measuring knowledge: each true answer, and random wrong ones."""

import hashlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from bvf import BvfError
from bvf.stats import BoolArray


def draw_candidates(
    subjects: Sequence[str], truth: NDArray[np.intp], answers: int, distractors: int, seed: int
) -> BoolArray:
    """Return a mask of the candidate answers, shape (X, Y).

    Each subject has its true answer and some random wrong ones.

    The wrong answers of a subject depend on its name and the seed alone, not on the other subjects.

    Args:
        subjects: Names, length X.
        truth: Index of each subject's true answer, shape (X,).
        answers: Y, the number of different answers.
        distractors: Wrong answers per subject, 1 to Y - 1.
        seed: Seed of the random choice, 0 or more.

    Raises:
        BvfError: There are fewer wrong answers than ``distractors``.
    """
    if distractors > answers - 1:
        raise BvfError(
            f"--distractors {distractors}: the topic has {answers} answers, so {answers - 1} wrong ones per subject",
            f"give {answers - 1} or less; 0 takes all answers",
        )
    mask = np.zeros((len(subjects), answers), dtype=np.bool_)
    for x, subject in enumerate(subjects):
        digest = hashlib.sha256(subject.encode()).digest()
        rng = np.random.default_rng([seed, *np.frombuffer(digest, dtype=np.uint32).tolist()])
        wrong = np.delete(np.arange(answers), truth[x])
        mask[x, rng.choice(wrong, size=distractors, replace=False)] = True
        mask[x, truth[x]] = True
    return mask
