"""Bounds of class probabilities if log p of words is known only between two limits (Eq. 8)."""

import math
from collections.abc import Sequence

import numpy as np

from bvf.stats import FloatArray, IntArray

ROUNDING = 1e-6
"""Largest rounding error by which a sum of 32-bit probabilities may be too large."""


def most_unlisted(probabilities: Sequence[float]) -> float:
    """Return an upper bound on p of any token that is not listed. It follows from two or more listed probabilities."""
    least = sorted(probabilities)[1]  # the last may be the sampled token, not one of the most probable
    return min(least, max(0.0, 1.0 - math.fsum(probabilities)) + ROUNDING)


def middle_of(lowest: FloatArray, highest: FloatArray) -> FloatArray:
    """Return the log of the midpoint of the limits of p, given as logs. -inf if both limits are -inf."""
    middle: FloatArray = np.logaddexp(lowest, highest) - np.log(2.0)
    return middle


def deviation_within(lowest: FloatArray, highest: FloatArray, class_of_word: IntArray) -> FloatArray:
    """Return the error bound of class probabilities from midpoints of the limits, shape (P,), 0 to 1.

    If the words of class y have a probability between L_y and U_y in total, p(y) lies between L_y / (L_y + U_not_y)
    and U_y / (U_y + L_not_y).

    Args:
        lowest: The lower limit of log p, shape (P, W).
        highest: The upper limit of log p, shape (P, W).
        class_of_word: Index of the class of each word, shape (W,).
    """
    of_class = np.eye(int(class_of_word.max()) + 1)[class_of_word]
    least, most = (p @ of_class for p in _scaled(lowest, highest))
    middle = (least + most) / 2
    all_least, all_most = least.sum(axis=1, keepdims=True), most.sum(axis=1, keepdims=True)
    low, high = _ratio(least, least + all_most - most), _ratio(most, most + all_least - least)
    share = _ratio(middle, middle.sum(axis=1, keepdims=True))
    deviation: FloatArray = np.maximum(high - share, share - low).max(axis=1).clip(0.0, 1.0)
    return deviation


def deviation_of_any_classes(lowest: FloatArray, highest: FloatArray) -> FloatArray:
    """Return the error bound of p of any set of words, from midpoints of the limits, shape (P,).

    If the lower limits sum to T and the upper ones to T + G, the share of any set is exact to within G / (T + G).
    """
    known, most = (p.sum(axis=1) for p in _scaled(lowest, highest))
    unknown = most - known
    return _ratio(unknown.clip(0.0), known + unknown)


def _scaled(lowest: FloatArray, highest: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The limits of p, divided by one factor per prompt. So small values do not underflow to 0."""
    scale = highest.max(axis=1, keepdims=True)
    scale = np.where(np.isfinite(scale), scale, 0.0)
    return np.exp(lowest - scale), np.exp(highest - scale)


def _ratio(part: FloatArray, whole: FloatArray) -> FloatArray:
    whole = np.broadcast_to(whole, part.shape)
    ratio: FloatArray = np.divide(part, whole, out=np.zeros_like(part), where=whole > 0)
    return ratio
