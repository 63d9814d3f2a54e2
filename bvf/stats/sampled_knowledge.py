"""Intervals of mastery, expected score and confidence gap (Appendix E.1)."""

import numpy as np
from numpy.typing import ArrayLike

from bvf.arrays import FloatArray
from bvf.interfaces.criterion import KnowledgeCriterion
from bvf.stats.intervals import Sampled
from bvf.stats.judged import Judged
from bvf.stats.knowledge import true_probabilities
from bvf.stats.samples import ContextSample

STEP = 1e-6
"""Step in probability for the slope of the score; at most a thousandth of the probability."""


def sampled_knowledge(
    probabilities: ArrayLike, truth: ArrayLike, criterion: KnowledgeCriterion, sample: ContextSample
) -> Sampled:
    """Return what each wording adds to the scores of true answers; the total is the expected score.

    Args:
        probabilities: p(y | x, c), shape (X, C, Y); NaN where missing.
        truth: Index of the true answer of each subject, shape (X,).
        criterion: A concave J.
        sample: What the wordings are a sample of.

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
