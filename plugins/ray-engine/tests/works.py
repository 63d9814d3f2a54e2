"""Work for tests that workers can import."""

import os
import random
import time
from dataclasses import dataclass
from pathlib import Path

from bvf import BvfError, Work


@dataclass(frozen=True)
class Noting(Work):
    """Writes who does a task when it begins, and who did it when it ends."""

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


class Dying(Work):
    """Dies of the task 3."""

    def begin(self, share):
        return lambda task: os._exit(9) if task == 3 else task


class StillBorn(Work):
    def begin(self, share):
        os._exit(9)


class Refusing(Work):
    """Refuses the task 3 in its own words."""

    def begin(self, share):
        return self.refuse

    def refuse(self, task):
        if task == 3:
            raise BvfError("there is no third one", "ask for the fourth")
        return task


class Large(Work):
    """Says who did a task with what share, and gives back more than fits into a message of Ray."""

    def begin(self, share):
        def large(task):
            time.sleep(0.05)
            return share, os.getpid(), os.getcwd(), bytes([task % 256]) * 3_000_000

        return large
