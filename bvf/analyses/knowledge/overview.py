"""The overview of a result of knowledge: its figures, and the subjects known least and best."""

from collections.abc import Sequence

from bvf.analyses.knowledge.result import KnowledgeResult
from bvf.analyses.knowledge.tables import ANSWERS, SCORES, least_known_first, sentence
from bvf.interfaces.section import Section
from bvf.results.columns import PLACES, ends_of_groups, group_columns, interval_of, model_of
from bvf.results.overview import FirstFigure, figures_section, models_section
from bvf.tables.columns import Column, split, table
from bvf.tables.symbols import symbol
from bvf.tables.words import decimals

FIGURES: dict[str, Column[KnowledgeResult]] = {
    **dict(zip(SCORES, split(*SCORES, PLACES), strict=True)),
    "accuracy": Column(symbol("accuracy"), lambda each: decimals(each.accuracy, places=PLACES)[0]),
    "consistency": Column(symbol("consistency"), lambda each: decimals(each.consistency, places=PLACES)[0] or "-"),
}


def overview(results: Sequence[KnowledgeResult], show: int) -> list[Section]:
    """Return the figures and the subjects of one result, or a row per result of several."""
    if len(results) > 1:
        return [models_section(_title(results[0]), results, SCORES[0], list(FIGURES.values()))]
    (result,) = results
    figures = [FirstFigure(field, column.text(result)) for field, column in FIGURES.items()]
    title, notes = _title(result, f"{model_of(result)}, "), ["Mastery = expected + gap."]
    return [figures_section(result, title, figures, {}, notes, things="subject"), _subjects(result, show)]


def _title(result: KnowledgeResult, of_model: str = "") -> str:
    return f"{result.topic} ({result.language}), {of_model}criterion {result.criterion}"


def _subjects(result: KnowledgeResult, show: int) -> Section:
    sampled = any("mastery" in group.intervals for group in result.groups)
    mastery, *parts = split(*SCORES, PLACES, spare=sampled)
    return table(
        sentence(result),
        [*group_columns("least known first"), *ANSWERS, mastery, interval_of("mastery"), *parts],
        ends_of_groups(least_known_first(result), show),
        names=4,
    )
