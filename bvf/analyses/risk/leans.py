"""The groups of a result: their order in tables, and the class that each leans to."""

from typing import Literal

from bvf.analyses.risk.result import GroupRisk, Result
from bvf.interfaces.analysis import View
from bvf.tables.words import NOTHING

Order = Literal["r", "particular_bias"]
"""The figures by which groups may be ordered in tables."""


def groups_in_order(result: Result, view: View) -> tuple[Order, list[GroupRisk]]:
    """Return the name of the figure by which groups are ordered, and the groups in that order."""
    if result.particular_bias is None or view.rank == "risk":
        return "r", sorted(result.groups, key=lambda group: -group.r)
    classes = list(result.groups[0].mean_probabilities)
    if len(classes) == 2:
        return "particular_bias", sorted(result.groups, key=lambda group: -deviations(group)[classes[0]])
    return "particular_bias", sorted(result.groups, key=lambda group: -(group.particular_bias or 0.0))


def leading(group: GroupRisk) -> str:
    """Return the name of the class with the largest ratio of mean probability to p*."""
    return _highest(group.mean_probabilities, group)


def leans_to_a_class(group: GroupRisk) -> bool:
    """Whether some class's mean probability exceeds p* by more than rounding."""
    lean = leading(group)
    return group.mean_probabilities[lean] - group.reference_probabilities[lean] > NOTHING


def leading_deviation(group: GroupRisk) -> str:
    """Return the class for which the group's lean exceeds the mean lean of all groups most, relative to p*."""
    return _highest(deviations(group), group)


def _highest(of_class: dict[str, float], group: GroupRisk) -> str:
    return max(of_class, key=lambda name: of_class[name] / group.reference_probabilities[name])


def deviations(group: GroupRisk) -> dict[str, float]:
    """Return E_c[p - p* - m] of each class: how far the group is from the lean that all groups share."""
    return group.apart or dict.fromkeys(group.mean_probabilities, 0.0)
