import subprocess
import sys

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

THREADS_AFTER = """
import os, sys
from pathlib import Path
import pyarrow, pyarrow.parquet
from bvf.files import parquet
file = Path(sys.argv[1])
before = set(os.listdir("/proc/self/task"))
parquet.table_in(file.read_bytes())
print(len(set(os.listdir("/proc/self/task")) - before))
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="threads are counted in /proc")
def test_no_thread_is_left_that_could_outlive_the_interpreter(tmp_path):
    columns = {f"c{n}": pa.array(range(1000)) for n in range(20)}
    pq.write_table(pa.table(columns), tmp_path / "t.parquet", row_group_size=100)
    command = [sys.executable, "-c", THREADS_AFTER, str(tmp_path / "t.parquet")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "0"), done.stderr
