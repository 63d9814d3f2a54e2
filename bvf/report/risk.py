"""Tables of discrimination risk: the models, and the groups that stand out."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from rich.console import Group, RenderableType
from rich.text import Text

from bvf.arrays import FloatArray
from bvf.report.layout import NOTHING, adding_up, decimals, ends, shortened, titled
from bvf.report.names import glossed_names, name_columns, row_name
from bvf.report.reference import ReferenceRow, limit_note
from bvf.report.view import View
from bvf.result import GroupRisk, Result

LEGEND = (
    "R: how far predictions are from p*. R^b: how far they still are when averaged\n"
    "over contexts. R^v: the rest, by which contexts contradict each other."
)
LEGEND_OF_PARTS = (
    "shared: one lean that all groups have. particular: what sets groups apart.\n"
    "They are no shares of R: together they are R or more."
)


def risk_table(references: Sequence[ReferenceRow], results: Sequence[Result]) -> RenderableType:
    """Return one table: the reference models, then a row per result; and what its columns are."""
    first = results[0]
    p_star = "" if first.reference == "uniform" else f", p* {first.reference}"
    title = (
        f"Discrimination risk: {first.topic} ({first.language}), criterion {first.criterion}, "
        f"{first.scale} scale{p_star}"
    )
    names = name_columns(results)
    divided = any(result.particular is not None for result in results)
    spread = ("spread",) if len(names) == 1 else ()  # beside two columns of names there is no room for it
    columns = ("R", "R^b", "R^v", *spread, *(("shared", "particular") if divided else ()))
    blank = ("",) * (len(columns) - 3)
    scale = [(row.name, *("",) * (len(names) - 1), *adding_up(row.R, row.R_volatility), *blank) for row in references]
    rows = [
        (
            *row_name(each, names),
            *adding_up(each.R, each.R_volatility),
            *decimals(*[each.spread for _ in spread], *((each.shared, each.particular) if divided else ())),
        )
        for each in results
    ]
    table = titled(title, (*names, *columns), rows, above=scale, names=len(names))
    notes = [LEGEND, *([LEGEND_OF_PARTS] if divided else []), *limit_note(references)]
    return Group(table, Text("\n".join(notes), style="dim"))


def group_table(result: Result, view: View) -> RenderableType:
    """Return what is to be said of the groups together, and the groups at both ends of their order."""
    by_particular = result.particular is not None if view.rank is None else view.rank == "particular"
    title, groups, rows = _by_particular(result) if by_particular else _by_risk(result)
    first, last = ends(list(zip(groups, rows, strict=True)), view.show)
    shown = [*first, *last]
    names, cells = glossed_names([group for group, _ in shown])
    lines = [(*name, *row) for name, (_, row) in zip(cells, shown, strict=True)]
    if last:
        lines.insert(len(first), ("...", *("",) * (len(lines[0]) - 1)))
        title = f"{title} ({len(shown)} of {len(groups)})"
    columns = ("particular", "bias", "volatility") if by_particular else ("r", "r^b", "r^v")
    towards = ("apart",) if by_particular else ("leans to",)
    p_star = () if result.reference == "uniform" else ("p*",)
    return titled(
        title, (*names, *columns, "spread", *towards, *p_star), lines, names=len(names), said=sentences(result)
    )


def sentences(result: Result) -> list[str]:
    """Return what the figures of a result say together, one line each."""
    said = []
    if result.shared is not None and result.particular is not None:
        said.append(
            f"R {result.R:.3f}: {result.shared:.3f} is one lean that all groups share, "
            f"{result.particular:.3f} is what sets groups apart"
        )
    return [*said, _volatility(result)]


@dataclass(frozen=True)
class Lean:
    """The class that a group leans to, and by how much its probability is above what it is compared with."""

    towards: str
    difference: float

    def __str__(self) -> str:
        return f"{self.towards} {self.difference:+.1%}" if self else "-"

    def __bool__(self) -> bool:
        return self.difference > NOTHING


def leans(result: Result) -> list[Lean]:
    """Return for each group the class whose mean probability exceeds p* most, relative to p*, as linf has it."""
    mean, p_star = _mean_and_p_star(result)
    return _largest(result, mean - p_star, p_star)


def leans_apart(result: Result) -> list[Lean]:
    """Return for each group the class in which it differs most from what all groups have in common.

    The difference is that of p* E_c[s - E_x[s]]; where p* is the same for all groups, it is the group's mean less the
    mean over groups.
    """
    mean, p_star = _mean_and_p_star(result)
    s = mean / p_star - 1.0
    weights = np.array([group.weight for group in result.groups])
    return _largest(result, (s - weights @ s) * p_star, p_star)


def _mean_and_p_star(result: Result) -> tuple[FloatArray, FloatArray]:
    mean = np.array([list(group.mean_probabilities.values()) for group in result.groups])
    p_star = np.array([list(group.reference_probabilities.values()) for group in result.groups])
    return mean, p_star


def _largest(result: Result, difference: FloatArray, p_star: FloatArray) -> list[Lean]:
    classes = list(result.groups[0].mean_probabilities)
    most = (difference / p_star).argmax(axis=1)
    return [Lean(classes[y], float(difference[x, y])) for x, y in enumerate(most)]


def _by_risk(result: Result) -> tuple[str, list[GroupRisk], list[tuple[str, ...]]]:
    found = sorted(zip(result.groups, leans(result), strict=True), key=lambda each: -each[0].r)
    rows = [_row(result, group, lean, group.r, group.r_volatility) for group, lean in found]
    return f"{shortened(result.model)}: groups by risk, highest first", [group for group, _ in found], rows


def _by_particular(result: Result) -> tuple[str, list[GroupRisk], list[tuple[str, ...]]]:
    classes = list(result.groups[0].mean_probabilities)
    found = list(zip(result.groups, leans_apart(result), strict=True))
    if len(classes) == 2:
        found.sort(key=lambda each: each[1].difference * (1 if each[1].towards == classes[1] else -1))
        order = f"most {classes[0]} to most {classes[1]}"
    else:
        found.sort(key=lambda each: -(each[0].particular or 0.0))
        order = "most first"
    rows = [
        _row(result, group, lean, group.particular or 0.0, group.particular_volatility or 0.0) for group, lean in found
    ]
    return f"{shortened(result.model)}: what sets groups apart, {order}", [group for group, _ in found], rows


def _row(result: Result, group: GroupRisk, lean: Lean, total: float, volatility: float) -> tuple[str, ...]:
    p_star = f"{group.reference_probabilities[lean.towards]:.0%}" if lean else ""
    shown_p_star = () if result.reference == "uniform" else (p_star,)
    return (*adding_up(total, volatility), *decimals(group.spread), str(lean), *shown_p_star)


def _volatility(result: Result) -> str:
    number, changing = len(result.groups), result.groups_changing_sides
    if result.number_of_contexts == 1:
        return "R^v is 0: there is one context, so nothing can vary"
    sides = f"{changing} of {number} groups lean to one class in some contexts and to another in others"
    if abs(result.R_volatility) >= NOTHING:
        return f"R^v {result.R_volatility:.3f}: {sides}"
    why = "R^v is 0: no group changes sides between contexts" if not changing else f"R^v is near 0: {sides}"
    return f"{why}. How strongly a group leans does vary: see spread, the standard deviation of that probability"
