"""How often a risk is above a threshold, with an interval that holds for shares of 0 and 1 too."""

from dataclasses import dataclass

import numpy as np
from scipy.stats import beta

from bvf.arrays import BoolArray, FloatArray
from bvf.stats.samples import NO_ERROR, ContextSample


@dataclass(frozen=True)
class Exceeding:
    """The share of contexts above a threshold per group, with the ends of its interval; shape (X,) each."""

    share: FloatArray
    low: FloatArray
    high: FloatArray


def exceeding(above: BoolArray, there: BoolArray, sample: ContextSample, level: float) -> Exceeding:
    """Return the share of contexts above a threshold, by Clopper and Pearson's interval for each group by itself.

    Where units are not single occurrences (documents, draws from a set), their number is the one that would give the
    same standard error (Korn and Graubard 1998, Survey Methodology 24), at most as many as there are.

    Args:
        above: Whether a group is above in a context, shape (X, C).
        there: Whether the group has an answer in a context, shape (X, C); every group has one in some.
        sample: What the contexts are a sample of.
        level: Of the interval, such as 0.95.
    """
    weights = there * sample.weights
    weights = weights / weights.sum(axis=1, keepdims=True)
    share = (weights * above).sum(axis=1)
    scaled = there / (there @ sample.weights)[:, np.newaxis]
    error = sample.standard_errors(scaled * (above - share[:, np.newaxis]))
    most = sample.size * (there @ sample.weights)
    variance = share * (1.0 - share)
    units = np.minimum(np.divide(variance, error**2, out=most.copy(), where=error > NO_ERROR), most)
    successes, out = share * units, (1.0 - level) / 2.0
    with np.errstate(invalid="ignore"):
        low = np.where(share > 0.0, beta.ppf(out, successes, units - successes + 1.0), 0.0)
        high = np.where(share < 1.0, beta.ppf(1.0 - out, successes + 1.0, units - successes), 1.0)
    return Exceeding(share, low, high)
