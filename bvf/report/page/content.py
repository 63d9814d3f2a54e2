"""What a page consists of: parts with sentences, tables, facts and pictures, before any of it is HTML."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

from bvf.interfaces.analysis import Section, Tone
from bvf.interfaces.picture import Picture
from bvf.tables.columns import Column

T = TypeVar("T")
MOST_SEEN_AT_ONCE = 30


@dataclass(frozen=True)
class Cell:
    """A cell of a table.

    Args:
        text: What it says.
        order: The value by which its column is sorted; None: the text.
        spark: Shares of contexts in bins of equal width from 0 to 1, which are drawn; empty: none are.
    """

    text: str
    order: float | None = None
    spark: tuple[float, ...] = ()


@dataclass(frozen=True)
class Table:
    """Rows that a reader may sort and search.

    Args:
        caption: What the rows are.
        columns: Names of columns.
        rows: As many cells each as there are columns.
        names: How many columns, from the left, are texts; the others are aligned to the right.
        searched: Whether a field for searching is shown.
        notes: Sentences below it.
    """

    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    names: int = 1
    searched: bool = False
    notes: tuple[str, ...] = ()

    @property
    def is_long(self) -> bool:
        """Whether it has more rows than fit on a screen."""
        return len(self.rows) > MOST_SEEN_AT_ONCE


@dataclass(frozen=True)
class Facts:
    """Names and their values."""

    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Code:
    """Commands to be typed."""

    text: str


@dataclass(frozen=True)
class ModelVerdict:
    """What the figures say about one model, in plain words.

    Args:
        model: Its name.
        tone: Whether there is bias beyond noise.
        headline: The sentence for readers who read no other.
        said: What follows.
    """

    model: str
    tone: Tone
    headline: str
    said: tuple[str, ...] = ()


Block = Table | Facts | Picture | Code | ModelVerdict | str
"""A ``str`` is a paragraph."""


@dataclass(frozen=True)
class Part:
    """A part of a page, with a heading.

    Args:
        id: Its anchor.
        title: Its heading.
        blocks: In their order.
        level: 2, or 3 for a part of the part above it.
    """

    id: str
    title: str
    blocks: tuple[Block, ...]
    level: Literal[2, 3] = 2


@dataclass(frozen=True)
class Page:
    """A page.

    Args:
        title: Of the file.
        subtitle: Below the title.
        parts: In their order.
    """

    title: str
    subtitle: str
    parts: tuple[Part, ...]


def table_of(section: Section) -> Table:
    """Return a printed table as a table of a page."""
    rows = [*section.above, *section.rows]
    return Table(
        caption=section.title,
        columns=tuple(section.columns),
        rows=tuple(tuple(Cell(cell, _number(cell)) for cell in row) for row in rows),
        names=section.names,
        notes=tuple(line for each in (*section.said, *section.notes) for line in each.splitlines()),
    )


def sorted_table(
    caption: str, columns: Sequence[Column[T]], records: Iterable[T], *, names: int = 1, searched: bool = False
) -> Table:
    """Return a table of a row per record, which readers sort by the values of its columns.

    Args:
        caption: What the rows are.
        columns: In their order.
        records: In the order of the rows.
        names: How many columns, from the left, are texts.
        searched: Whether a field for searching is shown.
    """
    rows = [
        [Cell(column.text(each), column.value(each) if column.value else None) for column in columns]
        for each in records
    ]
    return plain_table(caption, [column.title for column in columns], rows, names=names, searched=searched)


def plain_table(
    caption: str,
    columns: Sequence[str],
    rows: Sequence[Sequence[str | Cell]],
    *,
    names: int = 1,
    searched: bool = False,
) -> Table:
    """Return a table of texts and cells."""
    cells = tuple(tuple(cell if isinstance(cell, Cell) else Cell(cell) for cell in row) for row in rows)
    return Table(caption, tuple(columns), cells, names, searched)


def _number(text: str) -> float | None:
    try:
        return float(text.rstrip("%"))
    except ValueError:
        return None
