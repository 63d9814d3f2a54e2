"""Intervals in the tables of results, and the sentences that say what they are about."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from bvf.analysing.formatting import between, counted, decimals, shortened
from bvf.analysing.method import percent
from bvf.analysing.names import name_columns, row_name
from bvf.analysing.result import GroupResult, ResultBase, Uncertainty
from bvf.interfaces.analysis import Section

UNITS = {"document": "documents", "occurrence": "occurrences", "template": "templates of equal weight"}
IN_GROUPS = 3
"""Decimals of an interval in the table of groups, so that it fits beside its figure."""
NAMED = 3
"""The most tied groups that are named; of more, only the number is told."""


def with_intervals(section: Section, results: Sequence[ResultBase], figures: Mapping[str, str]) -> Section:
    """Return a table of results with both ends of the intervals below each row; unchanged where there are none.

    Args:
        section: With a row per result.
        results: In the order of the rows.
        figures: The columns that figures have, by their fields, as `bvf.Analysis.figures` has it.
    """
    if len(section.rows) != len(results):
        return section
    rows = list[Sequence[str]]()
    for row, result in zip(section.rows, results, strict=True):
        intervals = {figures[name]: each for name, each in result.uncertainty.intervals.items() if name in figures}
        rows.append(row)
        if not intervals.keys().isdisjoint(section.columns):
            blank = ("",) * (section.names - 1)
            shown = [intervals.get(column) for column in section.columns[section.names :]]
            lows = decimals(*(None if each is None else each.low for each in shown))
            highs = decimals(*(None if each is None else each.high for each in shown))
            level = percent(result.uncertainty.level)
            rows += [(f"{level} from", *blank, *lows), (f"{level} to", *blank, *highs)]
    return replace(section, rows=rows)


def interval_column(groups: Sequence[GroupResult], figure: str) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Return the heading and the cells of the intervals of a figure, a cell per group; no column where there are none.

    Args:
        groups: In the order of the rows.
        figure: The name of its field.
    """
    intervals = [group.intervals.get(figure) for group in groups]
    if not any(intervals):
        return (), [()] * len(groups)
    return ("interval",), [(between(each.low, each.high, places=IN_GROUPS) if each else "",) for each in intervals]


def highest(groups: Sequence[GroupResult], figure: str, called: str) -> list[str]:
    """Return which group has the highest figure, as far as intervals tell, as one sentence; none without intervals.

    Intervals that do not overlap tell two groups apart, however their errors are tied to each other: the standard error
    of a difference is never more than the sum of both. Where they overlap, nothing is said of which is higher.

    Args:
        groups: Of a result.
        figure: The name of its field.
        called: What it is called in the sentence.
    """
    intervals = [(group.group, each) for group in groups if (each := group.intervals.get(figure)) is not None]
    if len(intervals) < 2:
        return []
    first = max(groups, key=lambda group: getattr(group, figure)).group
    of_first = dict(intervals)[first]
    in_order = sorted(intervals, key=lambda pair: -pair[1].high)
    tied = [name for name, each in in_order if name != first and each.high >= of_first.low]
    if not tied:
        return [f"{called}: {first}, whose interval overlaps with no other"]
    return [f"{called}: {first}; not told apart from it, as intervals overlap: {_named(tied)}"]


def _named(names: Sequence[str]) -> str:
    shown = ", ".join(shortened(name) for name in names[:NAMED])
    return shown if len(names) <= NAMED else f"{shown} and {counted(len(names) - NAMED, 'other')}"


def sensitivity(result: ResultBase, figures: Mapping[str, str]) -> list[str]:
    """Return what depends on the choice of templates, in lines, and why there is no interval where there is none."""
    uncertainty = result.uncertainty
    why = [f"no interval for other texts: {uncertainty.undefined}"] if uncertainty.undefined else []
    ranges = [
        f"{called} {between(*uncertainty.leaving_one_out[name])}"
        for name, called in figures.items()
        if name in uncertainty.leaving_one_out
    ]
    if ranges:
        why.append(f"without any one of these contexts: {', '.join(ranges)}")
    others = [
        f"{called} {between(each.low, each.high)}"
        for name, called in figures.items()
        if (each := uncertainty.as_templates.get(name)) is not None
    ]
    if others and uncertainty.estimand != "templates":
        why.append(f"with other templates of the kind, perhaps: {', '.join(others)}")
    return why


def what_of(results: Sequence[ResultBase]) -> list[str]:
    """Return what the intervals of results are about: one sentence if it is the same for all, else one each."""
    with_some = [result for result in results if result.uncertainty.intervals]
    of_each = [_what_of(result.uncertainty) for result in with_some]
    said = list(dict.fromkeys(of_each))
    if len(said) > 1:
        columns = name_columns(results)
        named = [", ".join(row_name(result, columns)) for result in with_some]
        said = [f"{name}: {sentence}" for name, sentence in zip(named, of_each, strict=True)]
    if len(results) > 1 and said:
        said.append("An interval is of one model by itself: `bvf compare` says which models can be told apart.")
    return said


def _what_of(uncertainty: Uncertainty) -> str:
    """What the intervals are about."""
    intervals = f"Intervals of {percent(uncertainty.level)} are for"
    if uncertainty.estimand == "templates":
        return (
            f"{intervals} other templates of the kind, of which these are a sample as good as {uncertainty.units:.1f}"
        )
    mined = f"{uncertainty.occurrences:,.0f} occurrences"
    if uncertainty.documents is not None:
        mined += f" in {uncertainty.documents:,} documents"
    drawn = f"{uncertainty.draws:,} contexts drawn from " if uncertainty.draws is not None else ""
    unseen = ""
    if uncertainty.unseen_mass is not None:
        unseen = f"; {uncertainty.unseen_mass:.0%} of such texts have a context that is not among them"
    return f"{intervals} texts such as those mined: {drawn}{mined}{unseen}"
