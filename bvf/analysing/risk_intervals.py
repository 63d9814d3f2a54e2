"""A result of risk with its intervals."""

from bvf.analysing.basis import Basis
from bvf.analysing.decomposing import criterion_of_risk, sampled_risk_of
from bvf.analysing.result import Result
from bvf.analysing.sampling import Part, with_intervals
from bvf.domain.measurement import Measurement
from bvf.interfaces.analysis import Choices
from bvf.stats.risk_intervals import SampledRisk
from bvf.stats.samples import ContextSample

RISK, RISK_OF_GROUP = ("R", "R_bias", "R_volatility"), ("r", "r_bias", "r_volatility")
SHARED = ("shared", "shared_bias", "shared_volatility")
PARTICULAR = ("particular", "particular_bias", "particular_volatility")


def result_with_intervals(result: Result, measurement: Measurement, basis: Basis, choices: Choices) -> Result:
    """Return the result with the intervals of its figures, and with what depends on the choice of contexts.

    Args:
        result: Without them.
        measurement: What it rests on.
        basis: What of it counts.
        choices: J, the scale, the unit, the level.
    """
    if criterion_of_risk(choices).curvature == "neither":
        return result

    def parts_of(sample: ContextSample) -> list[Part]:
        return parts_of_risk(sampled_risk_of(basis, choices, sample))

    return with_intervals(result, measurement, choices, basis.group_weights, parts_of)


def parts_of_risk(sampled: SampledRisk) -> list[Part]:
    """Return what of a risk has intervals, with the names of the fields."""
    parts = [Part(sampled.risk, RISK, RISK_OF_GROUP)]
    if sampled.shared is not None and sampled.particular is not None:
        parts.append(Part(sampled.shared, SHARED, None))
        parts.append(Part(sampled.particular, PARTICULAR, PARTICULAR))
    return parts
