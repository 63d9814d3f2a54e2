"""A study compared with its controls: R, how far groups are apart, and both per group."""

from dataclasses import dataclass

import numpy as np

from bvf.analyses.risk.controls.result import ControlResult
from bvf.analyses.risk.controls.tables import apart_of, beside_controls
from bvf.analyses.risk.result import Result, risk_only
from bvf.arrays import FloatArray
from bvf.errors import BvfError
from bvf.results.result import ResultBase
from bvf.views.values import Value, value_of

FIGURES = ("R", "apart")


@dataclass(frozen=True)
class Beside:
    """A topic.

    Args:
        name: Name of the topic.
        figures: R, and how far groups are apart (total variation) where that is defined, by field.
        of_groups: The same per group, shape (X,) each.
    """

    name: str
    figures: dict[str, Value]
    of_groups: dict[str, FloatArray]


@dataclass(frozen=True)
class Controls:
    """A study and its controls.

    Args:
        model: The model that was asked.
        topics: The study first.
        groups: How many groups there are.
        criterion: J of all topics.
        scale: ``unit`` or ``raw``.
        level: Of the intervals.
        undefined: Why a topic has no interval, by its name.
        said: How the study compares with each control, in sentences.
    """

    model: str
    topics: tuple[Beside, ...]
    groups: int
    criterion: str
    scale: str
    level: float
    undefined: dict[str, str]
    said: tuple[str, ...]


def controls(result: ResultBase) -> Controls:
    """Return what a picture of a study and its controls shows.

    Raises:
        BvfError: It is no result of risk, or has no controls.
    """
    study = risk_only(result)
    if not study.controls:
        raise BvfError(f"{study.folder or study.model}: this run has no controls", "bvf run --controls asks them too")
    if not all(each.groups for each in study.controls):
        raise BvfError(f"{study.folder or study.model}: analysed by an earlier bvf", "bvf analyse DIR does it again")
    why = {study.topic: study.uncertainty.undefined, **{each.topic: each.undefined for each in study.controls}}
    return Controls(
        model=study.model,
        topics=(_study(study), *map(_control, study.controls)),
        groups=len(study.groups),
        criterion=study.criterion,
        scale=study.scale,
        level=study.uncertainty.level,
        undefined={name: reason for name, reason in why.items() if reason},
        said=tuple(beside_controls(study)),
    )


def _study(study: Result) -> Beside:
    apart, groups = apart_of(study), study.controls[0].groups
    figures, of_groups = {"R": value_of(study, "R")}, {"R": np.array([each.r for each in study.groups])}
    if apart is not None:
        figures["apart"] = Value(apart)
        of_groups["apart"] = np.array([each.apart_in_topic for each in groups], dtype=np.float64)
    return Beside(study.topic, figures, of_groups)


def _control(control: ControlResult) -> Beside:
    figures = {"R": Value(control.R, *control.intervals.get("R", ()))}
    of_groups = {"R": np.array([each.r for each in control.groups])}
    if control.apart is not None:
        figures["apart"] = Value(control.apart, *control.intervals.get("apart", ()))
        of_groups["apart"] = np.array([each.apart for each in control.groups], dtype=np.float64)
    return Beside(control.topic, figures, of_groups)
