"""Reads small Parquet files in one thread. It does not import pandas, which takes half a second.

A thread of Arrow's pool may hold the source for a moment after the table is read. If the process ends in that moment,
it aborts: `pyarrow.parquet.read_table` did so at the end of 22 of 240 processes on a busy machine.
"""

from collections.abc import Container, Iterator, Sequence
from itertools import accumulate, chain
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from bvf.errors import BvfError
from bvf.files.parsing import refuse_unpacked

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

ROWS_AT_A_TIME, UNPACKED_AT_A_TIME = 512, 16
ALWAYS_READ, CELLS_PER_BYTE = 2_000_000, 16
"""The cells that a user's table may have, and those for each of its bytes: equal cells take hardly any."""
NUMBERS: dict[str, np.dtype[Any]] = {
    "double": np.dtype(np.float64),
    "float": np.dtype(np.float32),
    **{name: np.dtype(name) for size in (8, 16, 32, 64) for name in (f"int{size}", f"uint{size}")},
}
"""Types of columns by their names in Arrow."""


def table_in(content: bytes, name: str) -> "pa.Table":
    """Return the table that the bytes of a Parquet file, called ``name``, hold.

    Raises:
        pyarrow.ArrowException, OSError: The bytes are not a Parquet file.
        BvfError: They hold more than a table of their size has.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    file = pq.ParquetFile(pa.BufferReader(content))
    _refuse_declared(file.metadata, len(content), name)
    return file.read(use_threads=False)


def users_rows_in(
    source: Any, size: int | None, name: str, columns: Container[str] | None = None
) -> Iterator[dict[str, Any]]:
    """Yield the rows of a user's Parquet file, called ``name``, by name of the column.

    Args:
        source: The open file, or a buffer of its bytes.
        size: Number of its bytes; None: unknown, and nothing is checked.
        name: Name of the file, for messages.
        columns: Columns to read, except those of lists and tables; None: all.

    Raises:
        pyarrow.ArrowException, OSError: It is not a Parquet file.
        BvfError: It holds more cells, or more text, than a table of its size has.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    file = pq.ParquetFile(source)
    if size is not None:
        _refuse_declared(file.metadata, size, name)
    fields = list(file.schema_arrow)
    texts = [each.name for each in fields if pa.types.is_string(each.type) or pa.types.is_large_string(each.type)]
    plain = [each.name for each in fields if not pa.types.is_nested(each.type)]
    wanted = [each.name for each in fields] if columns is None else [name for name in plain if name in columns]
    once, taken = pq.ParquetFile(source, read_dictionary=texts), 0  # equal texts are in memory once
    for batch in once.iter_batches(ROWS_AT_A_TIME, columns=None if columns is None else wanted, use_threads=False):
        parts = (batch.slice(start, UNPACKED_AT_A_TIME) for start in range(0, batch.num_rows, UNPACKED_AT_A_TIME))
        for values in chain.from_iterable(zip(*(column.to_pylist() for column in part), strict=True) for part in parts):
            row = dict(zip(wanted, values, strict=True))
            taken += sum(len(value) for value in row.values() if isinstance(value, str | bytes))
            if size is not None:
                refuse_unpacked(taken, size, name)
            yield row


def column_names_in(source: Any) -> list[str]:
    """Return the names of the columns of a Parquet file."""
    import pyarrow.parquet as pq

    return [each.name for each in pq.ParquetFile(source).schema_arrow]


def _refuse_declared(metadata: "pq.FileMetaData", size: int, name: str) -> None:
    rows, columns = metadata.num_rows, metadata.num_columns
    if rows * columns > ALWAYS_READ + CELLS_PER_BYTE * size:
        raise BvfError(
            f"{name}: {size:,} bytes hold {rows:,} rows of {columns} columns",
            "if that is right, save the rows that matter as CSV, or in several files",
        )
    refuse_unpacked(sum(metadata.row_group(i).total_byte_size for i in range(metadata.num_row_groups)), size, name)


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
