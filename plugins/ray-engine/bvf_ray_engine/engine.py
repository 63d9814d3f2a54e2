"""The engine: sends tasks to workers on a cluster as they come, and yields their results."""

import os
import pickle
import sys
from collections.abc import Iterable, Iterator
from itertools import chain, count, islice
from typing import ClassVar

from bvf import BvfError, Engine, Work
from bvf.errors import in_one_line
from bvf.interfaces import Capacity, R, T
from bvf_ray_engine.actor import versions
from bvf_ray_engine.messages import Ask, Begin, Done, GivenUp, Raised, Tasks, Wants
from bvf_ray_engine.options import RayOptions
from bvf_ray_engine.session import Session

LONGEST_NAME = 80


class RayEngine(Engine):
    """Runs tasks on Ray actors. Each loads the model once and stores its own results."""

    elsewhere: ClassVar[bool] = True

    def __init__(self, options: RayOptions | None = None) -> None:
        self.options = options or RayOptions()

    def capacity(self) -> Capacity:
        """Ask the cluster, or start one for the question.

        Raises:
            BvfError: No cluster can be reached or started, or it lacks room for a worker.
        """
        with Session(Ask(self.options)) as session:
            return next(message for message in session.messages() if isinstance(message, Capacity))

    def map(self, tasks: Iterable[T], work: Work[T, R]) -> Iterator[tuple[T, R]]:
        """Yield every task and its result in the order in which they finish. Without tasks no cluster is used.

        Raises:
            BvfError: No cluster can be reached or started, it lacks room for a worker or has other versions, or several
                workers died doing the same task.
        """
        stream = iter(tasks)
        for first in stream:
            begin = Begin(self.options, pickle.dumps(work), os.getcwd(), tuple(sys.path), versions())
            with Session(begin) as session:
                yield from _mapped(chain([first], stream), session)


def _mapped(tasks: Iterator[T], session: Session) -> Iterator[tuple[T, R]]:
    waiting: dict[int, T] = {}
    numbers, last = count(), False
    for message in session.messages():
        match message:
            case Wants(number):
                taken = dict(zip(numbers, islice(tasks, number), strict=False))
                last = len(taken) < number
                waiting |= taken
                session.send(Tasks({each: pickle.dumps(task) for each, task in taken.items()}, last))
            case Done(number, result):
                yield waiting.pop(number), pickle.loads(result)
            case Raised(error, traceback):
                raise pickle.loads(error) from _RemoteTraceback(traceback)
            case GivenUp(number, deaths, reason):
                task = in_one_line(repr(waiting[number]))[:LONGEST_NAME]
                raise BvfError(
                    f"engine ray: {deaths} workers died one after the other of {task}: {reason}",
                    "more memory for each may help (fewer workers, more -E cpus=); all that is finished is kept",
                )
        if last and not waiting:
            return


class _RemoteTraceback(Exception):
    """The traceback of a worker, shown above the traceback of the run."""

    def __str__(self) -> str:
        return f"\n{self.args[0]}"
