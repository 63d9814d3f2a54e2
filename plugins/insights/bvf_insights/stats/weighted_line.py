"""Weighted least squares for a straight line, with heteroscedasticity-consistent (HC3) errors."""

from dataclasses import dataclass

import numpy as np

from bvf.stats import FloatArray

ALONE = 1e-9
"""If a leverage is this close to 1, the slope depends on one point alone."""


@dataclass(frozen=True)
class WeightedLine:
    """The line y = level + slope (x - centre) with the smallest weighted sum of squares.

    Args:
        centre: The weighted mean of x.
        level: The weighted mean of y.
        share: The weights over their sum, shape (N,).
        pull: The coefficient of each y in the slope, as the slope is ``pull @ y``; shape (N,).
        surprise: The leave-one-out residual of each point: its y minus the line through the others, shape (N,).
        classical_error: Standard error of the slope if weights were inverse variances; the default of most software.
        r_squared: Share of the weighted variance of y that the line explains.
    """

    slope: float
    centre: float
    level: float
    share: FloatArray
    pull: FloatArray
    surprise: FloatArray
    classical_error: float
    r_squared: float

    @property
    def without(self) -> FloatArray:
        """The slope without each point in turn, shape (N,)."""
        return self.slope - self.pull * self.surprise

    @property
    def error(self) -> float:
        """The HC3 standard error of the slope (MacKinnon, White 1985). It assumes neither equal nor known variances.

        It is the root of the sum of squared changes of the slope when each point is left out.
        """
        return float(np.sqrt(((self.slope - self.without) ** 2).sum()))

    @property
    def effective(self) -> float:
        """Kish's effective number of points: how many equally weighted points would have as much information."""
        return float(1.0 / (self.share**2).sum())

    @property
    def freedom(self) -> float:
        """Degrees of freedom of a t interval: effective number of points less 2, at least 1."""
        return max(1.0, self.effective - 2.0)

    def at(self, x: FloatArray) -> FloatArray:
        """Return the y of the line at x, shape (...)."""
        return self.level + self.slope * (x - self.centre)

    def errors_at(self, x: FloatArray) -> FloatArray:
        """Return the HC3 standard error of the line's y at each x, shape (M,)."""
        counts = self.share + (x[:, np.newaxis] - self.centre) * self.pull
        errors: FloatArray = np.sqrt(((counts * self.surprise) ** 2).sum(axis=1))
        return errors


def weighted_line(x: FloatArray, y: FloatArray, weights: FloatArray) -> WeightedLine:
    """Return the line through N >= 3 points by least squares with weights above 0, shape (N,).

    Raises:
        ValueError: All points, or all but one, have the same x.

    >>> round(weighted_line(np.array([0.0, 1.0, 2.0]), np.array([1.0, 2.0, 5.0]), np.ones(3)).slope, 12)
    2.0
    """
    share = weights / weights.sum()
    centre, level = share @ x, share @ y
    around = x - centre
    squares = share @ around**2
    if squares <= (ALONE * np.abs(x).max(initial=0.0)) ** 2:
        raise ValueError("all points have the same x")
    pull = share * around / squares
    leverage = share + share * around**2 / squares
    if (leverage > 1.0 - ALONE).any():
        raise ValueError("all points but one have the same x")
    slope = float(pull @ y)
    residuals = y - level - slope * around
    left, all_of_it = share @ residuals**2, share @ (y - level) ** 2
    return WeightedLine(
        slope=slope,
        centre=float(centre),
        level=float(level),
        share=share,
        pull=pull,
        surprise=residuals / (1.0 - leverage),
        classical_error=float(np.sqrt(left / (len(x) - 2) / squares)),
        r_squared=float(1.0 - left / all_of_it) if all_of_it > 0 else 0.0,
    )
