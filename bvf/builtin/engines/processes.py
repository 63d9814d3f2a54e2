"""The engine for several cores or GPUs: every task is done in a separate process."""

import os
import pickle
import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import cached_property
from itertools import chain, islice
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection
from threading import Thread
from typing import TYPE_CHECKING, Any, ClassVar

from bvf.errors import BvfError, shortened
from bvf.files.machine import free_memory, processors
from bvf.files.parsing import whole_number
from bvf.interfaces.engine import Capacity, Engine, Machine, R, Share, T, Work

if TYPE_CHECKING:
    from multiprocessing.sharedctypes import Synchronized


def end_with_parent() -> None:
    """End this process as soon as its parent has ended, even by SIGKILL.

    To be called first in a worker process of `multiprocessing`. A thread waits on a pipe that the parent alone holds
    open, so nothing is polled. In a process that `multiprocessing` did not start, nothing happens.
    """
    if parent_process() is not None:
        Thread(target=_wait_and_end, name="end with parent", daemon=True).start()


def _wait_and_end() -> None:
    parent = parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def _end_when_closed(pipe: Connection) -> None:
    """End this process as soon as the other end of a pipe is closed. Its holder may have closed it or have ended."""
    pipe.poll(None)
    os._exit(1)


MOST_PROCESSES = 4096
SAFE_PATH = "PYTHONSAFEPATH"
IF_ONE_DIES = (
    "fewer need less memory (--engine processes:2, or local); a script of yours needs if __name__ == '__main__':"
)


class Processes(Engine):
    """Does one task at a time in each process.

    Each process has an equal number of CPU cores, and GPUs are assigned in turn.

    For a small model, several processes of one core are faster than one of several cores. Each loads the model.
    """

    elsewhere: ClassVar[bool] = True

    def __init__(self, number: str = "") -> None:
        wanted = whole_number(number, 1, MOST_PROCESSES) if number else processors()
        if wanted is None:
            message = f'engine processes: "{shortened(number)}" is not a number of processes'
            raise BvfError(message, f"1 to {MOST_PROCESSES}, e.g. processes:4")
        self.workers = wanted

    def capacity(self) -> Capacity:
        return Capacity(self.workers, (Machine(self.workers, free_memory()),))

    def map(self, tasks: Iterable[T], work: Work[T, R]) -> Iterator[tuple[T, R]]:
        """Yield every task with its result. No more processes are started than there are tasks."""
        stream = iter(tasks)
        first = list(islice(stream, self.workers))
        if first:
            yield from _mapped(chain(first, stream), work, len(first))


def _mapped(tasks: Iterator[T], work: Work[T, R], number: int) -> Iterator[tuple[T, R]]:
    """Yield tasks and results from ``number`` processes. At most 2 * ``number`` tasks are pending at a time."""
    waiting: dict[Future[R], T] = {}
    context = get_context("spawn")
    ends_when_closed, held = context.Pipe(duplex=False)
    with _away_from_working_folder():
        begun = pickle.dumps(work), number, context.Value("i", 0), ends_when_closed
    with held, ends_when_closed, ProcessPoolExecutor(number, context, _start, begun) as pool:
        try:
            while True:
                for task in islice(tasks, 2 * number - len(waiting)):
                    with _interrupts_later(), _away_from_working_folder():
                        future = pool.submit(_do, task)
                    waiting[future] = task
                if not waiting:
                    return
                for future in wait(waiting, return_when=FIRST_COMPLETED).done:
                    yield waiting.pop(future), future.result()
        except BrokenProcessPool as error:
            raise BvfError("engine processes: one of them died, perhaps because memory ran out", IF_ONE_DIES) from error
        finally:
            if waiting:
                held.close()  # ends the processes: their results are not wanted
            pool.shutdown(cancel_futures=True)


@contextmanager
def _interrupts_later() -> Iterator[None]:
    """Delay interrupts in the block. A process that begins in it receives none before `_start` is ready."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _away_from_working_folder() -> Iterator[None]:
    """Let processes that begin in the block import nothing from the working folder, which may be of anybody."""
    before = os.environ.get(SAFE_PATH)
    os.environ[SAFE_PATH] = "1"
    try:
        yield
    finally:
        os.environ.pop(SAFE_PATH, None)
        os.environ |= {} if before is None else {SAFE_PATH: before}


class _Worker:
    """Does tasks in this process. The work is set up with the first task, so that its errors reach the caller."""

    def __init__(self, sent: bytes, share: Share) -> None:
        self._sent, self._share = sent, share

    @cached_property
    def do(self) -> Callable[[Any], Any]:
        work: Work[Any, Any] = pickle.loads(self._sent)
        return work.begin(self._share)


_of_this_process: list[_Worker] = []


def _start(sent: bytes, workers: int, begun: "Synchronized[int]", ends_when_closed: Connection) -> None:
    """Set up a worker process. Ctrl-C ends it at once, and its number determines its `Share` of the machine."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    Thread(target=_end_when_closed, args=(ends_when_closed,), name="end when closed", daemon=True).start()
    with begun.get_lock():
        index, begun.value = begun.value, begun.value + 1
    _of_this_process.append(_Worker(sent, Share(index, workers).within(processors())))


def _do(task: Any) -> Any:
    return _of_this_process[0].do(task)
