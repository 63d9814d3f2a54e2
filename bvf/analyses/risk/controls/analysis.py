"""Compares a run with its control topics (``DIR/controls``), by the same choices of analysis."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np

from bvf.analyses.risk.controls.result import ControlGroup, ControlResult
from bvf.analyses.risk.exactness import error_bounds
from bvf.arrays import FloatArray
from bvf.domain.asked import Asked
from bvf.domain.measurement import Measurement
from bvf.errors import BvfError
from bvf.files.folder import Folder
from bvf.hooks.loader import Plugins
from bvf.interfaces.analysis import Choices
from bvf.interfaces.criterion import Criterion, KnowledgeCriterion
from bvf.results.contribution import NOTHING, Contribution
from bvf.stats.figures.risk import NO_RISK, check_criterion
from bvf.stats.sampling.ratios import (
    Of,
    averaged,
    difference_of_independent,
    difference_of_paired,
    estimate,
    ratio_of_independent,
    ratio_of_paired,
    ratio_off_by,
)
from bvf.stats.sampling.samples import ContextSample
from bvf.study.candidate_mass import warnings_of
from bvf.study.found import control_folders, read_measurement
from bvf.study.sample import as_templates, opened_in_turn
from bvf.study.study import PARTICULAR, RISK, Study, named_intervals

Ends = dict[str, tuple[float, float]]


@dataclass(frozen=True)
class _Figure:
    """A figure, such as R, by which a run (the study) is compared with a control topic."""

    field: str
    prefix: str  # of the fields for its ratio and difference
    part: Literal["risk", "particular"]
    of: Of  # which figure of that part
    by_distance: bool = False  # J is the total variation, 0 to 1 for any number of classes

    def of_side(self, side: "_Side") -> float | None:
        """Return the value of the figure for the run or the control; None if undefined."""
        if self.by_distance:
            return side.apart
        risk = side.by_criterion.risk
        if self.part == "particular":
            return None if risk.parts is None else risk.parts.particular_bias
        return float(getattr(risk, self.field))


FIGURES = (
    _Figure("R", "", "risk", "total"),
    _Figure("R_bias", "bias_", "risk", "of_mean"),
    _Figure("particular_bias", "particular_bias_", "particular", "of_mean"),
    _Figure("apart", "apart_", "particular", "of_mean", by_distance=True),
)


def beside_controls(study: Measurement, choices: Choices, plugins: Plugins) -> Contribution:
    """Return a comparison of a run with each of its controls (topics without a known stereotype), for its result.

    The measurements of controls are in the folder of ``study``, the measurement of the run.

    A control that cannot be read or compared is left out, and a note says why.
    """
    folders = control_folders(study.folder) if study.folder else []
    if not folders:
        return NOTHING
    controls, notes, ours = list[ControlResult](), list[str](), Study.of(study, choices)
    first = _Side.of(ours, ours.sample, plugins)
    for folder in folders:
        try:
            controls.append(_control(folder, first, plugins))
        except BvfError as error:
            notes.append(f"control {folder.path.name} not shown: {error.message}")
    return Contribution({"controls": tuple(controls)}, notes=tuple(notes))


def choices_for_control(choices: Choices, asked: Asked, plugins: Plugins) -> Choices:
    """Return the choices for analysing a control: scale, weights of the run, J and p* for the control's classes."""
    criterion: Criterion | KnowledgeCriterion = plugins.criteria.make(choices.criterion_name)
    if isinstance(criterion, KnowledgeCriterion):
        raise BvfError(f"{choices.criterion_name} is a criterion of knowledge", "controls are for criteria of risk")
    classes, p_star_of = asked.classes, None
    criterion = criterion.for_classes(classes)
    if choices.reference not in ("mean", "uniform"):
        raise BvfError(
            f"--reference {choices.reference} is of the classes of the study, and the classes here are "
            f"{', '.join(classes)}",
            "leave --reference out, or use mean: both are there for any classes",
        )
    if choices.reference == "uniform":
        p_star_of = {name: np.full(len(classes), 1.0 / len(classes)) for name in asked.group_names}
        check_criterion(criterion, np.array(list(p_star_of.values())), choices.criterion_name)
    unit = "" if choices.unit == "opening" or opened_in_turn(asked) else choices.unit
    return replace(
        choices, criterion=criterion, p_star_of=p_star_of, p_star_in={}, words={}, margin="", unit=unit, notes=()
    )


@dataclass(frozen=True, eq=False)
class _Side:
    """The run or a control, analysed twice: by the chosen criterion, and by total variation.

    ``sample`` are its contexts as a sample, or as one of their kind; None: these contexts are all that there is.
    """

    by_criterion: Study
    by_distance: Study
    sample: ContextSample | None

    @classmethod
    def of(cls, study: Study, sample: ContextSample | None, plugins: Plugins) -> "_Side":
        return cls(study, study.by(plugins.criteria.make("tv")), sample)

    @property
    def studies(self) -> tuple[Study, Study]:
        return self.by_criterion, self.by_distance

    @cached_property
    def distances(self) -> FloatArray | None:
        """How far each group is apart, shape (X,): cross-fit over halves of a sample. None: there is one group."""
        parts, number = self.by_distance.risk.parts, len(self.by_distance.predictions.groups)
        particular = None if self.sample is None else self.by_distance.sampled_risk(self.sample).particular
        if parts is None or particular is None:
            return None if parts is None else parts.x_particular_bias
        return particular.estimates(np.eye(number), self.by_distance.choices.level).of_mean.bracket[1]

    @property
    def apart(self) -> float | None:
        """How far groups are apart on average; an estimate below 0 counts as 0."""
        return None if self.distances is None else max(float(_how(self)[0] @ self.distances), 0.0)

    @cached_property
    def within(self) -> Mapping[str, float]:
        """The error bounds of figures, by field; empty if probabilities are exact."""
        by_criterion, by_distance = map(error_bounds, self.studies)
        bounds = dict[str, FloatArray]()
        for names in by_criterion.keys() & {RISK, PARTICULAR}:
            bounds |= zip(names, by_criterion[names], strict=True)
        if PARTICULAR in by_distance:
            bounds["apart"] = by_distance[PARTICULAR][PARTICULAR.index("particular_bias")]
        p_x = self.by_criterion.predictions.group_weights
        return {field: float(p_x @ bound) for field, bound in bounds.items()}

    @cached_property
    def intervals(self) -> Ends:
        """Intervals of its own figures, by field; none where its contexts are no sample."""
        sample = self.by_criterion.sample
        if sample is None:
            return {}
        by_risk, by_distance = (study.sampled_risk(sample) for study in self.studies)
        how = _how(self)
        of_risk = named_intervals(by_risk.risk.estimates(*how), RISK)
        ends = {name: (each.low, each.high) for name, each in of_risk.items()}
        for name, part in (("particular_bias", by_risk.particular), ("apart", by_distance.particular)):
            if part is not None:
                whole = averaged(part, *how, "of_mean")
                ends[name] = (float(whole.low), float(whole.high))
        for name, within in self.within.items():
            if name in ends:
                low, high = ends[name]
                ends[name] = max(low - within, 0.0), high + within
        return ends


def _control(folder: Folder, first: _Side, plugins: Plugins) -> ControlResult:
    ours = first.by_criterion
    study, drawn = ours.measurement, ours.measurement.record.asked.draws
    control = read_measurement(folder).first_draws(None if drawn is None else drawn.number)
    asked, its_choices = control.record.asked, choices_for_control(ours.choices, control.record.asked, plugins)
    theirs = Study.of(control, its_choices)
    _refuse_unlike(ours, theirs)
    same, sampled = _contexts(study) == _contexts(control), ours.sample
    our_kind, their_kind = as_templates(study), as_templates(control)
    beside = theirs.sample or (None if sampled is None else their_kind)
    risk, second = theirs.risk, _Side.of(theirs, beside, plugins)
    intervals = second.intervals | ({"apart_in_topic": first.intervals["apart"]} if "apart" in first.intervals else {})
    if sampled is not None:
        intervals |= _beside(first, second, sampled, sampled if same else beside)
    of_templates: Ends = {}
    if our_kind is not None and their_kind is not None and theirs.criterion.curvature != "neither":
        of_templates = _beside(first, second, our_kind, our_kind if same else their_kind)
    return ControlResult(
        topic=asked.topic,
        measurement=control.record.digest,
        contexts=asked.contexts,
        number_of_contexts=len(asked.in_order),
        same_contexts=same,
        R=risk.R,
        R_bias=risk.R_bias,
        R_volatility=risk.R_volatility,
        particular_bias=None if risk.parts is None else risk.parts.particular_bias,
        apart=second.apart,
        classes=len(theirs.predictions.classes),
        **_differences(first, second),
        intervals=intervals,
        undefined=theirs.undefined,
        groups=_groups(first, second),
        warnings=tuple(warnings_of(control)),
        as_templates=of_templates,
    )


def _differences(study: _Side, control: _Side) -> dict[str, Any]:
    """Differences (run - control) and ratios (run / control) of all figures, by field."""
    fields = dict[str, float | None]()
    for each in FIGURES:
        ours, theirs = each.of_side(study), each.of_side(control)
        if ours is not None and theirs is not None:
            fields[f"{each.prefix}difference"] = ours - theirs
        fields[f"{each.prefix}ratio"] = None if ours is None or theirs is None or theirs <= NO_RISK else ours / theirs
    return fields


def _groups(study: _Side, control: _Side) -> tuple[ControlGroup, ...]:
    risk = control.by_criterion.risk
    columns = [each.tolist() for each in (risk.r, risk.r_bias, risk.r_volatility)]
    number = len(control.by_criterion.predictions.groups)
    distances = [
        [None] * number if each.distances is None else np.maximum(each.distances, 0.0).tolist()
        for each in (control, study)
    ]
    names = ("r", "r_bias", "r_volatility", "apart", "apart_in_topic")
    return tuple(
        ControlGroup(group=group.name, **dict(zip(names, figures, strict=True)))
        for group, *figures in zip(control.by_criterion.predictions.groups, *columns, *distances, strict=True)
    )


def _refuse_unlike(study: Study, control: Study) -> None:
    # the probe differs: it has words of the topic
    ours, theirs = (each.measurement.record.model.model_copy(update={"probe": {}}) for each in (study, control))
    if ours != theirs:
        raise BvfError("it was asked of another model", "run the study again with --controls")
    if study.predictions.groups != control.predictions.groups:
        raise BvfError("it was not asked of the same groups", "run the study again with --controls")


def _contexts(measurement: Measurement) -> list[tuple[Any, ...]]:
    return [(each.context.key, each.count, each.drawn) for each in measurement.record.asked.in_order]


def _how(side: _Side) -> tuple[FloatArray, float]:
    """The group weights P(X) of a run or control, and the level of its intervals."""
    return side.by_criterion.predictions.group_weights, side.by_criterion.choices.level


def _beside(study: _Side, control: _Side, sample: ContextSample, others: ContextSample | None) -> Ends:
    """Intervals of differences and ratios, by field.

    They are paired if study and control share the sample of contexts, else independent.

    ``others`` is the sample of the control; None: it has one context, and its figures count as exact.
    """
    ends: Ends = {}
    firsts = [each.sampled_risk(sample) for each in study.studies]
    seconds = [None if others is None else each.sampled_risk(others) for each in control.studies]
    for each in FIGURES:
        first, second = firsts[each.by_distance], seconds[each.by_distance]
        figure, value, ours = each.of_side(study), each.of_side(control), getattr(first, each.part)
        theirs = None if second is None else getattr(second, each.part)
        if figure is None or value is None or ours is None:
            continue
        how = (*_how(study), each.of)
        if theirs is not None and others is sample:
            difference, ratio = difference_of_paired(ours, theirs, *how), ratio_of_paired(ours, theirs, *how)
        else:
            both = averaged(ours, *how), estimate(value) if theirs is None else averaged(theirs, *how)
            difference, ratio = difference_of_independent(*both), ratio_of_independent(*both)
        off, others_off = (side.within.get(each.field, 0.0) for side in (study, control))
        low, high = difference
        ends[f"{each.prefix}difference"] = low - (off + others_off), high + (off + others_off)
        ratio = ratio and ratio_off_by(ratio, (figure, off), (value, others_off))
        if ratio is not None:
            ends[f"{each.prefix}ratio"] = ratio
    return ends
