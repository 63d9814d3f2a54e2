"""Estimates of E_c[J(v)], J(E_c[v]) and their difference with intervals, and how far unseen contexts may move them."""

from dataclasses import dataclass, replace

import numpy as np

from bvf.arrays import FloatArray


@dataclass(frozen=True)
class Estimate:
    """An estimate of a quantity and its interval, overall or per group.

    Args:
        value: The plug-in estimate: the figure of the paper.
        cross_fit: The cross-fit estimate, whose bias has the opposite sign; None for a mean, which is unbiased.
    """

    value: FloatArray
    low: FloatArray
    high: FloatArray
    cross_fit: FloatArray | None = None

    def mirrored(self) -> "Estimate":
        """Return the estimate of -1 times the quantity."""
        return Estimate(-self.value, -self.high, -self.low, None if self.cross_fit is None else -self.cross_fit)

    @property
    def bracket(self) -> tuple[FloatArray, FloatArray]:
        """The plug-in and the cross-fit estimate, whose biases have opposite signs; for a mean, the two are equal."""
        return self.value, self.value if self.cross_fit is None else self.cross_fit

    def within(self, most: FloatArray) -> "Estimate":
        """Return the estimate with value and interval clipped to the range from 0 to ``most``."""
        high = np.minimum(self.high, np.maximum(most, self.value))
        return replace(self, low=np.maximum(self.low, 0.0), high=np.maximum(high, 0.0))


@dataclass(frozen=True)
class Decomposition:
    """Estimates of E_c[J(v)], J(E_c[v]) and their difference >= 0. The shape is () over all groups, or (X,) per group.

    The difference is E_c[J(v)] - J(E_c[v]) for a convex J, and the negative of that for a concave J.
    """

    total: Estimate
    of_mean: Estimate
    rest: Estimate


@dataclass(frozen=True)
class Moved:
    """Bounds on the decrease (``down``) and increase (``up``) of a quantity, 0 or more, shape (...) each."""

    down: FloatArray
    up: FloatArray
