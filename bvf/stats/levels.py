"""What a property of contexts does: those that have it against the rest, in the same groups.

Contexts differ in properties that are known: the verb, its family, the tense. A *level* is one value of such a
property. The mean of a figure over the contexts of a level, less its mean over the others, is a contrast. It is paired,
as every group is in both means.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import t as student

from bvf.arrays import BoolArray, FloatArray
from bvf.stats.samples import NO_ERROR, ContextSample


@dataclass(frozen=True)
class Contrast:
    """A figure in the contexts of a level, and in the rest.

    Args:
        inside: Mean over the contexts of the level.
        outside: Mean over the others.
        low: Lower end of the interval of inside - outside.
        high: Upper end.
        p_value: Of inside = outside, two-sided.
    """

    inside: float
    outside: float
    low: float
    high: float
    p_value: float

    @property
    def difference(self) -> float:
        """The first mean less the second."""
        return self.inside - self.outside


def contrast(values: FloatArray, inside: BoolArray, sample: ContextSample, level: float) -> Contrast:
    """Return the difference between contexts and the rest, with Student's t.

    Degrees of freedom are those of the smaller of the two parts, by the number of units in it.

    Args:
        values: The figure in each context, shape (C,).
        inside: Which contexts have the property, shape (C,); some have it and some have it not.
        sample: What the contexts are a sample of.
        level: Of the interval, such as 0.95.
    """
    weights = sample.weights
    share = float(weights @ inside)
    mean = float(weights @ np.where(inside, values, 0.0)) / share
    rest = float(weights @ np.where(inside, 0.0, values)) / (1.0 - share)
    influence = np.where(inside, (values - mean) / share, (rest - values) / (1.0 - share))
    units = max(sample.size * min(share, 1.0 - share), 2.0)
    error = float(sample.standard_errors(influence)) * float(np.sqrt(units / (units - 1.0)))
    difference, reach = mean - rest, float(student.ppf(0.5 + level / 2.0, units - 1.0)) * error
    if error <= NO_ERROR:
        p = float(abs(difference) <= NO_ERROR)
    else:
        p = float(2.0 * student.sf(abs(difference) / error, units - 1.0))
    return Contrast(mean, rest, difference - reach, difference + reach, p)


def deviation_between(values: FloatArray, levels: Sequence[str], weights: FloatArray) -> float:
    """Return the standard deviation of the means of levels, each weighted by its share of contexts.

    Args:
        values: The figure in each context, shape (C,).
        levels: That of each context, length C.
        weights: P(C), shape (C,), sums to 1.
    """
    _, place = np.unique(np.asarray(levels), return_inverse=True)
    share = np.bincount(place, weights)
    means = np.divide(np.bincount(place, weights * values), share, out=np.zeros_like(share), where=share > 0)
    mean = float(weights @ values)
    return float(np.sqrt(share @ (means - mean) ** 2))
