"""Tests which distribution fits positive values: normal, log-normal or Pareto (Clauset, Shalizi and Newman 2009).

Each law has two parameters, so that likelihoods can be compared directly; the minimum of Pareto's law is the smallest
value. Parameters are maximum-likelihood estimates in closed form.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
import scipy

from bvf.stats import FloatArray

LawName = Literal["normal", "log-normal", "Pareto"]


@dataclass(frozen=True)
class Law:
    """A distribution that was fitted to values.

    Args:
        parameters: ``mean`` and ``deviation``; of logarithms for the log-normal; ``smallest`` and ``exponent`` for
            Pareto's, where the share of values above x is (smallest / x) ^ exponent.
        log_likelihoods: Log likelihood of each value, in nats, shape (N,).
    """

    name: LawName
    parameters: Mapping[str, float]
    log_likelihoods: FloatArray

    @property
    def log_likelihood(self) -> float:
        """The log likelihood of all values."""
        return float(self.log_likelihoods.sum())


@dataclass(frozen=True)
class Vuong:
    """Vuong's two-sided test of two non-nested distributions (1989, Econometrica 57).

    z > 0 if the first law fits better; under the null hypothesis that both fit equally well, z is standard normal.
    """

    z: float
    p_value: float


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


def vuong(first: Law, second: Law) -> Vuong:
    """Test which of two fitted distributions fits the values better. Both have equally many parameters."""
    apart = first.log_likelihoods - second.log_likelihoods
    z = float(apart.sum() / (np.sqrt(len(apart)) * apart.std()))
    return Vuong(z, float(2.0 * scipy.stats.norm.sf(abs(z))))
