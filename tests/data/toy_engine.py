"""Engines for tests: one that does tasks in the order of its own, and some that break the contract."""

import os
from itertools import islice

from bvf import Engine, Provider, hookimpl
from bvf.interfaces.engine import Share

AT_A_TIME = 3


class Backwards(Engine):
    """Takes three tasks at a time and does the last of them first; notes how many it did."""

    def __init__(self, fault=""):
        self.fault = fault

    def map(self, tasks, work):
        do, stream, done = work.begin(Share(threads=7)), iter(tasks), 0
        while taken := list(islice(stream, AT_A_TIME)):
            if self.fault == "losing":
                taken.pop()
            if self.fault == "mixing":
                yield taken[0], do(taken[-1])
            for task in reversed(taken):
                yield task, do(task)
                if self.fault == "repeating":
                    yield task, do(task)
                done += 1
        if noted := os.environ.get("TOY_ENGINE"):
            with open(noted, "w") as file:
                file.write(str(done))


@hookimpl
def bvf_engines():
    return [Provider("backwards", Backwards, "three at a time, the last of them first")]
