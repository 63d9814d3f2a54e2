"""Rows of a CSV, TSV, JSONL or Parquet file, each with the place it stands at."""

import csv
import io
import json
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources.abc import Traversable
from pathlib import Path

from bvf.errors import BvfError

ENDINGS = (".csv", ".tsv", ".jsonl", ".parquet")


@dataclass(frozen=True)
class Row:
    """A row and where it is, ``file:line`` (``file, row N`` in Parquet)."""

    where: str
    values: dict[str, object]

    def text(self, column: str) -> str:
        """Return the text in a column; raises `BvfError` where it is missing or empty."""
        value = self.values.get(column)
        if not isinstance(value, str) or not value.strip():
            raise BvfError(f'{self.where}: no text in column "{column}"')
        return value.strip()

    def number(self, column: str) -> float:
        """Return the number in a column; raises `BvfError` where it is none."""
        value = self.values.get(column)
        try:
            return float(value)  # type: ignore[arg-type]
        except (TypeError, ValueError):
            raise BvfError(f'{self.where}: "{value}" in column "{column}" is not a number') from None


def read_rows(file: Traversable | Path) -> Iterator[Row]:
    """Yield the rows of a table file, by its ending.

    Raises:
        BvfError: The file cannot be read, has another ending, or a line cannot be parsed.
    """
    ending = Path(str(file)).suffix
    if ending not in ENDINGS:
        raise BvfError(
            f"{file}: cannot read a table from this kind of file", f"its name should end in {', '.join(ENDINGS)}"
        )
    try:
        content = file.read_bytes()
    except OSError as error:
        raise BvfError(f"{file}: cannot be read: {error.strerror}") from error
    if ending == ".parquet":
        yield from _parquet(content, str(file))
        return
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BvfError(f"{file}: not UTF-8 at byte {error.start}", "save it as UTF-8") from error
    yield from (
        _json_lines(text, str(file))
        if ending == ".jsonl"
        else _delimited(text, str(file), "\t" if ending == ".tsv" else ",")
    )


def _delimited(text: str, name: str, delimiter: str) -> Iterator[Row]:
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter)
    for values in reader:
        if None in values:
            raise BvfError(
                f"{name}:{reader.line_num}: more fields than the header has",
                "quote a text that has the delimiter in it",
            )
        yield Row(f"{name}:{reader.line_num}", dict(values))


def _json_lines(text: str, name: str) -> Iterator[Row]:
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            values = json.loads(line)
        except json.JSONDecodeError as error:
            raise BvfError(f"{name}:{number}: not JSON: {error}") from error
        if not isinstance(values, dict):
            raise BvfError(f"{name}:{number}: a line should be an object, found {type(values).__name__}")
        yield Row(f"{name}:{number}", values)


def _parquet(content: bytes, name: str) -> Iterator[Row]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        table = pq.read_table(io.BytesIO(content))
    except (pa.ArrowException, OSError) as error:
        raise BvfError(f"{name}: not a Parquet file: {error}") from error
    for number, values in enumerate(table.to_pylist(), start=1):
        yield Row(f"{name}, row {number}", values)
