"""What is compared: folders of runs, and files of plugins, such as the scores of a benchmark."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bvf import AnalysisConfig, BvfError, ReportedFile, ResultBase
from bvf.hooks import Plugins
from bvf.results import chosen_in, figures_in, reported_in, with_distinct_names
from bvf.study import distinct_names, folders_of_runs
from bvf_insights.measures.leans import TopicLeans


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
    folders = sorted(each for each in folder.glob("*") if each.is_dir()) if folder.is_dir() else []
    return [file for each in folders if (file := reported_in(each, plugins)) is not None]
