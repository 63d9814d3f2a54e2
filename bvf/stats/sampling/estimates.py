"""Estimates of E_c[J(v)], J(E_c[v]) and their difference with intervals, and how far unseen contexts may move them."""

from dataclasses import dataclass, replace

import numpy as np

from bvf.arrays import FloatArray

HALVINGS = 100
Pair = tuple[FloatArray, FloatArray]
"""Two independent estimates of one array."""


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

    def further(self, by: FloatArray, raised: FloatArray) -> "Estimate":
        """Return the estimate with an interval that includes a further, independent error.

        ``raised`` is by how much noise may have raised both estimates.
        """
        lowest, highest = np.minimum(*self.bracket) - raised, np.maximum(*self.bracket)
        below, above = np.maximum(lowest - self.low, 0.0), np.maximum(self.high - highest, 0.0)
        moves = by > 0.0
        return replace(
            self,
            low=np.where(moves, np.minimum(np.maximum(lowest - np.hypot(below, by), 0.0), self.low), self.low),
            high=np.where(moves, np.maximum(highest + np.hypot(above, by), self.high), self.high),
        )

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


def possible_risks(total: FloatArray, of_mean: FloatArray, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return r and r^b of groups, 0 <= r^b <= r, from their cross-fit estimates, shape (X,) each.

    Both estimates err downward, that of E_c[J(s)] more, and it is at least J(E_c[s]). So the one with the larger mean
    over groups is taken for r. The larger one per group would be noise: of 40 groups without risk half are above 0.
    """
    r = possible(total if weights @ total > weights @ of_mean else of_mean, np.full_like(total, np.inf), weights)
    return r, possible(of_mean, r, weights)


def possible(estimates: FloatArray, most: FloatArray, weights: FloatArray) -> FloatArray:
    """Return the values from 0 to ``most`` that are nearest to estimates and have their mean, shape (X,).

    They are max(0, min(most, estimate - t)), with the one t for which their mean over ``weights`` is that of the
    estimates (or 0, or the mean of ``most``, if that is not possible). They are nearest by weighted least squares.
    """
    mean = float(np.clip(weights @ estimates, 0.0, weights @ most))
    low, high = float(np.where(np.isinf(most), 0.0, estimates - most).min()), float(estimates.max())
    for _ in range(HALVINGS):
        shift = (low + high) / 2.0
        above = weights @ np.clip(estimates - shift, 0.0, most) > mean
        low, high = (shift, high) if above else (low, shift)
    return np.clip(estimates - high, 0.0, most)
