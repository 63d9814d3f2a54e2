"""Figures that are averages over contexts, and the names of their fields in a result. Only these have intervals."""

from dataclasses import dataclass, replace
from typing import Any

from bvf.arrays import FloatArray
from bvf.stats.figures.each_group import each_group
from bvf.stats.figures.risk import Risk
from bvf.stats.sampling.estimates import Decomposition
from bvf.stats.sampling.intervals import Sampled
from bvf.stats.sampling.sampled_risk import SampledRisk
from bvf.study.uncertainty import Interval

RISK, RISK_OF_GROUP = ("R", "R_bias", "R_volatility"), ("r", "r_bias", "r_volatility")
SHARED = ("shared", "shared_bias", "shared_volatility")
PARTICULAR = ("particular", "particular_bias", "particular_volatility")
CONTEXT_VOLATILITY, THOUGHT_VOLATILITY = "context_volatility", "thought_volatility"
"""Fields of a result, and of each group, with the two parts of the volatility of a model that thinks."""
Names = tuple[str, str, str]
"""Names of the fields of the total, of the risk of the mean over contexts, and of their difference."""
BIAS, VOLATILITY = 1, 2
"""Indices of the risk of the mean, and of that difference, in `Names`."""


@dataclass(frozen=True)
class Averages:
    """E_c[J(v)], J(E_c[v]) and their difference, as functions of a sample of contexts.

    Args:
        sampled: The vectors v in each context, and J.
        names: Fields of the result that have the three; an empty name: the result has no such field.
        of_group: Fields of each group of the result that have them per group; None: groups have no such fields.
        within: Error bounds of the three for each group, shape (3, X); None: probabilities are exact, or their error
            bounds say nothing of these figures.
    """

    sampled: Sampled
    names: Names
    of_group: Names | None
    within: FloatArray | None = None


def parts_of_risk(sampled: SampledRisk) -> list[Averages]:
    """Return the averages of the risk, and of shared and particular risk if defined."""
    parts = [Averages(sampled.risk, RISK, RISK_OF_GROUP)]
    if sampled.shared is not None and sampled.particular is not None:
        parts.append(Averages(sampled.shared, SHARED, None))
        parts.append(Averages(sampled.particular, PARTICULAR, PARTICULAR))
    return parts


def parts_of_volatility(sampled: SampledRisk) -> list[Averages]:
    """Return the volatility between contexts and that of thoughts, as differences; empty unless the model thinks."""
    if sampled.between is None or sampled.within is None:
        return []
    both = ((sampled.between, CONTEXT_VOLATILITY), (sampled.within, THOUGHT_VOLATILITY))
    return [Averages(each, ("", "", name), ("", "", name)) for each, name in both]


def without_noise(risk: Risk, sampled: SampledRisk) -> Risk:
    """Return a risk with the values of ``sampled``: of answers without the noise of sampling, or after thoughts."""
    (whole, *parts), each, p_x = parts_of_risk(sampled), each_group(len(risk.r)), sampled.group_weights
    fields: dict[str, Any] = dict(zip(RISK_OF_GROUP, whole.sampled.values(each), strict=True))
    fields |= zip(RISK, map(float, whole.sampled.values(p_x)), strict=True)
    of_parts = dict[str, Any]()
    for part in parts:
        of_parts |= zip(part.names, map(float, part.sampled.values(p_x)), strict=True)
        for name, values in zip(part.of_group or (), part.sampled.values(each), strict=False):
            of_parts[f"x_{name}"] = values
    return replace(risk, **fields, parts=None if risk.parts is None else replace(risk.parts, **of_parts))


def named_intervals(estimates: Decomposition, names: Names, at: int | tuple[()] = ()) -> dict[str, Interval]:
    """Return the intervals of estimates by the fields ``names``. ``at``: index of the group, if they are by group."""
    return {
        name: Interval(
            low=float(each.low[at]),
            high=float(each.high[at]),
            cross_fit=None if each.cross_fit is None else float(each.cross_fit[at]),
        )
        for name, each in zip(names, (estimates.total, estimates.of_mean, estimates.rest), strict=True)
        if name
    }
