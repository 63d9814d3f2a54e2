"""Printed tables, and runs beside them, as tables of text."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from bvf import Section
from bvf.tables import Column, between, decimals, in_a_list, symbol, table
from bvf_paper.beside import Beside, Choice, Comparison
from bvf_paper.tables import RISKS, PrintedTable, Row

NUMBERS = (*RISKS, "gini", "value")
WHY = {
    "contexts": "R^v depends on them most; the order of models less",
    "occupations": "R is a mean over them",
    "words": "each class is the sum of its words",
    "wording": "the model reads other text around the context",
    "criterion": "another J",
    "scale": "raw R is |Y| - 1 times as large",
    "reference": "another p*: another question",
    "group_weights": "another mean over occupations",
}
"""Why a choice that differs from the paper's changes figures."""


def listing(tables: Mapping[str, PrintedTable]) -> Section:
    """Return a list of the printed tables."""
    columns: list[Column[PrintedTable]] = [
        Column("name", lambda each: each.name),
        Column("printed in", lambda each: f"{each.paper.authors.split(',')[0]} et al., {each.label}"),
        Column("section", lambda each: each.section),
        Column("rows", lambda each: str(len(each.rows))),
        Column("slips", lambda each: str(len(each.slips))),
        Column("what", lambda each: each.title),
    ]
    notes = [
        "`bvf paper NAME` prints a table, `bvf paper NAME runs/*` your runs beside it.",
        "Drawings of the papers are left out: they print no values.",
    ]
    return table("Printed tables", columns, tables.values(), names=2, last="text", notes=notes)


def printed_section(printed: PrintedTable) -> Section:
    """Return a table as the paper prints it, and its slips below."""
    return table(
        f"{printed.label} of {printed.paper.authors}, as printed (section {printed.section}): {printed.title}",
        [_cell(name) for name in printed.columns],
        printed.rows,
        names=sum(column not in NUMBERS for column in printed.columns),
        notes=[f"Slip: {slip.sentence}" for slip in printed.slips],
    )


def _cell(name: str) -> Column[Row]:
    return Column(symbol(name) if name in RISKS else name, lambda row: row.cells[name])


def compared_sections(comparison: Comparison) -> list[Section]:
    """Return the printed table, a table of runs beside it for each figure, and why they may differ."""
    sections = [_beside_section(comparison, figure) for figure in RISKS]
    sections[-1] = replace(sections[-1], notes=list(_notes(comparison)))
    return [printed_section(comparison.table), *sections, _why(comparison.choices, comparison.table)]


def _beside_section(comparison: Comparison, figure: str) -> Section:
    rows = [each for each in comparison.figures if each.figure == figure]
    criteria, sets = {each.criterion for each in rows}, {(each.part, each.contexts) for each in rows}
    by = f", criterion {rows[0].criterion}" if len(criteria) == 1 else ""
    parts = {each.part for each in rows}
    others = any(each.printed_as not in ("", each.model) for each in rows)
    columns: list[Column[Beside]] = [
        *([Column[Beside]("part", lambda each: each.part)] if len(comparison.table.parts) > 1 else []),
        Column("your run", lambda each: each.model),
        *([Column[Beside]("printed as", lambda each: each.printed_as or "-")] if others else []),
        *([Column[Beside]("contexts", lambda each: each.contexts)] if len(sets) > len(parts) else []),
        *([Column[Beside]("criterion", lambda each: each.criterion)] if len(criteria) > 1 else []),
    ]
    names = len(columns)
    columns += [
        Column("printed", lambda each: decimals(each.printed)[0]),
        Column("yours", lambda each: decimals(each.value)[0]),
        Column("interval", lambda each: between(each.low, each.high), optional=True),
        Column("difference", lambda each: _signed(each.difference), optional=True),
        Column("covers", lambda each: {None: "", True: "yes", False: "no"}[each.inside], optional=True),
    ]
    return table(f"{symbol(figure)}: yours beside {comparison.table.label}{by}", columns, rows, names=names)


def _signed(difference: float | None) -> str:
    return "" if difference is None else f"{difference:+.4f}"


def _notes(comparison: Comparison) -> Iterator[str]:
    asked = {each.printed_as for each in comparison.figures}
    if any(each.inside is not None for each in comparison.figures):
        yield "covers: whether your interval has the printed figure."
    new = dict.fromkeys(each.model for each in comparison.figures if not each.printed_as)
    if new:
        yield f"Not in the table of the paper: {in_a_list(list(new))}."
    missing = [model for model in comparison.table.models if model not in asked]
    if missing:
        yield f"No run of {in_a_list(missing)}."
    for why in dict.fromkeys(comparison.without_interval.values()):
        runs = [model for model, each in comparison.without_interval.items() if each == why]
        yield f"No interval for {in_a_list(runs)}: {why}."
    yield from (f"Left out: {folder}: {why}." for folder, why in comparison.left_out.items())


def _why(choices: Sequence[Choice], printed: PrintedTable) -> Section:
    """The table of choices that are not the paper's. Below it are the differences that every run has."""
    columns: list[Column[Choice]] = [
        Column("your run", lambda each: each.model),
        Column("choice", lambda each: each.choice.replace("_", " ")),
        Column("paper", lambda each: each.paper),
        Column("run", lambda each: each.run),
        Column("so", lambda each: WHY[each.choice]),
    ]
    said = [] if choices else ["The runs made the paper's choices, as far as it prints them."]
    notes = ["Of every run:", *printed.expected]
    return table("Differences to expect", columns, choices, names=2, last="text", subtitle=said, notes=notes)
