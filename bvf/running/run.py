"""The functions `run`, `run_part`, `merge` and `analyse`."""

import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Unpack, overload

from bvf.domain.config import settings_of
from bvf.domain.context import ContextSet
from bvf.domain.measurement import Measurement
from bvf.errors import BvfError
from bvf.hooks.loader import Plugins, load
from bvf.interfaces.analysis import View
from bvf.measuring.folder import read_measurement
from bvf.measuring.parts import Inventory, refuse_unfinished
from bvf.measuring.run import OnProgress
from bvf.running.config import RunConfig
from bvf.running.keywords import ManyKeywords, RunKeywords
from bvf.running.one_run import finished, finished_part, ready, refuse_no_part, result_of, stored
from bvf.running.several import Runs, configs_of, in_turn
from bvf.study.choices import prepared
from bvf.study.config import AnalysisConfig, AnalysisKeywords

IN_PYTHON = "run"
"""How error messages call the keywords of these functions."""
Several = list[Any] | tuple[Any, ...]
"""Each item is a run; type checkers infer no better type for a list of mixed things."""


@overload
def run(
    config: RunConfig | None = None,
    *,
    model: str | Path = ...,
    name: str = ...,
    contexts: str | Path | ContextSet = ...,
    plugins: Plugins | None = None,
    on_progress: OnProgress | None = None,
    view: View | None = None,
    **choices: Unpack[ManyKeywords],
) -> Any: ...


@overload
def run(
    config: RunConfig | None = None,
    *,
    model: Several,
    name: Several = ...,
    contexts: str | Path | ContextSet | Several = ...,
    plugins: Plugins | None = None,
    on_progress: OnProgress | None = None,
    view: View | None = None,
    **choices: Unpack[ManyKeywords],
) -> Runs: ...


@overload
def run(
    config: RunConfig | None = None,
    *,
    model: str | Path = ...,
    name: str = ...,
    contexts: Several,
    plugins: Plugins | None = None,
    on_progress: OnProgress | None = None,
    view: View | None = None,
    **choices: Unpack[ManyKeywords],
) -> Runs: ...


def run(
    config: RunConfig | None = None,
    *,
    plugins: Plugins | None = None,
    on_progress: OnProgress | None = None,
    view: View | None = None,
    **choices: Any,
) -> Any:
    """Measure a model, analyse the probabilities, and store both.

    Args:
        config: What to measure and how to analyse it; or give keywords instead.
        plugins: What is installed; looked up if None.
        on_progress: Called when a stage begins, and after every shard.
        view: How the result will be shown, so that what cannot be shown is refused before a model is loaded.
        choices: Fields of `RunConfig`: ``bvf.run(model="gpt2", topic="gender")``. ``model`` may be a list of names, or
            of tables with a ``name`` and settings of that model alone; ``name`` is then a list of names to show, one
            per model. ``contexts`` may be a list of names.

    Returns:
        The result, which also lies in ``result.folder``; for a list `Runs`, which has results and failures.

    Raises:
        BvfError: Anything that the user can mend; finished shards are kept. For a list: no run could begin.
    """
    if any(isinstance(choices.get(name), list | tuple) for name in ("model", "contexts")):
        return _several({**(config.given() if config else {}), **choices}, plugins, on_progress, view)
    config = settings_of(RunConfig, config, choices, IN_PYTHON)
    available = plugins or load(extra=config.plugin, without=config.without)
    if config.part:
        raise BvfError(
            f"part {config.part} of a run has no result", "bvf.run_part scores it; leave part out at the end"
        )
    return finished(ready(config, available, view), on_progress)


def _several(
    values: Mapping[str, Any], plugins: Plugins | None, on_progress: OnProgress | None, view: View | None
) -> Runs:
    configs = configs_of([(IN_PYTHON, values)])
    first = configs[0]
    available = plugins or load(extra=first.plugin, without=first.without)
    results, failures = in_turn(
        configs, lambda each: ready(each, available, view), lambda each: finished(each, on_progress)
    )
    if not results:
        raise BvfError(f"none of {len(failures)} runs is done: {failures[0]}")
    for failure in failures:
        warnings.warn(str(failure), stacklevel=3)
    return Runs(results, failures)


def run_part(
    config: RunConfig | None = None,
    *,
    plugins: Plugins | None = None,
    on_progress: OnProgress | None = None,
    view: View | None = None,
    **choices: Unpack[RunKeywords],
) -> Inventory:
    """Score one part of a run, in a folder that all parts share; `run` without a part, or `analyse`, finishes.

    Args:
        config: As for `run`, with ``part``; or give keywords instead.
        plugins: What is installed; looked up if None.
        on_progress: Called when a stage begins, and after every shard of the part.
        view: How the result will be shown, so that what cannot be shown is refused before a model is loaded.
        choices: Fields of `RunConfig`: ``bvf.run_part(model="gpt2", part="3/16")``.

    Returns:
        How many shards all parts have, and which are missing after this part.

    Raises:
        BvfError: Anything that the user can mend; finished shards are kept.
    """
    config = settings_of(RunConfig, config, choices, IN_PYTHON)
    refuse_no_part(config)
    available = plugins or load(extra=config.plugin, without=config.without)
    return finished_part(ready(config, available, view), on_progress)


def merge(
    folder: Path, config: AnalysisConfig, *, plugins: Plugins, preferred: Sequence[str] = (), view: View | None = None
) -> Any:
    """Check that all parts of a run are there, and analyse them as `analyse` does."""
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
    **choices: Unpack[AnalysisKeywords],
) -> Any:
    """Analyse the stored probabilities of a measurement; no model is loaded.

    Args:
        measurement: The measurement, or its folder.
        config: How to analyse it; or give keywords instead.
        plugins: Where criteria and analyses are looked up; what is installed if None.
        preferred: Plugins whose criterion is used where the user names none.
        view: How the result will be shown, so that what cannot be shown is refused before.
        unfinished: If the run was cut off, analyse the contexts in which every group has been scored; nothing is
            stored then.
        choices: Fields of `bvf.AnalysisConfig`: ``bvf.analyse("runs/x", criterion="lk:2")``.

    Returns:
        The result, which also lies in the folder.

    Raises:
        BvfError: There is no finished measurement, or the choices do not fit it.
    """
    config = settings_of(AnalysisConfig, config, choices, "analyse")
    if not isinstance(measurement, Measurement):
        measurement = read_measurement(measurement, words=True if config.words else None, unfinished=unfinished)
    available = plugins or load()
    analysis, chosen = prepared(config, measurement.record.asked, available, preferred=preferred, view=view)
    result = result_of(analysis, measurement, chosen, available)
    return result if unfinished else stored(result, measurement)
