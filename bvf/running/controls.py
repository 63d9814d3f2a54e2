"""The controls of a run: laid out before a model is loaded, and measured after the study."""

from dataclasses import dataclass
from typing import Any

from bvf.analyses.risk.controls.analysis import choices_for_control
from bvf.domain.measurement import Measurement
from bvf.errors import BvfError
from bvf.hooks.loader import Plugins
from bvf.interfaces.analysis import Analysis, Choices
from bvf.interfaces.criterion import KnowledgeCriterion
from bvf.measuring.controls import control_plans
from bvf.measuring.plan import Plan, with_unbiased
from bvf.measuring.run import Load, OnProgress, Progress, folder_of, measure_plan
from bvf.results.kept import kept_result
from bvf.running.config import RunConfig
from bvf.study.choices import prepared, unbiased_answers


class Together:
    """The progress of several measurements as one; its total grows with each measurement that begins."""

    def __init__(self, tell: OnProgress | None) -> None:
        self.tell = tell or (lambda _: None)
        self.before = self.now = Progress(0, 0, 0)

    def __call__(self, progress: Progress) -> None:
        before = self.before
        done, total = before.done + progress.done, before.total + progress.total
        self.now = Progress(done, total, before.reused + progress.reused, progress.stage)
        self.tell(self.now)

    def next(self) -> None:
        """Count from here on as another measurement."""
        self.before = self.now


@dataclass(frozen=True)
class Control:
    """A control that is to be asked, and how it will be analysed."""

    plan: Plan
    analysis: Analysis[Any]
    choices: Choices


@dataclass(frozen=True)
class Controls:
    """All controls of a study."""

    each: tuple[Control, ...]

    def measure(self, study: Measurement, plugins: Plugins, progress: Together, loading: Load) -> None:
        """Ask what is not stored yet of each control; where contexts are drawn as in the study, in as many as there.

        Raises:
            BvfError: Anything that the user can mend; finished shards are kept.
        """
        draws = study.record.asked.draws
        for control in self.each:
            plan = control.plan if draws is None else control.plan.drawing(draws.number)
            progress.next()
            measurement = measure_plan(plan, plugins, progress, loading=loading)
            if measurement.folder is not None:
                kept_result(measurement.folder, control.analysis.run(measurement, control.choices))


def controls_of(config: RunConfig, study: Plan, choices: Choices, plugins: Plugins) -> tuple[Plan, Controls]:
    """Return the plan of a study with what is to be noted of its controls, and the controls.

    Raises:
        BvfError: There is none, or one cannot be asked or analysed as the study is.
    """
    if isinstance(choices.criterion, KnowledgeCriterion):
        raise BvfError(
            f"--controls: {study.topic.name} is scored by {choices.criterion_name}, a criterion of knowledge",
            "leave --controls out: a model that knows nothing is the baseline of knowledge",
        )
    study, plans = control_plans(config, study, folder_of(study).path, plugins)
    return study, Controls(tuple(_control(each, config, choices, plugins) for each in plans))


def _control(plan: Plan, config: RunConfig, choices: Choices, plugins: Plugins) -> Control:
    for_control = config.model_copy(update={"words": {}, "margin": "", "criterion": choices.criterion_name})
    asked = plan.asked
    try:
        choices_for_control(choices, asked, plugins)
        analysis, chosen = prepared(for_control, asked, plugins, preferred=config.plugin)
    except BvfError as error:
        raise BvfError(f"--controls: {plan.topic.name}: {error.message}", error.hint) from error
    return Control(with_unbiased(plan, unbiased_answers(for_control, asked)), analysis, chosen)
