"""Intervals of means that depend on a few rare contexts. One extreme unit is added to the sample.

Student's interval is far too short if nearly all contexts contribute 0 to a mean, and one or two contribute all of it.
Gaffke (2005) adds one unit at the largest possible value and weights all units at random, as in the Bayesian bootstrap;
a quantile of that mean is the end of the interval. For units of 0 and 1 it is the exact binomial bound; for many units
it is close to Student's t. No distribution is known for which its coverage is too low (Phan, Thomas and Learned-Miller
2021, ICML). The largest possible value is too extreme for a useful interval of R^v, so the added unit is as extreme as
the most extreme one that was seen (`bvf.stats.sampling.intervals.Sampled.rare`); contexts beyond that are left out. The
distribution of the mean is approximated by a Pearson distribution with the same three moments.
"""

from dataclasses import dataclass

import numpy as np

from bvf.arrays import FloatArray
from bvf.stats.figures.quantiles import pearson3_below, pearson3_quantile
from bvf.stats.sampling.samples import NO_ERROR, ContextSample


@dataclass(frozen=True)
class WithOneMore:
    """The mean of a sample of independent units and one more unit. All arrays have the shape (...).

    Args:
        mean: The mean of the sample, without the added unit.
        variance: Variance of a unit.
        third: Third central moment of a unit.
        further: The value of the added unit minus the mean.
        units: The number of units without the added one.
    """

    mean: FloatArray
    variance: FloatArray
    third: FloatArray
    further: FloatArray
    units: FloatArray

    def quantile(self, level: float) -> FloatArray:
        """Return the ``level`` quantile of the mean of all units under random weights."""
        moved, deviation, skewness = self._moments
        return self.mean + moved + deviation * pearson3_quantile(level, skewness)

    def upper_end(self, level: float) -> FloatArray:
        """Return the upper end of an equal-tailed interval of ``level``."""
        return self.quantile(0.5 + level / 2.0)

    def below(self, value: float) -> FloatArray:
        """Return the probability that the mean of all units, under random weights, is below a value."""
        moved, deviation, skewness = self._moments
        away = value - self.mean - moved
        scaled = np.divide(away, deviation, out=np.zeros_like(deviation), where=deviation > 0)
        return np.where(deviation > 0, pearson3_below(scaled, skewness), away > 0)

    @property
    def _moments(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Shift from ``mean``, standard deviation and skewness of the mean under Dirichlet weights of all units."""
        units, further, total = self.units, self.further, self.units + 1.0
        moved = further / total
        second = (units * (self.variance + moved**2) + (further - moved) ** 2) / total
        third = (units * (self.third - 3.0 * self.variance * moved - moved**3) + (further - moved) ** 3) / total
        deviation = np.sqrt(second / (total + 1.0))
        central = 2.0 * third / ((total + 1.0) * (total + 2.0))
        skewness = np.divide(central, deviation**3, out=np.zeros_like(central), where=deviation > 0)
        return moved, deviation, skewness


def with_one_more(sample: ContextSample, mean: FloatArray, influence: FloatArray, further: FloatArray) -> WithOneMore:
    """Return the mean of a sample and one more unit.

    Args:
        sample: The contexts; the effective number of units is the one that gives the standard error.
        mean: The mean of the sample, shape (...).
        influence: The value of an occurrence of each context minus the mean, shape (..., C).
        further: The value of the added unit minus the mean, shape (...).
    """
    squared = influence**2
    variance, third = squared @ sample.weights, (squared * influence) @ sample.weights
    error = sample.standard_errors(influence)
    whole = np.full_like(variance, sample.size)
    units = np.divide(variance, error**2, out=whole.copy(), where=error > NO_ERROR)
    return WithOneMore(mean, variance, third, further, np.minimum(units, whole))
