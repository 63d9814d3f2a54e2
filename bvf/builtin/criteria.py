"""The criteria of the paper, those of its released code, and the scores of knowledge mode."""

from collections.abc import Callable

import numpy as np

from bvf.arrays import FloatArray
from bvf.errors import BvfError, nearest, shortened
from bvf.files.parsing import whole_number
from bvf.interfaces.criterion import Criterion, KnowledgeCriterion
from bvf.stats.figures.last_axis import largest, place_of_largest, summed

LARGEST_ORDER = 1_000_000
LOG_FLOOR = 1e-6
"""f in the score ``log``: far below f the score is proportional to p, far above f to its logarithm, plus a constant."""


class Linf(Criterion):
    """J(s) = max over classes y of the positive part of the stereotype s = p / p* - 1 (Eq. 2)."""

    sublinear = True

    def risk(self, s: FloatArray, /) -> FloatArray:
        return largest(np.maximum(s, 0.0))

    def subgradient(self, s: FloatArray, /) -> FloatArray:
        return _largest_positive(s)


class Lk(Criterion):
    """J(s) = (sum over classes y of the k-th power of the positive part of s = p / p* - 1)^(1/k) (Eq. 10)."""

    sublinear = True

    def __init__(self, k: str) -> None:
        order = whole_number(k, 1, LARGEST_ORDER)
        if order is None:
            wanted = f"orders are whole numbers from 1 to {LARGEST_ORDER}, e.g. lk:2"
            raise BvfError(f'criterion lk: "{shortened(k)}" is not an order', wanted)
        self.k = order

    def risk(self, s: FloatArray, /) -> FloatArray:
        positive = np.maximum(s, 0.0)
        most = largest(positive)
        scaled = positive / np.where(most > 0, most, 1.0)[..., np.newaxis]
        return most * summed(scaled**self.k) ** (1.0 / self.k)

    def subgradient(self, s: FloatArray, /) -> FloatArray:
        positive = np.maximum(s, 0.0)
        norm = self.risk(s)[..., np.newaxis]
        shares = np.divide(positive, norm, out=np.zeros_like(positive), where=norm > 0)
        return np.where(norm > 0, np.where(shares > 0, shares ** (self.k - 1), 0.0), _largest_positive(s))


class Direction(Criterion):
    """J(s) = the positive part of the stereotype s = p / p* - 1 for one class."""

    sublinear = True

    def __init__(self, attribute: str, index: int | None = None) -> None:
        self.attribute = attribute
        self.index = index

    def for_classes(self, names: tuple[str, ...]) -> Criterion:
        if self.attribute not in names:
            message = f'criterion direction: there is no class "{self.attribute}"'
            raise BvfError(message, nearest(self.attribute, list(names)))
        return Direction(self.attribute, names.index(self.attribute))

    def risk(self, s: FloatArray, /) -> FloatArray:
        if self.index is None:
            raise BvfError(f"criterion direction:{self.attribute} needs the names of the classes")
        return np.maximum(s[..., self.index], 0.0)

    def subgradient(self, s: FloatArray, /) -> FloatArray:
        slopes = np.zeros_like(s)
        slopes[..., self.index] = s[..., self.index] >= 0
        return slopes


class ReleasedA(Criterion):
    """J(s) = max over y of |s| / (|Y| - 1): ``compute_risk.py`` of the released code, uniform p* only."""

    sublinear = True
    needs_uniform_reference = True

    def risk(self, s: FloatArray, /) -> FloatArray:
        most: FloatArray = largest(np.abs(s)) / (s.shape[-1] - 1)
        return most

    def subgradient(self, s: FloatArray, /) -> FloatArray:
        slopes: FloatArray = _largest_positive(np.abs(s)) * np.sign(s) / (s.shape[-1] - 1)
        return slopes


class ReleasedB(Linf):
    """J(s) = the positive part of s for the class that the group leans to on average: ``calculate_gender``."""

    sublinear = False

    def towards(self, mean_stereotype: FloatArray) -> Criterion:
        return _TowardsOneClass(mean_stereotype.argmax(axis=-1, keepdims=True))


class _TowardsOneClass(Criterion):
    """The positive part of s, shape (X, C, Y), for one class per group. The class is given by its index, (X, 1, 1)."""

    def __init__(self, class_of_group: np.ndarray[tuple[int, ...], np.dtype[np.intp]]) -> None:
        self.class_of_group = class_of_group

    def risk(self, s: FloatArray, /) -> FloatArray:
        index = np.broadcast_to(self.class_of_group, (*s.shape[:-1], 1))
        chosen: FloatArray = np.take_along_axis(s, index, axis=-1)[..., 0]
        return np.maximum(chosen, 0.0)


class Concave(KnowledgeCriterion):
    """A concave increasing function from [0, 1] onto [0, 1]."""

    def __init__(self, function: Callable[[FloatArray], FloatArray]) -> None:
        self.function = function

    def score(self, p: FloatArray, /) -> FloatArray:
        return self.function(p)


def _largest_positive(s: FloatArray) -> FloatArray:
    """1 at the first largest entry of each vector if that entry is 0 or more. 0 elsewhere."""
    slopes = np.zeros_like(s)
    index = place_of_largest(s)[..., np.newaxis]
    np.put_along_axis(slopes, index, (np.take_along_axis(s, index, axis=-1) >= 0).astype(np.float64), axis=-1)
    return slopes


def released(variant: str) -> Criterion:
    """Return formula ``a`` or ``b`` of the authors' released code."""
    variants: dict[str, type[Criterion]] = {"a": ReleasedA, "b": ReleasedB}
    if variant not in variants:
        raise BvfError(f'criterion released: there is no variant "{variant}"', "write released:a or released:b")
    return variants[variant]()


def knowledge(function: str = "sqrt") -> KnowledgeCriterion:
    """Return the score ``sqrt``, ``log``: log(1 + p/f) / log(1 + 1/f) with f = 1e-6, or ``power=a`` with 0 < a <= 1."""
    name, _, parameter = function.partition("=")
    if name == "sqrt" and not parameter:
        return Concave(np.sqrt)
    if name == "log" and not parameter:
        return Concave(lambda p: np.log1p(p / LOG_FLOOR) / np.log1p(1.0 / LOG_FLOOR))
    if name != "power":
        message = f'criterion knowledge: there is no function "{function}"'
        raise BvfError(message, "write sqrt, log or power=a with 0 < a <= 1")
    try:
        exponent = float(parameter)
    except ValueError:
        exponent = 0.0
    if not 0.0 < exponent <= 1.0:
        message = f'criterion knowledge: "{parameter}" is not an exponent'
        raise BvfError(message, "write a number above 0, at most 1: power=0.5")
    return Concave(lambda p: p**exponent)
