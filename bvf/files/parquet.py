"""Reads small Parquet files in one thread. It does not import pandas, which takes half a second.

A thread of Arrow's pool may hold the source for a moment after the table is read. If the process ends in that moment,
it aborts: `pyarrow.parquet.read_table` did so at the end of 22 of 240 processes on a busy machine.
"""

from collections.abc import Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from bvf.errors import BvfError

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

ALWAYS_READ, CELLS_PER_BYTE = 2_000_000, 16
"""The cells that a user's table may have, and those for each of its bytes: equal cells take hardly any."""
NUMBERS: dict[str, np.dtype[Any]] = {
    "double": np.dtype(np.float64),
    "float": np.dtype(np.float32),
    **{name: np.dtype(name) for size in (8, 16, 32, 64) for name in (f"int{size}", f"uint{size}")},
}
"""Types of columns by their names in Arrow."""


def table_in(content: bytes) -> "pa.Table":
    """Return the table that the bytes of a Parquet file hold.

    Raises:
        pyarrow.ArrowException, OSError: The bytes are not a Parquet file.
    """
    return _opened(content).read(use_threads=False)


def users_table_in(content: bytes, name: str) -> "pa.Table":
    """Return the table of a user's Parquet file, called ``name``.

    Raises:
        pyarrow.ArrowException, OSError: The bytes are not a Parquet file.
        BvfError: They hold more cells than a table of their size has.
    """
    file = _opened(content)
    rows, columns = file.metadata.num_rows, file.metadata.num_columns
    if rows * columns > ALWAYS_READ + CELLS_PER_BYTE * len(content):
        raise BvfError(
            f"{name}: {len(content):,} bytes hold {rows:,} rows of {columns} columns",
            "if that is right, save the rows that matter as CSV, or in several files",
        )
    return file.read(use_threads=False)


def _opened(content: bytes) -> "pq.ParquetFile":
    import pyarrow as pa
    import pyarrow.parquet as pq

    return pq.ParquetFile(pa.BufferReader(content))


def numbers_in(column: Any) -> NDArray[Any]:
    """Return a column of numbers as a read-only array. Unlike pyarrow's ``to_numpy``, it does not import pandas.

    Raises:
        ValueError: The column has missing values, or its values are not numbers.
    """
    whole = column.combine_chunks() if hasattr(column, "combine_chunks") else column
    if str(whole.type) not in NUMBERS or whole.null_count:
        raise ValueError(f"{whole.type} with {whole.null_count} missing, not numbers")
    data = whole.buffers()[1]
    numbers = np.frombuffer(data, NUMBERS[str(whole.type)]) if len(whole) else np.empty(0, NUMBERS[str(whole.type)])
    return numbers[whole.offset : whole.offset + len(whole)]


def rows_in(column: Any) -> NDArray[Any]:
    """Return a column of equally long lists of numbers as an array, shape (N, length).

    pyarrow's ``flatten`` imports more.

    Raises:
        ValueError: The column has missing values or no numbers.
    """
    whole = column.combine_chunks() if hasattr(column, "combine_chunks") else column
    if whole.null_count:
        raise ValueError(f"{whole.null_count} lists are missing")
    length = whole.type.list_size
    inner = whole.values.slice(whole.offset * length, len(whole) * length)
    return numbers_in(inner).reshape(len(whole), length)


def column_of(numbers: NDArray[Any]) -> "pa.Array":
    """Return numbers, shape (N,), as a column for Parquet. Unlike ``pyarrow.array``, it does not import pandas."""
    import pyarrow as pa

    whole = np.ascontiguousarray(numbers)
    return pa.Array.from_buffers(pa.from_numpy_dtype(whole.dtype), len(whole), [None, pa.py_buffer(whole)])


def texts_of(texts: Sequence[str]) -> "pa.StringArray":
    """Return texts as a column for Parquet. Unlike ``pyarrow.array``, it does not import pandas.

    Raises:
        UnicodeEncodeError, OverflowError: A text cannot be encoded as UTF-8, or all texts together reach 2 GiB.
    """
    import pyarrow as pa

    encoded = [text.encode() for text in texts]
    ends = np.array([0, *accumulate(map(len, encoded))], np.int32)
    return pa.StringArray.from_buffers(len(encoded), pa.py_buffer(ends), pa.py_buffer(b"".join(encoded)))
