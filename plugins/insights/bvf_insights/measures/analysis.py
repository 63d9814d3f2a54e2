"""Sets figures of runs beside scores of benchmarks: do they rank models alike, and groups of people?"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from pathlib import Path
from typing import Unpack

import numpy as np

from bvf import AnalysisConfig, BvfError, ReportedFile, load
from bvf.domain import settings_of
from bvf.hooks import Plugins
from bvf.results import named_warnings, read_reported
from bvf.stats import DECIMALS, FEWEST_RANKED, holm, rank_agreement
from bvf.study import AnalysisKeywords
from bvf_insights.measures.pairing import Run, named_runs, pairs_of_groups, read_run, refuse_other_questions, sources_in
from bvf_insights.measures.result import Agreement, GroupMeasures, MeasureComparison, MeasureValue

Measures = dict[tuple[str, str], list[MeasureValue]]
"""The values of models by source and measure."""


def compare_measures(
    sources: Sequence[Path | str],
    config: AnalysisConfig | None = None,
    plugins: Plugins | None = None,
    preferred: Sequence[str] = (),
    **choices: Unpack[AnalysisKeywords],
) -> MeasureComparison:
    """Compare figures of runs with scores of benchmarks, over models, and over the groups that items are about.

    Args:
        sources: Folders of runs, and of answers to benchmarks, or files of scores; or folders that hold them.
        config: Choices of the analysis of runs, where they are not the runs' own; or give its fields as keywords.
        plugins: Plugins that define criteria and read files; None: the installed ones.
        preferred: Plugins whose criterion is used if neither ``config`` nor a run names one.
        choices: Fields of `bvf.AnalysisConfig`.

    Raises:
        BvfError: There is no run, or no file with figures; or two sources say the same thing of one model.
    """
    config, available = settings_of(AnalysisConfig, config, choices, "compare"), plugins or load()
    folders, files = sources_in([Path(each) for each in sources], available)
    reported = [(file, read_reported(file, available)) for file in files]
    refuse_other_questions(reported)
    runs = named_runs([read_run(folder, config, available, preferred) for folder in folders])
    measures = _refuse_twice([*_of_runs(runs), *_of_files(reported)])
    pairs = list(pairs_of_groups(runs, reported))
    groups = [each for of_model, _ in pairs for each in of_model]
    models = tuple(dict.fromkeys(each.model for values in measures.values() for each in values))
    level = runs[0].leans.study.choices.level
    agreements = _adjusted([*_over_models(measures), *_over_groups(groups, level)])
    return MeasureComparison(
        models=models,
        level=level,
        agreements=tuple(agreements),
        groups=tuple(groups),
        values=tuple(each for values in measures.values() for each in values),
        unmatched=tuple(each for _, each in pairs),
        warnings=named_warnings([run.result for run in runs]),
        notes=tuple(dict.fromkeys(why for run in runs if (why := run.leans.why_none))),
    )


def _of_runs(runs: Iterable[Run]) -> Iterator[MeasureValue]:
    for run in runs:
        better = {each.field: each.lower_is_better for each in run.result.exported}
        intervals = run.result.uncertainty.intervals
        for field in run.result.in_short:
            value = getattr(run.result, field)
            if value is None:
                continue
            ends = intervals.get(field)
            yield MeasureValue(
                source=run.source,
                measure=field,
                model=run.result.model,
                value=value,
                low=ends.low if ends else None,
                high=ends.high if ends else None,
                worse=-value if better.get(field) is False else value,
            )


def _of_files(files: Iterable[tuple[Path, ReportedFile]]) -> Iterator[MeasureValue]:
    for _, file in files:
        for each in file.figures():
            if not each.of_part:
                yield MeasureValue(
                    source=file.title,
                    measure=each.name,
                    model=each.model,
                    value=each.value,
                    low=each.low,
                    high=each.high,
                    worse=each.value if each.ideal is None else abs(each.value - each.ideal),
                )


def _refuse_twice(values: Iterable[MeasureValue]) -> Measures:
    """The values by measure. Raises a `BvfError` if there are two of one model."""
    measures: Measures = {}
    for each in values:
        others = measures.setdefault((each.source, each.measure), [])
        if any(other.model == each.model for other in others):
            raise BvfError(f"{each.model} has {each.measure} of {each.source} twice", "name one of the folders")
        others.append(each)
    return measures


def _over_models(measures: Measures) -> Iterator[Agreement]:
    """Every two measures of different sources."""
    for ((source, name), first), ((other_source, other), second) in combinations(measures.items(), 2):
        if source == other_source:
            continue
        theirs = {each.model: each.worse for each in second}
        both = [(each.worse, theirs[each.model]) for each in first if each.model in theirs]
        names = {"first_source": source, "first": name, "second_source": other_source, "second": other}
        yield Agreement(over="models", **names, things=len(both), **_ranked(both, None))


def _over_groups(groups: Sequence[GroupMeasures], level: float) -> Iterator[Agreement]:
    series: dict[tuple[str, ...], list[GroupMeasures]] = {}
    for each in groups:
        series.setdefault((each.model, each.lean_called, each.source, each.measure), []).append(each)
    for (model, lean, source, measure), points in series.items():
        topics = ", ".join(dict.fromkeys(each.topic for each in points))
        names = {"first_source": topics, "first": lean, "second_source": source, "second": measure}
        both = [(each.lean, each.value) for each in points]
        yield Agreement(over="groups", model=model, **names, things=len(both), **_ranked(both, level))


def _ranked(both: Sequence[tuple[float, float]], level: float | None) -> dict[str, float | bool | None]:
    """The fields of an agreement that are known. ``level``: that of an interval; None: it has none."""
    values = np.array(both).reshape(-1, 2).round(DECIMALS).T
    if values.shape[1] < FEWEST_RANKED or not np.ptp(values, axis=1).all():
        return {}
    found = rank_agreement(values[0], values[1], level or 0.95)
    ranked: dict[str, float | bool | None] = {
        "kendall": found.kendall,
        "p_value": found.p_value,
        "smallest_p": found.smallest_p,
    }
    if level is None or found.low is None:
        return ranked
    return {**ranked, "low": found.low, "high": found.high, "rough": found.rough}


def _adjusted(agreements: Sequence[Agreement]) -> list[Agreement]:
    """The agreements with p values that are adjusted for all of them."""
    tested = np.array([each.p_value for each in agreements if each.p_value is not None], dtype=np.float64)
    adjusted = iter(holm(tested).tolist())
    return [
        each if each.p_value is None else each.model_copy(update={"adjusted_p": next(adjusted)}) for each in agreements
    ]
