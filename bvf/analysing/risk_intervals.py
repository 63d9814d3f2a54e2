"""A result of risk with its intervals."""

from bvf.analysing.basis import Basis
from bvf.analysing.result import Result
from bvf.analysing.sampling import Part, with_intervals
from bvf.arrays import FloatArray
from bvf.domain.measurement import Measurement
from bvf.interfaces.analysis import Choices
from bvf.interfaces.criterion import Criterion
from bvf.stats.risk_intervals import SampledRisk, sampled_risk
from bvf.stats.samples import ContextSample

RISK, RISK_OF_GROUP = ("R", "R_bias", "R_volatility"), ("r", "r_bias", "r_volatility")
SHARED = ("shared", "shared_bias", "shared_volatility")
PARTICULAR = ("particular", "particular_bias", "particular_volatility")


def result_with_intervals(
    result: Result, measurement: Measurement, basis: Basis, choices: Choices, criterion: Criterion, p_star: FloatArray
) -> Result:
    """Return the result with the intervals of its figures, and with what hangs on the choice of contexts.

    Args:
        result: Without them.
        measurement: What it rests on.
        basis: What of it counts.
        choices: The scale, the unit, the level.
        criterion: J.
        p_star: p*(y | x), shape (X, Y), taken as known.
    """
    if criterion.curvature == "neither":
        why = f"the criterion {choices.criterion_name} is neither convex nor concave: R^b may err to any side"
        return result.model_copy(update={"uncertainty": result.uncertainty.model_copy(update={"undefined": why})})

    def parts_of(sample: ContextSample) -> list[Part]:
        found = sampled_risk(
            basis.probabilities,
            criterion,
            sample,
            group_weights=basis.group_weights,
            reference=p_star,
            scale=choices.scale,
        )
        return parts_of_risk(found)

    return with_intervals(result, measurement, choices, basis.group_weights, parts_of)


def parts_of_risk(found: SampledRisk) -> list[Part]:
    """Return what of a risk has intervals, with the names of the fields."""
    parts = [Part(found.risk, RISK, RISK_OF_GROUP)]
    if found.shared is not None and found.particular is not None:
        parts.append(Part(found.shared, SHARED, None))
        parts.append(Part(found.particular, PARTICULAR, PARTICULAR))
    return parts
