"""The file of a shard: answers to some questions of a run, and what says which questions and which run."""

import io
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from bvf.arrays import FloatArray
from bvf.errors import BvfError
from bvf.files.digests import digest_of_bytes
from bvf.files.writing import replacing
from bvf.stats.probabilities import SUM_TOLERANCE

FOLDER = "probabilities"
"""Where the shards of a run lie, below its results folder."""
PREFIX = "p_"
"""What the columns of the classes begin with; no other column does, whatever a class is called."""
BOUND = "deviation_bound"
NAME = re.compile(r"(\d{5,12})\.[^.]+\.parquet")
METADATA = b"bvf"
"""Key of the metadata of a shard's table, beside those of Arrow."""


@dataclass(frozen=True)
class Place:
    """The questions ``start`` to ``stop`` of a run, which are those of its shard ``index``."""

    run: str
    index: int
    start: int
    stop: int


@dataclass(frozen=True)
class Answers:
    """What is in the file of a shard of N questions.

    Args:
        groups: The group of each question, length N.
        contexts: The text of each question's template, length N.
        weights: P(C) of each question's template, shape (N,).
        probabilities: p(y | x, c), shape (N, Y); NaN where it is missing.
        bounds: How far from exact each can be, shape (N,); None where every word was asked.
        remarks: What the backend has to say of how it read the model.
    """

    groups: Sequence[str]
    contexts: Sequence[str]
    weights: FloatArray
    probabilities: FloatArray
    bounds: FloatArray | None
    remarks: tuple[str, ...]


def write_shard(folder: Path, place: Place, classes: Sequence[str], answers: Answers) -> None:
    """Write ``NNNNN.DIGEST.parquet``, where DIGEST is that of its bytes.

    Raises:
        OSError: It cannot be written.
    """
    columns = {"group": pa.array(answers.groups), "context": pa.array(answers.contexts)}
    columns["weight"] = pa.array(answers.weights)
    columns |= {f"{PREFIX}{name}": pa.array(answers.probabilities[:, y]) for y, name in enumerate(classes)}
    if answers.bounds is not None:
        columns[BOUND] = pa.array(answers.bounds)
    told = json.dumps({**asdict(place), "remarks": answers.remarks}, ensure_ascii=False)
    content = io.BytesIO()
    pq.write_table(pa.table(columns).replace_schema_metadata({METADATA: told}), content)
    name = f"{place.index:05d}.{digest_of_bytes(content.getvalue())}.parquet"
    with replacing(folder / name) as out:
        out.write(content.getvalue())


def shard_files(folder: Path) -> Iterator[tuple[int, Path]]:
    """Yield every file that is named as a shard is, with the index in its name, in the order of names.

    Raises:
        BvfError: Something of such a name is a folder or a device.
    """
    for file in sorted(folder.iterdir()):
        named = NAME.fullmatch(file.name)
        if named is None:
            continue
        if file.exists() and not file.is_file():
            raise BvfError(f"{file} is no file", "take it out of that folder, then run the same command again")
        yield int(named[1]), file


def read_shard(file: Path, classes: Sequence[str], bounded: bool) -> tuple[Place, Answers] | None:
    """Return where a shard belongs and what is in it; None if it is not there, is damaged, or holds something else.

    Args:
        file: Named by the digest of its bytes.
        classes: Y, in their order.
        bounded: Whether there is a column of bounds.

    Raises:
        OSError: The file is there and cannot be read.
    """
    try:
        content = file.read_bytes()
    except FileNotFoundError:
        return None
    if file.name.split(".")[1] != digest_of_bytes(content):
        return None
    try:
        table = pq.read_table(io.BytesIO(content))
        told = json.loads(table.schema.metadata[METADATA])
        remarks = tuple(map(str, told.pop("remarks")))
        place, answers = Place(**told), _answers(table, classes, bounded, remarks)
        own = int(file.name.split(".")[0]) == place.index and len(answers.weights) == place.stop - place.start
        return (place, answers) if own else None
    except (pa.ArrowException, OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None


def _answers(table: Any, classes: Sequence[str], bounded: bool, remarks: tuple[str, ...]) -> Answers:
    """What is in a table; raises ValueError if it is not what `write_shard` writes."""
    numbers = ["weight", *(f"{PREFIX}{name}" for name in classes), *([BOUND] if bounded else [])]
    if table.column_names != ["group", "context", *numbers]:
        raise ValueError("other columns")
    values: NDArray[np.float64] = np.column_stack([table[name].to_numpy() for name in numbers])
    answers = Answers(
        table["group"].to_pylist(),
        table["context"].to_pylist(),
        values[:, 0],
        values[:, 1 : len(classes) + 1],
        values[:, -1] if bounded else None,
        remarks,
    )
    p = answers.probabilities[~np.isnan(answers.probabilities).any(axis=1)]
    if (p < 0).any() or (np.abs(p.sum(axis=1) - 1.0) > SUM_TOLERANCE).any():
        raise ValueError("no probabilities")
    others = values[:, [0, -1]] if bounded else values[:, :1]
    if not (np.isfinite(others) & (others >= 0)).all():
        raise ValueError("no weights or bounds")
    return answers
