"""Columns for tables of results of any analysis: names of models and groups, and intervals."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from bvf.domain.scale import USUAL, ends_at_1
from bvf.results.result import GroupResult, ResultBase, name_of
from bvf.stats.figures.quantiles import student_quantile
from bvf.study.uncertainty import Interval
from bvf.tables.columns import Column, shown_of
from bvf.tables.words import between, percent, shortened

PLACES = 3
"""Decimals of a figure that stands beside its interval: the next one is noise."""
SAMPLED = " (sampled)"
AT_MOST_1 = ("r", "mastery")
"""Figures of groups that are 1 at most on the unit scale."""


def result_columns(results: Sequence[ResultBase]) -> list[Column[Any]]:
    """Return the columns that name the results: the model, and the contexts if they differ.

    Contexts are given by their set if sets differ, and by their number if numbers differ. In rows of reference models,
    which are not results, only the first column has a text.
    """
    sets = len({result.contexts for result in results}) > 1
    sizes = len({result.contexts_in_words for result in results}) > 1

    def of_contexts(result: ResultBase) -> str:
        name = shortened(Path(result.contexts).stem) if sets else ""
        return ", ".join(filter(None, (name, result.contexts_in_words if sizes else "")))

    model = Column[Any]("model", lambda each: _model_of(each) if isinstance(each, ResultBase) else each.name)
    contexts = Column[Any]("contexts", lambda each: of_contexts(each) if isinstance(each, ResultBase) else "")
    return [model, contexts] if sets or sizes else [model]


def model_in_title(result: ResultBase) -> str:
    """Return the name of the model for a title, which says of bvf's small models that they are for demonstrations."""
    return _model_of(result) + (" (demo model)" if result.model.startswith("bundled:") else "")


def _model_of(result: ResultBase) -> str:
    """The name of the model. A mark is appended if its probabilities were estimated by sampling."""
    return name_of(result) + (SAMPLED if result.samples and result.generation is None else "")


def group_columns(title: str = "group") -> list[Column[GroupResult]]:
    """Return the columns that name a group: its name, and its English gloss if available."""
    return [Column(title, lambda group: group.group), Column("meaning", lambda group: group.gloss, optional=True)]


def interval_of(figure: str, result: ResultBase, show: int) -> Column[GroupResult]:
    """Return a column with the interval of each group's ``figure``. Tables omit it if no group has an interval.

    Of groups that are shown for being first or last, ``show`` in all, intervals are of the level of `chosen_level`,
    which stands above them.
    """
    level, times = chosen_level(result, show), times_as_wide(result, show)
    at_most_1 = figure in AT_MOST_1 and ends_at_1(getattr(result, "scale", USUAL))

    def text(group: GroupResult) -> str:
        interval, value = group.intervals.get(figure), getattr(group, figure, None)
        if interval is None or value is None or times == 1.0:
            return interval_text(group.intervals, figure)
        stretched = interval.stretched(value, times)
        return interval_text({figure: stretched.within(1.0) if at_most_1 else stretched}, figure)

    usual = level == result.uncertainty.level
    return Column("interval" if usual else f"at {chosen_percent(level)}", text, optional=True)


def times_as_wide(result: ResultBase, show: int) -> float:
    """Return how many times as wide as usual intervals of the level of `chosen_level` are; 1 where there are none."""
    known, level = result.uncertainty, chosen_level(result, show)
    if level == known.level or not any(group.intervals for group in result.groups):
        return 1.0
    sides, freedom = [0.5 + each / 2.0 for each in (level, known.level)], max((known.units or np.inf) - 1.0, 1.0)
    wider, usual = student_quantile(sides, freedom).tolist()
    return float(wider / usual)


def chosen_level(result: ResultBase, show: int) -> float:
    """Return the level of intervals of the first and last groups, ``show`` of all (0: all), which are of no sample.

    They were chosen as extremes, so intervals of 95 % would hold less often. With 1 - .05 show / groups, 95 % of those
    shown hold (the false coverage rate of Benjamini and Yekutieli 2005).
    """
    groups, level = len(result.groups), result.uncertainty.level
    return 1.0 - (1.0 - level) * show / groups if 0 < show < groups else level


def chosen_percent(level: float) -> str:
    """Return a level with two decimals of a percent at most, rounded down.

    >>> chosen_percent(1 - 0.05 * 6 / 120), chosen_percent(1 - 0.05 * 8 / 3000)
    ('99.75%', '99.98%')
    """
    return percent(np.floor(1e4 * level + 1e-6) / 1e4)


def on_chosen(result: ResultBase, show: int) -> list[str]:
    """Return a sentence on the level of intervals of the groups that are shown; none if they were not chosen."""
    usual, level, groups = result.uncertainty.level, chosen_level(result, show), len(result.groups)
    if times_as_wide(result, show) == 1.0:
        return []
    return [
        f"Intervals at {chosen_percent(level)}: these {show:,} of {groups:,} groups were chosen as extremes, and "
        f"{percent(usual)} of intervals so chosen hold"
    ]


def interval_text(intervals: Mapping[str, Interval], figure: str) -> str:
    """Return the interval of a figure as text, such as ``0.302 to 0.355``; empty if the figure has none."""
    interval = intervals.get(figure)
    return between(interval.low, interval.high, PLACES) if interval else ""


def figure_text(result: ResultBase, field: str) -> str:
    """Return a figure of a result as text, such as ``0.3266 (95%: 0.3023 to 0.3552)``. It may have no interval."""
    shown, interval = shown_of(result, field), result.uncertainty.intervals.get(field)
    if interval is None:
        return shown
    return f"{shown} ({percent(result.uncertainty.level)}: {between(interval.low, interval.high)})"
