"""Reads numbers per group from tables: P(X), p*, and statistics such as a wage."""

from collections.abc import Container
from pathlib import Path

import numpy as np

from bvf.arrays import FloatArray
from bvf.errors import BvfError, nearest
from bvf.files.table_files import Row, read_rows

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
