"""A study beside its controls: what lies in ``DIR/controls``, analysed as the study is."""

from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np

from bvf.analysing.basis import Basis, basis_of
from bvf.analysing.control import ControlResult
from bvf.analysing.decomposing import criterion_of_risk, risk_of, sampled_risk_of
from bvf.analysing.result import Result
from bvf.analysing.risk_intervals import RISK
from bvf.analysing.sampling import as_templates, context_sample, named_intervals, why_no_sample
from bvf.analysing.trust import warnings_of
from bvf.arrays import FloatArray
from bvf.domain.measurement import Asked, MeasuredModel, Measurement
from bvf.errors import BvfError
from bvf.hooks.loader import Plugins
from bvf.interfaces.analysis import Choices
from bvf.interfaces.criterion import Criterion, KnowledgeCriterion
from bvf.measuring.controls import control_folders
from bvf.measuring.folder import read_measurement
from bvf.stats.intervals import Sampled
from bvf.stats.ratios import (
    Known,
    difference_of_independent,
    difference_of_paired,
    known,
    ratio_of_independent,
    ratio_of_paired,
)
from bvf.stats.risk import NO_RISK, check_criterion
from bvf.stats.samples import ContextSample

Ends = dict[str, tuple[float, float]]


def with_controls(result: Result, study: Measurement, choices: Choices, plugins: Plugins) -> Result:
    """Return the result with how it stands to each control in the folder of its measurement.

    A control that cannot be read, or not be analysed as the study was, is left out, and a note says why.

    Args:
        result: Of the study.
        study: What it rests on; its folder is that of the run.
        choices: How it was analysed.
        plugins: Where the criterion is looked up.
    """
    found, notes = list[ControlResult](), list[str]()
    for folder in control_folders(study.folder) if study.folder else []:
        try:
            found.append(_control(folder, study, choices, plugins))
        except BvfError as error:
            notes.append(f"control {folder.name} not shown: {error}")
    return result.model_copy(update={"controls": tuple(found), "notes": (*result.notes, *notes)})


def choices_for_control(choices: Choices, asked: Asked, plugins: Plugins) -> Choices:
    """Return how a control is analysed where its study is analysed so: by the same J, P(X), scale, unit and level.

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


@dataclass(frozen=True)
class _Side:
    """The study or its control, as it is analysed."""

    measurement: Measurement
    basis: Basis
    choices: Choices
    R: float

    @cached_property
    def undefined(self) -> str:
        """Why its contexts are no sample; empty: they are one."""
        return why_no_sample(self.measurement, self.choices)

    @property
    def sample(self) -> ContextSample | None:
        return None if self.undefined else context_sample(self.measurement, self.choices)

    def risk(self, sample: ContextSample) -> Sampled:
        """Return R as what contexts add to it."""
        return sampled_risk_of(self.basis, self.choices, sample).risk


def _control(folder: Path, study: Measurement, choices: Choices, plugins: Plugins) -> ControlResult:
    control = read_measurement(folder)
    asked, own = control.record.asked, choices_for_control(choices, control.record.asked, plugins)
    ours, theirs = basis_of(study, choices), basis_of(control, own)
    _refuse_others(study, control, ours, theirs)
    found = risk_of(theirs, own)
    first, second = _Side(study, ours, choices, risk_of(ours, choices).R), _Side(control, theirs, own, found.R)
    same, sampled = _in_same_contexts(study, control), first.sample
    intervals = _own_intervals(second)
    if sampled is not None:
        intervals |= _beside(first, second, sampled, sampled if same else second.sample)
    kinds = as_templates(study), as_templates(control)
    of_templates: Ends = {}
    if kinds[0] is not None and kinds[1] is not None and criterion_of_risk(own).curvature != "neither":
        of_templates = _beside(first, second, kinds[0], kinds[0] if same else kinds[1])
    return ControlResult(
        topic=asked.topic,
        measurement=control.record.digest,
        contexts=asked.contexts,
        number_of_contexts=len(asked.in_order),
        same_contexts=same,
        R=found.R,
        R_bias=found.R_bias,
        R_volatility=found.R_volatility,
        difference=first.R - found.R,
        ratio=first.R / found.R if found.R > NO_RISK else None,
        intervals=intervals,
        undefined=second.undefined,
        warnings=tuple(warnings_of(control.record.check)),
        as_templates=of_templates,
    )


def _refuse_others(study: Measurement, control: Measurement, ours: Basis, theirs: Basis) -> None:
    if _model(study) != _model(control):
        raise BvfError("it was asked of another model", "run the study again with --controls")
    if ours.groups != theirs.groups:
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
    sample = control.sample
    if sample is None:
        return {}
    estimates = control.risk(sample).estimates(control.basis.group_weights, control.choices.level)
    return {name: (each.low, each.high) for name, each in named_intervals(estimates, RISK).items()}


def _beside(study: _Side, control: _Side, sample: ContextSample, others: ContextSample | None) -> Ends:
    """The ends of difference and ratio: paired where both are by one sample, else independent of each other.

    Where contexts of the control are no sample, its R is taken as it is.
    """
    level, p_x = study.choices.level, study.basis.group_weights
    first = study.risk(sample)
    if others is sample:
        second = control.risk(sample)
        difference, ratio = difference_of_paired(first, second, p_x, level), ratio_of_paired(first, second, p_x, level)
    else:
        ours = known(first, p_x, level)
        theirs = Known(control.R, control.R, control.R) if others is None else known(control.risk(others), p_x, level)
        difference, ratio = difference_of_independent(ours, theirs), ratio_of_independent(ours, theirs)
    return {"difference": difference} | ({} if ratio is None else {"ratio": ratio})
