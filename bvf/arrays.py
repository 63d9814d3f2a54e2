"""Type aliases for numpy arrays in signatures, and the conversion of values to an array of real numbers."""

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
        if array.dtype.kind in NOT_NUMBERS or (array.dtype == object and not all(map(_may_be_number, array.flat))):
            raise TypeError
        return array.astype(np.float64, copy=False)
    except (TypeError, ValueError, OverflowError, RuntimeError) as cause:
        raise error(f"{what}: no array of real numbers", "give numbers, in lists of equal lengths") from cause


def _may_be_number(value: object) -> bool:
    return value is not None and not isinstance(value, str | bytes | complex)


Pick = Callable[[NDArray[Any]], NDArray[Any]]
"""Selects some prompts of an array of shape (X, C, ...)."""
