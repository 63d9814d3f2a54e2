"""The control topics and the neutral subjects of a run, which are measured after it.

Every run reads what groups add to the mean over neutral subjects n of p(y | n, c). With ``--reference prior`` that mean
is p*(y | c): a lean that a context has for everybody, and one that the words of a class have everywhere, is not counted
as a stereotype of a group then.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from bvf.analyses.risk.controls.analysis import choices_for_control
from bvf.analyses.risk.result import Result
from bvf.asking.model import ChosenModel
from bvf.domain.measurement import PRIOR_FOLDER, Measurement
from bvf.domain.topic import Topic
from bvf.errors import BvfError
from bvf.files.folder import run_at
from bvf.files.writing import is_read_only
from bvf.hooks.loader import Plugins
from bvf.interfaces.analysis import Choices
from bvf.interfaces.criterion import KnowledgeCriterion
from bvf.measuring.controls import control_plans
from bvf.measuring.plan import Plan, with_unbiased
from bvf.measuring.run import Load, OnProgress, Progress, folder_of, measure_plan
from bvf.results.store import kept_result
from bvf.running.config import RunConfig
from bvf.running.several import failure_of
from bvf.study.analysis import Analysis
from bvf.study.choices import prepared, unbiased_answers
from bvf.study.reference import PRIOR


class OverallProgress:
    """The progress of several measurements as one.

    ``later`` has the number of prompts of each but the first. It counts while the one before has prompts to score.
    """

    def __init__(self, report: OnProgress | None, later: Sequence[int] = ()) -> None:
        self.report, self.later = report or (lambda _: None), later
        self.before = self.now = Progress(0, 0, 0)

    def __call__(self, progress: Progress) -> None:
        before = self.before
        done, total = before.done + progress.done, before.total + progress.total
        self.now = Progress(done, total, before.reused + progress.reused, progress.stage)
        later = sum(self.later) if progress.reused < progress.total else 0
        self.report(replace(self.now, total=total + later))

    def begin_next(self) -> None:
        """Count progress from here on as progress of the next measurement."""
        self.before, self.later = self.now, self.later[1:]


@dataclass(frozen=True)
class Control:
    """A control topic of a run: the plan of its measurement, its analysis, and the choices of that analysis."""

    plan: Plan
    analysis: Analysis[Any]
    choices: Choices


def measure_controls(
    controls: Sequence[Control], study: Measurement, plugins: Plugins, progress: OverallProgress, loading: Load
) -> None:
    """Score those prompts of each control that are not stored yet. Drawn contexts are as many as for the run."""
    draws = study.record.asked.draws
    for control in controls:
        plan = control.plan if draws is None else control.plan.drawing(draws.number)
        progress.begin_next()
        measurement = measure_plan(plan, plugins, progress, loading=loading)
        if measurement.folder is not None:
            with suppress(BvfError):  # the result of the run says why a control is not shown
                kept_result(measurement.folder, control.analysis.run(measurement, control.choices))


def controls_of(
    config: RunConfig, study: Plan, analysis: Analysis[Any], choices: Choices, plugins: Plugins
) -> tuple[Plan, tuple[Control, ...]]:
    """Return the run's plan with notes on its control topics, and also the plan and choices of each control."""
    if isinstance(choices.criterion, KnowledgeCriterion):
        raise BvfError(
            f"--controls: {study.topic.name} is scored by {choices.criterion_name}, a criterion of knowledge",
            "leave --controls out: a model that knows nothing is the baseline of knowledge",
        )
    if not issubclass(analysis.results, Result):
        raise BvfError(
            f"--controls: only figures of risk are compared with controls, and --analysis {config.analysis} has others",
            "leave --controls or --analysis out",
        )
    study, plans = control_plans(config, study, folder_of(study).path, plugins)
    return study, tuple(_control(each, config, choices, plugins) for each in plans)


def _control(plan: Plan, config: RunConfig, choices: Choices, plugins: Plugins) -> Control:
    for_control = config.model_copy(
        update={"words": {}, "groups": (), "margin": "", "criterion": choices.criterion_name}
    )
    asked = plan.asked
    try:
        choices_for_control(choices, asked, plugins)
        analysis, chosen = prepared(for_control, asked, plugins, preferred=config.plugin)
    except BvfError as error:
        raise BvfError(f"--controls: {plan.topic.name}: {error.message}", error.hint) from error
    return Control(with_unbiased(plan, unbiased_answers(for_control, asked)), analysis, chosen)


def refuse_no_prior(config: RunConfig, topic: Topic) -> None:
    """Raise `BvfError` if a run cannot take p* from neutral subjects, but is to do so."""
    if config.reference != PRIOR:
        return
    if not topic.neutral:
        raise BvfError(
            f"--reference prior: the topic {topic.name} names no neutral subjects",
            'add some to the topic file that fit [X] and name no particular person: neutral = ["person"]',
        )
    for option, value in (("part", config.part), ("precision", config.precision)):
        if value:
            raise BvfError(
                f"--reference prior with --{option} {value}: neutral subjects are asked once all groups have been",
                f"run with --{option} first; the same command without it, and with --reference prior, asks the rest",
            )


def asks_neutral(config: RunConfig, plan: Plan) -> bool:
    """Whether neutral subjects are asked after the groups of a run."""
    idle = bool(config.precision) or is_read_only(folder_of(plan).path)
    return config.reference == PRIOR or (bool(plan.topic.neutral) and not idle)


def measure_neutral(
    config: RunConfig, plan: Plan, measurement: Measurement, plugins: Plugins, progress: OverallProgress, loading: Load
) -> Measurement:
    """Ask neutral subjects after the groups of a run, if its topic names some, and nothing that is there already.

    Without ``--reference prior``, the run goes on if the model fails for them: the measurement has a remark then.
    """
    if not asks_neutral(config, plan):
        return measurement
    progress.begin_next()
    try:
        measure_prior(plan, measurement, plugins, progress, loading)
    except Exception as error:
        if config.reference == PRIOR:
            raise
        why = f"neutral subjects were not asked: {failure_of(config, error)}"
        return replace(measurement, remarks=(*measurement.remarks, why))
    return measurement


def measure_prior(
    plan: Plan, measurement: Measurement, plugins: Plugins, on_progress: OnProgress, loading: Load
) -> None:
    """Measure a model for neutral subjects, in the contexts that were used for groups.

    What the run has checked is not checked again: how much rounding of the weights matters, and the candidate mass.
    """
    topic, description = plan.topic.with_neutral_subjects(), plan.model.description
    out = run_at(measurement.folder or "").sub(PRIOR_FOLDER).own_path()
    config = plan.config.model_copy(update={"out": str(out), "groups": (), "limit_groups": 0, "mass_sample": 1})
    asked = replace(
        plan,
        topic=topic,
        model=replace(plan.model, description=replace(description, rounds={})),
        groups=topic.groups,
        selection=None,
        config=config,
        draws=measurement.record.asked.draws,
    )
    measure_plan(asked, plugins, on_progress, loading=ChosenModel.load if description.rounds else loading)
