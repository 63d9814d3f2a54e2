"""The groups of a result: their order in tables, the class that each leans to, and how many lean to each class."""

from typing import Literal

import numpy as np

from bvf.analyses.risk.result import GroupRisk, Result, Side
from bvf.arrays import FloatArray, missing
from bvf.interfaces.analysis import View
from bvf.stats.comparing.adjusting import holm
from bvf.study.study import Study
from bvf.tables.words import NOTHING

Order = Literal["r", "particular_bias", "association"]
"""The figures by which groups may be ordered in tables."""


def groups_in_order(result: Result, view: View) -> tuple[Order, list[GroupRisk]]:
    """Return the name of the figure by which groups are ordered, and the groups in that order.

    What sets a group apart is its association, what it adds to neutral subjects; where these were not asked, its
    deviation from the mean of all groups. Of more than two classes it is the association with the class to which that
    is largest, in either direction, or the risk particular to the group.
    """
    if result.particular_bias is None or view.rank == "risk":
        return "r", sorted(result.groups, key=lambda group: -group.r)
    by: Order = "association" if result.has_neutral else "particular_bias"
    first, *others = result.groups[0].mean_probabilities
    if len(others) == 1:
        return by, sorted(result.groups, key=lambda group: -apart_by(group)[first])
    if by == "association":
        return by, sorted(result.groups, key=lambda group: -max(map(abs, apart_by(group).values())))
    return by, sorted(result.groups, key=lambda group: -(group.particular_bias or 0.0))


def leading(group: GroupRisk) -> str:
    """Return the name of the class with the largest ratio of mean probability to p*."""
    return _highest(group.mean_probabilities, group)


def above_p_star(group: GroupRisk) -> float:
    """Return how far the mean probability of the `leading` class is above p*."""
    return group.mean_probabilities[leading(group)] - group.reference_probabilities[leading(group)]


def leading_deviation(group: GroupRisk) -> str:
    """Return the class by which a group is set apart: of two, the one that it adds to.

    Of more it is the class in which it departs most from neutral subjects, up or down; where these were not asked, the
    one for which its lean exceeds the mean lean of all groups most, relative to p*.
    """
    apart, added = apart_by(group), group.added
    if not added:
        return _highest(apart, group)
    return max(added, key=lambda name: added[name] if len(added) == 2 else abs(added[name]))


def apart_by(group: GroupRisk) -> dict[str, float]:
    """Return what a group adds to each class for neutral subjects; where these were not asked, to all groups' mean."""
    return group.added or group.apart or dict.fromkeys(group.mean_probabilities, 0.0)


def _highest(of_class: dict[str, float], group: GroupRisk) -> str:
    return max(of_class, key=lambda name: of_class[name] / group.reference_probabilities[name])


def sides_of(study: Study) -> tuple[Side, ...]:
    """Count the groups that lean to each class. For two classes, also count those whose lean is significant.

    ``surely`` is None where contexts are not a sample, or with more than two classes; a group with an answer in too few
    contexts is not sure. Classes to which no group leans are left out.
    """
    predictions, classes = study.predictions, study.predictions.classes
    groups = list(predictions.of_each_group())
    mean, p_star = (
        np.array([[group[field][name] for name in classes] for group in groups])
        for field in ("mean_probabilities", "reference_probabilities")
    )
    lean: FloatArray = mean - p_star
    led = lean.argmax(axis=1) if len(classes) == 2 else (mean / p_star).argmax(axis=1)
    leans = np.abs(lean).max(axis=1) >= NOTHING
    sampled = predictions.sampled_leans if study.criterion.curvature != "neither" else None
    sure = None
    if sampled and len(classes) == 2:
        sample, known = sampled[0].sample, ~missing(predictions.probabilities)
        p_values = np.where(sample.enough(known), sample.p_values(lean[:, 0], sampled[0].influences[0]), 1.0)
        sure = holm(p_values) < 1.0 - study.choices.level
    return tuple(
        Side(name=name, groups=int(leaning.sum()), surely=None if sure is None else int((leaning & sure).sum()))
        for y, name in enumerate(classes)
        if (leaning := leans & (led == y)).any()
    )
