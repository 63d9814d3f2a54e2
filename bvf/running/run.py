"""The functions `run`, `run_part`, `merge` and `analyse`, with the fields of configurations as their keywords."""

import warnings
from collections.abc import Callable, Mapping, Sequence
from inspect import Parameter, cleandoc, signature
from os import PathLike
from pathlib import Path
from typing import Any, Unpack, overload

from bvf.analyses.risk.result import Result
from bvf.domain.config import Config, File, settings_of
from bvf.domain.context import ContextSet
from bvf.domain.measurement import Measurement, MeasurementRecord
from bvf.errors import BvfError
from bvf.hooks.loader import Plugins, load
from bvf.interfaces.analysis import View
from bvf.measuring.folder import RunFolder, read_measurement, read_record
from bvf.measuring.keywords import AskedKeywords
from bvf.measuring.parts import Inventory, refuse_unfinished
from bvf.measuring.run import OnProgress
from bvf.results.restore import record_of
from bvf.results.result import ResultBase
from bvf.results.store import keep_under, read_result, refuse_name
from bvf.results.unknown import refuse_missing, refuse_unknown
from bvf.results.which import RequestedAnalysis, chosen_in
from bvf.running.config import RunConfig
from bvf.running.one_run import finished, finished_part, ready, result_of, stored
from bvf.running.several import Runs, configs_of, in_turn
from bvf.running.together import measured_at_once, placed
from bvf.study.choices import prepared
from bvf.study.config import AnalysisConfig, AnalysisKeywords, MethodKeywords


class RiskKeywords(AskedKeywords, MethodKeywords, total=False):
    """The fields of `RunConfig` except ``model``, ``name`` and ``contexts``, which may be lists, and ``analysis``."""

    controls: bool
    other_words: bool | None


class ManyKeywords(RiskKeywords, total=False):
    """The fields of `RunConfig` except ``model``, ``name`` and ``contexts``. `bvf.run` takes lists for these three."""

    analysis: str


class OneKeywords(RiskKeywords, total=False):
    """The fields of `RunConfig` except ``analysis``."""

    model: File
    name: str
    contexts: str | Path | ContextSet


class RunKeywords(OneKeywords, ManyKeywords, total=False):
    """All fields of `RunConfig`."""


def list_keywords(function: Callable[..., Any], config: type[Config]) -> None:
    """List the fields of a configuration in the signature and the docstring of a function that takes them as keywords.

    Notebooks complete keywords from a signature, and show the docstring.
    """
    own = [each for each in signature(function).parameters.values() if each.kind is not Parameter.VAR_KEYWORD]
    fields = {name: info for name, info in config.model_fields.items() if name not in {each.name for each in own}}
    keywords = [
        Parameter(name, Parameter.KEYWORD_ONLY, default=info.get_default(), annotation=info.annotation)
        for name, info in fields.items()
    ]
    function.__signature__ = signature(function).replace(parameters=[*own, *keywords])  # type: ignore[attr-defined]
    described = [f"    {name}: {info.description}" for name, info in fields.items()]
    function.__doc__ = "\n".join([cleandoc(function.__doc__ or ""), "", "Keywords:", *described])


IN_PYTHON = "run"
"""How error messages call the keywords of these functions."""
Several = list[Any] | tuple[Any, ...]
"""Each item is a run; type checkers infer no better type for a list of mixed things."""


@overload
def run(
    config: RunConfig | None = None,
    *,
    plugins: Plugins | None = None,
    on_progress: OnProgress | None = None,
    view: View | None = None,
    **choices: Unpack[OneKeywords],
) -> Result: ...


@overload
def run(
    config: RunConfig | None = None,
    *,
    analysis: str,
    plugins: Plugins | None = None,
    on_progress: OnProgress | None = None,
    view: View | None = None,
    **choices: Unpack[OneKeywords],
) -> ResultBase: ...


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
) -> ResultBase | Runs:
    """Measure a model, analyse the probabilities, and store the measurement and the result.

    Args:
        config: What to measure and how to analyse it; or give keywords instead.
        plugins: What is installed; looked up if None.
        on_progress: Called when a stage begins, and after every shard. While several models are scored at the same
            time, another thread calls it.
        view: How the result will be shown, so that what cannot be shown is refused before a model is loaded.
        choices: Fields of `RunConfig`: ``bvf.run(model="gpt2", topic="gender")``. ``model`` may be a list of names, or
            of tables with a ``name`` and settings of that model alone; ``name`` is then a list of names to show, one
            per model. ``contexts`` may be a list of names.

    Returns:
        The result, which also lies in ``result.folder``; for a list `Runs`, which has results and failures. Type
        checkers take the result for one of risk unless ``analysis`` names another: ``analysis="knowledge"``.

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
        configs,
        lambda each: ready(each, available, view),
        lambda each: finished(each, on_progress),
        ahead=lambda begun: measured_at_once(begun, placed(begun), on_progress),
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
    """Score one part of a run, in a folder that all parts share. `run` without a part, or `analyse`, makes the result.

    Args:
        config: Every choice of a run, including ``part`` such as ``3/16``; or give keywords instead.
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
    if not config.part:
        raise BvfError("no part is given", "part='3/16' is the third of sixteen")
    available = plugins or load(extra=config.plugin, without=config.without)
    return finished_part(ready(config, available, view), on_progress)


def merge(
    folder: Path | str,
    config: AnalysisConfig | None = None,
    *,
    plugins: Plugins | None = None,
    preferred: Sequence[str] = (),
    view: View | None = None,
    **choices: Unpack[AnalysisKeywords],
) -> ResultBase:
    """Return the result of a run whose parts were scored by several processes, and store it as `run` does.

    Args:
        folder: The folder that all parts share.
        config: How to analyse it, where not as the run says; or give keywords instead.
        plugins: Where criteria and analyses are looked up; what is installed if None.
        preferred: Plugins whose criterion is used where neither the user nor the run names one.
        view: How the result will be shown, so that what cannot be shown is refused before it is computed.
        choices: Fields of `bvf.AnalysisConfig`: ``bvf.merge("runs/x", criterion="lk:2")``.

    Raises:
        BvfError: Some shards (blocks of scored prompts) are missing, or the choices do not fit the measurement.
    """
    folder, config = Path(folder), settings_of(AnalysisConfig, config, choices, IN_PYTHON)
    refuse_unfinished(folder)
    measurement = read_measurement(folder, words=True if config.words else None)
    return stored(_analysed(measurement, config, plugins or load(), preferred, view), measurement)


@overload
def analyse(
    measurement: Measurement | PathLike[str] | str,
    config: None = None,
    *,
    plugins: Plugins | None = None,
    preferred: Sequence[str] = (),
    view: View | None = None,
    unfinished: bool = False,
    save_as: str = "",
    **choices: Unpack[MethodKeywords],
) -> Result: ...


@overload
def analyse(
    measurement: Measurement | PathLike[str] | str,
    config: AnalysisConfig | None = None,
    *,
    plugins: Plugins | None = None,
    preferred: Sequence[str] = (),
    view: View | None = None,
    unfinished: bool = False,
    save_as: str = "",
    **choices: Unpack[AnalysisKeywords],
) -> ResultBase: ...


def analyse(  # noqa: PLR0913 - each is a choice of its own
    measurement: Measurement | PathLike[str] | str,
    config: AnalysisConfig | None = None,
    *,
    plugins: Plugins | None = None,
    preferred: Sequence[str] = (),
    view: View | None = None,
    unfinished: bool = False,
    save_as: str = "",
    **choices: Any,
) -> ResultBase:
    """Analyse the stored probabilities of a measurement. No model is loaded.

    Choices that are not given are those of the run's own analysis, which stays the main result of the folder: a result
    with other choices is stored only under a name, or where the folder has no result yet.

    Args:
        measurement: The measurement, or its folder.
        config: How to analyse it; or give keywords instead.
        plugins: Where criteria and analyses are looked up; what is installed if None.
        preferred: Plugins whose criterion is used where neither the user nor a run names one.
        view: How the result will be shown, so that what cannot be shown is refused before it is computed.
        unfinished: If the run was cut off, analyse the contexts in which every group has been scored; nothing is
            stored then.
        save_as: Keep the result in the folder under this name: ``bvf.read_result(folder, analysis=name)``.
        choices: Fields of `bvf.AnalysisConfig`: ``bvf.analyse("runs/x", criterion="lk:2")``.

    Raises:
        BvfError: There is no finished measurement, the choices do not fit it, or another analysis has this name.
    """
    config = settings_of(AnalysisConfig, config, choices, "analyse")
    available = plugins or load()
    folder = measurement.folder if isinstance(measurement, Measurement) else Path(measurement)
    if save_as:
        refuse_name(save_as, available)
    chosen = chosen_in(folder, config, available)
    if chosen.stored is not None:
        refuse_missing(chosen.stored, available)
    if not isinstance(measurement, Measurement):
        words = True if chosen.config.words else None
        measurement = read_measurement(Path(measurement), words=words, unfinished=unfinished)
    result = _analysed(measurement, chosen.config, available, preferred, view)
    if unfinished:
        return result
    result = _placed(result, folder, chosen) if chosen.differs else stored(result, measurement)
    if save_as:
        if folder is None:
            raise BvfError("this measurement has no folder to keep an analysis in", "leave save_as out")
        keep_under(save_as, folder, result)
        result._kept_as = save_as
    return result


def result_in(
    folder: Path | str,
    config: AnalysisConfig,
    plugins: Plugins,
    *,
    view: View | None = None,
    unknown: bool = False,
    read: Measurement | MeasurementRecord | None = None,
) -> ResultBase:
    """Return a result of a folder: the run's own, one stored under a name, or a new analysis.

    With ``unknown``, a stored result whose analysis is not installed is returned too, with the fields of all results.
    What is given in ``read`` is not read again: the record, or the whole measurement with log p-hat of words.

    Raises:
        BvfError: There is no such result, or the choices do not fit the stored probabilities.
    """
    chosen = chosen_in(folder, config, plugins, record_of(read))
    if chosen.stored is not None:
        if not unknown:
            refuse_unknown(chosen.stored, plugins)
        return chosen.stored
    if not config.given():
        none: ResultBase = read_result(folder, plugins)  # says that there is none
        return none
    words, record = True if chosen.config.words else None, record_of(read) or read_record(Path(folder))
    measurement = read if isinstance(read, Measurement) else RunFolder(Path(folder)).measurement(record, words=words)
    return _placed(_analysed(measurement, chosen.config, plugins, (), view), Path(folder), chosen)


def _analysed(
    measurement: Measurement, config: AnalysisConfig, plugins: Plugins, preferred: Sequence[str], view: View | None
) -> ResultBase:
    analysis, chosen = prepared(config, measurement.record.asked, plugins, preferred=preferred, view=view)
    result = result_of(analysis, measurement, chosen, plugins)
    result._given = config._given
    return result


def _placed(result: ResultBase, folder: Path | None, chosen: RequestedAnalysis) -> ResultBase:
    """Set, on a result that is not stored, the folder and the choices that differ from the run's own."""
    result._folder, result._differs = folder, chosen.differs
    return result


for _function in (run, run_part):
    list_keywords(_function, RunConfig)
list_keywords(analyse, AnalysisConfig)
