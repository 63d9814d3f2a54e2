"""What is compared: runs, files of plugins, and the lean to each group that a benchmark is about."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bvf import AnalysisConfig, BvfError, Criterion, ReportedFile, ResultBase, Study
from bvf.hooks import Plugins
from bvf.interfaces import ReportedGroup
from bvf.results import chosen_in, figures_in, reported_in, with_distinct_names
from bvf.stats import FloatArray
from bvf.study import MEAN, distinct_names, ends_in_contexts, folders_of_runs, lean_of
from bvf_insights.measures.result import GroupMeasures, Unmatched


@dataclass(frozen=True)
class Lean:
    """How far a model leans to a class, with its interval over contexts."""

    name: str  # whom the topic means: the class, or one of its groups
    to: str
    is_class: bool  # ``name`` is the class; the lean is then the mean over groups
    value: float
    low: float | None
    high: float | None


@dataclass(frozen=True, eq=False)
class TopicLeans:
    """The leans of a model in one topic, by whom they are about."""

    topic: str
    study: Study

    @property
    def why_none(self) -> str:
        """Why the topic has no leans; empty: it has."""
        if not isinstance(self.study.choices.criterion, Criterion):
            return f"{self.topic} is about knowledge, which has no lean"
        if self.study.choices.reference == MEAN:
            return f"{self.topic}: by --reference {MEAN}, the lean to every class is 0 on average"
        return ""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the classes, then of the groups."""
        read = self.study.predictions
        return () if self.why_none else (*read.classes, *read.group_names)

    def to(self, names: Sequence[str]) -> list[Lean]:
        """Return the lean to the class that has one of these names; else those of the group that has, to each class."""
        wanted, read = {name.casefold() for name in names}, self.study.predictions
        if self.why_none:
            return []
        if of_class := [name for name in read.classes if name.casefold() in wanted]:
            return [self._lean(name, name, read.group_weights) for name in of_class]
        of_group = [x for x, name in enumerate(read.group_names) if name.casefold() in wanted]
        one_by_one = np.eye(len(read.groups))
        return [self._lean(read.group_names[x], to, one_by_one[x]) for x in of_group for to in read.classes]

    def _lean(self, name: str, to: str, pull: FloatArray) -> Lean:
        read = self.study.predictions
        values, influence = lean_of(read, to)
        value = float(pull @ values)
        if read.sample is None:
            return Lean(name, to, name == to, value, None, None)
        ends = ends_in_contexts(value, pull @ influence, read.sample, self.study.choices.level)
        return Lean(name, to, name == to, value, *ends)


@dataclass(frozen=True)
class Run:
    """The result of a run, and what it was computed from."""

    result: ResultBase
    leans: TopicLeans
    source: str = ""


def sources_in(sources: Sequence[Path], plugins: Plugins) -> tuple[list[Path], list[Path]]:
    """The folders of runs, and the files of plugins, in the sources or below them."""
    folders, files = list[Path](), list[Path]()
    for source in sources:
        file = reported_in(source, plugins)
        below = [file] if file is not None else reported_below(source, plugins)
        files += below
        try:
            folders += folders_of_runs(source) if file is None else []
        except BvfError as error:
            if not below:
                hint = "name folders that bvf run or bvf factors run wrote; an older one: run the same command again"
                raise BvfError(f"{source}: neither a run nor answers to a benchmark", hint) from error
    for found, what, command in ((folders, "a run", "bvf run"), (files, "scores of a benchmark", "bvf factors run")):
        if not found:
            raise BvfError(f"--measures: no folder has {what}", f"name one that {command} wrote, too")
    return list(dict.fromkeys(folders)), list(dict.fromkeys(files))


def read_run(folder: Path, config: AnalysisConfig, plugins: Plugins, preferred: Sequence[str]) -> Run:
    """Return the result in the folder of a run, and its leans."""
    figures = figures_in(folder, config, plugins, preferred)
    result = chosen_in(folder, config, plugins).stored or figures.result
    return Run(result, TopicLeans(result.topic, figures.study))


def named_runs(runs: Sequence[Run]) -> list[Run]:
    """The runs with distinct names of models, and what each is of: its topic, and what differs between topics."""
    results = with_distinct_names([run.result for run in runs])
    keys = [
        (each.topic, each.language, Path(each.contexts).stem, each.criterion, getattr(each, "scale", ""))
        for each in results
    ]
    different = list(dict.fromkeys(keys))
    facts = distinct_names([topic for topic, *_ in different], [others for _, *others in different])
    names = dict(zip(different, facts, strict=True))
    return [Run(result, run.leans, names[key]) for result, run, key in zip(results, runs, keys, strict=True)]


def refuse_other_questions(files: Sequence[tuple[Path, ReportedFile]]) -> None:
    """Raise a `BvfError` for files of one title that are about other questions."""
    first: dict[str, tuple[Path, str]] = {}
    for path, file in files:
        other, asked = first.setdefault(file.title, (path, file.asked))
        if asked != file.asked:
            raise BvfError(
                f"{path} and {other} are of different items: two versions of a file, a part, or other wordings",
                "compare answers to the same items",
            )


def reported_below(folder: Path, plugins: Plugins) -> list[Path]:
    """Return the files of plugins in the folders of a folder, such as ``runs``."""
    folders = sorted(at for at in folder.glob("*") if at.is_dir() and not at.is_symlink()) if folder.is_dir() else []
    return [file for each in folders if (file := reported_in(each, plugins)) is not None]


Found = tuple[Run, list[Lean]]


def pairs_of_groups(
    runs: Sequence[Run], files: Sequence[tuple[Path, ReportedFile]]
) -> Iterator[tuple[list[GroupMeasures], Unmatched]]:
    """Yield, for each file and model, the groups that have both a lean and a figure, and what is left over."""
    for _, file in files:
        figures = file.group_figures()
        for model in dict.fromkeys(each.model for each in figures):
            its_runs = [run for run in runs if run.result.model == model]
            if its_runs:
                yield _of_model(model, its_runs, file.title, [each for each in figures if each.model == model])


def _of_model(
    model: str, runs: Sequence[Run], source: str, figures: Sequence[ReportedGroup]
) -> tuple[list[GroupMeasures], Unmatched]:
    found = {each.group: _leans(each, runs) for each in figures}
    first = {group: in_runs[0] for group, in_runs in found.items() if in_runs}
    pairs = [
        _pair(source, each, first[each.group][0], lean)
        for each in figures
        if each.group in first
        for lean in first[each.group][1]
    ]
    used = {lean.name for in_runs in found.values() for _, leans in in_runs for lean in leans}
    topics = [run for run in runs if used & set(run.leans.names)]
    return pairs, Unmatched(
        model=model,
        source=source,
        without_lean=tuple(group for group in found if group not in first),
        without_items=tuple(dict.fromkeys(name for run in topics for name in _left(run, used))),
        several_topics=tuple(group for group, in_runs in found.items() if len(in_runs) > 1),
    )


def _leans(figure: ReportedGroup, runs: Sequence[Run]) -> list[Found]:
    """The runs whose topic has the group, and its leans in each."""
    found = ((run, run.leans.to((figure.group, *figure.called))) for run in runs)
    return [(run, leans) for run, leans in found if leans]


def _left(run: Run, used: set[str]) -> list[str]:
    """The classes that no item is about, or, where a group of the topic is used, the groups."""
    classes = run.leans.study.predictions.classes
    names = classes if used & set(classes) else run.leans.study.predictions.group_names
    return [name for name in names if name not in used]


def _pair(source: str, figure: ReportedGroup, run: Run, lean: Lean) -> GroupMeasures:
    return GroupMeasures(
        model=figure.model,
        group=figure.group,
        topic=run.source,
        lean_to=lean.to,
        is_class=lean.is_class,
        lean=lean.value,
        lean_low=lean.low,
        lean_high=lean.high,
        source=source,
        measure=figure.name,
        value=figure.value,
        low=figure.low,
        high=figure.high,
        rough=figure.rough,
    )
