"""One run: checks its choices, scores prompts, and analyses the probabilities."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from bvf.analyses.risk.controls.analysis import beside_controls
from bvf.analyses.risk.result import Result, of_risk
from bvf.asking.model import ChosenModel
from bvf.domain.measurement import Measurement
from bvf.errors import BvfError
from bvf.hooks.loader import Plugins
from bvf.interfaces.analysis import Choices, View
from bvf.interfaces.criterion import KnowledgeCriterion
from bvf.measuring.controls import LoadedOnce
from bvf.measuring.parts import Inventory
from bvf.measuring.plan import Plan, plan_of, with_unbiased
from bvf.measuring.run import OnProgress, measure_part, measure_plan
from bvf.results.contribution import NOTHING, Contribution
from bvf.results.figure import computed
from bvf.results.result import ResultBase
from bvf.results.store import kept_result
from bvf.running.config import RunConfig
from bvf.running.controls import (
    Control,
    OverallProgress,
    asks_neutral,
    controls_of,
    measure_controls,
    measure_neutral,
    refuse_no_prior,
)
from bvf.running.other_words import OtherWordsBeside, measure_other_words, refuse_no_other_words, with_other_words
from bvf.study.analysis import Analysis
from bvf.study.choices import prepared, unbiased_answers
from bvf.study.study import Study
from bvf.study.uncertainty import Interval

MOST_DRAWS_PER_OCCURRENCE = 4
"""More draws hardly make an interval narrower, as the context set is a sample itself."""


@dataclass(frozen=True)
class PrecisionGoal:
    """Draws contexts until the interval of the first figure (such as R) has a half-width of at most ``precision``.

    The number of contexts doubles in each round, from 100 on, and each round has an ordinary interval: if its width,
    not the figure, decides when to stop, the interval remains valid (Chow & Robbins 1965, Ann. Math. Stat. 36).
    """

    precision: float
    analysis: Analysis[Any]
    choices: Choices

    def further(self, measurement: Measurement) -> int | None:
        """Return how many contexts to draw in all by the next round; None if there are enough."""
        asked, study = measurement.record.asked, Study.of(measurement, self.choices)
        intervals = self.analysis.over_all(study)
        if intervals is None:
            intervals = self.analysis.run(measurement, self.choices).uncertainty.intervals
        if asked.draws is None or self._half_width(intervals, study.undefined) <= self.precision:
            return None
        source = asked.every_context if asked.draws.in_turn else asked.sampling.occurrences or 0.0
        most = MOST_DRAWS_PER_OCCURRENCE * source
        return 2 * asked.draws.number if asked.draws.number < most else None

    def note(self, result: ResultBase, measurement: Measurement) -> str:
        """Return a sentence on the precision that was reached."""
        asked, uncertainty = measurement.record.asked, result.uncertainty
        width = self._half_width(uncertainty.intervals, uncertainty.undefined)
        every = asked.every_context * len(asked.groups)
        reached, why = ("reached", "") if width <= self.precision else ("not reached", ", as the set is a small sample")
        return (
            f"--precision {self.precision:g} {reached}{why}: half the interval of {self._figure()} is {width:.4f} with "
            f"{uncertainty.draws:,} contexts drawn; {result.prompts:,} of {every:,} prompts were asked"
        )

    def _half_width(self, intervals: Mapping[str, Interval], undefined: str) -> float:
        ends = intervals.get(self._figure())
        if ends is None:
            why = undefined or "this analysis has none"
            raise BvfError(
                f"--precision {self.precision:g}: no interval: {why}",
                "use a context set that was mined, without --limit",
            )
        return (ends.high - ends.low) / 2.0

    def _figure(self) -> str:
        return next(iter(self.analysis.figures), "")


@dataclass(frozen=True)
class PreparedRun:
    """A run that is ready to start: every name in its configuration was looked up. No model is loaded yet.

    ``other_words``: whether other words are read beside those of its topic.
    """

    config: RunConfig
    plugins: Plugins
    plan: Plan
    analysis: Analysis[Any]
    choices: Choices
    controls: tuple[Control, ...]
    other_words: bool


def ready(config: RunConfig, plugins: Plugins, view: View | None = None) -> PreparedRun:
    """Look up every name in the configuration of a run, and refuse what cannot be measured, analysed or shown."""
    if config.part:
        _refuse_what_needs_a_whole_run(config)
    for name in config.plugin:
        plugins.of(name)
    study = plan_of(config, plugins)
    refuse_no_prior(config, study.topic)
    if config.other_words:
        refuse_no_other_words(study)
    of_all = config.model_copy(update={"words": {}, "groups": ()})  # its words and groups are those that are asked
    analysis, chosen = prepared(of_all, study.asked, plugins, preferred=config.plugin, view=view)
    study = with_unbiased(study, unbiased_answers(config, study.asked))
    controls: tuple[Control, ...] = ()
    if config.controls:
        study, controls = controls_of(config, study, analysis, chosen, plugins)
    of_risk = issubclass(analysis.results, Result) and not isinstance(chosen.criterion, KnowledgeCriterion)
    study, other_words = with_other_words(config, study, of_risk=of_risk)
    return PreparedRun(config, plugins, study, analysis, chosen, controls, other_words)


def finished(run: PreparedRun, on_progress: OnProgress | None = None) -> ResultBase:
    """Score the prompts that are not stored yet, analyse the probabilities, and return the result."""
    measurement = measured(run, on_progress)
    return stored(result_of(run.analysis, measurement, run.choices, run.plugins, _goal(run)), measurement)


def measured(run: PreparedRun, on_progress: OnProgress | None = None) -> Measurement:
    """Score the prompts that are not stored yet, also those of neutral subjects and of controls."""
    config, available, goal = run.config, run.plugins, _goal(run)
    loading = ChosenModel.load if run.plan.engine.elsewhere else LoadedOnce()
    progress = OverallProgress(on_progress, _later(run))
    beside = OtherWordsBeside(available, needed=bool(config.other_words)) if run.other_words else None
    measurement = measure_plan(run.plan, available, progress, goal.further if goal else None, loading, beside)
    if beside is not None and beside.why:
        measurement = replace(measurement, remarks=(*measurement.remarks, beside.why))
    measurement = measure_neutral(config, run.plan, measurement, available, progress, loading)
    measure_controls(run.controls, measurement, available, progress, loading)
    if config.other_words:
        progress.begin_next()
        measure_other_words(run.plan, measurement, available, progress, loading)
    return measurement


def _later(run: PreparedRun) -> list[int]:
    """The number of prompts of what is measured after the groups."""
    plan, neutral = run.plan, []
    if asks_neutral(run.config, plan):
        neutral = [len(plan.topic.with_neutral_subjects().groups) * (plan.questions.size // len(plan.groups))]
    return [*neutral, *(control.plan.questions.size for control in run.controls)]


def _goal(run: PreparedRun) -> PrecisionGoal | None:
    precision = run.config.precision
    return None if precision is None else PrecisionGoal(precision, run.analysis, run.choices)


def finished_part(run: PreparedRun, on_progress: OnProgress | None = None) -> Inventory:
    """Score the shards (blocks of prompts) of one part of a run, and return the `Inventory` of all its shards."""
    return measure_part(run.plan, run.plugins, on_progress)


def _refuse_what_needs_a_whole_run(config: RunConfig) -> None:
    """Raise `BvfError` if the configuration of a part of a run requests what only a whole run can do."""
    if config.precision is not None:
        raise BvfError(
            f"--precision {config.precision:g} with --part {config.part}: how much is asked depends on all answers",
            "draw so many for all parts: --sample-contexts N; or leave --part out",
        )
    for option, asked, called in (
        ("--controls", config.controls, "controls"),
        ("--other-words", config.other_words, "other words"),
    ):
        if asked:
            raise BvfError(
                f"{option} with --part {config.part}: {called} are asked in one piece, after the whole of the run",
                f"leave {option} out; when all parts are there, the same command with it and without --part asks them",
            )


def result_of(
    analysis: Analysis[Any],
    measurement: Measurement,
    choices: Choices,
    plugins: Plugins,
    goal: PrecisionGoal | None = None,
) -> ResultBase:
    """Analyse a measurement and return the result, with its controls and a note on its ``goal``. Nothing is stored."""
    result: ResultBase = computed(analysis, measurement, choices)
    added = beside_controls(measurement, choices, plugins) if of_risk([result]) else NOTHING
    if goal is not None:
        added |= Contribution(notes=(goal.note(result, measurement),))
    return result if added == NOTHING else added.added_to(result)


def stored(result: ResultBase, measurement: Measurement) -> ResultBase:
    """Store a result in the folder of its measurement, if there is one, and return it."""
    return result if measurement.folder is None else kept_result(measurement.folder, result)
