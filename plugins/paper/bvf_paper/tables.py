"""What the papers print, the models that they asked, and the configuration of a run that asks the same."""

import csv
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Literal

from pydantic import Field

from bvf import BvfError
from bvf.domain import Record, last_part
from bvf.errors import nearest
from bvf.files import parse_toml, read_text, toml_value

RISKS = ("R", "R_bias", "R_volatility")
REFERENCES = ("Ideally Unbiased", "Stereotyped", "Randomly Stereotyped")
"""Rows of models that are computed, not asked."""
BEFORE_NAME = ("part", "type", "section")
"""Columns that stand before the one that names a row."""
ROUNDING = 1.5
"""How far R may be from R^b + R^v by rounding alone, in units of the last digit."""
PRINTED = files(__package__) / "printed"
RELEASED = ("released:a", "released:b")
"""The criteria of the code that the authors released."""


class Paper(Record):
    """A paper: who wrote it, and where it appeared."""

    title: str
    authors: str
    published: str


class Part(Record):
    """A part of a table, and which runs of bvf belong in it."""

    name: str = Field("", description="Its heading in the table, such as Religion; empty: the table has one part")
    topics: tuple[str, ...] = Field(description="Topics of runs that belong in it; the first has the paper's words")
    contexts: str = Field("", description="The context set nearest to the paper's; empty: bvf has none of the kind")
    language: str = "en"


class Row(Record):
    """A row as it is printed: the text of each cell, by column."""

    cells: dict[str, str]

    @property
    def part(self) -> str:
        """The part of the table in which it stands; empty: the table has one part."""
        return self.cells.get("part", "")

    @property
    def name(self) -> str:
        """The text of the cell that names the row."""
        return next(text for column, text in self.cells.items() if column not in BEFORE_NAME)

    def value(self, column: str) -> float:
        """Return the number in a cell.

        >>> Row(cells={"model": "T5", "R": "0.8703"}).value("R")
        0.8703
        """
        return float(self.cells[column])


class Slip(Record):
    """An error in a printed table, or something conspicuous."""

    text: str
    kind: Literal["sum", "other"] = Field(description="sum: R is not R^b + R^v")
    part: str = ""
    row: str = Field("", description="Empty: it is about the whole table")

    @property
    def sentence(self) -> str:
        """The slip, and where it is."""
        where = ", ".join(filter(None, (self.part, self.row)))
        return f"{where}: {self.text}." if where else f"{self.text}."


class PrintedTable(Record):
    """A printed table, and where it stands."""

    name: str = Field(description="What `bvf paper` calls it")
    paper: Paper
    label: str = Field(description="Its number in the paper")
    section: str = Field(description="The section that it belongs to")
    title: str
    rows: tuple[Row, ...]
    parts: tuple[Part, ...] = Field((), description="Which runs belong in it; empty: none do")
    expected: tuple[str, ...] = Field(description="Why figures of bvf differ from these, one sentence each")
    slips: tuple[Slip, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(self.rows[0].cells)

    @property
    def is_of_risk(self) -> bool:
        """Whether it has R, R^b and R^v of models."""
        return set(RISKS) <= set(self.columns)

    @property
    def models(self) -> tuple[str, ...]:
        """The models of its rows, each once. Models that are computed are left out."""
        return tuple(dict.fromkeys(row.name for row in self.rows if row.name not in REFERENCES))


@cache
def printed_tables() -> Mapping[str, PrintedTable]:
    """Return every printed table, by name."""
    about = parse_toml(read_text(PRINTED / "tables.toml"), "tables.toml")
    return {
        name: PrintedTable(**{**entry, "name": name, "paper": about["papers"][entry["paper"]], "rows": _rows(name)})
        for name, entry in about["tables"].items()
    }


def _rows(name: str) -> list[Row]:
    return [Row(cells=cells) for cells in csv.DictReader(read_text(PRINTED / f"{name}.csv").splitlines())]


def printed_table(name: str) -> PrintedTable:
    """Return the table of this name.

    Raises:
        BvfError: There is none; the hint has similar names.
    """
    tables = printed_tables()
    if name not in tables:
        raise BvfError(f'there is no printed table "{name}"', nearest(name, list(tables)))
    return tables[name]


def off_in_sum(row: Row) -> float:
    """Return R - (R^b + R^v) of a row; 0 if rounding explains the difference.

    >>> off_in_sum(Row(cells={"R": "0.4831", "R_bias": "0.4703", "R_volatility": "0.0134"}))
    -0.0006
    """
    total, bias, volatility = (row.value(figure) for figure in RISKS)
    digits = len(row.cells["R"].partition(".")[2])
    off = round(total - bias - volatility, digits)
    return off if abs(off) > ROUNDING * 10.0**-digits else 0.0


class Checkpoint(Record):
    """A model of the paper, and the checkpoint on the hub that fits what the paper prints of it."""

    printed: str = Field(description="Its name and size in the paper")
    path: str = Field(description="What --model says")
    names: tuple[str, ...] = Field((), description="Other names of the same checkpoint")
    revision: str = Field("", description="A commit with these weights; empty: none is known")
    settings: dict[str, bool] = Field({}, description="What bvf needs to read it")
    doubt: str = Field("", description="What else would fit; empty: nothing else of this size")


@cache
def checkpoints() -> Mapping[str, Checkpoint]:
    """Return the checkpoints of the paper's models, by `key_of` their names."""
    entries = parse_toml(read_text(PRINTED / "checkpoints.toml"), "checkpoints.toml")
    return {key: Checkpoint(**entry) for key, entry in entries.items()}


def key_of(name: str) -> str:
    """Return the name of a model without capitals and signs, as tables of one paper write it in several ways.

    >>> key_of("GPT-2"), key_of("GPT2"), key_of("LLaMA2")
    ('gpt2', 'gpt2', 'llama2')
    """
    return "".join(filter(str.isalnum, name.casefold()))


def printed_name(path: str, name: str, table: PrintedTable) -> str:
    """Return the printed name of a run's model; empty if the table has no row of it.

    Args:
        path: What ``--model`` said.
        name: The name of the run's model.
        table: The table.
    """
    known = {key_of(model): model for model in table.models}
    if key_of(name) in known:
        return known[key_of(name)]
    wanted = last_part(path).casefold()
    for key, checkpoint in checkpoints().items():
        names = {last_part(each).casefold() for each in (checkpoint.path, *checkpoint.names)}
        if key in known and wanted in names:
            return known[key]
    return ""


def config_of(table: PrintedTable) -> str:
    """Return a ``run.toml`` that asks the models of a table what the paper asked.

    Raises:
        BvfError: The table is not of one topic and one context set, or its checkpoints are not known.
    """
    parts = [part for part in table.parts if part.contexts]
    known = [(model, checkpoints()[key_of(model)]) for model in table.models if key_of(model) in checkpoints()]
    if len(parts) != 1 or len(table.parts) != 1 or not known:
        raise BvfError(f"--config: {table.name} is not of one topic, one context set and known models", _instead(parts))
    return "\n".join([*_head(table, parts[0]), *(line for each in known for line in _model(*each))]) + "\n"


def _instead(parts: Sequence[Part]) -> str:
    """What to do for a table without a configuration."""
    commands = [f"bvf run --model MODEL --topic {part.topics[0]} --contexts {part.contexts}" for part in parts]
    return "; ".join(commands) or "--config is for table1 and table2"


def _head(table: PrintedTable, part: Part) -> Iterator[str]:
    out = f"runs/{table.name}"
    criteria = "; ".join(f"bvf paper {table.name} {out} --criterion {criterion}" for criterion in RELEASED)
    settings = {
        "topic": part.topics[0],
        "lang": part.language,
        "contexts": part.contexts,
        "sample_contexts": 0,
        "criterion": "linf",
        "scale": "unit",
        "reference": "uniform",
        "group_weights": "uniform",
        "out": out,
    }
    yield f"# {table.label} of {table.paper.authors}, {table.paper.published}: {table.title}."
    yield f"# bvf run --config FILE, then bvf paper {table.name} {out}"
    yield f"# The released code has two criteria more, which ask no model again: {criteria}"
    yield from (f"# {sentence}" for sentence in table.expected)
    yield from (f"{name} = {toml_value(value)}" for name, value in settings.items())


def _model(name: str, checkpoint: Checkpoint) -> Iterator[str]:
    yield ""
    yield f"# {checkpoint.printed}" + (f": {checkpoint.doubt}" if checkpoint.doubt else "")
    if not checkpoint.revision:
        yield "# No revision is known. Write one, so that others can repeat the run."
    yield "[[model]]"
    settings = {"path": checkpoint.path, "name": name, "revision": checkpoint.revision, **checkpoint.settings}
    yield from (f"{key} = {toml_value(value)}" for key, value in settings.items() if value)
