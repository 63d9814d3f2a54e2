"""Small Parquet files, read by one thread.

A thread of Arrow's pool may hold the source for a moment after the table is there. If the process ends in that moment,
the thread asks for an interpreter that is going, and the process aborts. `pyarrow.parquet.read_table` did so at the
end of 22 of 240 processes on a busy machine.
"""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pyarrow as pa

NUMBERS: dict[str, np.dtype[Any]] = {
    "double": np.dtype(np.float64),
    "float": np.dtype(np.float32),
    **{name: np.dtype(name) for size in (8, 16, 32, 64) for name in (f"int{size}", f"uint{size}")},
}
"""Types of columns, by the names that Arrow has for them."""


def table_in(content: bytes) -> "pa.Table":
    """Return the table in the bytes of a Parquet file.

    Raises:
        pyarrow.ArrowException, OSError: It is none.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    return pq.ParquetFile(pa.BufferReader(content)).read(use_threads=False)


def numbers_in(column: Any) -> NDArray[Any]:
    """Return the numbers of a column, read-only; ``to_numpy`` would import pandas, which takes half a second.

    Raises:
        ValueError: It has something else, or something is missing.
    """
    whole = column.combine_chunks() if hasattr(column, "combine_chunks") else column
    if str(whole.type) not in NUMBERS or whole.null_count:
        raise ValueError(f"{whole.type} with {whole.null_count} missing, not numbers")
    data = whole.buffers()[1]
    numbers = np.frombuffer(data, NUMBERS[str(whole.type)]) if len(whole) else np.empty(0, NUMBERS[str(whole.type)])
    return numbers[whole.offset : whole.offset + len(whole)]
