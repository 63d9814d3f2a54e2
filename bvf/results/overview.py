"""The overview tables of results: size of the run, and figures with meanings and intervals."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bvf.interfaces.section import Section
from bvf.results.columns import interval_text, result_columns
from bvf.results.footnotes import about_intervals, groups_of
from bvf.results.result import ResultBase
from bvf.study.uncertainty import Interval
from bvf.tables.columns import Column, table
from bvf.tables.quantities import BY_FIELD, symbol
from bvf.tables.words import counted

EACH_BY_ITSELF = "Each interval is for one model alone: `bvf compare` tests which models differ."
OTHERS = {"templates": "other templates", "wordings": "other wordings", "openings": "other openings"}
"""The heading of the intervals, by estimand."""


@dataclass(frozen=True)
class FirstFigure:
    """A row of the overview: a field of the result, its value as text, and its meaning ('': the usual one).

    ``by_chance`` is the value of a model that knows nothing, as text; '': there is none.
    """

    field: str
    shown: str
    words: str = ""
    by_chance: str = ""


def figures_section(
    result: ResultBase,
    title: str,
    figures: Sequence[FirstFigure],
    notes: Sequence[str],
    things: str = "group",
    over_groups: Mapping[str, Interval] | None = None,
) -> Section:
    """Return a table with a row per figure: meaning, value, interval.

    Args:
        result: The result that has the figures.
        title: Title of the table.
        figures: The rows, in order.
        notes: Sentences below the table.
        things: The noun for what prompts are about, in the singular: ``group``.
        over_groups: Intervals for other groups of the kind, by field; None: no column.
    """
    columns: list[Column[FirstFigure]] = [
        Column("", lambda each: symbol(each.field)),
        Column("", lambda each: each.words or BY_FIELD[each.field].words),
        Column("figure", lambda each: each.shown),
        Column("chance", lambda each: each.by_chance, optional=True),
        Column(
            heading_of_intervals(result),
            lambda each: interval_text(result.uncertainty.intervals, each.field),
            optional=True,
        ),
        Column(f"other {things}s", lambda each: interval_text(over_groups or {}, each.field), optional=True),
    ]
    below = " ".join([*notes, *about_intervals(result, things)])
    return table(title, columns, figures, names=2, subtitle=[asked(result, things)], notes=[below])


def heading_of_intervals(result: ResultBase) -> str:
    """Return what intervals are for, as the heading of a column."""
    return OTHERS.get(result.uncertainty.estimand, "other texts")


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
    groups = groups_of(result, things)
    if uncertainty.draws is None:
        return f"{groups} in {counted(different, 'context')}"
    opened = f" after openings ({uncertainty.opened})" if uncertainty.opened else ""
    known = f" ({different:,} different)" if different != uncertainty.draws and not opened else ""
    source = f" from {uncertainty.counted}" if uncertainty.occurrences is not None else ""
    return f"{groups} in {counted(uncertainty.draws, 'context')}{known} drawn{source}{opened}"
