"""Workers end when the process that started them is gone, whatever ended it."""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress

import pytest
from helpers.process_groups import running

PARENT = """
import sys, time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from bvf.builtin.engines.orphans import end_with_parent

if __name__ == "__main__":
    pool = ProcessPoolExecutor(2, get_context("spawn"), end_with_parent)
    tasks = [pool.submit(time.sleep, seconds) for seconds in (0.01, 0.01, 600, 600)]
    [task.result() for task in tasks[:2]]
    print("begun", flush=True)
    time.sleep(600)
"""


@pytest.mark.parametrize("kill", [signal.SIGKILL, signal.SIGTERM])
def test_workers_end_when_their_parent_is_killed(tmp_path, kill):
    script = tmp_path / "parent.py"
    script.write_text(PARENT)
    parent = subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, start_new_session=True)
    try:
        assert parent.stdout.readline() == b"begun\n"
        assert len(running(parent.pid)) >= 3
        parent.send_signal(kill)
        parent.wait()
        deadline = time.monotonic() + 10
        while running(parent.pid) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert running(parent.pid) == []
    finally:
        parent.stdout.close()
        with suppress(ProcessLookupError):
            os.killpg(parent.pid, signal.SIGKILL)
