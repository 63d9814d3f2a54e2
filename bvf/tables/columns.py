"""Makes tables from columns. A column has a title, a meaning, and a function that makes the cell of a record."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypedDict, TypeVar, Unpack

from bvf.interfaces.section import Cell, Section
from bvf.tables.quantities import BY_FIELD, symbol
from bvf.tables.words import between, decimals, ends

T = TypeVar("T")
T_contra = TypeVar("T_contra", contravariant=True)


@dataclass(frozen=True)
class Column(Generic[T_contra]):
    """A column of a table.

    Args:
        title: The heading.
        text: A function that returns the text of the cell for a record.
        help: The meaning of the column, for the legend; empty: the title is clear.
        optional: The column is left out of a table if all its cells are empty.
        spare: The column is left out on a terminal if the table is too wide; only the last columns can be spare.
        term: The name of the column in the legend; empty: its title.
        value: A function that returns the number by which a page sorts records; None: the cells are texts.
    """

    title: str
    text: Callable[[T_contra], str]
    help: str = ""
    optional: bool = False
    spare: bool = False
    term: str = ""
    value: Callable[[T_contra], float | None] | None = None


@dataclass(frozen=True)
class Gap:
    """A row for records that are not shown. ``cells`` are the texts of its first cells."""

    cells: tuple[str, ...] = ("...",)


class Around(TypedDict, total=False):
    """Fields of `Section`: sentences around a table, the kind of its last column, and whether it is searched."""

    subtitle: Sequence[str]
    notes: Sequence[str]
    warnings: Sequence[str]
    last: Literal["figure", "line", "text"]
    searched: bool


def table(
    title: str,
    columns: Sequence[Column[T]],
    records: Iterable[T | Gap],
    *,
    names: int = 1,
    above: Iterable[T] = (),
    **around: Unpack[Around],
) -> Section:
    """Return a table with a row per record. Optional columns whose cells are all empty are left out.

    The first ``names`` columns name a row. Records ``above`` get rows above the others, separated by a rule.
    """
    rows = list(records)
    shown = known(columns, [row for row in rows if not isinstance(row, Gap)])
    names = len([column for column in columns[:names] if column in shown])
    return Section(
        title,
        tuple(column.title for column in shown),
        [_row(row, shown) for row in rows],
        above=[_row(row, shown) for row in above],
        names=names,
        spare=sum(column.spare for column in shown),
        **around,
    )


def known(columns: Sequence[Column[T]], records: Sequence[T]) -> list[Column[T]]:
    """Return the columns that a table of ``records`` shows: all but optional ones whose cells are empty."""
    return [column for column in columns if not column.optional or any(map(column.text, records))]


def _row(record: T | Gap, columns: Sequence[Column[T]]) -> tuple[str | Cell, ...]:
    if isinstance(record, Gap):
        return (*record.cells, *("",) * (len(columns) - len(record.cells)))
    return tuple(
        Cell(column.text(record), column.value(record)) if column.value else column.text(record) for column in columns
    )


def both_ends(records: Sequence[T], show: int, gap: Callable[[int], Gap] = lambda left_out: Gap()) -> list[T | Gap]:
    """Return the first and last records, ``show`` in all (0: all). A `Gap` between them stands for the others."""
    first, last = ends(records, show)
    left_out = len(records) - len(first) - len(last)
    return [*first, *([gap(left_out)] if left_out else []), *last]


def counted_gap(left_out: int) -> Gap:
    """Return the row for records that are not shown, with their number."""
    return Gap((f"... {left_out:,} more",))


def figure(field: str, places: int = 4, *, optional: bool = False, spare: bool = False) -> Column[Any]:
    """Return a column for a numeric field of records.

    Its title is the field's symbol, cells have ``places`` decimals.
    """
    meaning = BY_FIELD[field].in_legends if field in BY_FIELD else ""
    return Column(symbol(field), lambda each: shown_of(each, field, places), meaning, optional, spare)


def shown_of(record: Any, field: str, places: int = 4) -> str:
    """Return a figure of a record as text: the ends between which it lies where the record knows no more of it."""
    low, high = getattr(record, "between", {}).get(field, (None, None))
    return between(low, high, 2) or decimals(getattr(record, field, None), places=places)[0]


def legend(columns: Iterable[Column[Any]]) -> str:
    """Return a legend: the meaning (``help``) of each column that has one.

    >>> legend([Column("n", str), Column("p", str, "adjusted by Holm")])
    'p: adjusted by Holm.'
    """
    return " ".join(f"{column.term or column.title}: {column.help}." for column in columns if column.help)
