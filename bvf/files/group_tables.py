"""Numbers a group, from a file or from a table of the topic: P(X) and p*."""

from pathlib import Path

import numpy as np

from bvf.arrays import FloatArray
from bvf.errors import BvfError
from bvf.files.rows import Row, read_rows


def read_group_weights(file: Path) -> dict[str, float]:
    """Read columns ``group`` and ``weight`` (0 or more).

    Raises:
        BvfError: A weight is negative or not a number (names file and line), all are zero, or too large to be added up.
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


def read_reference(file: Path, classes: tuple[str, ...]) -> dict[str, FloatArray]:
    """Read column ``group`` and one column a class: p*(y | x), above 0, summing to 1.

    Raises:
        BvfError: A value is not above 0, or a row does not sum to 1; names file and line.
    """
    reference: dict[str, FloatArray] = {}
    for row in read_rows(file):
        p = np.array([row.number(name) for name in classes])
        if not (p > 0).all() or abs(p.sum() - 1.0) > 1e-3:
            shown = ", ".join(f"{name} {value:g}" for name, value in zip(classes, p, strict=True))
            raise BvfError(
                f"{row.where}: {shown} is no distribution",
                "every class needs a probability above 0, and they sum to 1",
            )
        reference[_new_group(row, reference)] = p / p.sum()
    return reference


def _new_group(row: Row, seen: dict[str, float] | dict[str, FloatArray]) -> str:
    group = row.text("group")
    if group in seen:
        raise BvfError(f'{row.where}: the group "{group}" is there twice')
    return group
