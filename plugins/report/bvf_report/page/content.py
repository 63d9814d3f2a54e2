"""The content of a page before it becomes HTML: sections of sentences, tables, facts and pictures."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from bvf.errors import BvfError
from bvf.interfaces.analysis import Section, Verdict
from bvf.interfaces.picture import Picture
from bvf.results.page import Part
from bvf.tables.columns import Column

T = TypeVar("T")
MOST_SEEN_AT_ONCE = 30


@dataclass(frozen=True)
class Cell:
    """A cell of a table. Its column is sorted by ``order``, or by the text if that is None.

    ``spark`` is a small histogram to draw in it: shares of contexts in bins of equal width from 0 to 1; may be empty.
    ``link`` is the relative address of the page that its text leads to; empty: it leads nowhere.
    """

    text: str
    order: float | None = None
    spark: tuple[float, ...] = ()
    link: str = ""


@dataclass(frozen=True)
class Table:
    """A table that readers can sort, and also search if ``searched``. The first ``names`` columns are left-aligned."""

    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    names: int = 1
    searched: bool = False
    notes: tuple[str, ...] = ()

    @property
    def is_long(self) -> bool:
        """Whether the table has more rows than fit on a screen."""
        return len(self.rows) > MOST_SEEN_AT_ONCE


@dataclass(frozen=True)
class Facts:
    """A list of facts: pairs of name and value."""

    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Code:
    """A block of commands to be typed in a shell."""

    text: str


@dataclass(frozen=True)
class Links:
    """A list of links: pairs of text and relative address."""

    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class ModelVerdict:
    """The verdicts on the figures of one model in plain words, and the reasons to doubt them."""

    model: str
    verdicts: tuple[Verdict, ...]
    doubts: tuple[str, ...] = ()


@dataclass(frozen=True)
class ShownPicture:
    """A small picture as a data URL (empty: it is not known), the name of its file, and what is said of it."""

    image: str
    name: str
    said: str


@dataclass(frozen=True)
class Gallery:
    """Pictures that a model was shown."""

    rows: tuple[ShownPicture, ...]


Block = Table | Gallery | Facts | Links | Picture | Code | ModelVerdict | str
"""A ``str`` is a paragraph."""


@dataclass(frozen=True)
class Page:
    """The content of a page: its titles and its sections."""

    title: str
    subtitle: str
    parts: tuple[Part, ...]


def refuse_if_none(found: Sequence[tuple[Block, ...] | BvfError], nothing: str) -> None:
    """Raise `BvfError` if an option fits none of the runs on a page: the first reason, or ``nothing`` if none is known.

    Args:
        found: For each set of runs what the option adds to the page, or why it adds nothing.
        nothing: The message if there is no set of runs.
    """
    reasons = [each for each in found if isinstance(each, BvfError)]
    if len(reasons) == len(found):
        raise (*reasons, BvfError(nothing, "leave it out"))[0]


def table_of(section: Section) -> Table:
    """Convert a table for terminals to a table of a page."""
    rows = tuple(tuple(Cell(cell, _number(cell)) for cell in row) for row in (*section.above, *section.rows))
    notes = tuple(line for each in (*section.subtitle, *section.notes) for line in each.splitlines())
    return Table(section.title, tuple(section.columns), rows, section.names, notes=notes)


def sorted_table(
    caption: str, columns: Sequence[Column[T]], records: Iterable[T], *, names: int = 1, searched: bool = False
) -> Table:
    """Return a table with a row per record. Readers can sort it by any column."""
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
    """Return a table from rows of texts or cells."""
    cells = tuple(tuple(cell if isinstance(cell, Cell) else Cell(cell) for cell in row) for row in rows)
    return Table(caption, tuple(columns), cells, names, searched)


def _number(text: str) -> float | None:
    try:
        return float(text.rstrip("%"))
    except ValueError:
        return None
