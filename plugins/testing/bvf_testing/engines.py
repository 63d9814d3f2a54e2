"""Checks of engines."""

import platform
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from time import sleep
from uuid import uuid4

from bvf import Engine, Share, Work
from bvf_testing.check import Check, checks_of, require

TASKS = range(17)
LONG_STREAM = 50_000
"""More tasks than any engine needs in advance."""
SECONDS_IN_A_CALL = 0.01
"""Long enough for another thread to begin a call."""
SECONDS_FOR_MORE = 0.3
"""Long enough to see whether work goes on."""


def engine_checks(engine: Engine) -> list[Check]:
    """Return the checks of an engine.

    Every task of a stream comes back once with its own result, tasks are taken as they are needed, errors are passed
    on, ``begin`` is called once per worker, what it returns gets one call at a time, and nothing goes on after the
    iterator was closed. All work of the checks is picklable.
    """
    return checks_of(ENGINE_CHECKS, engine)


def every_task_is_done_once(engine: Engine) -> None:
    """Each task comes back once, together with its own result; the order does not matter."""
    results = list(engine.map(TASKS, Tripling()))
    require(sorted(task for task, _ in results) == list(TASKS), f"{len(TASKS)} tasks came back as {sorted(results)}")
    wrong = [task for task, made in results if made != 3 * task]
    require(not wrong, f"task {wrong[:1]} came back with the result of another")


def no_tasks_are_no_work(engine: Engine) -> None:
    """Without tasks there are no results and no error: a run whose shards are all stored has no tasks."""
    require(list(engine.map((), Tripling())) == [], "there are results without tasks")


def tasks_are_taken_as_they_are_needed(engine: Engine) -> None:
    """The first results come before the last tasks are taken: a corpus is larger than the memory."""
    stream = _Stream(LONG_STREAM)
    results = engine.map(stream, Tripling())
    next(results)
    _close(results)
    require(
        stream.taken < LONG_STREAM,
        f"all {LONG_STREAM} tasks were taken before the first result came: take them as workers need them",
    )


def a_failure_is_passed_on(engine: Engine) -> None:
    """An error of the work reaches the caller: a run must not end as if it were complete."""
    _require_its_error(engine, FailingOnce(), "an error in one task was swallowed: the run would end without it")


def a_failure_to_begin_is_passed_on(engine: Engine) -> None:
    """An error of ``begin`` reaches the caller, such as that of a missing model."""
    _require_its_error(engine, NeverBeginning(), "an error of begin was swallowed: the run would end without it")


def work_begins_once_per_worker(engine: Engine) -> None:
    """``begin`` is called once per worker, not once per task, and shares distinguish the workers of a machine."""
    begun = defaultdict(set)
    for _, (machine, share, token) in engine.map(TASKS, Signing()):
        message = f"begin got Share(index={share.index}, workers={share.workers}): no such"
        require(0 <= share.index < share.workers, message)
        begun[machine, share.index].add(token)
    most = max(map(len, begun.values()))
    message = f"begin was called {most} times with one index on one machine"
    require(most == 1, f"{message}: call it once per worker, and give each an index of its own")


def one_call_at_a_time(engine: Engine) -> None:
    """Only one thread at a time calls what one ``begin`` returned: a model cannot serve two."""
    try:
        list(engine.map(TASKS, Alone()))
    except _TwoAtOnceError as error:
        raise AssertionError(
            "what begin returned was called from two threads at once: answers of a model would be mixed; "
            "give each worker one of its own in its own process"
        ) from error


def closing_ends_the_work(engine: Engine) -> None:
    """Nothing is done, and no task is taken, after the caller closed the iterator."""
    with TemporaryDirectory() as folder:
        done, stream = Path(folder) / "done", _Stream(LONG_STREAM)
        results = engine.map(stream, Noting(done))
        next(results)
        _close(results)
        before = stream.taken, done.stat().st_size if done.exists() else 0
        sleep(SECONDS_FOR_MORE)
        after = stream.taken, done.stat().st_size if done.exists() else 0
    require(before == after, "work went on after the iterator was closed: stop it in a finally block")


ENGINE_CHECKS = (
    every_task_is_done_once,
    no_tasks_are_no_work,
    tasks_are_taken_as_they_are_needed,
    a_failure_is_passed_on,
    a_failure_to_begin_is_passed_on,
    work_begins_once_per_worker,
    one_call_at_a_time,
    closing_ends_the_work,
)


class Tripling(Work[int, int]):
    """Work that multiplies each task by three."""

    def begin(self, share: Share) -> Callable[[int], int]:
        return lambda task: 3 * task


class FailingOnce(Work[int, int]):
    """Work that raises an error for one of its tasks."""

    def begin(self, share: Share) -> Callable[[int], int]:
        return lambda task: task // (task - 5)


class NeverBeginning(Work[int, int]):
    """Work whose ``begin`` raises an error."""

    def begin(self, share: Share) -> Callable[[int], int]:
        raise ZeroDivisionError


class Signing(Work[int, tuple[str, Share, str]]):
    """Work that returns the machine, the `Share`, and a token of the call of ``begin``."""

    def begin(self, share: Share) -> Callable[[int], tuple[str, Share, str]]:
        signature = platform.node(), share, uuid4().hex
        return lambda _: signature


class Alone(Work[int, int]):
    """Work that raises an error if the engine calls it twice at once in one process."""

    def begin(self, share: Share) -> Callable[[int], int]:
        return _Refusing()


@dataclass(frozen=True)
class Noting(Work[int, int]):
    """Work that appends a character per task to a file."""

    file: Path

    def begin(self, share: Share) -> Callable[[int], int]:
        return self._note

    def _note(self, task: int) -> int:
        sleep(SECONDS_IN_A_CALL)
        if self.file.parent.exists():  # not on another machine
            with self.file.open("a") as file:
                file.write(".")
        return task


class _TwoAtOnceError(RuntimeError):
    """The error that is raised if a second call begins before the first one ends."""


class _Refusing:
    """A function that raises an error if it is called while another call of it is running."""

    def __init__(self) -> None:
        self._free = Lock()

    def __call__(self, task: int) -> int:
        if not self._free.acquire(blocking=False):
            raise _TwoAtOnceError
        try:
            sleep(SECONDS_IN_A_CALL)
        finally:
            self._free.release()
        return task


class _Stream(Iterable[int]):
    """A stream of tasks that counts how many the engine has taken."""

    def __init__(self, length: int) -> None:
        self.length, self.taken = length, 0

    def __iter__(self) -> Iterator[int]:
        while self.taken < self.length:
            self.taken += 1
            yield self.taken


def _require_its_error(engine: Engine, work: Work[int, int], otherwise: str) -> None:
    try:
        list(engine.map(TASKS, work))
    except ZeroDivisionError:
        return
    raise AssertionError(otherwise)


def _close(results: Iterator[object]) -> None:
    close = getattr(results, "close", None)
    require(callable(close), "map returned what cannot be closed: write it as a generator, with yield")
    close()  # type: ignore[misc] # it is callable
