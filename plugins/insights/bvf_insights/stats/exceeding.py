"""The fraction of contexts in which a risk is above a threshold, and its binomial interval."""

from dataclasses import dataclass

import numpy as np
import scipy

from bvf.stats import NO_ERROR, BoolArray, ContextSample, FloatArray


@dataclass(frozen=True)
class Exceeding:
    """For each group, the fraction of contexts above a threshold, and the lower and upper end of its interval, (X,)."""

    share: FloatArray
    low: FloatArray
    high: FloatArray


def exceeding(above: BoolArray, there: BoolArray, sample: ContextSample, level: float) -> Exceeding:
    """Return each group's fraction of contexts above a threshold, and its Korn-Graubard interval.

    That is the interval of Clopper and Pearson with the effective sample size where units are not single occurrences
    (documents, draws from a set): the size that would give the same standard error, at most the actual one (Korn and
    Graubard 1998, Survey Methodology 24).

    Args:
        above: Whether the risk of a group in a context is above the threshold, shape (X, C).
        there: Whether the group's prompt in a context is not missing, shape (X, C); every group has at least one.
        sample: The contexts as a sample.
        level: Level of the interval, such as 0.95.
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
        low = np.where(share > 0.0, scipy.stats.beta.ppf(out, successes, units - successes + 1.0), 0.0)
        high = np.where(share < 1.0, scipy.stats.beta.ppf(1.0 - out, successes + 1.0, units - successes), 1.0)
    return Exceeding(share, low, high)
