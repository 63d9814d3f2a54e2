"""Results as tables: warnings, the models with their intervals, then the groups of each."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bvf.hooks.loader import load
from bvf.interfaces.analysis import Analysis, Section, View
from bvf.results.kept import analysis_of
from bvf.results.method import percent
from bvf.results.names import glossed_names, name_columns, names_of, row_name, with_names_apart
from bvf.results.result import GroupResult, ResultBase
from bvf.study.trust import small_share
from bvf.study.uncertainty import Uncertainty
from bvf.tables.words import between, counted, decimals, ends, shortened

if TYPE_CHECKING:
    import pandas as pd

UNITS = {"document": "documents", "occurrence": "occurrences", "template": "templates of equal weight"}
IN_GROUPS = 3
"""Decimals of an interval in the table of groups, so that it fits beside its figure."""
NAMED = 3
"""The most tied groups that are named; of more, only the number is told."""


def result_sections(results: Sequence[ResultBase], analysis: Analysis[Any], view: View) -> list[Section]:
    """Return a table of all results, one per result with controls, their groups side by side, then one per result.

    Args:
        results: Of one topic and criterion.
        analysis: That they come from.
        view: How groups are shown.
    """
    results = with_names_apart(results)
    together, *of_each = analysis.rows(results, view)
    warnings = [f"WARNING: {result.model}: {sentence}" for result in results for sentence in result.warnings]
    together = replace(together, warnings=warnings, notes=[*together.notes, *what_of(results)])
    rest_on = [
        replace(section, notes=[*section.notes, *_basis(result, sensitivity(result, analysis.figures))])
        for result, section in zip(results, of_each, strict=True)
    ]
    return [with_intervals(together, results, analysis.figures), *analysis.beside(results, view), *rest_on]


def sections_of(result: ResultBase) -> list[Section] | None:
    """Return the tables of one result; None where the analysis that it comes from is not installed."""
    return notebook_sections([result])


def notebook_sections(results: Sequence[ResultBase], warnings: Sequence[str] = ()) -> list[Section] | None:
    """Return the tables of results; None where the analysis that they come from is not installed.

    Args:
        results: Of one topic and criterion; one at least.
        warnings: What stands above all tables.
    """
    plugins = load()
    if not any(entry.make().results is type(results[0]) for entry in plugins.analyses):
        return None
    first, *others = result_sections(results, analysis_of(results[0], plugins), View())
    return [replace(first, warnings=[*warnings, *first.warnings]), *others]


def group_frame(results: Sequence[ResultBase]) -> "pd.DataFrame":
    """Return a row per result and group, with the model and the contexts left of the columns of `to_frame`."""
    import pandas as pd

    frames = []
    for result in with_names_apart(results):
        frame = result.to_frame()
        frame.insert(0, "model", result.model)
        frame.insert(1, "contexts", result.contexts)
        frames.append(frame)
    return pd.concat(frames, ignore_index=True)


def _basis(result: ResultBase, sensitivity: list[str]) -> list[str]:
    """What the figures rest on, and what depends on the choice of contexts."""
    mass = result.candidate_mass
    lines = [
        f"{len(result.groups)} groups in {result.number_of_contexts} contexts "
        f"(as good as {result.effective_contexts:.1f} of equal weight)",
        f"candidate words have {small_share(mass.mean)} of the probability; 5% of prompts {_below(mass.quantile_05)}",
    ]
    where = [f"results: {result.folder}"] if result.folder else []
    return [*lines, *sensitivity, *(f"note: {sentence}" for sentence in result.notes), *where]


def _below(share: float) -> str:
    said = small_share(share)
    return said if said.startswith("less") else f"less than {said}"


def side_by_side(results: Sequence[ResultBase], figure: str, title: str, show: int) -> list[Section]:
    """Return a table of a row per group that all results have, and a column per result; none of a single result.

    Args:
        results: Of one analysis.
        figure: The field of a group that is shown; the groups with the highest on average over results come first.
        title: Of the table.
        show: How many groups, from both ends of that order together; 0: all.
    """
    if len(results) < 2:
        return []
    of_each = [{group.group: group for group in result.groups} for result in results]
    common = [group for group in results[0].groups if all(group.group in by_group for by_group in of_each)]
    if not common:
        return []

    def figures(group: GroupResult) -> list[float]:
        return [float(getattr(by_group[group.group], figure)) for by_group in of_each]

    first, last = ends(sorted(common, key=lambda group: -sum(figures(group))), show)
    shown = [*first, *last]
    names, cells = glossed_names(shown)
    rows = [(*name, *decimals(*figures(group))) for name, group in zip(cells, shown, strict=True)]
    if last:
        rows.insert(len(first), ("...", *("",) * (len(rows[0]) - 1)))
        title = f"{title} ({len(shown)} of {len(common)})"
    return [Section(title, (*names, *_headings(results)), rows, names=len(names))]


def _headings(results: Sequence[ResultBase]) -> list[str]:
    """A name for each result: its model, its contexts, or both."""
    if len({result.model for result in results}) == 1:
        names = tuple(Path(result.contexts).stem for result in results)
    elif len(name_columns(results)) == 1:
        names = tuple(result.model for result in results)
    else:
        names = names_of(results)
    return list(names if len(set(names)) == len(names) else names_of(results))


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
