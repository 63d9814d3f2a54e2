"""Quantiles of weighted values; quantiles and tails of Student's t and Pearson's type III distribution.

They use `scipy.special`, whose import on the first call takes a quarter of a second; that of `scipy.stats` takes a
second.
"""

import numpy as np
import scipy
from numpy.typing import ArrayLike

from bvf.arrays import FloatArray

NEARLY_NORMAL = 1.6e-5
"""For a skewness below this, Pearson's type III is computed as a normal distribution, as in scipy."""


def weighted_quantile(values: FloatArray, weights: FloatArray, level: float) -> float:
    """Return the smallest value up to which the weights sum to the fraction ``level``.

    Values and weights have the shape (N,).
    """
    order = np.argsort(values)
    reached = np.cumsum(weights[order]) >= level * weights.sum()
    return float(values[order][int(np.argmax(reached))])


def student_quantile(level: ArrayLike, freedom: ArrayLike) -> FloatArray:
    """Return the quantile of Student's t at the probability ``level``. The arguments broadcast.

    >>> round(float(student_quantile(0.975, 10)), 4)
    2.2281
    """
    quantile: FloatArray = scipy.special.stdtrit(freedom, level)
    return quantile


def student_tail(t: ArrayLike, freedom: ArrayLike) -> FloatArray:
    """Return the probability that Student's t is above ``t``. The arguments broadcast."""
    tail: FloatArray = scipy.special.stdtr(freedom, -np.asarray(t, dtype=np.float64))
    return tail


def pearson3_quantile(level: ArrayLike, skewness: ArrayLike) -> FloatArray:
    """Return the quantile of a standardised Pearson type III variable at the probability ``level``."""
    level, skewness = np.broadcast_arrays(np.asarray(level, dtype=np.float64), np.asarray(skewness, dtype=np.float64))
    normal, shape = _shape(skewness)
    scaled = scipy.special.gammaincinv(shape, np.where(skewness > 0, level, 1.0 - level))
    quantile: FloatArray = np.where(
        normal, scipy.special.ndtri(level), np.sign(skewness) * (scaled - shape) / np.sqrt(shape)
    )
    return quantile


def pearson3_below(x: ArrayLike, skewness: ArrayLike) -> FloatArray:
    """Return the probability that a standardised Pearson type III variable is below ``x``. The arguments broadcast."""
    x, skewness = np.broadcast_arrays(np.asarray(x, dtype=np.float64), np.asarray(skewness, dtype=np.float64))
    normal, shape = _shape(skewness)
    scaled = np.maximum(np.sign(skewness) * x * np.sqrt(shape) + shape, 0.0)
    skewed = np.where(skewness > 0, scipy.special.gammainc(shape, scaled), scipy.special.gammaincc(shape, scaled))
    below: FloatArray = np.where(normal, scipy.special.ndtr(x), skewed)
    return below


def _shape(skewness: FloatArray) -> tuple[np.ndarray, FloatArray]:
    """A mask of skewnesses near 0, and the gamma distribution's shape 4 / skewness^2 for the others."""
    normal = np.abs(skewness) < NEARLY_NORMAL
    return normal, 4.0 / np.where(normal, 1.0, skewness) ** 2
