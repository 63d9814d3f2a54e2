"""Bounds of class probabilities where log p of words is known only between two limits (Eq. 8)."""

import math
from collections.abc import Sequence

import numpy as np

from bvf.arrays import FloatArray, IntArray

ROUNDING = 1e-6
"""How far a sum of probabilities in 32 bits may be too large."""


def most_unlisted(probabilities: Sequence[float]) -> float:
    """Return the largest probability of a token that is not listed, from two or more listed probabilities."""
    least = sorted(probabilities)[1]  # the last may be one that was drawn, not one of the most probable
    return min(least, max(0.0, 1.0 - math.fsum(probabilities)) + ROUNDING)


def middle_of(lowest: FloatArray, highest: FloatArray) -> FloatArray:
    """Return the log of the middle between p's limits, from their logs, of any shape; -inf where both are."""
    middle: FloatArray = np.logaddexp(lowest, highest) - np.log(2.0)
    return middle


def deviation_within(lowest: FloatArray, highest: FloatArray, class_of_word: IntArray) -> FloatArray:
    """Return how far class probabilities can be from those at the middle of the limits, shape (P,), 0 to 1.

    With L_y the least and U_y the most that the words of class y can have, p(y) lies between L_y / (L_y + U_not_y) and
    U_y / (U_y + L_not_y).

    Args:
        lowest: The lower limit of log p, shape (P, W).
        highest: The upper limit of log p, shape (P, W).
        class_of_word: Shape (W,).
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
    """Return how far the probability of any set of words can be from that at the middle of the limits, shape (P,).

    With a known mass T and an unknown mass G, every share of words is known to within G / (T + G).
    """
    known, most = (p.sum(axis=1) for p in _scaled(lowest, highest))
    unknown = most - known
    return _ratio(unknown.clip(0.0), known + unknown)


def _scaled(lowest: FloatArray, highest: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The limits of p, up to a factor per prompt, so that no p becomes 0 for being small."""
    scale = highest.max(axis=1, keepdims=True)
    scale = np.where(np.isfinite(scale), scale, 0.0)
    return np.exp(lowest - scale), np.exp(highest - scale)


def _ratio(part: FloatArray, whole: FloatArray) -> FloatArray:
    whole = np.broadcast_to(whole, part.shape)
    ratio: FloatArray = np.divide(part, whole, out=np.zeros_like(part), where=whole > 0)
    return ratio
