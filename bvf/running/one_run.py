"""One run: everything that can be refused is refused, then the model is asked and its answers are analysed."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from bvf.analyses.risk.controls.analysis import with_controls
from bvf.analyses.risk.result import of_risk
from bvf.asking.model import ChosenModel
from bvf.domain.measurement import Measurement
from bvf.errors import BvfError
from bvf.hooks.loader import Plugins
from bvf.interfaces.analysis import Analysis, Choices, View
from bvf.measuring.controls import LoadedOnce
from bvf.measuring.parts import Inventory
from bvf.measuring.plan import Plan, plan, with_unbiased
from bvf.measuring.run import OnProgress, measure_part, measure_plan
from bvf.results.computed import computed
from bvf.results.kept import kept_result
from bvf.results.result import ResultBase
from bvf.running.config import RunConfig
from bvf.running.controls import Controls, Together, controls_of
from bvf.running.precision import Until
from bvf.running.prior import measure_prior, refuse_no_prior
from bvf.study.choices import prepared, unbiased_answers
from bvf.study.reference import PRIOR

Told = Callable[[ResultBase, Measurement], str]


@dataclass(frozen=True)
class Ready:
    """A run in which every name is looked up; no model is loaded.

    Args:
        config: As it was chosen.
        plugins: What is installed.
        plan: What is asked.
        analysis: What will be done with the answers.
        choices: Of the analysis.
        controls: What is asked after the study.
    """

    config: RunConfig
    plugins: Plugins
    plan: Plan
    analysis: Analysis[Any]
    choices: Choices
    controls: Controls


def ready(config: RunConfig, plugins: Plugins, view: View | None = None) -> Ready:
    """Look up every name of a run.

    Raises:
        BvfError: A name is unknown, or choices do not fit each other.
    """
    if config.part:
        refuse_no_part(config)
    for name in config.plugin:
        plugins.of(name)
    study = plan(config, plugins)
    refuse_no_prior(config, study.topic)
    all_words = config.model_copy(update={"words": {}})  # its words are the words that are asked for
    analysis, chosen = prepared(all_words, study.asked, plugins, preferred=config.plugin, view=view)
    study, controls = with_unbiased(study, unbiased_answers(config, study.asked)), Controls(())
    if config.controls:
        study, controls = controls_of(config, study, chosen, plugins)
    return Ready(config, plugins, study, analysis, chosen, controls)


def finished(run: Ready, on_progress: OnProgress | None = None) -> Any:
    """Ask the model what is not stored yet, and return the result.

    Raises:
        BvfError: Anything that the user can mend; finished shards are kept.
    """
    config, available, chosen = run.config, run.plugins, run.choices
    loading = ChosenModel.load if run.plan.engine.elsewhere else LoadedOnce()
    until = None if config.precision is None else Until(config.precision, run.analysis, chosen)
    further, told = (None, None) if until is None else (until.further, until.told)
    progress = Together(on_progress)
    measurement = measure_plan(run.plan, available, progress, further, loading)
    if config.reference == PRIOR:
        progress.next()
        measure_prior(run.plan, measurement, available, progress, loading)
    run.controls.measure(measurement, available, progress, loading)
    return stored_result(run.analysis, measurement, chosen, available, told)


def finished_part(run: Ready, on_progress: OnProgress | None = None) -> Inventory:
    """Score the shards of the part that the run is of.

    Raises:
        BvfError: As `finished`.
    """
    return measure_part(run.plan, run.plugins, on_progress)


def refuse_no_part(config: RunConfig) -> None:
    """Raise `BvfError` if a configuration names no part, or asks for something that no part alone can do."""
    if not config.part:
        raise BvfError("no part is said", "part='3/16' is the third of sixteen")
    if config.precision is not None:
        raise BvfError(
            f"--precision {config.precision:g} with --part {config.part}: how much is asked depends on all answers",
            "draw so many for all parts: --sample-contexts N; or leave --part out",
        )
    if config.controls:
        raise BvfError(
            f"--controls with --part {config.part}: controls are asked in one piece, after the whole of their study",
            "leave --controls out; when all parts are there, the same command with it and without --part asks them",
        )


def result_of(analysis: Analysis[Any], measurement: Measurement, choices: Choices, plugins: Plugins) -> Any:
    """Analyse answers; nothing is stored.

    Raises:
        BvfError: The analysis is undefined for these answers.
    """
    result = computed(analysis, measurement, choices)
    return with_controls(result, measurement, choices, plugins) if of_risk([result]) else result


def stored_result(
    analysis: Analysis[Any], measurement: Measurement, choices: Choices, plugins: Plugins, told: Told | None = None
) -> Any:
    """Analyse answers, and store the result in the folder of the measurement, if it has one.

    Args:
        analysis: What is done.
        measurement: The answers.
        choices: Of the analysis.
        plugins: What is installed.
        told: Returns a further note on the result, which is stored with it.

    Raises:
        BvfError: As `result_of`; or the result cannot be written.
    """
    result = result_of(analysis, measurement, choices, plugins)
    if told is not None:
        result = result.model_copy(update={"notes": (*result.notes, told(result, measurement))})
    return result if measurement.folder is None else kept_result(measurement.folder, result)
