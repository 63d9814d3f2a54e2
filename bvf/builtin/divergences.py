"""Criteria that compare the distribution p with p*: f-divergences, for any p*.

An f-divergence is sum over y of p*_y f(p_y / p*_y) with a convex f and f(1) = 0. As p / p* = 1 + s, it is a convex
function of the stereotype once p* is known.
"""

from abc import abstractmethod
from copy import copy
from typing import Self

import numpy as np
import scipy

from bvf.arrays import FloatArray
from bvf.errors import BvfError
from bvf.interfaces.criterion import Criterion

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
