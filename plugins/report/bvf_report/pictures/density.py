"""A smooth density of weighted numbers."""

import numpy as np

from bvf.stats import FloatArray

PLACES = 200
"""Number of places at which a density is computed."""
TAIL = 3.0
"""A density is computed as far beyond the numbers as so many bandwidths."""
NORMAL_IQR = 1.34
"""The interquartile range of a normal distribution, in standard deviations."""


def mean_and_deviation(values: FloatArray, weights: FloatArray) -> tuple[float, float]:
    """Return two numbers: the weighted mean and the weighted standard deviation of ``values``."""
    mean = float(np.average(values, weights=weights))
    return mean, float(np.sqrt(np.average((values - mean) ** 2, weights=weights)))


def density(values: FloatArray, weights: FloatArray) -> tuple[FloatArray, FloatArray] | None:
    """Return a grid of points and the kernel density of numbers >= 0 there; None if all numbers are equal.

    Kernels are Gaussian and reflected at 0. The bandwidth is Silverman's, for Kish's effective number of values.
    """
    _, deviation = mean_and_deviation(values, weights)
    if np.ptp(values) == 0.0 or deviation == 0.0:
        return None
    quarter, three_quarters = np.quantile(values, [0.25, 0.75])
    spread = min(deviation, (three_quarters - quarter) / NORMAL_IQR or deviation)
    share = weights / weights.sum()
    bandwidth = 0.9 * spread * float((share**2).sum()) ** 0.2
    at = np.linspace(max(0.0, values.min() - TAIL * bandwidth), values.max() + TAIL * bandwidth, PLACES)
    kernels = (normal(at[:, np.newaxis], sign * values, bandwidth) @ share for sign in (1.0, -1.0))
    return at, sum(kernels, np.zeros(PLACES))


def normal(at: FloatArray, mean: float | FloatArray, deviation: float) -> FloatArray:
    """Return the density of a normal distribution at the points ``at``."""
    curve: FloatArray = np.exp(-0.5 * ((at - mean) / deviation) ** 2) / (deviation * np.sqrt(2.0 * np.pi))
    return curve
