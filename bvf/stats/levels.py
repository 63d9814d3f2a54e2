"""What a property of contexts does: contexts that have it compared with the rest, in the same groups.

Contexts differ in known properties: the verb, its family, the tense. A *level* is one value of such a property. A
contrast is the mean of a figure over the contexts of a level, less its mean over the others. It is paired, as every
group is in both means.

Here the sample consists of templates, each with its weight, whatever else the contexts are a sample of. If it consisted
of occurrences, a property that has nothing to do with the figure would seem to matter as soon as one frequent template
has it: its occurrences say the same a hundred times.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bvf.arrays import BoolArray, FloatArray
from bvf.stats.quantiles import student_quantile, student_tail

NO_ERROR = 1e-12
"""Standard errors below it are rounding."""


@dataclass(frozen=True)
class Contrast:
    """Means of a figure inside and outside a level, the interval of their difference, and its two-sided p value."""

    inside: float
    outside: float
    low: float
    high: float
    p_value: float

    @property
    def difference(self) -> float:
        """``inside`` - ``outside``."""
        return self.inside - self.outside


def contrast(values: FloatArray, inside: BoolArray, weights: FloatArray, level: float) -> Contrast:
    """Return the difference between contexts and the rest.

    Welch's t for weighted means: variances are those of the jackknife (HC3), and degrees of freedom are Satterthwaite's
    with Kish's effective number of each part.

    Args:
        values: The figure in each context, shape (C,).
        inside: Which contexts have the property, shape (C,); two or more have it, and two or more have it not.
        weights: P(C), shape (C,), > 0.
        level: Of the interval, such as 0.95.
    """
    (mean, variance, size), (rest, variance_of_rest, size_of_rest) = (
        _mean(values[part], weights[part]) for part in (inside, ~inside)
    )
    error = float(np.sqrt(variance + variance_of_rest))
    if error <= NO_ERROR:
        return Contrast(mean, rest, mean - rest, mean - rest, float(abs(mean - rest) <= NO_ERROR))
    freedom = error**4 / (variance**2 / (size - 1.0) + variance_of_rest**2 / (size_of_rest - 1.0))
    reach = float(student_quantile(0.5 + level / 2.0, freedom)) * error
    p = float(2.0 * student_tail(abs(mean - rest) / error, freedom))
    return Contrast(mean, rest, mean - rest - reach, mean - rest + reach, p)


def _mean(values: FloatArray, weights: FloatArray) -> tuple[float, float, float]:
    """A weighted mean, its variance, and Kish's effective number of values."""
    share = weights / weights.sum()
    mean = float(share @ values)
    variance = float((share**2) @ ((values - mean) / (1.0 - share)) ** 2)
    return mean, variance, float(1.0 / (share @ share))


def deviation_between(values: FloatArray, levels: Sequence[str], weights: FloatArray) -> float:
    """Return the standard deviation of the means of levels, each weighted by its share of contexts.

    Figures, levels and P(C), which sums to 1, are given per context, shape (C,).
    """
    _, place = np.unique(np.asarray(levels), return_inverse=True)
    share = np.bincount(place, weights)
    means = np.divide(np.bincount(place, weights * values), share, out=np.zeros_like(share), where=share > 0)
    mean = float(weights @ values)
    return float(np.sqrt(share @ (means - mean) ** 2))
