"""Candidate answers for measuring knowledge: each subject's true answer, and random wrong ones."""

import numpy as np

from bvf.arrays import BoolArray, FloatArray
from bvf.stats.figures.probabilities import shares_of


def among_candidates(probabilities: FloatArray, candidates: BoolArray) -> FloatArray:
    """Return p(y | x, c), shape (X, C, Y), renormalised over each subject's candidate answers (Eq. 8).

    ``candidates`` is a mask of shape (X, Y). Where all candidates have probability 0, the result is NaN.
    """
    return shares_of(np.where(candidates[:, np.newaxis, :], probabilities, 0.0), axis=2)
