"""A study compared with its controls: the runs in ``DIR/controls``, analysed as the study is."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np

from bvf.analyses.risk.controls.result import ControlGroup, ControlResult
from bvf.analyses.risk.result import Result
from bvf.arrays import FloatArray
from bvf.domain.measurement import Asked, MeasuredModel, Measurement
from bvf.errors import BvfError
from bvf.hooks.loader import Plugins
from bvf.interfaces.analysis import Choices
from bvf.interfaces.criterion import Criterion, KnowledgeCriterion
from bvf.stats.intervals import Sampled
from bvf.stats.ratios import (
    Known,
    Of,
    difference_of_independent,
    difference_of_paired,
    known,
    ratio_of_independent,
    ratio_of_paired,
)
from bvf.stats.risk import NO_RISK, check_criterion
from bvf.stats.samples import ContextSample
from bvf.study.averages import RISK, named_intervals
from bvf.study.candidate_mass import warnings_of
from bvf.study.found import control_folders, read_measurement
from bvf.study.sample import as_templates
from bvf.study.study import Study

Ends = dict[str, tuple[float, float]]


@dataclass(frozen=True)
class _Figure:
    """A figure in which a study is compared with a control.

    Args:
        field: Its name in results.
        prefix: What the fields of its ratio and difference begin with.
        part: The part of the risk that it is of.
        of: Which figure of that part.
        by_distance: Whether J is the total variation, which is from 0 to 1 for any number of classes.
    """

    field: str
    prefix: str
    part: Literal["risk", "particular"]
    of: Of
    by_distance: bool = False

    def of_side(self, side: "_Side") -> float | None:
        """Return it; None where there is none."""
        risk = (side.by_distance if self.by_distance else side.by_criterion).risk
        if self.part == "particular":
            return None if risk.parts is None else risk.parts.particular
        value: float = getattr(risk, self.field)
        return value


FIGURES = (
    _Figure("R", "", "risk", "total"),
    _Figure("R_bias", "bias_", "risk", "of_mean"),
    _Figure("particular", "particular_", "particular", "total"),
    _Figure("apart", "apart_", "particular", "total", by_distance=True),
)


def with_controls(result: Result, study: Measurement, choices: Choices, plugins: Plugins) -> Result:
    """Return the result with a comparison with each control in the folder of its measurement.

    A control that cannot be read, or not be analysed as the study was, is left out, and a note says why.

    Args:
        result: The result of the study.
        study: The measurement that it rests on; its folder is that of the run.
        choices: How it was analysed.
        plugins: Where the criterion is looked up.
    """
    controls, notes = list[ControlResult](), list[str]()
    for folder in control_folders(study.folder) if study.folder else []:
        try:
            controls.append(_control(folder, study, choices, plugins))
        except BvfError as error:
            notes.append(f"control {folder.name} not shown: {error.message}")
    return result.model_copy(update={"controls": tuple(controls), "notes": (*result.notes, *notes)})


def choices_for_control(choices: Choices, asked: Asked, plugins: Plugins) -> Choices:
    """Return the choices for a control, from those of its study: the same J, P(X), scale, unit and level.

    Raises:
        BvfError: The criterion or p* is of the classes of the study, and says nothing of those of a control.
    """
    criterion: Criterion | KnowledgeCriterion = plugins.criteria.make(choices.criterion_name)
    if isinstance(criterion, KnowledgeCriterion):
        raise BvfError(f"{choices.criterion_name} is a criterion of knowledge", "controls are for criteria of risk")
    criterion = criterion.for_classes(asked.classes)
    p_star_of = _p_star(choices, asked)
    if p_star_of is not None:
        check_criterion(criterion, np.array(list(p_star_of.values())), choices.criterion_name)
    return replace(choices, criterion=criterion, p_star_of=p_star_of, p_star_in={}, words={}, margin="", notes=())


def _p_star(choices: Choices, asked: Asked) -> dict[str, FloatArray] | None:
    classes = asked.classes
    if choices.reference == "mean":
        return None
    if choices.reference == "uniform":
        return {name: np.full(len(classes), 1.0 / len(classes)) for name in asked.group_names}
    raise BvfError(
        f"--reference {choices.reference} is of the classes of the study, and the classes here are "
        f"{', '.join(classes)}",
        "leave --reference out, or use mean: both are there for any classes",
    )


class _Side(NamedTuple):
    """The study or its control, judged by the criterion and by the total variation."""

    by_criterion: Study
    by_distance: Study


def _control(folder: Path, study: Measurement, choices: Choices, plugins: Plugins) -> ControlResult:
    control = read_measurement(folder)
    asked, its_choices = control.record.asked, choices_for_control(choices, control.record.asked, plugins)
    ours, theirs = Study.of(study, choices), Study.of(control, its_choices)
    _refuse_others(ours, theirs)
    distance = plugins.criteria.make("tv")
    first, second = _Side(ours, ours.by(distance)), _Side(theirs, theirs.by(distance))
    risk, distances = theirs.risk, second.by_distance.risk
    same, sampled = _in_same_contexts(study, control), ours.sample
    intervals = _own_intervals(second)
    if sampled is not None:
        intervals |= _beside(first, second, sampled, sampled if same else theirs.sample)
    kinds = as_templates(study), as_templates(control)
    of_templates: Ends = {}
    if kinds[0] is not None and kinds[1] is not None and theirs.criterion.curvature != "neither":
        of_templates = _beside(first, second, kinds[0], kinds[0] if same else kinds[1])
    fields: dict[str, Any] = _differences(first, second)
    return ControlResult(
        topic=asked.topic,
        measurement=control.record.digest,
        contexts=asked.contexts,
        number_of_contexts=len(asked.in_order),
        same_contexts=same,
        R=risk.R,
        R_bias=risk.R_bias,
        R_volatility=risk.R_volatility,
        particular=None if risk.parts is None else risk.parts.particular,
        apart=None if distances.parts is None else distances.parts.particular,
        classes=len(theirs.predictions.classes),
        **fields,
        intervals=intervals,
        undefined=theirs.undefined,
        groups=_groups(first, second),
        warnings=tuple(warnings_of(control.record.check)),
        as_templates=of_templates,
    )


def _differences(study: _Side, control: _Side) -> dict[str, float | None]:
    """Differences and ratios of all figures, by their fields."""
    told = dict[str, float | None]()
    for each in FIGURES:
        ours, theirs = each.of_side(study), each.of_side(control)
        if ours is not None and theirs is not None:
            told[f"{each.prefix}difference"] = ours - theirs
        told[f"{each.prefix}ratio"] = None if ours is None or theirs is None or theirs <= NO_RISK else ours / theirs
    return told


def _groups(study: _Side, control: _Side) -> tuple[ControlGroup, ...]:
    risk = control.by_criterion.risk
    columns = [risk.r.tolist(), risk.r_bias.tolist(), risk.r_volatility.tolist(), _apart(control), _apart(study)]
    names = ("r", "r_bias", "r_volatility", "apart", "apart_in_topic")
    return tuple(
        ControlGroup(group=group.name, **dict(zip(names, figures, strict=True)))
        for group, *figures in zip(control.by_criterion.predictions.groups, *columns, strict=True)
    )


def _apart(side: _Side) -> Sequence[float | None]:
    parts = side.by_distance.risk.parts
    return [None] * len(side.by_distance.predictions.groups) if parts is None else parts.x_particular.tolist()


def _refuse_others(study: Study, control: Study) -> None:
    if _model(study.measurement) != _model(control.measurement):
        raise BvfError("it was asked of another model", "run the study again with --controls")
    if study.predictions.groups != control.predictions.groups:
        raise BvfError("it was not asked of the same groups", "run the study again with --controls")


def _model(measurement: Measurement) -> MeasuredModel:
    """The model without its answers to the probe, which are to words of the topic."""
    return measurement.record.model.model_copy(update={"probe": {}})


def _in_same_contexts(study: Measurement, control: Measurement) -> bool:
    ours, theirs = (
        [(each.context.key, each.count, each.drawn) for each in measurement.record.asked.in_order]
        for measurement in (study, control)
    )
    return ours == theirs


def _own_intervals(control: _Side) -> Ends:
    sample = control.by_criterion.sample
    if sample is None:
        return {}
    by_risk, by_distance = (study.sampled_risk(sample) for study in control)
    how = _how(control)
    ends = {name: (each.low, each.high) for name, each in named_intervals(by_risk.risk.estimates(*how), RISK).items()}
    for name, part in (("particular", by_risk.particular), ("apart", by_distance.particular)):
        if part is not None:
            whole = known(part, *how)
            ends[name] = (whole.low, whole.high)
    return ends


def _how(side: _Side) -> tuple[FloatArray, float]:
    """P(X), and the level of intervals."""
    return side.by_criterion.predictions.group_weights, side.by_criterion.choices.level


def _beside(study: _Side, control: _Side, sample: ContextSample, others: ContextSample | None) -> Ends:
    """The ends of differences and ratios: paired where both have one sample of contexts, else as independent.

    Where contexts of the control are no sample, its figures are taken as they are.
    """
    ends: Ends = {}
    firsts = [each.sampled_risk(sample) for each in study]
    seconds = [None if others is None else each.sampled_risk(others) for each in control]
    for each in FIGURES:
        first, second = firsts[each.by_distance], seconds[each.by_distance]
        value, ours = each.of_side(control), getattr(first, each.part)
        theirs = None if second is None else getattr(second, each.part)
        if value is not None and ours is not None:
            if theirs is not None and others is sample:
                difference, ratio = _paired(study, each, ours, theirs)
            else:
                difference, ratio = _independent(study, each, ours, theirs, value)
            ends |= {f"{each.prefix}difference": difference} | ({} if ratio is None else {f"{each.prefix}ratio": ratio})
    return ends


def _paired(
    study: _Side, figure: _Figure, ours: Sampled, theirs: Sampled
) -> tuple[tuple[float, float], tuple[float, float] | None]:
    how = (*_how(study), figure.of)
    return difference_of_paired(ours, theirs, *how), ratio_of_paired(ours, theirs, *how)


def _independent(
    study: _Side, figure: _Figure, ours: Sampled, theirs: Sampled | None, value: float
) -> tuple[tuple[float, float], tuple[float, float] | None]:
    how = (*_how(study), figure.of)
    first, second = known(ours, *how), Known(value, value, value) if theirs is None else known(theirs, *how)
    return difference_of_independent(first, second), ratio_of_independent(first, second)
