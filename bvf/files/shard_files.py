"""The file of a shard (block of questions of a measurement): their probabilities, and their numbers."""

import io
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from bvf.arrays import FloatArray
from bvf.files.folder import Folder
from bvf.files.parquet import column_of, numbers_in, rows_in, table_in, texts_of
from bvf.files.pieces import read_numbered, write_numbered
from bvf.stats.figures.probabilities import SUM_TOLERANCE

Content = TypeVar("Content")
"""What a kind of shards holds."""
ENDING = ".parquet"
"""Ending of the names of shards."""
PREFIX = "p_"
"""The names of the columns of classes begin with it, and no other column's."""
BOUND = "deviation_bound"
HITS = "samples"
"""Column with the number of sampled continuations that were a candidate word."""
WORDS = "log_p"
"""Column with log p-hat of every word, in the order of the words in ``measurement.json``."""
METADATA = b"bvf"
"""Key of the metadata of a shard's table, beside those of Arrow."""


@dataclass(frozen=True)
class Place:
    """The place of a shard (a block of questions): its number, and the questions ``start`` to ``stop`` (excluded)."""

    measurement: str
    index: int
    start: int
    stop: int


@dataclass(frozen=True)
class Stored:
    """The content of a shard, a block of N questions (prompts) that are scored and stored together.

    Args:
        groups: The group of each question, length N.
        contexts: The key of each question's template, length N.
        probabilities: p(y | x, c), shape (N, Y); NaN where it is missing.
        bounds: Error bound of the class probabilities of each question, shape (N,).
        remarks: Remarks of the backend on how it read the model.
        word_logprobs: log p-hat of every word up to a constant per question, shape (N, W); None: not kept.
        hits: Number of sampled continuations that were a candidate word, shape (N,); None: not sampled.
    """

    groups: Sequence[str]
    contexts: Sequence[str]
    probabilities: FloatArray
    bounds: FloatArray
    remarks: tuple[str, ...] = ()
    word_logprobs: FloatArray | None = None
    hits: FloatArray | None = None


def write_shard(folder: Folder, place: Place, classes: Sequence[str], stored: Stored) -> str:
    """Write the file of a shard, and return its name.

    Raises:
        OSError: The file cannot be written.
    """
    groups, contexts = (texts_of(names).dictionary_encode() for names in (stored.groups, stored.contexts))
    columns: dict[str, Any] = {"group": groups, "context": contexts}
    columns |= {f"{PREFIX}{name}": column_of(stored.probabilities[:, y]) for y, name in enumerate(classes)}
    columns[BOUND] = column_of(stored.bounds)
    if stored.hits is not None:
        columns[HITS] = column_of(stored.hits)
    if stored.word_logprobs is not None:
        flat = column_of(stored.word_logprobs.astype(np.float32).ravel())
        columns[WORDS] = pa.FixedSizeListArray.from_arrays(flat, stored.word_logprobs.shape[1])
    return write_columns(folder, place, columns, remarks=stored.remarks)


def write_columns(folder: Folder, place: Place, columns: Mapping[str, Any], **metadata: object) -> str:
    """Write the file of a shard of any kind and return its name. ``metadata`` stands beside the place.

    Raises:
        OSError: The file cannot be written.
    """
    whole = json.dumps({**asdict(place), **metadata}, ensure_ascii=False)
    content = io.BytesIO()
    table = pa.table(dict(columns)).replace_schema_metadata({METADATA: whole})
    pq.write_table(table, content, use_dictionary=["group", "context"])  # hardly a number occurs twice
    return write_numbered(folder, place.index, ENDING, content.getvalue())


def read_shard(
    folder: Folder, name: str, classes: Sequence[str], words: int, *, sampled: bool
) -> tuple[Place, Stored] | None:
    """Return the place and the content of a shard; None: the file is missing, damaged, or of another format.

    Args:
        folder: The folder of the shards.
        name: The name of its file, which has the digest of its bytes.
        classes: Y, in their order.
        words: W, the number of words, if log p-hat of every word is stored; 0: it is not stored.
        sampled: Whether probabilities were estimated from sampled continuations.

    Raises:
        BvfError: The file exists and cannot be read.
    """

    def parse(table: Any, metadata: dict[str, Any]) -> tuple[Stored, int]:
        stored = _stored(table, classes, words, tuple(map(str, metadata.pop("remarks"))), sampled)
        return stored, len(stored.bounds)

    return content_of_shard(folder, name, parse)


def content_of_shard(
    folder: Folder, name: str, parse: Callable[[Any, dict[str, Any]], tuple[Content, int]]
) -> tuple[Place, Content] | None:
    """Return the place and the content of a shard of any kind; None: see `read_shard`.

    Args:
        folder: The folder of the shards.
        name: The name of its file, which has the digest of its bytes.
        parse: Returns the content of a table and its number of questions, and takes what is its own out of the
            metadata. It raises ValueError if the table is of another format.

    Raises:
        BvfError: The file exists and cannot be read.
    """
    content = read_numbered(folder, name)
    if content is None:
        return None
    try:
        table = table_in(content)
        metadata = json.loads(table.schema.metadata[METADATA])
        stored, number = parse(table, metadata)
        place = Place(**metadata)
        fits = int(name.split(".")[0]) == place.index and number == place.stop - place.start
        return (place, stored) if fits else None
    except (pa.ArrowException, OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None


def texts_in(column: Any) -> list[str]:
    """Return the texts of a column. To save memory, equal texts are the same object."""
    encoded = column.combine_chunks().dictionary_encode()
    different = encoded.dictionary.to_pylist()
    return [different[index] for index in encoded.indices.to_pylist()]


def _stored(table: Any, classes: Sequence[str], words: int, remarks: tuple[str, ...], sampled: bool) -> Stored:
    """The content of a shard in a table. Raises ValueError if the table was not written by `write_shard`."""
    numbers = [*(f"{PREFIX}{name}" for name in classes), BOUND]
    if table.column_names != ["group", "context", *numbers, *([HITS] if sampled else []), *([WORDS] if words else [])]:
        raise ValueError("other columns")
    values: NDArray[np.float64] = np.column_stack([numbers_in(table[name]) for name in numbers])
    stored = Stored(
        texts_in(table["group"]),
        texts_in(table["context"]),
        values[:, : len(classes)],
        values[:, -1],
        remarks,
        _words(table, words) if words else None,
        numbers_in(table[HITS]).astype(np.float64) if sampled else None,
    )
    check_probabilities(stored.probabilities)
    if not (np.isfinite(stored.bounds) & (stored.bounds >= 0)).all():
        raise ValueError("no bounds")
    if stored.hits is not None and not (np.isfinite(stored.hits) & (stored.hits >= 0)).all():
        raise ValueError("no numbers of samples")
    return stored


def check_probabilities(p: FloatArray) -> None:
    """Raise ValueError unless all rows of p, shape (N, Y), are probabilities of classes; NaN where they are missing."""
    there = p[~np.isnan(p).any(axis=1)]
    if (there < 0).any() or (np.abs(there.sum(axis=1) - 1.0) > SUM_TOLERANCE).any():
        raise ValueError("no probabilities")


def samples_in(table: Any, samples: int) -> tuple[list[str], list[str]]:
    """Return the groups and contexts of the questions in a table with a row per sample, ``samples`` per question.

    Raises:
        ValueError: The rows are not numbered from 0 in each question, or those of one question name several.
    """
    if len(table) % samples or (numbers_in(table["sample"]).reshape(-1, samples) != range(samples)).any():
        raise ValueError("other samples")
    groups, contexts = texts_in(table["group"]), texts_in(table["context"])
    for names in (groups, contexts):
        if any(name != names[row - row % samples] for row, name in enumerate(names)):
            raise ValueError("samples of other prompts")
    return groups[::samples], contexts[::samples]


def _words(table: Any, words: int) -> FloatArray:
    logp: FloatArray = rows_in(table[WORDS]).reshape(len(table), words).astype(np.float64)
    if np.isnan(logp).any() or (logp == np.inf).any():
        raise ValueError("no log-probabilities")
    return logp
