"""Columns of rows: flatten nested values, add columns, look up fields."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from bvf import BvfError
from bvf.domain import value_text
from bvf.errors import shortened
from bvf.files import Row

WRITE_AGAIN = "write the log again with the program that it is from"


def flattened(row: Row) -> Row:
    """Return a row without nested values. What is in ``a = {"b": [3, 4]}`` is in the columns ``a.b.0`` and ``a.b.1``.

    An empty object or list is an empty cell.
    """
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
    """Return the value at a path of keys, such as ``input.raw``, in parsed JSON. Refuses a value of another kind.

    Messages begin with ``where``.
    """
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
