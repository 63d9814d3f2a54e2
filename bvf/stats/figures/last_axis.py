"""Reductions over a short last axis, such as that of the classes, with the very numbers that numpy gives.

numpy reduces an axis of two numbers some ten times as slowly where it is the last one as where it is the first.
"""

import numpy as np

from bvf.arrays import BoolArray, FloatArray, IntArray


def largest(v: FloatArray) -> FloatArray:
    """Return the largest entry of each vector, shape (...), for v of shape (..., Y); NaN if an entry is."""
    most: FloatArray = _first(v).max(axis=0)
    return most


def place_of_largest(v: FloatArray) -> IntArray:
    """Return the index of the first largest entry of each vector, shape (...)."""
    place: IntArray = _first(v).argmax(axis=0)
    return place


def summed(v: FloatArray) -> FloatArray:
    """Return the sum of each vector, shape (...). Only two numbers have one sum, whatever the order of addition."""
    return v[..., 0] + v[..., 1] if v.shape[-1] == 2 else v.sum(axis=-1)


def missing(v: FloatArray) -> BoolArray:
    """Return whether some entry of each vector is NaN, shape (...)."""
    return np.asarray(np.isnan(_first(v)).any(axis=0))


def _first(v: FloatArray) -> FloatArray:
    """The array with its last axis first, also in memory."""
    return np.ascontiguousarray(v.transpose(v.ndim - 1, *range(v.ndim - 1)))
