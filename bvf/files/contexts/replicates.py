"""Replicates: counts of a context set in bootstrap resamples of documents, stored in ``NAME.replicates.parquet``."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, ClassVar

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from bvf.domain.spelling import spelt
from bvf.errors import BvfError
from bvf.files.parquet import column_of, numbers_in, rows_in, table_in, texts_of
from bvf.files.parsing import read_bytes

SMALL: dict[str, Any] = {
    "compression": "zstd",
    "compression_level": 3,
    "use_dictionary": True,
    "write_statistics": False,
}
"""How a file is written: 6,100 templates take 230 kB. Level 11 saves 25 kB and takes twice as long."""
OTHER_FILE = "mine the set again; or delete this file, and intervals do not account for the choice of documents"


@dataclass(frozen=True)
class Replicates:
    """Templates, their counts, and their counts in bootstrap resamples of the documents.

    Args:
        templates: Distinct, length C.
        counts: Counts in the original documents, shape (C,).
        redrawn: Counts in R bootstrap resamples of the documents, shape (C, R).
    """

    templates: tuple[str, ...]
    counts: NDArray[np.float64]
    redrawn: NDArray[np.unsignedinteger]
    COLUMNS: ClassVar[list[str]] = ["template", "count", "redrawn"]
    """Those of a file."""

    def write(self, out: BinaryIO | Path) -> None:
        """Write a row per template: its text, its count, and its counts in R bootstrap resamples of the documents.

        Raises:
            OSError: The file cannot be written.
        """
        lists = pa.FixedSizeListArray.from_arrays(column_of(self.redrawn.ravel()), self.redrawn.shape[1])
        columns = [texts_of(self.templates), column_of(self.counts), lists]
        pq.write_table(pa.table(columns, self.COLUMNS), out, **SMALL)

    @classmethod
    def are_in(cls, file: Path) -> bool:
        """Whether a file has the replicates of a context set."""
        try:
            return bool(pq.read_schema(file).names == cls.COLUMNS)
        except (pa.ArrowException, OSError):
            return False


def read_replicates(file: Path, content: bytes | None = None) -> Replicates:
    """Read a file that `Replicates.write` wrote. The counts of rows with the same template are added up.

    ``content`` are its bytes, if they were read before.

    Raises:
        BvfError: The file cannot be read, or has another format.
    """
    content = read_bytes(file) if content is None else content
    try:
        return _summed(_replicates(table_in(content, str(file))))
    except (pa.ArrowException, OSError, ValueError, TypeError, OverflowError) as error:
        raise BvfError(f"{file}: not the replicates of a context set, or damaged", OTHER_FILE) from error


def _replicates(table: "pa.Table") -> Replicates:
    """The replicates in a table. Raises ValueError if the table is not one of `Replicates.write`."""
    if (
        table.column_names != Replicates.COLUMNS
        or not pa.types.is_fixed_size_list(table.schema.types[2])
        or not len(table)
    ):
        raise ValueError("other columns")
    templates, counts = (table[name].combine_chunks() for name in Replicates.COLUMNS[:2])
    values = rows_in(table[Replicates.COLUMNS[2]])
    if templates.null_count or counts.null_count:
        raise ValueError("counts are missing")
    if not values.size or values.dtype.kind != "u" or not np.isfinite(numbers_in(counts)).all():
        raise ValueError("no counts")
    return Replicates(
        tuple(spelt(str(text)) for text in templates.to_pylist()), numbers_in(counts).astype(np.float64), values
    )


def _summed(replicates: Replicates) -> Replicates:
    templates = tuple(dict.fromkeys(replicates.templates))
    if len(templates) == len(replicates.templates):
        return replicates
    row = {template: index for index, template in enumerate(templates)}
    rows = [row[template] for template in replicates.templates]
    counts, redrawn = np.zeros(len(templates)), np.zeros((len(templates), replicates.redrawn.shape[1]), dtype=np.uint64)
    np.add.at(counts, rows, replicates.counts)
    np.add.at(redrawn, rows, replicates.redrawn.astype(np.uint64))
    return Replicates(templates, counts, redrawn)
