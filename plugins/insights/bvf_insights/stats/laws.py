"""The law of positive values (Clauset, Shalizi and Newman 2009), and how often they exceed a threshold.

Each law has two parameters, so that likelihoods can be compared directly; the minimum of Pareto's law is the smallest
value. Parameters are maximum-likelihood estimates in closed form.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
import scipy

from bvf.stats import NO_ERROR, BoolArray, ContextSample, FloatArray

LawName = Literal["normal", "log-normal", "Pareto"]


@dataclass(frozen=True)
class Law:
    """A distribution that was fitted to values."""

    name: LawName
    # ``mean`` and ``deviation``; of logarithms for the log-normal; ``smallest`` and ``exponent`` for Pareto's,
    # where the share of values above x is (smallest / x) ^ exponent
    parameters: Mapping[str, float]
    log_likelihoods: FloatArray  # log likelihood of each value, in nats, shape (N,)

    @property
    def log_likelihood(self) -> float:
        """The log likelihood of all values."""
        return float(self.log_likelihoods.sum())


def fitted_laws(values: FloatArray) -> tuple[Law, ...]:
    """Return maximum-likelihood fits of normal, log-normal and Pareto distributions.

    The values are > 0 and not all equal.

    >>> values = np.array([1.0, 2.0, 4.0])
    >>> [{name: round(of, 4) for name, of in law.parameters.items()} for law in fitted_laws(values)]
    [{'mean': 2.3333, 'deviation': 1.2472}, {'mean': 0.6931, 'deviation': 0.566}, {'smallest': 1.0, 'exponent': 1.4427}]
    """
    mean, deviation = float(values.mean()), float(values.std())
    logs = np.log(values)
    mean_log, deviation_log = float(logs.mean()), float(logs.std())
    smallest = float(values.min())
    exponent = 1.0 / float(np.log(values / smallest).mean())
    return (
        Law("normal", {"mean": mean, "deviation": deviation}, scipy.stats.norm.logpdf(values, mean, deviation)),
        Law(
            "log-normal",
            {"mean": mean_log, "deviation": deviation_log},
            scipy.stats.lognorm.logpdf(values, deviation_log, scale=np.exp(mean_log)),
        ),
        Law(
            "Pareto",
            {"smallest": smallest, "exponent": exponent},
            scipy.stats.pareto.logpdf(values, exponent, scale=smallest),
        ),
    )


def vuong(first: Law, second: Law) -> tuple[float, float]:
    """Test which of two fitted distributions, with equally many parameters, fits the values better.

    Returns z, above 0 if the first does, and the two-sided p value of Vuong's test (1989, Econometrica 57).
    """
    apart = first.log_likelihoods - second.log_likelihoods
    z = float(apart.sum() / (np.sqrt(len(apart)) * apart.std()))
    return z, float(2.0 * scipy.stats.norm.sf(abs(z)))


def exceeding(above: BoolArray, there: BoolArray, sample: ContextSample, level: float) -> tuple[FloatArray, ...]:
    """Return each group's fraction of contexts above a threshold, and both ends of its Korn-Graubard interval, (X,).

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
    return share, low, high
