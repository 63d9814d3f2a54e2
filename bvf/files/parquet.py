"""Small Parquet files, read by one thread.

A thread of Arrow's pool may hold the source for a moment after the table is there. If the process ends in that moment,
the thread asks for an interpreter that is going, and the process aborts. `pyarrow.parquet.read_table` did so at the
end of 22 of 240 processes on a busy machine.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa


def table_in(content: bytes) -> "pa.Table":
    """Return the table in the bytes of a Parquet file.

    Raises:
        pyarrow.ArrowException, OSError: It is none.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    return pq.ParquetFile(pa.BufferReader(content)).read(use_threads=False)
