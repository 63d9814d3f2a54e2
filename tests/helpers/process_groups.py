"""Processes that a test starts in a group of their own."""

import time
from contextlib import suppress
from pathlib import Path


def running(group):
    """What still runs of a group of processes; zombies do not."""
    alive = []
    for file in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            state, _, its_group, *_ = file.read_text().rpartition(")")[2].split()
            alive += [int(file.parent.name)] * (int(its_group) == group and state != "Z")
    return alive


def have_ended(group, seconds):
    """Whether nothing of a group of processes runs any more, at the latest after so many seconds."""
    deadline = time.monotonic() + seconds
    while running(group) and time.monotonic() < deadline:
        time.sleep(0.05)
    return running(group) == []
