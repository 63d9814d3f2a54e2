"""The file of a shard (block of questions of a measurement): what was answered, and the numbers of the questions."""

import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from bvf.arrays import FloatArray
from bvf.files.folder import Folder
from bvf.files.parquet import column_of, numbers_in, rows_in, table_in, texts_of
from bvf.files.pieces import NumberedFiles
from bvf.stats.figures.probabilities import SUM_TOLERANCE

ENDING = ".parquet"
"""Ending of the names of shards."""
PREFIX = "p_"
"""The names of the columns of classes begin with it, and no other column's."""
METADATA = b"bvf"
"""Key of the metadata of a shard's table, beside those of Arrow."""
Layout = Mapping[str, type[str] | type[float] | int | None]
"""What each column of a shard holds, in their order: a text, a number (None: or no column), or so many in each row."""
Columns = Mapping[str, Sequence[str] | NDArray[Any]]
"""The columns of a shard by name. Those of texts are lists."""


@dataclass(frozen=True)
class Place:
    """The place of a shard (a block of questions): its number, and the questions ``start`` to ``stop`` (excluded)."""

    measurement: str
    index: int
    start: int
    stop: int


@dataclass(frozen=True)
class Rows:
    """The content of a shard, a block of N questions (prompts) that are answered and stored together.

    Args:
        columns: What was answered, with K rows per question.
        samples: K, where rows are numbered; 0: there is one row per question, without a number.
        remarks: Remarks of the backend on how it read the model; None: this kind of answers has none.
        groups: The group of each question, length N.
        contexts: The key of each question's template, length N.
    """

    columns: Columns
    samples: int = 0
    remarks: Sequence[str] | None = None
    groups: Sequence[str] = ()
    contexts: Sequence[str] = ()

    @staticmethod
    def names_of(classes: Sequence[str]) -> list[str]:
        """Return the names of the columns with p of the classes."""
        return [f"{PREFIX}{name}" for name in classes]

    @staticmethod
    def of_classes(p: FloatArray, classes: Sequence[str]) -> Columns:
        """Return p of the classes, shape (N * K, Y), as columns."""
        return dict(zip(Rows.names_of(classes), p.T, strict=True))

    def texts(self, name: str) -> list[tuple[str, ...]]:
        """Return a column of texts: those of each question, length N."""
        texts, k = self.columns[name], max(1, self.samples)
        return [tuple(texts[row : row + k]) for row in range(0, len(texts), k)]

    def probabilities(self, classes: Sequence[str]) -> FloatArray:
        """Return p of the classes, shape (N * K, Y); NaN where it is missing."""
        return np.column_stack([self.columns[name] for name in self.names_of(classes)])

    def divided(self, sizes: Sequence[int]) -> Iterator["Rows"]:
        """Yield the rows of so many questions each, one part after the other."""
        stops, k = np.cumsum(sizes).tolist(), max(1, self.samples)
        for start, stop in pairwise((0, *stops)):
            columns = {name: values[start * k : stop * k] for name, values in self.columns.items()}
            yield replace(self, columns=columns)

    def are_probabilities(self, classes: Sequence[str]) -> bool:
        """Whether p of the classes are probabilities, where they are not missing."""
        p = self.probabilities(classes)
        there = p[~np.isnan(p).any(axis=1)]
        return bool((there >= 0).all() and (np.abs(there.sum(axis=1) - 1.0) <= SUM_TOLERANCE).all())


def write_shard(folder: Folder, place: Place, rows: Rows) -> str:
    """Write the file of a shard, and return its name.

    Raises:
        OSError: The file cannot be written.
    """
    k = max(1, rows.samples)
    repeated = ([name for name in names for _ in range(k)] for names in (rows.groups, rows.contexts))
    columns = dict(zip(("group", "context"), (texts_of(names).dictionary_encode() for names in repeated), strict=True))
    if rows.samples:
        columns["sample"] = column_of(np.tile(np.arange(k), len(rows.groups)))
    columns |= {name: _column(values) for name, values in rows.columns.items()}
    remarks = {} if rows.remarks is None else {"remarks": rows.remarks}
    whole = json.dumps({**asdict(place), **remarks}, ensure_ascii=False)
    content, table = io.BytesIO(), pa.table(columns).replace_schema_metadata({METADATA: whole})
    pq.write_table(table, content, use_dictionary=["group", "context"])  # hardly a number occurs twice
    return NumberedFiles(folder, ENDING).write(place.index, content.getvalue())


def _column(values: Sequence[str] | NDArray[Any]) -> pa.Array:
    if not isinstance(values, np.ndarray):
        return texts_of(values)
    if values.ndim == 1:
        return column_of(values)
    return pa.FixedSizeListArray.from_arrays(column_of(values.astype(np.float32).ravel()), values.shape[1])


def read_shard(folder: Folder, name: str, layout: Layout, samples: int) -> tuple[Place, Rows] | None:
    """Return the place and the content of a shard; None: the file is missing, damaged, or of another format.

    Args:
        folder: The folder of the shards.
        name: The name of its file, which has the digest of its bytes.
        layout: Its columns.
        samples: K, the numbered rows per question; 0: one that is not numbered.

    Raises:
        BvfError: The file exists and cannot be read.
    """
    content = NumberedFiles(folder, ENDING).read(name)
    if content is None:
        return None
    try:
        table = table_in(content, str(folder.path_of(name)))
        metadata = json.loads(table.schema.metadata[METADATA])
        remarks = metadata.pop("remarks", None)
        layout = {name: kind for name, kind in layout.items() if kind is not None or name in table.column_names}
        if table.column_names != ["group", "context", *(["sample"] if samples else []), *layout]:
            return None
        columns = {name: _values(table[name], kind) for name, kind in layout.items()}
        remarks = None if remarks is None else tuple(map(str, remarks))
        rows = Rows(columns, samples, remarks, *_questions(table, samples))
        place = Place(**metadata)
        fits = int(name.split(".")[0]) == place.index and len(rows.groups) == place.stop - place.start
        return (place, rows) if fits else None
    except (pa.ArrowException, OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None


def _values(column: Any, kind: type[str] | type[float] | int | None) -> Sequence[str] | NDArray[Any]:
    """The values of a column. Raises ValueError if they are of another kind."""
    if kind is float or kind is None:
        return numbers_in(column)
    if isinstance(kind, int):
        return rows_in(column).reshape(len(column), kind).astype(np.float64)
    texts: list[str] = column.to_pylist()
    if not all(isinstance(text, str) for text in texts):
        raise ValueError("no texts")
    return texts


def _questions(table: Any, samples: int) -> tuple[list[str], list[str]]:
    """The groups and contexts of the questions in a table with ``samples`` rows per question.

    Raises:
        ValueError: The rows are not numbered from 0 in each question, or those of one question name several.
    """
    groups, contexts = _names_in(table["group"]), _names_in(table["context"])
    if not samples:
        return groups, contexts
    if len(table) % samples or (numbers_in(table["sample"]).reshape(-1, samples) != range(samples)).any():
        raise ValueError("other samples")
    for names in (groups, contexts):
        if any(name != names[row - row % samples] for row, name in enumerate(names)):
            raise ValueError("samples of other prompts")
    return groups[::samples], contexts[::samples]


def _names_in(column: Any) -> list[str]:
    """The texts of a column. To save memory, equal texts are the same object."""
    encoded = column.combine_chunks().dictionary_encode()
    different = encoded.dictionary.to_pylist()
    return [different[index] for index in encoded.indices.to_pylist()]
