"""Finds the requested analysis of a folder: the run's own, one stored under a name, or a new one.

A folder holds a measurement and the analysis that it was run with. Every command speaks of that one, unless its options
name another: ``--analysis NAME`` that is kept, or choices that take the place of the run's own.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any, Self

from bvf.domain.asked import Asked
from bvf.domain.groups import named_groups
from bvf.domain.measurement import Measurement, MeasurementRecord
from bvf.errors import BvfError
from bvf.files.folder import RESULT, run_at
from bvf.hooks.loader import Plugins
from bvf.hooks.registry import Entry
from bvf.interfaces.criterion import Criterion
from bvf.measuring.folder import RunFolder, read_record
from bvf.results.compatible import question, refuse_unlike
from bvf.results.result import ResultBase
from bvf.results.store import OtherVersionError, kept_file, kept_names, read_result, results_by_analysis
from bvf.results.unknown import UnknownResult, refuse_missing
from bvf.study.config import AnalysisConfig, Given
from bvf.study.found import FoundRun, StoredRun, folders_of_runs, others_may_stay

Values = Mapping[str, Any]


@dataclass(frozen=True)
class RequestedAnalysis:
    """The analysis of a folder that a command selects.

    Args:
        config: All its choices.
        stored: The result with these choices, if it is stored; None: it must be computed.
        of_run: The result that the measurement was run with; None: there is none, or it is of another version.
        differs: The choices that are not the run's own, by option.
    """

    config: AnalysisConfig
    stored: ResultBase | None = None
    of_run: ResultBase | None = None
    differs: Values = field(default_factory=dict)


def chosen_in(
    folder: Path | str | None, config: AnalysisConfig, plugins: Plugins, record: MeasurementRecord | None = None
) -> RequestedAnalysis:
    """Return the analysis of a folder that ``config`` selects. Choices that ``config`` does not set are the run's own.

    The record of the measurement is read if it is not given.

    Raises:
        BvfError: There is no such analysis, or a stored result is damaged.
    """
    folder = None if folder is None else Path(folder)
    if folder is None or not run_at(folder).exists(RESULT):
        return RequestedAnalysis(config)
    given = config.given()
    try:
        of_run = read_result(folder, plugins)
    except OtherVersionError:
        return RequestedAnalysis(config)
    kept = _kept(folder, given.get("analysis", ""), plugins)
    base = of_run if kept is None else kept
    asked = (record or read_record(folder)).asked
    if "groups" in given:
        given |= {"groups": named_groups(given["groups"], asked.group_names, "that were asked")}
    own, at_first = _choices_of(of_run, asked, plugins), _choices_of(base, asked, plugins)
    changed = {name: value for name, value in given.items() if not (name == "analysis" and kept is not None)}
    if "criterion" in changed:
        changed["criterion"] = plugins.criteria.short(changed["criterion"])
    other_kind = _is_of_another_kind(changed, at_first, plugins)
    if not other_kind and _made_by(changed.get("analysis", ""), base, plugins):
        changed["analysis"] = at_first["analysis"]
    wanted = AnalysisConfig(**({} if other_kind else at_first) | changed)
    stored = base if not _differing(wanted, at_first, asked) else None
    differs = _differing(wanted, own, asked)
    if "reader" not in changed and wanted.reader:
        wanted = wanted.model_copy(update={"reader": base.reader_again(asked)})
    wanted = wanted.as_stored(base, changed)
    if stored is None and not {"analysis", "criterion"} & set(changed):
        refuse_missing(base, plugins)
    if stored is not None:
        stored._differs, stored._given = differs, Given(given)
    return RequestedAnalysis(wanted, stored, of_run, differs)


def config_in(folder: Path | str | None, config: AnalysisConfig, plugins: Plugins) -> AnalysisConfig:
    """Return all choices of the analysis that ``config`` requests for a folder. This analysis may not be stored yet.

    Raises:
        BvfError: `chosen_in` raises it, or a plugin that the analysis needs is not installed.
    """
    chosen = chosen_in(folder, config, plugins)
    if chosen.stored is not None:
        refuse_missing(chosen.stored, plugins)
    return chosen.config


def names_of_parts(result: ResultBase, plugins: Plugins) -> dict[str, Any]:
    """Return the options that name a result's plugin: ``analysis``, and also ``plugin`` if the plugin is a file."""
    entry, named = _entry_of(result, plugins), re.split("[:@]", result.criterion)[0]
    parts = [*([entry] if entry else []), *(each for each in plugins.criteria if each.provider.name == named)]
    file = next((each.owner.plugin for each in parts if not each.owner.distribution), "")
    return {
        **({"analysis": result.analysis or plugins.analyses.name_of(entry)} if entry else {}),
        **({"plugin": file} if file else {}),
    }


@dataclass(frozen=True)
class FoundRuns:
    """Measurements, and runs in folders or below them with their records, of which no answers are read yet."""

    runs: Sequence[FoundRun]

    @classmethod
    def among(cls, runs: PathLike[str] | str | Sequence[Measurement | PathLike[str] | str]) -> Self:
        """Return each measurement, and each run in a folder or below it.

        Raises:
            BvfError: There is no run in a folder, or a damaged one.
        """
        found = list[FoundRun]()
        for run in [runs] if isinstance(runs, str | PathLike) else runs:
            if isinstance(run, Measurement):
                found.append(run)
                continue
            for folder in folders_of_runs(Path(run)):
                with others_may_stay(folder, Path(run)):
                    found.append(StoredRun(folder, read_record(folder), Path(run)))
        return cls(found)

    def choices_in_common(self, config: AnalysisConfig, plugins: Plugins) -> AnalysisConfig:
        """Return the choices by which the runs are compared: those of ``config``, or else those common to the runs.

        Raises:
            BvfError: The runs' own choices differ in one that ``config`` does not set; or as `chosen_in`.
        """
        chosen = [(str(run.folder), chosen_in(run.folder, config, plugins, run.record)) for run in self.runs]
        known = [(folder, each.config) for folder, each in chosen if each.of_run is not None]
        if not known:
            return config
        for _, each in chosen:
            if each.stored is not None:
                refuse_missing(each.stored, plugins)
        refuse_unlike(known, "compare them one by one", _but_the_reader)
        readers = [(folder, each) for folder, each in known if each.reader]
        refuse_unlike(readers, "compare them one by one")
        (_, first), *others = known
        given = first.given().items()
        same = {name: value for name, value in given if all(getattr(each, name) == value for _, each in others)}
        same |= {"reader": readers[0][1].reader} if readers else {}
        changed = {name: value for name, value in config.given().items() if name != "analysis"}
        return AnalysisConfig(**{**same, **changed}).as_stored(first._given.result, changed)

    def measurements(self, words: bool | None) -> list[Measurement]:
        """Return the measurements, read from folders. ``words`` adds log p-hat of words; None: if it is small.

        Raises:
            BvfError: A run is not finished, or is damaged.
        """
        measurements = list[Measurement]()
        for run in self.runs:
            if isinstance(run, Measurement):
                measurements.append(run)
                continue
            with others_may_stay(run.folder, run.named):
                measurements.append(RunFolder(run.folder).measurement(run.record, words=words))
        return measurements


def _but_the_reader(choices: Any) -> dict[str, Any]:
    """The choices in which runs that are compared agree: where one is of probabilities and one of texts, all others."""
    return {name: value for name, value in question(choices).items() if name != "reader"}


def _kept(folder: Path, name: str, plugins: Plugins) -> ResultBase | None:
    """The analysis stored under a name. None: the name is empty, or that of an installed analysis."""
    named = re.split("[:@]", name)[0]
    installed = [entry for entry in plugins.analyses if entry.provider.name == named]
    file = kept_file(folder, name)
    if file is not None and installed:
        plugin = installed[0].owner.plugin
        raise BvfError(
            f"--analysis {name}: kept in {folder}, and also an analysis of the plugin {plugin}",
            f"write {name}@{plugin} for the plugin's; rename {file} for the other",
        )
    if name and file is None and not installed:
        instead = plugins.analyses.instead_of(named, *kept_names(folder))
        raise BvfError(
            f'{folder}: there is no analysis "{name}"',
            f"{instead}; bvf analyse {folder} --save-as {name} keeps one under this name",
        )
    return None if file is None else read_result(folder, plugins, analysis=name)


def _choices_of(result: ResultBase, asked: Asked, plugins: Plugins) -> dict[str, Any]:
    """The choices of a result's analysis, as fields of `AnalysisConfig`."""
    return {**result.method_fields(asked), "analysis": _analysis_named(result, plugins)}


def _analysis_named(result: ResultBase, plugins: Plugins) -> str:
    """The name of a plugin's analysis, or its schema if it is not installed; empty for analyses of bvf."""
    entry = _entry_of(result, plugins)
    if entry is None:
        return result.schema_ if isinstance(result, UnknownResult) else ""
    return result.analysis or plugins.analyses.name_of(entry)


def _entry_of(result: ResultBase, plugins: Plugins) -> Entry[Any] | None:
    """The plugin's analysis that made a result. None: it is one of bvf, or not installed."""
    entry = next((entry for entry, made in results_by_analysis(plugins) if made is type(result)), None)
    return None if entry is None or entry.is_ours else entry


def _made_by(analysis: str, result: ResultBase, plugins: Plugins) -> bool:
    """Whether an analysis, by the name and the parameter that a user writes, made a result."""
    name, _, parameter = analysis.partition(":")
    entries = [plugins.analyses.find(name)] if name and parameter == result.analysis.partition(":")[2] else []
    return any(each in entries and made is type(result) for each, made in results_by_analysis(plugins))


def _is_of_another_kind(changed: Values, own: Values, plugins: Plugins) -> bool:
    """Whether the criterion changes from risk to knowledge or back.

    In that case, the run's own choices do not apply.
    """
    wanted = changed.get("criterion", "")
    if wanted in ("", own["criterion"]):
        return False
    is_risk = isinstance(plugins.criteria.make(wanted), Criterion)
    try:
        return is_risk != isinstance(plugins.criteria.make(own["criterion"]), Criterion)
    except BvfError:  # the plugin of the run's own criterion is not installed
        return False


def _differing(wanted: AnalysisConfig, own: Values, asked: Asked) -> dict[str, Any]:
    """The choices of ``wanted`` that differ from ``own``. The seed is compared only if it draws distractors."""
    others = AnalysisConfig(**own)
    names = [name for name in AnalysisConfig.model_fields if name != "seed" or wanted.distractors]
    differs = {name: getattr(wanted, name) for name in names if getattr(wanted, name) != getattr(others, name)}
    if "words" in differs and _counted(wanted.words, asked) == _counted(others.words, asked):
        del differs["words"]
    return differs


def _counted(chosen: Mapping[str, tuple[str, ...]], asked: Asked) -> dict[str, set[str]]:
    """The words of each class that are included in the analysis. Where none are chosen, all measured words are."""
    return {each.name: set(each.words) for each in asked.attributes} | {
        name: set(each) for name, each in chosen.items()
    }
