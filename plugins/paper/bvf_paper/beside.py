"""The tables of the paper beside runs of the user's, and the sections that show both."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import Field

from bvf import BvfError, Result, Section, analyse, load, read_result
from bvf.domain import Record
from bvf.hooks import Plugins
from bvf.results import names_of, with_distinct_names
from bvf.study import folders_of_runs
from bvf.tables import Column, between, counted, decimals, in_a_list, symbol, table
from bvf_paper.tables import RELEASED, RISKS, Part, PrintedTable, Row, printed_name

if TYPE_CHECKING:
    import pandas as pd

OF_THE_PAPER = {"criterion": "linf", "scale": "unit", "reference": "uniform", "group_weights": "uniform"}
"""The choices of analysis behind the tables of the paper."""
CLOSE_ENOUGH = 5e-5
"""Half a unit of the last printed digit."""
NUMBERS = (*RISKS, "gini", "value")
WHY = {
    "contexts": "R^v depends on them most; the order of models less",
    "openings": "what stands before a context decides how everything leans",
    "occupations": "R is a mean over them",
    "words": "each class is the sum of its words",
    "wording": "the model reads other text around the context",
    "criterion": "another J",
    "scale": "raw R is |Y| - 1 times as large",
    "reference": "another p*: another question",
    "group_weights": "another mean over occupations",
}
"""Why a choice that differs from the paper's changes figures."""


class Beside(Record):
    """A figure of a run, and the printed figure of the same model."""

    part: str = Field(description="The part of the table; empty: it has one")
    model: str = Field(description="The name of the run's model")
    printed_as: str = Field(description="Its name in the table; empty: the paper does not have this model")
    contexts: str
    criterion: str
    figure: str
    printed: float | None = Field(description="null: the paper does not have this model")
    value: float
    low: float | None = Field(description="Lower end of the interval; null: the run has none")
    high: float | None
    difference: float | None = Field(description="value - printed")
    inside: bool | None = Field(
        description="Whether the printed figure is in the interval; null: one of them is not there"
    )


class Choice(Record):
    """A choice of a run that is not the paper's."""

    model: str
    choice: str
    paper: str
    run: str


class Comparison(Record):
    """A printed table, figures of runs beside it, and why they may differ."""

    table: PrintedTable
    figures: tuple[Beside, ...]
    choices: tuple[Choice, ...] = Field(description="What the runs did otherwise than the paper")
    without_interval: dict[str, str] = Field(description="Why a run has no intervals, by the name of its model")
    left_out: dict[str, str] = Field(description="Folders that do not belong in the table, and why")

    def to_frame(self) -> "pd.DataFrame":
        """Return a data frame with a row per figure of a run."""
        import pandas as pd

        return pd.DataFrame([each.model_dump() for each in self.figures], columns=list(Beside.model_fields))


def compare_with(table: PrintedTable, folders: Sequence[Path], criterion: str = "") -> Comparison:
    """Put the runs in folders, or below them, beside a printed table.

    Args:
        table: The table.
        folders: Folders of runs. Those of other topics are left out.
        criterion: The criterion by which they are analysed; empty: that of each run.

    Raises:
        BvfError: No run belongs in the table, or a folder cannot be read.
    """
    if not table.parts:
        raise BvfError(f"{table.name} has no figures of models: no run belongs in it", "`bvf paper` lists the tables")
    found, left_out = list[tuple[Part, Result]](), dict[str, str]()
    for folder in dict.fromkeys(run for given in folders for run in folders_of_runs(given)):
        result = analyse(folder, criterion=criterion) if criterion else read_result(folder)
        part = _part_of(result, table)
        if isinstance(part, str):
            left_out[str(folder)] = part
        else:
            found.append((part, result))
    if not found:
        raise BvfError(f"no run belongs in {table.name}: {_first(left_out)}", _wanted(table))
    return _comparison(table, found, left_out)


def _comparison(table: PrintedTable, found: Sequence[tuple[Part, Result]], left_out: Mapping[str, str]) -> Comparison:
    plugins = load()
    figures, choices, without = list[Beside](), list[Choice](), dict[str, str]()
    for part in table.parts:
        results = [result for fit, result in found if fit == part]
        for name, result, apart in zip(names_of(results), results, with_distinct_names(results), strict=True):
            figures += _beside(part, apart.model, result, table)
            choices += _choices(part, name, result, plugins)
            if result.uncertainty.undefined:
                without[name] = result.uncertainty.undefined
    return Comparison(
        table=table, figures=tuple(figures), choices=tuple(choices), without_interval=without, left_out=dict(left_out)
    )


def _part_of(result: Any, table: PrintedTable) -> Part | str:
    """The part of a table in which a result belongs, or else why it belongs in none."""
    if not isinstance(result, Result):
        return "its analysis has no R"
    if result.margin:
        return f"it is of the margin {result.margin}"
    fit = [part for part in table.parts if result.topic in part.topics and result.language == part.language]
    if not fit:
        return f"its topic is {result.topic} ({result.language})"
    if len(fit) == 1:
        return fit[0]
    return next((part for part in fit if part.contexts == _set_of(result)), f"its contexts are {_set_of(result)}")


def _set_of(result: Result) -> str:
    return Path(result.contexts).stem


def _first(left_out: Mapping[str, str]) -> str:
    folder, why = next(iter(left_out.items()))
    more = f", and {counted(len(left_out) - 1, 'other')}" if len(left_out) > 1 else ""
    return f"{folder}: {why}{more}"


def _wanted(table: PrintedTable) -> str:
    wanted = dict.fromkeys(
        f"--topic {part.topics[0]} --lang {part.language}" + (f" --contexts {part.contexts}" if part.contexts else "")
        for part in table.parts
        if part.contexts or len(table.parts) == 1
    )
    return f"runs that do: bvf run --model MODEL {' or '.join(wanted)}"


def _beside(part: Part, name: str, result: Result, table: PrintedTable) -> Iterator[Beside]:
    printed_as = printed_name(result.model_path, result.model, table)
    row = next((row for row in table.rows if row.part == part.name and row.name == printed_as), None)
    for figure in RISKS:
        yield Beside(
            part=part.name,
            model=name,
            printed_as=row.name if row else "",
            contexts=_set_of(result),
            criterion=result.criterion,
            figure=figure,
            **_values(result, figure, row),
        )


def _values(result: Result, figure: str, row: Row | None) -> dict[str, Any]:
    """The numbers of a `Beside`, by field."""
    value, printed = float(getattr(result, figure)), None if row is None else row.value(figure)
    interval = result.uncertainty.intervals.get(figure)
    low, high = (None, None) if interval is None else (interval.low, interval.high)
    inside = None
    if printed is not None and low is not None and high is not None:
        inside = low - CLOSE_ENOUGH <= printed <= high + CLOSE_ENOUGH
    difference = None if printed is None else value - printed
    return {"printed": printed, "value": value, "low": low, "high": high, "difference": difference, "inside": inside}


def _choices(part: Part, name: str, result: Result, plugins: Plugins) -> Iterator[Choice]:
    """What a run did otherwise than the paper."""
    entries = [each for each in plugins.topics if each.provider.name == part.topics[0]]
    topic = next(each for each in entries if each.provider.language == part.language).make()
    groups, words = topic.groups, {name: set(words) for name, words in topic.counted_words().items()}
    ours = {attribute: set(each) for attribute, each in result.words.items()}
    pairs = {
        "contexts": (part.contexts or "not in bvf", _set_of(result)),
        "openings": ("none", result.uncertainty.opened or "none"),
        "occupations": (str(len(groups)), str(len(result.groups))),
        "words": ("its own", "others" if ours != words else "its own"),
        "wording": ("bare", result.wording),
        **{choice: (paper, str(getattr(result, choice))) for choice, paper in OF_THE_PAPER.items()},
    }
    for choice, (paper, run) in pairs.items():
        if paper != run and not (choice == "criterion" and run in RELEASED):
            yield Choice(model=name, choice=choice, paper=paper, run=run)


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
        Column("difference", lambda each: "" if each.difference is None else f"{each.difference:+.4f}", optional=True),
        Column("covers", lambda each: {None: "", True: "yes", False: "no"}[each.inside], optional=True),
    ]
    return table(f"{symbol(figure)}: yours beside {comparison.table.label}{by}", columns, rows, names=names)


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
