"""Finds the lean of a model to each group that items of a benchmark are about."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from bvf import ReportedFile
from bvf.interfaces import ReportedGroup
from bvf_insights.measures.leans import Lean
from bvf_insights.measures.result import GroupMeasures, Unmatched
from bvf_insights.measures.sources import Run

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
