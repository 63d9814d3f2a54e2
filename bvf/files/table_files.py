"""Reads the rows of CSV, TSV, JSONL and Parquet files. Each row knows its file and line."""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from importlib.resources.abc import Traversable
from pathlib import Path

from bvf.errors import BvfError
from bvf.files.parquet import users_table_in
from bvf.files.parsing import LONGEST_SHOWN, parse_json, read_bytes, read_text, shortened

TABLE_ENDINGS = (".csv", ".tsv", ".jsonl", ".parquet")
"""Endings of users' files with contexts, weights and references."""
NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?|[+-]?(nan|inf)", re.IGNORECASE)
"""A number, or what a program writes where it has none; callers refuse the latter."""
BELOW_THE_HEADER = "the first line names the columns, the others are rows"
ROWS_HINTS = {".csv": BELOW_THE_HEADER, ".tsv": BELOW_THE_HEADER, ".jsonl": "each line is an object"}


@dataclass(frozen=True)
class Row:
    """A row of a table and its place, ``file:line`` (``file, row N`` in Parquet)."""

    where: str
    values: dict[str, object]

    def text(self, column: str) -> str:
        """Return the row's text in a column. Raises `BvfError` if it is missing or empty."""
        value = self.values.get(column)
        if not isinstance(value, str) or not value.strip():
            raise BvfError(f'{self.where}: no text in column "{column}"')
        return value.strip()

    def number(self, column: str) -> float:
        """Return the row's number in a column. Raises `BvfError` if there is no number."""
        value = self.values.get(column)
        number = _number(value)
        if number is None:
            raise BvfError(f'{self.where}: "{_shown(value)}" in column "{column}" is not a number')
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
        rows = _delimited(read_text(file), name, "\t" if ending == ".tsv" else ",")
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


def _shown(value: object) -> str:
    text = str(value) if not isinstance(value, int) or abs(value) < 10**LONGEST_SHOWN else "a very large number"
    return shortened(text)


def _delimited(text: str, name: str, delimiter: str) -> Iterator[Row]:
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        _refuse_doubled(reader.fieldnames or (), name)
        for values in reader:
            if None in values:
                raise BvfError(
                    f"{name}:{reader.line_num}: more fields than the header has",
                    "quote a text that has the delimiter in it",
                )
            yield Row(f"{name}:{reader.line_num}", dict(values))
    except csv.Error as error:
        where = f"{name}:{reader.line_num}"
        raise BvfError(
            f"{where}: not CSV: {error}", 'is there a " at the beginning of a text, and none after it?'
        ) from error


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
        table = users_table_in(content, name)
        _refuse_doubled(table.column_names, name)
        rows = table.to_pylist()
    except (pa.ArrowException, OSError, ValueError, OverflowError) as error:
        raise BvfError(f"{name}: not a Parquet file: {error}") from error
    for number, values in enumerate(rows, start=1):
        yield Row(f"{name}, row {number}", values)
