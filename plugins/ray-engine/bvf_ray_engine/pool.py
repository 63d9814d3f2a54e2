"""Gives each worker one task at a time.

A worker that dies is replaced, and its unfinished task is repeated.
"""

import re
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from itertools import count
from queue import Empty, SimpleQueue
from typing import Any

import ray
from ray import cloudpickle
from ray.exceptions import RayError

from bvf import BvfError
from bvf.errors import in_one_line
from bvf_ray_engine import actor
from bvf_ray_engine.cluster import refuse_other_versions, room
from bvf_ray_engine.messages import Begin, Done, GivenUp, Raised, Tasks, Wants

AHEAD = 2
"""How many tasks are here per worker: the one that it does, and one that waits for any of them."""
MOST_DEATHS = 4
"""After so many workers have died doing a task, it is given up: it is tried once and retried three times."""
SECONDS = 10.0
"""After this many seconds without a message the pool checks whether nodes are left."""
BECAUSE = re.compile(r"(?:dead|died) because ([^.]+)")
LOST_NODE = "its node has died"
"""A cause of death that is not counted against the task."""
LONGEST_REASON = 300


@dataclass(eq=False)
class Task:
    """An unfinished task, and how many workers died doing it."""

    number: int
    pickled: bytes
    deaths: int = 0


@dataclass(eq=False)
class Hired:
    """A worker on the cluster.

    Attributes:
        machine: The address of its machine; empty until it is known.
        index: Its index among the workers of its machine; -1 until it is known.
        begun: Whether it has loaded the work and can do tasks.
        task: The task that it does; None: it waits for one.
    """

    handle: Any
    machine: str = ""
    index: int = -1
    begun: bool = False
    task: Task | None = None


@dataclass(frozen=True)
class Answered:
    """A finished call to a worker. ``then`` is called with its result unless it failed."""

    worker: Hired
    then: Callable[[Any], None]
    future: "Future[Any]"


class Pool:
    """The workers and the unfinished tasks. Refuses a cluster in which no worker fits.

    Args:
        begin: The run's first message.
        events: New `Tasks` and finished calls; None: the run has ended.
        send: Sends a message to the run.
    """

    def __init__(
        self,
        begin: Begin,
        events: SimpleQueue[Tasks | Answered | None],
        send: Callable[[Wants | Done | Raised | GivenUp], None],
    ) -> None:
        self._begin, self._events, self._send = begin, events, send
        self._room = room(begin.options)
        self._number = begin.options.workers or self._room.total()
        self._workers: list[Hired] = []
        self._waiting: deque[Task] = deque()
        self._asked, self._last, self._over = 0, False, False
        self._false_starts, self._has_served = 0, False
        self._work = ray.put(begin.work)
        cloudpickle.register_pickle_by_value(actor)
        needs = {"num_cpus": begin.options.cpus, "num_gpus": begin.options.gpus}
        self._kind = ray.remote(**needs, max_restarts=0, max_task_retries=0)(actor.Worker)

    def run(self) -> None:
        """Have tasks done until the run ends or a task fails.

        Raises `BvfError` if a node has other versions, workers die before they can do tasks, or no node is left.
        """
        self._ask(self._number)
        while not self._over and (event := self._next()) is not None:
            if isinstance(event, Tasks):
                self._waiting += [Task(number, pickled) for number, pickled in event.tasks.items()]
                self._asked -= len(event.tasks)
                self._last = event.last
            elif event.worker in self._workers:
                self._hear(event)
            self._hire()
            self._give()
            self._ask(AHEAD * sum(worker.begun for worker in self._workers) - self._unfinished())

    def end(self) -> None:
        """Stop every worker."""
        for worker in self._workers:
            ray.kill(worker.handle)

    def _next(self) -> Tasks | Answered | None:
        while True:
            try:
                return self._events.get(timeout=SECONDS)
            except Empty:
                if not any(worker.begun for worker in self._workers):
                    self._room = room(self._begin.options, had_some=self._has_served)

    def _unfinished(self) -> int:
        return len(self._waiting) + sum(worker.task is not None for worker in self._workers)

    def _ask(self, number: int) -> None:
        if not self._last and number > self._asked:
            self._send(Wants(number - self._asked))
            self._asked = number

    def _hire(self) -> None:
        wanted = min(self._number, self._unfinished()) if self._last else self._number
        while len(self._workers) < wanted:
            worker = Hired(self._kind.remote())
            self._workers.append(worker)
            self._call(worker, worker.handle.placed.remote(), partial(self._placed, worker))

    def _give(self) -> None:
        """Give waiting tasks to idle workers in their order: a task may be a whole model, the largest first."""
        for worker in self._workers:
            if worker.begun and worker.task is None and self._waiting:
                worker.task = task = self._waiting.popleft()
                self._call(worker, worker.handle.done.remote(task.pickled), partial(self._did, worker, task))

    def _call(self, worker: Hired, call: Any, then: Callable[[Any], None]) -> None:
        call.future().add_done_callback(lambda future: self._events.put(Answered(worker, then, future)))

    def _hear(self, event: Answered) -> None:
        error = event.future.exception()
        if error is None:
            event.then(event.future.result())
        elif isinstance(error, RayError):
            self._bury(event.worker, error)
        else:
            raise error

    def _placed(self, worker: Hired, placed: tuple[str, str, dict[str, str]]) -> None:
        machine, host, versions = placed
        begin = self._begin
        refuse_other_versions(host if host == machine else f"{host} ({machine})", versions, begin.versions)
        if machine not in self._room:
            self._room = room(begin.options)
        taken = {other.index for other in self._workers if other.machine == machine}
        worker.machine, worker.index = machine, next(index for index in count() if index not in taken)
        workers = max(min(self._room[machine], self._number), worker.index + 1)
        share = worker.index, workers, begin.options.cpus
        self._call(
            worker,
            worker.handle.begin.remote(self._work, *share, begin.folder, begin.path),
            partial(self._has_begun, worker),
        )

    def _has_begun(self, worker: Hired, answer: actor.Answer) -> None:
        if not self._is_error(answer):
            worker.begun, self._has_served, self._false_starts = True, True, 0

    def _did(self, worker: Hired, task: Task, answer: actor.Answer) -> None:
        worker.task = None
        if not self._is_error(answer):
            self._send(Done(task.number, answer[0]))

    def _is_error(self, answer: actor.Answer) -> bool:
        """Whether the answer is an error. If so, it is sent to the run and ends the pool."""
        content, traceback = answer
        if traceback:
            self._send(Raised(content, traceback))
            self._over = True
        return bool(traceback)

    def _bury(self, worker: Hired, error: RayError) -> None:
        """Remove a worker that died, and put its task back at the head of the queue."""
        self._workers.remove(worker)
        ray.kill(worker.handle)
        if (reason := _reason(error)) != LOST_NODE:
            self._blame(worker, reason)
        if worker.task:
            self._waiting.appendleft(worker.task)

    def _blame(self, worker: Hired, reason: str) -> None:
        """Count a death against the worker's current task, or as a failed start. Too many deaths end the pool."""
        if not worker.begun:
            self._false_starts += 1
            if self._false_starts == MOST_DEATHS:
                raise BvfError(
                    f"engine ray: {MOST_DEATHS} workers died before they could begin: {reason}",
                    "a node may have too little memory for so many models: try fewer workers, -E workers=",
                )
        elif worker.task:
            worker.task.deaths += 1
            if worker.task.deaths == MOST_DEATHS:
                self._send(GivenUp(worker.task.number, MOST_DEATHS, reason))
                self._over = True


def _reason(error: RayError) -> str:
    """The cause of death that Ray gives, without its paragraphs of advice."""
    text = in_one_line(str(error))
    match = BECAUSE.search(text)
    return match[1] if match else text[:LONGEST_REASON]
