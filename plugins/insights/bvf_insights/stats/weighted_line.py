"""Weighted least squares for a straight line, with heteroscedasticity-consistent (HC2) errors.

Their degrees of freedom are those of Bell and McCaffrey (2002): Satterthwaite's, if each y has the same variance. Where
few points decide the slope, they are few.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from bvf.stats import FloatArray, student_quantile

ALONE = 1e-9
"""If a leverage is this close to 1, the slope depends on one point alone."""


@dataclass(frozen=True)
class WeightedLine:
    """The line y = level + slope (x - centre) with the smallest weighted sum of squares."""

    slope: float
    centre: float  # the weighted mean of x
    level: float  # the weighted mean of y
    around: FloatArray  # each x less the centre, shape (N,)
    share: FloatArray  # the weights over their sum, shape (N,)
    pull: FloatArray  # the coefficient of each y in the slope, as the slope is ``pull @ y``; shape (N,)
    residuals: FloatArray  # each y less that of the line, shape (N,)
    leverage: FloatArray  # the coefficient of each y in the line at its own x, shape (N,)
    # standard error of the slope if weights were inverse variances; the default of most software
    classical_error: float
    r_squared: float  # share of the weighted variance of y that the line explains

    @property
    def without(self) -> FloatArray:
        """The slope without each point in turn, shape (N,)."""
        return self.slope - self.pull * self.residuals / (1.0 - self.leverage)

    @property
    def error(self) -> float:
        """The HC2 standard error of the slope (MacKinnon, White 1985). It assumes neither equal nor known variances."""
        return float(self._errors(self.pull))

    @property
    def freedom(self) -> float:
        """Degrees of freedom of a t interval of the slope, at least 1."""
        return float(self._freedoms(self.pull))

    @property
    def effective(self) -> float:
        """Kish's effective number of points: how many equally weighted points would have as much information."""
        return float(1.0 / (self.share**2).sum())

    def at(self, x: FloatArray) -> FloatArray:
        """Return the y of the line at x, shape (...)."""
        return self.level + self.slope * (x - self.centre)

    def reach_at(self, x: FloatArray, level: float) -> FloatArray:
        """Return how far the interval of the line's y extends to either side at each x, shape (M,)."""
        counts = self.share + (x[:, np.newaxis] - self.centre) * self.pull
        return np.asarray(student_quantile(0.5 + level / 2.0, self._freedoms(counts)) * self._errors(counts))

    def _errors(self, counts: FloatArray) -> FloatArray:
        """HC2 standard errors of sums of y that count as in ``counts``, shape (..., N)."""
        return np.asarray(np.sqrt((counts**2 * self.residuals**2 / (1.0 - self.leverage)).sum(axis=-1)))

    def _freedoms(self, counts: FloatArray) -> FloatArray:
        """Their degrees of freedom: twice the squared mean of the squared error over its variance."""
        parts, shared = counts**2 / (1.0 - self.leverage), self._residuals_shared
        return np.asarray((parts @ np.diag(shared)) ** 2 / ((parts @ shared**2) * parts).sum(axis=-1))

    @cached_property
    def _residuals_shared(self) -> FloatArray:
        """The covariances of residuals if y are independent and have the variance 1, shape (N, N)."""
        made = np.eye(len(self.share)) - self.share - np.outer(self.around, self.pull)
        return np.asarray(made @ made.T)


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
        around=around,
        share=share,
        pull=pull,
        residuals=residuals,
        leverage=leverage,
        classical_error=float(np.sqrt(left / (len(x) - 2) / squares)),
        r_squared=float(1.0 - left / all_of_it) if all_of_it > 0 else 0.0,
    )
