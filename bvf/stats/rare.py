"""Means that a few rare contexts decide: the sample with one more unit, far out.

Student's interval is far too short where nearly all contexts add nothing to a mean, and one or two add all. Gaffke
(2005) adds one unit at the bound of what can be and weights all units at random, as the Bayesian bootstrap does; a
quantile of that mean is the end of the interval. Where units either count or do not it is the exact binomial bound, and
it draws near Student's t as units become many. With the unit at the bound, no distribution is known for which it errs
(Phan, Thomas and Learned-Miller 2021, ICML). That is too far out for a mean of R^v to be of use, so the unit is as far
out as the furthest that was seen (`bvf.stats.intervals.Sampled.rare`), and contexts of another kind are not allowed
for. Here a Pearson distribution with the same three moments stands for that of the mean.
"""

from dataclasses import dataclass, replace

import numpy as np

from bvf.arrays import FloatArray
from bvf.stats.quantiles import pearson3_below, pearson3_quantile
from bvf.stats.samples import NO_ERROR, ContextSample


@dataclass(frozen=True)
class WithOneMore:
    """A mean of units that are drawn independently, with one more unit. All of shape (...).

    Args:
        mean: The mean without that unit.
        variance: Variance of a unit.
        third: Third central moment of a unit.
        further: How far the added unit is from the mean; its sign says to which side.
        units: How many others there are.
    """

    mean: FloatArray
    variance: FloatArray
    third: FloatArray
    further: FloatArray
    units: FloatArray

    def with_units(self, units: FloatArray) -> "WithOneMore":
        """Return the same with another number of such units."""
        return replace(self, units=units)

    def quantile(self, level: float) -> FloatArray:
        """Return the quantile of the mean at the probability ``level``."""
        moved, deviation, skewness = self._moments
        return self.mean + moved + deviation * pearson3_quantile(level, skewness)

    def upper_end(self, level: float) -> FloatArray:
        """Return the upper end of an interval of ``level`` that leaves out the same probability at either end."""
        return self.quantile(0.5 + level / 2.0)

    def below(self, value: float) -> FloatArray:
        """Return the probability that the mean is below a value."""
        moved, deviation, skewness = self._moments
        away = value - self.mean - moved
        scaled = np.divide(away, deviation, out=np.zeros_like(deviation), where=deviation > 0)
        return np.where(deviation > 0, pearson3_below(scaled, skewness), away > 0)

    @property
    def _moments(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """With Dirichlet weights: how far the mean is above the old one, its standard deviation, and its skewness."""
        units, further, total = self.units, self.further, self.units + 1.0
        moved = further / total
        second = (units * (self.variance + moved**2) + (further - moved) ** 2) / total
        third = (units * (self.third - 3.0 * self.variance * moved - moved**3) + (further - moved) ** 3) / total
        deviation = np.sqrt(second / (total + 1.0))
        central = 2.0 * third / ((total + 1.0) * (total + 2.0))
        skewness = np.divide(central, deviation**3, out=np.zeros_like(central), where=deviation > 0)
        return moved, deviation, skewness


def with_one_more(sample: ContextSample, mean: FloatArray, influence: FloatArray, further: FloatArray) -> WithOneMore:
    """Return the mean of a sample with one more unit.

    Args:
        sample: The contexts. Its units are as many as give its standard error, where they are not independent.
        mean: Shape (...).
        influence: By how much an occurrence of each context is above the mean, shape (..., C).
        further: How far the added unit is from the mean, shape (...).
    """
    squared = influence**2
    variance, third = squared @ sample.weights, (squared * influence) @ sample.weights
    error = sample.standard_errors(influence)
    whole = np.full_like(variance, sample.size)
    units = np.divide(variance, error**2, out=whole.copy(), where=error > NO_ERROR)
    return WithOneMore(mean, variance, third, further, np.minimum(units, whole))
