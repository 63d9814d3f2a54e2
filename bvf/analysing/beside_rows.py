"""The groups of several results side by side."""

from collections.abc import Sequence
from pathlib import Path

from bvf.analysing.formatting import decimals, ends
from bvf.analysing.names import glossed_names, name_columns, names_of
from bvf.analysing.result import GroupResult, KnowledgeResult, Result, ResultBase
from bvf.interfaces.analysis import Section, View


def beside_section(results: Sequence[ResultBase], view: View) -> Section | None:
    """Return a row per group that all results have, and a column per result; None where nothing can be compared.

    The groups with the highest figures on average over results come first.
    """
    figure, title = _figure(results, view)
    if len(results) < 2 or not figure:
        return None
    of_each = [{group.group: group for group in result.groups} for result in results]
    common = [group for group in results[0].groups if all(group.group in by_group for by_group in of_each)]
    if not common:
        return None

    def figures(group: GroupResult) -> list[float]:
        return [float(getattr(by_group[group.group], figure)) for by_group in of_each]

    first, last = ends(sorted(common, key=lambda group: -sum(figures(group))), view.show)
    shown = [*first, *last]
    names, cells = glossed_names(shown)
    rows = [(*name, *decimals(*figures(group))) for name, group in zip(cells, shown, strict=True)]
    if last:
        rows.insert(len(first), ("...", *("",) * (len(rows[0]) - 1)))
        title = f"{title} ({len(shown)} of {len(common)})"
    return Section(title, (*names, *_headings(results)), rows, names=len(names))


def _figure(results: Sequence[ResultBase], view: View) -> tuple[str, str]:
    """The field of a group that is shown, and the title of the table; empty where the results share no such field."""
    if all(isinstance(result, KnowledgeResult) for result in results):
        return "mastery", "subjects side by side: mastery, highest on average first"
    risks = [result for result in results if isinstance(result, Result)]
    if len(risks) < len(results):
        return "", ""
    if view.rank == "risk" or any(result.particular is None for result in risks):
        return "r", "groups side by side: r, highest on average first"
    return "particular", "groups side by side: particular, highest on average first"


def _headings(results: Sequence[ResultBase]) -> list[str]:
    """A name for each result: its model, its contexts, or both."""
    if len({result.model for result in results}) == 1:
        names = tuple(Path(result.contexts).stem for result in results)
    elif len(name_columns(results)) == 1:
        names = tuple(result.model for result in results)
    else:
        names = names_of(results)
    return list(names if len(set(names)) == len(names) else names_of(results))
