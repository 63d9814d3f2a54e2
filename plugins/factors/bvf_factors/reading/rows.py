"""Columns of rows, which question a row of a log answers, and which of several rows is taken."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from bvf import BvfError
from bvf.domain import value_text
from bvf.errors import nearest, shortened
from bvf.files import Row
from bvf.tables import counted

WRITE_AGAIN = "write the log again with the program that it is from"
RUN = "run"
"""The column that tells runs of one evaluation apart."""
PARTS = re.compile(r"[0-9]+|[^0-9]+")
Key = tuple[str | None, ...]


def flattened(row: Row) -> Row:
    """Return a row with columns ``a.b.0``, ``a.b.1`` for ``a = {"b": [3, 4]}``. What is empty is an empty cell."""
    values: dict[str, object] = {}
    for name, value in row.values.items():
        for column, cell in _cells(name, value):
            if column in values:
                raise BvfError(f'{row.where}: two columns are called "{shortened(column)}"', "rename one of them")
            values[column] = cell
    return replace(row, values=values)


def with_columns(row: Row, others: Mapping[str, object]) -> Row:
    """Return a row with more columns. Refuses a column that the row already has with another value."""
    for column, value in others.items():
        if column not in row.values or row.values[column] == value:
            continue
        here, added = value_text(row.values[column]), value_text(value)
        if here != added:
            raise BvfError(
                f'{row.where}: column "{column}" is "{shortened(here or "")}" here and "{shortened(added or "")}" in '
                "what is added",
                "rename one of the two columns",
            )
    return replace(row, values={**others, **row.values})


def field_of(values: Any, path: str, where: str, kind: type[Any] = object) -> Any:
    """Return what is at a path of keys, such as ``input.raw``, in JSON. Refuses a value of another kind."""
    value = values
    for key in path.split("."):
        if not isinstance(value, dict) or key not in value:
            raise BvfError(f'{where}: there is no "{path}"', WRITE_AGAIN)
        value = value[key]
    if not isinstance(value, kind):
        raise BvfError(f'{where}: "{path}" is a {type(value).__name__}, not a {kind.__name__}', WRITE_AGAIN)
    return value


def objects_in(values: Iterable[Any], where: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each object of a list, preceded by its place as a text. Refuses values that are not objects."""
    for number, value in enumerate(values, start=1):
        if not isinstance(value, dict):
            raise BvfError(f"{where} {number}: is a {type(value).__name__}, not an object", WRITE_AGAIN)
        yield f"{where} {number}", value


def _cells(name: str, value: object) -> Iterator[tuple[str, object]]:
    if not isinstance(value, dict | list | tuple):
        yield name, value
        return
    if not value:
        yield name, None
    for key, each in value.items() if isinstance(value, dict) else enumerate(value):
        yield from _cells(f"{name}.{key}", each)


@dataclass(frozen=True)
class Unit:
    """The question that a row of a log answers."""

    column: str  # the column that identifies questions
    question: str  # identifies the question among those of all tasks
    repetition: str = ""  # which repetition of the question it is, such as its epoch; each has an answer of its own
    # columns in which rows differ that judge one answer in several ways, such as ``filter``
    copies: tuple[str, ...] = ()


@dataclass(frozen=True)
class LogRow(Row):
    """A row of a log, whose questions can be identified."""

    unit: Unit


@dataclass
class OneAnswerEach:
    """Takes one row for each answer of a model."""

    # names of filters, metrics or runs: where a task has rows of one of them, its other rows are left out
    names: Sequence[str] = ()
    factors: Sequence[str] = ()  # columns that are factors. Rows that differ in one of them are no copies
    # sentences on the rows that were left out; complete after the last row
    notes: list[str] = field(default_factory=list)

    def of(self, rows: Iterable[Row]) -> Iterator[Row]:
        """Yield rows that are of no log as they come, and after them a row for each answer in logs.

        Of several runs, the newest that has the question is taken.

        Raises:
            BvfError: Several rows are of one answer, or a name is in no row.
        """
        of_logs: list[LogRow] = []
        for row in rows:
            if isinstance(row, LogRow):
                of_logs.append(row)
            else:
                yield row
        taken = self._newest(self._named(of_logs))
        self._refuse_copies(taken)
        yield from taken

    def _named(self, rows: list[LogRow]) -> list[LogRow]:
        """The rows of the named filters, metrics and runs; all rows of a task that has none of them."""
        if not self.names:
            return rows
        wanted = {name.strip() for name in self.names}
        known = dict.fromkeys(value for row in rows for _, value in _choices(row))
        for name in sorted(wanted - known.keys()):
            names = nearest(name, list(known)) if known else "tables and logs with one row per answer have none"
            raise BvfError(f'there is no filter, metric or run "{name}"', names)
        there = {(_task(row), choice) for row in rows for choice in _choices(row) if choice[1] in wanted}
        limited = {(task, column) for task, (column, _) in there}
        kept = [
            row
            for row in rows
            if all(value in wanted or (_task(row), column) not in limited for column, value in _choices(row))
        ]
        if len(kept) < len(rows):
            self.notes.append(f"{_of(kept, rows)}: of {', '.join(self.names)}")
        return kept

    def _newest(self, rows: list[LogRow]) -> list[LogRow]:
        if RUN in self.factors:
            return rows
        newest: dict[Key, str] = {}
        for row in rows:
            if run := _text(row, RUN):
                key = self._key(row)
                newest[key] = max(newest.get(key, run), run, key=_natural)
        kept = [row for row in rows if _text(row, RUN) in (None, newest.get(self._key(row)))]
        if len(kept) < len(rows):
            runs = dict.fromkeys(filter(None, (_text(row, RUN) for row in kept)))
            self.notes.append(f"{_of(kept, rows)}: of the newest run of each question ({', '.join(runs)})")
        return kept

    def _refuse_copies(self, rows: list[LogRow]) -> None:
        first: dict[Key, LogRow] = {}
        for row in rows:
            other = first.setdefault(self._key(row), row)
            if other is not row:
                raise self._copies(rows, other, row)

    def _copies(self, rows: list[LogRow], one: LogRow, other: LogRow) -> BvfError:
        what = f'{one.unit.column} "{shortened(_text(one, one.unit.column) or "")}"'
        column = next((name for name in one.unit.copies if _text(one, name) != _text(other, name)), None)
        if column is None:
            return BvfError(
                f"{other.where}: {what} is also in {one.where}, and no column tells the two answers apart",
                'name each log once; where rows are of several models, each needs a column "model"',
            )
        names = list(dict.fromkeys(filter(None, (_text(row, column) for row in rows))))
        return BvfError(
            f"{other.where}: {what} has several rows for one answer, which differ in {column}: {', '.join(names)}",
            f"choose one with --filter NAME, or declare {column} as a factor",
        )

    def _key(self, row: LogRow) -> Key:
        """What is the same in all rows of an answer."""
        apart = [_text(row, name) for name in (*row.unit.copies, RUN) if name in self.factors]
        return _text(row, "model"), row.unit.question, row.unit.repetition, *apart


def _choices(row: LogRow) -> list[tuple[str, str]]:
    """The columns by which one of several rows of an answer is chosen, with their values."""
    values = ((column, _text(row, column)) for column in (*row.unit.copies, RUN))
    return [(column, value) for column, value in values if value is not None]


def _task(row: LogRow) -> Key:
    """The rows among which a name is looked for: those of a model in a task, unless the task is what is chosen."""
    return _text(row, "model"), None if "task" in row.unit.copies else _text(row, "task")


def _text(row: Row, column: str) -> str | None:
    return value_text(row.values.get(column))


def _of(kept: Sequence[Row], rows: Sequence[Row]) -> str:
    return f"{len(kept):,} of {counted(len(rows), 'row')} of logs"


def _natural(text: str) -> list[tuple[int, str]]:
    """Sort key: numbers in a text count by their value, which is their length without zeros and then their digits."""
    parts = ((part, part.lstrip("0")) for part in PARTS.findall(text))
    return [(len(digits), digits) if part.isdecimal() else (-1, part) for part, digits in parts]
