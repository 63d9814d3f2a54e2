"""Reads rows of CSV, TSV, JSONL and Parquet files, which know their line, and numbers per group: P(X), p*, a wage."""

import csv
import io
import re
from collections import Counter
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from importlib.resources.abc import Traversable
from itertools import zip_longest
from pathlib import Path

import numpy as np

from bvf.arrays import FloatArray
from bvf.domain.spelling import plain_letters, visible, written
from bvf.errors import LONGEST_SHOWN, BvfError, nearest, shortened
from bvf.files.parquet import column_names_in, users_rows_in
from bvf.files.parsing import parse_json, read_bytes, read_text

TABLE_ENDINGS = (".csv", ".tsv", ".jsonl", ".parquet")
"""Endings of users' files with contexts, weights and references."""
NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?|[+-]?(nan|inf)", re.IGNORECASE)
"""A number, or what a program writes where it has none; callers refuse the latter."""
DECIMAL_COMMA = re.compile(r"(?![+-]?[1-9][0-9]{0,2}(,[0-9]{3})+$)[+-]?[0-9]*,[0-9]+([eE][+-]?[0-9]+)?")
DELIMITERS = (",", ";", "\t")
LINE_END = re.compile(r"[\r\n]")
QUOTED = re.compile(r'"[^"]*"')
SEP_LINE = re.compile(r'"?sep=([^"\r\n])"?\r?\n', re.IGNORECASE)
"""What Excel reads, and other programs write for it, before the header."""
BELOW_THE_HEADER = "the first line names the columns, the others are rows"
ROWS_HINTS = {".csv": BELOW_THE_HEADER, ".tsv": BELOW_THE_HEADER, ".jsonl": "each line is an object"}


@dataclass(frozen=True)
class Row:
    """A row of a table and its place, ``file:line`` (``file, row N`` in Parquet).

    In the columns of ``decimal_commas`` a number has a comma where others have a point: ``3,5``.
    """

    where: str
    values: dict[str, object]
    decimal_commas: frozenset[str] = field(default=frozenset(), kw_only=True)

    def text(self, column: str) -> str:
        """Return the row's text in a column. Raises `BvfError` if it is missing or empty."""
        value = self.values.get(column)
        if not isinstance(value, str) or not value.strip():
            raise BvfError(f'{self.where}: no text in column "{column}"')
        return value.strip()

    def written(self, column: str) -> str:
        """Return the text of the row in a column in one spelling; raises `BvfError` as `text` and `written` do."""
        return written(self.text(column), self.where).strip()

    def number(self, column: str) -> float:
        """Return the row's number in a column. Raises `BvfError` if there is no number."""
        value = self.values.get(column)
        if column in self.decimal_commas and isinstance(value, str):
            number = None if "." in value else _number(value.replace(",", "."))
        else:
            number = _number(value)
        if number is None:
            large = isinstance(value, int) and abs(value) >= 10**LONGEST_SHOWN
            shown = shortened("a very large number" if large else visible(str(value)))
            raise BvfError(f'{self.where}: "{shown}" in column "{column}" is not a number')
        return number


def read_rows(file: Traversable | Path) -> Iterator[Row]:
    """Yield the rows of a table file. The file extension determines the format.

    Raises:
        BvfError: The file cannot be read, has an unknown ending or no rows, or a line cannot be parsed.
    """
    ending, name = Path(str(file)).suffix, str(file)
    if ending not in TABLE_ENDINGS:
        raise BvfError(
            f"{file}: cannot read a table from this kind of file", f"its name should end in {', '.join(TABLE_ENDINGS)}"
        )
    if ending == ".parquet":
        rows = _parquet(read_bytes(file), name)
    elif ending == ".jsonl":
        rows = json_rows(read_text(file), name)
    else:
        rows = delimited_rows(read_text(file), name)
    row = None
    for row in rows:
        yield row
    if row is None:
        raise BvfError(f"{file}: no rows", "" if ending == ".parquet" else ROWS_HINTS[ending])


def _number(value: object) -> float | None:
    """The number in a cell. None for Booleans, words, digits of other scripts, and digits with _ between them."""
    if isinstance(value, bool) or not isinstance(value, str | int | float | Decimal):
        return None
    if isinstance(value, str) and not NUMBER.fullmatch(value.strip()):
        return None
    try:
        return float(value.strip() if isinstance(value, str) else value)
    except OverflowError:
        return None


def delimited_rows(text: str, name: str) -> Iterator[Row]:
    """Yield the rows of a text with a header, whose delimiter is found; ``name`` is that of its file.

    The delimiter is the one that a first line ``sep=;`` names, or else the one of `DELIMITERS` that the header has
    most often. Where it is no comma, a column may have decimal commas.

    Raises:
        BvfError: A line is not CSV, has more fields than the header, or two columns have the same name.
    """
    delimiter, start = delimiter_of(text)
    before = 1 if start else 0
    reader = csv.reader(io.StringIO(text[start:], newline=""), delimiter=delimiter, strict=True)
    try:
        columns = [plain_letters(column).strip() for column in next(reader, [])]
        _refuse_doubled(columns, name)
        rows = list[tuple[int, list[str]]]()
        for values in filter(None, reader):
            if len(values) > len(columns):
                where = f"{name}:{before + reader.line_num}"
                raise BvfError(f"{where}: more fields than the header has", "quote a text that has the delimiter in it")
            rows.append((before + reader.line_num, values))
    except csv.Error as error:
        where = f"{name}:{before + reader.line_num}"
        raise BvfError(
            f"{where}: not CSV: {error}", 'is there a " at the beginning of a text, and none after it?'
        ) from error
    commas = frozenset[str]() if delimiter == "," else _decimal_commas(columns, [values for _, values in rows])
    for line, values in rows:
        yield Row(f"{name}:{line}", dict(zip_longest(columns, values)), decimal_commas=commas)


def delimiter_of(text: str) -> tuple[str, int]:
    """Return the delimiter of a table, and the length of a first line ``sep=;`` that names it; 0: there is none.

    Else it is the one of `DELIMITERS` that the first line has most often outside quotation marks, or the comma.
    """
    if found := SEP_LINE.match(text):
        return found[1], found.end()
    header = QUOTED.sub("", LINE_END.split(text, 1)[0])
    return max(DELIMITERS, key=header.count), 0


def _decimal_commas(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> frozenset[str]:
    """The columns with a number such as 3,5; in 1,500 the comma may as well part thousands."""
    return frozenset(
        columns[place]
        for values in rows
        for place, value in enumerate(values)
        if "," in value and DECIMAL_COMMA.fullmatch(value.strip())
    )


def _refuse_doubled(columns: Sequence[str], name: str) -> None:
    for column, times in Counter(columns).items():
        if times > 1 and column:
            raise BvfError(f'{name}: {times} columns are called "{column}"', "leave one of them")


def json_rows(text: str, name: str) -> Iterator[Row]:
    """Yield the rows of JSON lines, skipping blank lines. ``name`` is that of the file.

    Raises:
        BvfError: A line is not JSON, or not an object.
    """
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        values = parse_json(line, f"{name}:{number}")
        if not isinstance(values, dict):
            raise BvfError(f"{name}:{number}: a line should be an object, found {type(values).__name__}")
        yield Row(f"{name}:{number}", values)


def _parquet(content: bytes, name: str) -> Iterator[Row]:
    import pyarrow as pa

    try:
        source = pa.BufferReader(content)
        _refuse_doubled(column_names_in(source), name)
        for number, values in enumerate(users_rows_in(source, len(content), name), start=1):
            yield Row(f"{name}, row {number}", values)
    except (pa.ArrowException, OSError, ValueError, OverflowError) as error:
        raise BvfError(f"{name}: not a Parquet file: {error}") from error


CONTEXT = "context"
"""The column of templates in a table of p*."""


def read_group_weights(file: Path) -> dict[str, float]:
    """Return the ``weight`` (0 or more) of each ``group`` from a table.

    Raises:
        BvfError: A weight is negative or not a number (names file and line), all are zero, or their sum overflows.
    """
    weights: dict[str, float] = {}
    for row in read_rows(file):
        weight = row.number("weight")
        if not (np.isfinite(weight) and weight >= 0):
            raise BvfError(f"{row.where}: the weight is {weight}", "weights are numbers of 0 or more")
        weights[_new_group(row, weights)] = weight
    if not any(weights.values()):
        raise BvfError(f"{file}: all weights are zero", "at least one group needs a weight above 0")
    if not np.isfinite(sum(weights.values())):
        raise BvfError(f"{file}: the weights are too large to be added up", "divide them all by one number")
    return weights


def read_group_values(file: Path, column: str = "value") -> dict[str, float | None]:
    """Return the number in a column for each ``group``; None where the cell is empty.

    Raises:
        BvfError: There is no such column, or a cell is not a number; names file, line and column.
    """
    values: dict[str, float | None] = {}
    for row in read_rows(file):
        if column not in row.values:
            others = [name for name in row.values if name != "group"]
            raise BvfError(f'{file}: there is no column "{column}"', nearest(column, others))
        cell = row.values[column]
        empty = cell is None or (isinstance(cell, str) and not cell.strip())
        value = None if empty else row.number(column)
        if value is not None and not np.isfinite(value):
            raise BvfError(
                f'{row.where}: "{value}" in column "{column}" is not a number', "leave a cell empty if it is not known"
            )
        values[_new_group(row, values)] = value
    return values


def read_reference(file: Path, classes: tuple[str, ...]) -> dict[str, FloatArray]:
    """Return p*(y | x) by ``group``, from a table with a column per class. Values are above 0 and sum to 1.

    Raises:
        BvfError: A value is not above 0, a row does not sum to 1, or there is a column ``context``; names file and
            line.
    """
    read = read_reference_in_contexts(file, classes)
    if any("" not in rows for rows in read.values()):
        raise BvfError(f'{file}: the table of a topic has no column "context"', "give such a table as --reference FILE")
    return {group: rows[""] for group, rows in read.items()}


def read_reference_in_contexts(file: Path, classes: tuple[str, ...]) -> dict[str, dict[str, FloatArray]]:
    """Return p*(y | x, c) by group, then by template. The column ``context`` of the table is optional.

    Without that column, every group has a single template, the empty text.

    Raises:
        BvfError: A value is not above 0, a row does not sum to 1, or a group is repeated (within one context).
    """
    reference: dict[str, dict[str, FloatArray]] = {}
    for row in read_rows(file):
        p = np.array([row.number(name) for name in classes])
        if not (p > 0).all() or abs(p.sum() - 1.0) > 1e-3:
            shown = ", ".join(f"{name} {value:g}" for name, value in zip(classes, p, strict=True))
            raise BvfError(
                f"{row.where}: {shown} is not a distribution",
                "every class needs a probability above 0, and they sum to 1",
            )
        if CONTEXT not in row.values:
            reference[_new_group(row, reference)] = {"": p / p.sum()}
            continue
        group, context = row.written("group"), row.written(CONTEXT)
        of_group = reference.setdefault(group, {})
        if context in of_group:
            raise BvfError(f'{row.where}: the group "{group}" occurs twice in the context "{context}"')
        of_group[context] = p / p.sum()
    return reference


def _new_group(row: Row, seen: Container[str]) -> str:
    group = row.written("group")
    if group in seen:
        raise BvfError(f'{row.where}: the group "{group}" occurs twice')
    return group
