"""A run: measure, then analyse; each callable alone."""

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import BaseModel

from bvf.analysing.choices import prepared, unbiased_answers
from bvf.analysing.config import AnalysisConfig, RunConfig, checked_analysis, checked_config
from bvf.analysing.control_runs import Controls, Together, controls_of
from bvf.analysing.controls import with_controls
from bvf.analysing.kept import kept_result
from bvf.analysing.precision import Until
from bvf.analysing.prior import measure_prior, refuse_no_prior
from bvf.analysing.references import PRIOR
from bvf.analysing.result import Result, ResultBase
from bvf.domain.measurement import Measurement
from bvf.errors import BvfError
from bvf.hooks.loader import Plugins, load
from bvf.interfaces.analysis import Analysis, Choices, View
from bvf.measuring.controls import LoadedOnce
from bvf.measuring.folder import read_measurement
from bvf.measuring.model import ChosenModel
from bvf.measuring.parts import Inventory, refuse_unfinished
from bvf.measuring.plan import Plan, plan, with_unbiased
from bvf.measuring.run import OnProgress, measure_part, measure_plan

Told = Callable[[ResultBase, Measurement], str]


def run(
    config: RunConfig | None = None,
    *,
    plugins: Plugins | None = None,
    on_progress: OnProgress | None = None,
    view: View | None = None,
    **choices: Any,
) -> Any:
    """Measure one model, analyse its answers, and store both.

    Args:
        config: What to measure and how to analyse it; or say it with keywords.
        plugins: What is installed; looked up if None.
        on_progress: Called after every shard.
        view: How the result will be shown, so that what cannot be shown is refused before a model is loaded.
        choices: Fields of `RunConfig`: ``bvf.run(model="gpt2", topic="gender")``.

    Returns:
        The result, which also lies in ``result.folder``.

    Raises:
        BvfError: Anything that the user can mend; finished shards are kept.
    """
    config = _merged(config, choices)
    available = plugins or load(extra=config.plugin, without=config.without)
    if config.part:
        raise BvfError(
            f"part {config.part} of a run has no result", "bvf.run_part scores it; leave part out at the end"
        )
    laid_out, analysis, chosen = _laid_out(config, available, view)
    loading = ChosenModel.load if laid_out.engine.elsewhere else LoadedOnce()
    controls = Controls(())
    if config.controls:
        laid_out, controls = controls_of(config, laid_out, chosen, available)
    until = None if config.precision is None else Until(config.precision, analysis, chosen)
    further, told = (None, None) if until is None else (until.further, until.told)
    progress = Together(on_progress)
    measurement = measure_plan(laid_out, available, progress, further, loading)
    if config.reference == PRIOR:
        progress.next()
        measure_prior(laid_out, measurement, available, progress, loading)
    controls.measure(measurement, available, progress, loading)
    return _stored(analysis, measurement, chosen, available, told)


def run_part(
    config: RunConfig | None = None,
    *,
    plugins: Plugins | None = None,
    on_progress: OnProgress | None = None,
    view: View | None = None,
    **choices: Any,
) -> Inventory:
    """Score one part of a run, on a folder that all parts share; `run` without a part, or `analyse`, finishes.

    Args:
        config: As for `run`, with ``part``; or say it with keywords.
        plugins: What is installed; looked up if None.
        on_progress: Called after every shard of the part.
        view: How the result will be shown, so that what cannot be shown is refused before a model is loaded.
        choices: Fields of `RunConfig`: ``bvf.run_part(model="gpt2", part="3/16")``.

    Returns:
        What is stored of all parts.

    Raises:
        BvfError: Anything that the user can mend; finished shards are kept.
    """
    config = _merged(config, choices)
    available = plugins or load(extra=config.plugin, without=config.without)
    refuse_no_part(config)
    laid_out, _, _ = _laid_out(config, available, view)
    return measure_part(laid_out, available, on_progress)


def refuse_no_part(config: RunConfig) -> None:
    """Raise `BvfError` if a configuration names no part, or asks for something that no part alone can do."""
    if not config.part:
        raise BvfError("no part is said", "part='3/16' is the third of sixteen")
    if config.precision is not None:
        raise BvfError(
            f"--precision {config.precision:g} with --part {config.part}: how much is asked hangs on all answers",
            "draw so many for all parts: --sample-contexts N; or leave --part out",
        )
    if config.controls:
        raise BvfError(
            f"--controls with --part {config.part}: controls are asked in one piece, after the whole of their study",
            "leave --controls out; when all parts are there, the same command with it and without --part asks them",
        )


def merge(
    folder: Path,
    config: AnalysisConfig,
    *,
    plugins: Plugins,
    preferred: Sequence[str] = (),
    view: View | None = None,
) -> Any:
    """See that all parts of a run are there, and analyse them as `analyse` does.

    Raises:
        BvfError: Shards are missing, or a part is still at work; and as `analyse`.
    """
    refuse_unfinished(folder)
    return analyse(folder, config, plugins=plugins, preferred=preferred, view=view)


def analyse(
    measurement: Measurement | Path | str,
    config: AnalysisConfig | None = None,
    *,
    plugins: Plugins | None = None,
    preferred: Sequence[str] = (),
    view: View | None = None,
    unfinished: bool = False,
    **choices: Any,
) -> Any:
    """Analyse the answers in the folder of a measurement; no model is loaded.

    Args:
        measurement: Or its folder.
        config: How to analyse it; or say it with keywords.
        plugins: Where criteria and analyses are looked up; what is installed if None.
        preferred: Plugins whose criterion is meant where none is named.
        view: How the result will be shown, so that what cannot be shown is refused before.
        unfinished: Analyse the contexts in which every group has been asked, where the run was cut off; nothing is
            stored then.
        choices: Fields of `bvf.AnalysisConfig`: ``bvf.analyse("runs/x", criterion="lk:2")``.

    Returns:
        The result, which also lies in the folder.

    Raises:
        BvfError: There is no finished measurement, or the choices do not fit it.
    """
    if config is None or choices:
        values = config.model_dump(exclude_unset=True) if config else {}
        config = checked_analysis({**values, **choices}, "analyse")
    if not isinstance(measurement, Measurement):
        measurement = read_measurement(measurement, words=True if config.words else None, unfinished=unfinished)
    available = plugins or load()
    analysis, chosen = prepared(config, measurement.record.asked, available, preferred=preferred, view=view)
    if unfinished:
        return _result(analysis, measurement, chosen, available)
    return _stored(analysis, measurement, chosen, available)


def refuse_what_is_no_number(result: ResultBase) -> None:
    """Raise `BvfError` if a figure is infinite or no number: JSON has neither, and the criterion is wrong."""
    parts: list[tuple[str, BaseModel]] = [(f' of "{group.group}"', group) for group in result.groups]
    for whose, part in [*parts, ("", result)]:
        for name, value in part:
            if isinstance(value, float) and not math.isfinite(value):
                raise BvfError(
                    f"the criterion {result.criterion} gives {value} as {name}{whose}",
                    "choose another criterion; what is scored is kept",
                )


def _merged(config: RunConfig | None, choices: dict[str, Any]) -> RunConfig:
    if config is not None and not choices:
        return config
    values = config.model_dump(exclude_unset=True) if config else {}
    return checked_config({**values, **choices}, "run")


def _laid_out(config: RunConfig, plugins: Plugins, view: View | None) -> tuple[Plan, Analysis[Any], Choices]:
    """What is asked, and what will be done with the answers."""
    for name in config.plugin:
        plugins.of(name)
    laid_out = plan(config, plugins)
    refuse_no_prior(config, laid_out.topic)
    all_words = config.model_copy(update={"words": {}})  # those that it names are those that are asked for
    analysis, chosen = prepared(all_words, laid_out.asked, plugins, preferred=config.plugin, view=view)
    return with_unbiased(laid_out, unbiased_answers(config, laid_out.asked)), analysis, chosen


def _result(analysis: Analysis[Any], measurement: Measurement, choices: Choices, plugins: Plugins) -> Any:
    with np.errstate(invalid="ignore", over="ignore"):
        result = analysis.run(measurement, choices)
    refuse_what_is_no_number(result)
    return with_controls(result, measurement, choices, plugins) if isinstance(result, Result) else result


def _stored(
    analysis: Analysis[Any], measurement: Measurement, choices: Choices, plugins: Plugins, told: Told | None = None
) -> Any:
    result = _result(analysis, measurement, choices, plugins)
    if told is not None:
        result = result.model_copy(update={"notes": (*result.notes, told(result, measurement))})
    return result if measurement.folder is None else kept_result(measurement.folder, result)
