"""The error of a reader, counted in labelled texts, and shares of classes corrected for it.

A text of class k is read as class j with probability M_kj, so the shares of readings are q = p M, and p = q M^-1: for
two classes the estimator of Rogan and Gladen (1978). It is linear, so that corrected shares of few texts are unbiased
estimates of p, as shares of readings are of q. They may leave the simplex; so may their mean, which is shown as the
nearest point of it.

Axes: X groups, C contexts, Y classes.
"""

import numpy as np

from bvf.arrays import FloatArray


def corrected(shares: FloatArray, matrix: FloatArray) -> FloatArray:
    """Return p = q M^-1 for shares of readings q, shape (..., Y); it may leave the simplex."""
    return np.asarray(np.linalg.solve(matrix.T, shares[..., np.newaxis])[..., 0], dtype=np.float64)


def on_simplex(p: FloatArray) -> FloatArray:
    """Return the nearest point of the simplex (by Euclidean distance) to vectors that sum to 1, shape (..., Y).

    >>> on_simplex(np.array([1.2, -0.1, -0.1])).tolist()
    [1.0, 0.0, 0.0]
    """
    ordered = -np.sort(-p, axis=-1)
    excess = (np.cumsum(ordered, axis=-1) - 1.0) / np.arange(1, p.shape[-1] + 1)
    last = (ordered > excess).sum(axis=-1, keepdims=True) - 1
    return np.maximum(p - np.take_along_axis(excess, np.maximum(last, 0), axis=-1), 0.0)
