"""Results as tables: the overview, warnings, models with intervals, and the groups of each model."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bvf.hooks.loader import Plugins, load
from bvf.interfaces.analysis import View
from bvf.interfaces.section import Cell, Section
from bvf.results.columns import group_columns, interval_text, result_columns
from bvf.results.compatible import grouped, headings, refuse_mixed
from bvf.results.footnotes import (
    EACH_BY_ITSELF,
    about_intervals,
    basis,
    not_of_the_run,
    read_in_texts,
    sensitivity,
    thought_before,
    what_of,
    where_the_rest_is,
)
from bvf.results.result import GroupResult, ResultBase, name_of, named_warnings, names_of, with_distinct_names
from bvf.results.store import analysis_of, results_by_analysis
from bvf.study.analysis import Analysis
from bvf.study.uncertainty import Interval
from bvf.tables.columns import Column, both_ends, table
from bvf.tables.quantities import BY_FIELD, symbol
from bvf.tables.words import NOTHING, counted, decimals, percent, shortened, some_of, warned

if TYPE_CHECKING:
    import pandas as pd

NAMED = 3


def sections_by_question(results: Sequence[ResultBase], plugins: Plugins, view: View) -> list[Section]:
    """Return the tables of results. Those that can be rows of one table stand together (`bvf.results.compatible`)."""
    groups, sections = grouped(results), list[Section]()
    for group, heading in zip(groups, headings(groups), strict=True):
        first, *others = result_sections(group, analysis_of(group[0], plugins), view, plugins.extra)
        sections += [
            replace(first, title=first.title if heading in first.title else f"{heading}: {first.title}"),
            *others,
        ]
    return sections


def result_sections(
    results: Sequence[ResultBase], analysis: Analysis[Any], view: View, plugins: Sequence[str] = ()
) -> list[Section]:
    """Return the tables of results: an overview, or all details if ``view.details``.

    ``plugins`` are those that the user named, and without which not every result can be shown.
    """
    results = with_distinct_names(results)
    if view.details:
        first, *others = _all_sections(results, analysis, view)
    else:
        first, *others = _first_sections(results, analysis, view, plugins)
    said = [*first.subtitle, *read_in_texts(results), *thought_before(results), *not_of_the_run(results)]
    return [replace(first, subtitle=said, warnings=[*warned(named_warnings(results)), *first.warnings]), *others]


def _first_sections(
    results: Sequence[ResultBase], analysis: Analysis[Any], view: View, plugins: Sequence[str]
) -> list[Section]:
    """The tables of the overview. Below them stands the command that shows all details."""
    sections = analysis.overview(results, view)
    if not sections:
        sections = rows_with_intervals(results, analysis, view)
    *before, last = sections
    return [*before, replace(last, notes=[*last.notes, *where_the_rest_is(results, plugins)])]


def _all_sections(results: Sequence[ResultBase], analysis: Analysis[Any], view: View) -> list[Section]:
    """All tables: one of all results, comparisons of results, and those of each result with its notes."""
    together, *of_each = rows_with_intervals(results, analysis, view)
    together = replace(together, notes=[*together.notes, *what_of(results)])
    rest_on = [
        replace(section, notes=[*section.notes, *basis(result, sensitivity(result, analysis.figures))])
        for result, section in zip(results, of_each, strict=True)
    ]
    return [together, *analysis.beside(results, view), *rest_on]


def sections_of(result: ResultBase) -> list[Section] | None:
    """Return the tables of one result; None if its analysis is not installed."""
    return notebook_sections([result])


def notebook_sections(results: Sequence[ResultBase], warnings: Sequence[str] = ()) -> list[Section] | None:
    """Return the tables of results for notebooks; None if an analysis is not installed."""
    plugins = load()
    if not all(any(of is type(result) for _, of in results_by_analysis(plugins)) for result in results):
        return None
    first, *others = sections_by_question(results, plugins, View())
    return [replace(first, warnings=[*warnings, *first.warnings]), *others]


def group_frame(results: Sequence[ResultBase]) -> "pd.DataFrame":
    """Return a data frame with a row per result and group: model, contexts, and the columns of `to_frame`.

    Raises:
        BvfError: The results cannot stand in one table.
    """
    import pandas as pd

    refuse_mixed(results, "show them one by one")
    frames = []
    for result in with_distinct_names(results):
        frame = result.to_frame()
        frame.insert(0, "model", name_of(result))
        frame.insert(1, "contexts", result.contexts)
        frames.append(frame)
    return pd.concat(frames, ignore_index=True)


def side_tables(results: Sequence[ResultBase], figure: str, title: str, show: int) -> list[Section]:
    """Return a table of a figure: a row per common group, a column per result. There is no table for a single result.

    Groups are ordered by the mean of the figure over results, highest first. The first and last of them are shown,
    ``show`` in all (0: all groups).
    """
    if len(results) < 2:
        return []
    of_each = [{group.group: group for group in result.groups} for result in results]
    common = [group for group in results[0].groups if all(group.group in by_group for by_group in of_each)]
    if not common:
        return []

    def value(by_group: Mapping[str, GroupResult], group: GroupResult) -> float:
        return float(getattr(by_group[group.group], figure))

    def column(heading: str, by_group: Mapping[str, GroupResult]) -> Column[GroupResult]:
        return Column(heading, lambda group: decimals(value(by_group, group))[0])

    ordered = sorted(common, key=lambda group: -sum(value(by_group, group) for by_group in of_each))
    columns = [*group_columns(), *map(column, _headings(results), of_each)]
    title = f"{title}{some_of(show or len(common), len(common))}"
    return [table(title, columns, both_ends(ordered, show), names=2)]


def _headings(results: Sequence[ResultBase]) -> list[str]:
    """The column title of each result: the name of its model, its context set, or both."""
    if len({name_of(result) for result in results}) == 1:
        names = tuple(Path(result.contexts).stem for result in results)
    elif len({result.contexts for result in results}) == 1:
        names = tuple(name_of(result) for result in results)
    else:
        names = names_of(results)
    return list(names if len(set(names)) == len(names) else names_of(results))


def rows_with_intervals(results: Sequence[ResultBase], analysis: Analysis[Any], view: View) -> list[Section]:
    """Return the tables of `Analysis.rows`: that of all results with the ends of their intervals, and those of each."""
    together, *of_each = analysis.rows(results, view)
    return [with_intervals(together, results, analysis.figures), *of_each]


def with_intervals(section: Section, results: Sequence[ResultBase], figures: Mapping[str, str]) -> Section:
    """Insert the lower and upper ends of intervals, if any, as two rows below each result in a table.

    ``figures`` are the titles of columns by the fields of figures, as in `bvf.Analysis.figures`.
    """
    if len(section.rows) != len(results):
        return section
    of_rows = [
        {figures[name]: (each.low, each.high) for name, each in result.uncertainty.intervals.items() if name in figures}
        for result in results
    ]
    return with_ends(section, of_rows, [percent(result.uncertainty.level) for result in results])


def with_ends(section: Section, of_rows: Sequence[Mapping[str, tuple[float, float]]], levels: Sequence[str]) -> Section:
    """Insert the lower and upper ends of intervals as two rows below each row of a table that has them.

    ``of_rows`` has, for each row, the ends of its intervals by column title; ``levels`` are levels as text: ``95%``.
    """
    blank, rows = ("",) * (section.names - 1), list[Sequence[str | Cell]]()
    for row, ends_of, level in zip(section.rows, of_rows, levels, strict=True):
        rows.append(row)
        if not ends_of.keys().isdisjoint(section.columns):
            shown = [ends_of.get(column, (None, None)) for column in section.columns[section.names :]]
            for word, values in zip(("from", "to"), zip(*shown, strict=True), strict=True):
                rows.append((f"{level} {word}", *blank, *decimals(*values)))
    return replace(section, rows=rows)


def highest(result: ResultBase, figure: str, called: str) -> list[str]:
    """Return a sentence on the group with the highest figure, and on groups that may have a higher one.

    It begins with ``called``, the name of the figure, and is empty if fewer than two groups have intervals. Where
    figures are not exact (`bvf.study.uncertainty.Uncertainty.highest` takes them as exact), a group is only lower if
    its interval, which allows for that, does not overlap with the interval of the first one either.
    """
    of_groups = {group.group: each for group in result.groups if (each := group.intervals.get(figure)) is not None}
    highest = result.uncertainty.highest.get(figure)
    if len(of_groups) < 2 or not highest:
        return []
    in_order = sorted(result.groups, key=lambda group: -getattr(group, figure))
    first, *others = (group.group for group in in_order if group.group in of_groups)
    if getattr(in_order[0], figure) < NOTHING:
        return []
    if first != highest[0]:  # without the noise of sampled answers another group is highest than the one tested
        return []
    inexact = result.samples or result.deviation_bound
    tied = [name for name in others if name in highest or (inexact and of_groups[name].high >= of_groups[first].low)]
    if len(tied) == len(others):
        return [f"{called}: {first}; no other is significantly lower"]
    if not tied:
        return [f"{called}: {first}; all others are significantly lower"]
    named = ", ".join(shortened(name) for name in tied[:NAMED])
    if len(tied) > NAMED:
        named += f" and {counted(len(tied) - NAMED, 'other')}"
    return [f"{called}: {first}; not significantly lower: {named}"]


OTHERS = {"templates": "other templates", "wordings": "other wordings", "openings": "other openings"}
"""The heading of the intervals, by estimand."""


def figures_section(
    result: ResultBase,
    title: str,
    figures: Mapping[str, tuple[str, str]],
    notes: Sequence[str],
    things: str = "group",
    over_groups: Mapping[str, Interval] | None = None,
) -> Section:
    """Return a table with a row per figure: meaning, value, interval.

    Args:
        result: The result that has the figures.
        title: Title of the table.
        figures: By the field of the result: its value as text, and that of a model that knows nothing.
        notes: Sentences below the table.
        things: The noun for what prompts are about, in the singular: ``group``.
        over_groups: Intervals for other groups of the kind, by field; None: no column.
    """
    columns: list[Column[str]] = [
        Column("", symbol),
        Column("", lambda field: BY_FIELD[field].words),
        Column("figure", lambda field: figures[field][0]),
        Column("chance", lambda field: figures[field][1], optional=True),
        Column(
            OTHERS.get(result.uncertainty.estimand, "other texts"),
            lambda field: interval_text(result.uncertainty.intervals, field),
            optional=True,
        ),
        Column(f"other {things}s", lambda field: interval_text(over_groups or {}, field), optional=True),
    ]
    below = " ".join([*notes, *about_intervals(result, things)])
    return table(title, columns, figures, names=2, subtitle=[asked(result, things)], notes=[below])


def models_section(
    title: str, results: Sequence[ResultBase], main: str, columns: Sequence[Column[Any]], above: Sequence[Any] = ()
) -> Section:
    """Return a table with a row per result. The interval of the figure ``main`` follows the first of ``columns``.

    Rows of reference models, ``above``, stand above the rule.
    """
    first, *others = columns
    names = result_columns(results)
    interval = Column[Any](
        "interval",
        lambda each: interval_text(each.uncertainty.intervals, main) if isinstance(each, ResultBase) else "",
        optional=True,
    )
    notes = [EACH_BY_ITSELF] if any(map(interval.text, results)) else []
    return table(title, [*names, first, interval, *others], results, names=len(names), above=above, notes=notes)


def asked(result: ResultBase, things: str) -> str:
    """Return the size of a run as text: ``120 groups in 80 contexts (70 different) drawn from 9,318 occurrences``."""
    uncertainty, different = result.uncertainty, result.number_of_contexts
    groups = result.groups_in_words(things)
    if uncertainty.draws is None:
        return f"{groups} in {counted(different, 'context')}"
    opened = f" after openings ({uncertainty.opened})" if uncertainty.opened else ""
    known = f" ({different:,} different)" if different != uncertainty.draws and not opened else ""
    source = f" from {uncertainty.counted}" if uncertainty.occurrences is not None else ""
    return f"{groups} in {counted(uncertainty.draws, 'context')}{known} drawn{source}{opened}"
