"""The control topics of a run. They are checked before a model is loaded, and measured after the run."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from bvf.analyses.risk.controls.analysis import choices_for_control
from bvf.analyses.risk.result import Result
from bvf.domain.measurement import Measurement
from bvf.errors import BvfError
from bvf.hooks.loader import Plugins
from bvf.interfaces.analysis import Choices
from bvf.interfaces.criterion import KnowledgeCriterion
from bvf.measuring.controls import control_plans
from bvf.measuring.plan import Plan, with_unbiased
from bvf.measuring.run import Load, OnProgress, Progress, folder_of, measure_plan
from bvf.results.store import kept_result
from bvf.running.config import RunConfig
from bvf.study.analysis import Analysis
from bvf.study.choices import prepared, unbiased_answers


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
