"""Kinds of work for tests. Workers can import this module."""

import os
import random
import time
from dataclasses import dataclass
from pathlib import Path

from bvf import BvfError, Work
from bvf.files.machine import threads

HANGS = 30
"""Seconds after which something hangs, on a machine of any speed."""


@dataclass(frozen=True)
class Noting(Work):
    """Notes the worker of each task at its beginning and end."""

    folder: Path
    seconds: float = 0.02

    def begin(self, share):
        import ray

        node = ray.get_runtime_context().get_node_id()

        def note(task):
            (self.folder / f"{os.getpid()}.now").write_text(str(task))
            time.sleep(self.seconds * random.uniform(0.5, 1.5))
            with (self.folder / "done").open("a") as done:
                done.write(f"{task}\n")
            return node

        return note


@dataclass(frozen=True)
class LongFirst(Work):
    """Task 0 lasts until the other tasks are done."""

    folder: Path
    tasks: int

    def begin(self, share):
        return self.wait

    def wait(self, task):
        (self.folder / str(task)).touch()
        deadline = time.monotonic() + HANGS
        while task == 0 and len(list(self.folder.iterdir())) < self.tasks:
            assert time.monotonic() < deadline, "a task waits behind this one"
            time.sleep(0.01)


class Threads(Work):
    """Says how many threads a worker may start, as the work of a run finds out."""

    def begin(self, share):
        return lambda task: share.within(threads()).threads


class Dying(Work):
    """Kills its process when it does task 3."""

    def begin(self, share):
        return lambda task: os._exit(9) if task == 3 else task


class StillBorn(Work):
    def begin(self, share):
        os._exit(9)


class Refusing(Work):
    """Raises an error with a message of its own for task 3."""

    def begin(self, share):
        return self.refuse

    def refuse(self, task):
        if task == 3:
            raise BvfError("there is no third one", "ask for the fourth")
        return task


class Large(Work):
    """Returns the worker, its resources, and more data than fits into a message of Ray."""

    def begin(self, share):
        def large(task):
            time.sleep(0.05)
            return share, os.getpid(), os.getcwd(), bytes([task % 256]) * 3_000_000

        return large
