"""The criteria of the paper, those of its released code, f-divergences, and the scores of knowledge mode.

An f-divergence is sum over y of p*_y f(p_y / p*_y) with a convex f and f(1) = 0. As p / p* = 1 + s, it is a convex
function of the stereotype once p* is known.
"""

from abc import abstractmethod
from collections.abc import Callable
from copy import copy
from typing import Self

import numpy as np
import scipy

from bvf.arrays import FloatArray, largest, place_of_largest, summed
from bvf.errors import BvfError, nearest, shortened
from bvf.files.parsing import whole_number
from bvf.interfaces.criterion import Criterion, KnowledgeCriterion

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


SMALLEST_RATIO = 1e-12
"""The smallest p / p* at which slopes are computed: some are infinite at 0."""


class Divergence(Criterion):
    """A distance of p from p* that is a sum over the attributes; implement `between`."""

    p_star: FloatArray | None = None

    def for_reference(self, p_star: FloatArray) -> Self:
        known = copy(self)
        known.p_star = p_star
        return known

    def risk(self, s: FloatArray, /) -> FloatArray:
        p_star = self._known_reference(s)
        total: FloatArray = self.between(p_star * (1.0 + s), p_star).sum(axis=-1)
        return total

    def subgradient(self, s: FloatArray, /) -> FloatArray | None:
        """The derivative p* f'(1 + s) with respect to s, from f' by `slope`."""
        return self._known_reference(s) * self.slope(np.maximum(1.0 + s, SMALLEST_RATIO))

    def _known_reference(self, s: FloatArray) -> FloatArray:
        """p*, broadcast to the shape of ``s``."""
        if self.p_star is None:
            raise BvfError(f"criterion {type(self).__name__} needs p*", "call for_reference(p_star) first")
        return np.broadcast_to(self.p_star, s.shape)

    @abstractmethod
    def between(self, p: FloatArray, p_star: FloatArray) -> FloatArray:
        """Return the term of each attribute in the sum, 0 or more, in the shape of ``p`` and ``p_star``."""

    @abstractmethod
    def slope(self, ratio: FloatArray) -> FloatArray:
        """Return f' at ``ratio`` = p / p*, which is above 0."""


class TotalVariation(Divergence):
    """1/2 sum over attributes of |p - p*|, 0 to 1: the largest difference in the probability of a set of attributes."""

    sublinear = True

    def between(self, p: FloatArray, p_star: FloatArray) -> FloatArray:
        return np.abs(p - p_star) / 2.0

    def slope(self, ratio: FloatArray) -> FloatArray:
        return np.sign(ratio - 1.0) / 2.0


class SquaredHellinger(Divergence):
    """1/2 sum of (sqrt p - sqrt p*)^2, 0 to 1."""

    def between(self, p: FloatArray, p_star: FloatArray) -> FloatArray:
        return (np.sqrt(p) - np.sqrt(p_star)) ** 2 / 2.0

    def slope(self, ratio: FloatArray) -> FloatArray:
        return (1.0 - 1.0 / np.sqrt(ratio)) / 2.0


class KullbackLeibler(Divergence):
    """Sum of p log(p / p*), in nats."""

    def between(self, p: FloatArray, p_star: FloatArray) -> FloatArray:
        added: FloatArray = scipy.special.kl_div(p, p_star)  # p log(p / p*) - p + p*: never below 0, and the same sum
        return added

    def slope(self, ratio: FloatArray) -> FloatArray:
        return np.log(ratio)


class JensenShannon(Divergence):
    """Mean of the Kullback-Leibler divergences of p and of p* from their middle, in nats: 0 to log 2."""

    def between(self, p: FloatArray, p_star: FloatArray) -> FloatArray:
        middle = (p + p_star) / 2.0
        added: FloatArray = (scipy.special.kl_div(p, middle) + scipy.special.kl_div(p_star, middle)) / 2.0
        return added

    def slope(self, ratio: FloatArray) -> FloatArray:
        return np.log(2.0 * ratio / (1.0 + ratio)) / 2.0


class ChiSquared(Divergence):
    """Sum of (p - p*)^2 / p* (Pearson)."""

    def between(self, p: FloatArray, p_star: FloatArray) -> FloatArray:
        return (p - p_star) ** 2 / p_star

    def slope(self, ratio: FloatArray) -> FloatArray:
        return 2.0 * (ratio - 1.0)
