"""Types of numpy arrays in signatures, the conversion of values to real numbers, and reductions of a short last axis.

The reductions give the very numbers that numpy gives. numpy reduces an axis of two numbers some ten times as slowly
where it is the last one as where it is the first.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bvf.errors import BvfError

IntArray = NDArray[np.intp]
FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]

NOT_NUMBERS = "cSUmM"
"""Kinds of numpy arrays: complex numbers, texts, times."""


def floats(values: object, what: str, error: type[BvfError] = BvfError) -> FloatArray:
    """Return an array of real numbers, float64.

    Args:
        values: An array, or numbers in lists of equal lengths.
        what: What the error message calls the values.
        error: The class of the error that is raised if the values are not real numbers.
    """
    try:
        array = np.asarray(values)
        objects = array.flat if array.dtype == object else ()
        if array.dtype.kind in NOT_NUMBERS or any(isinstance(each, str | bytes | complex | None) for each in objects):
            raise TypeError
        return array.astype(np.float64, copy=False)
    except (TypeError, ValueError, OverflowError, RuntimeError) as cause:
        raise error(f"{what}: no array of real numbers", "give numbers, in lists of equal lengths") from cause


Pick = Callable[[NDArray[Any]], NDArray[Any]]
"""Selects some prompts of an array of shape (X, C, ...)."""


def each_group(number: int) -> FloatArray:
    """Return weights of the groups, shape (X, X): row x has 1 for group x and 0 for others.

    They are sparse: time and memory grow with the number of groups, not with its square.
    """
    from scipy.sparse import eye_array  # which --help does without

    weights: FloatArray = eye_array(number, format="csr")
    return weights


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
