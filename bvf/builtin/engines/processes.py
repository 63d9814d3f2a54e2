"""The engine for several cores or GPUs: shards are scored by processes of their own."""

import os
import pickle
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import lru_cache
from itertools import islice
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any

from bvf.builtin.engines.orphans import end_when_closed
from bvf.errors import BvfError
from bvf.files.parsing import shortened, whole_number
from bvf.interfaces.engine import Engine, P, S

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.sharedctypes import Synchronized

MOST_PROCESSES = 4096
IF_ONE_DIES = "fewer need less memory (processes:2, or local); a script of yours needs if __name__ == '__main__':"


class Processes(Engine):
    """Scores as many shards at once as there are processes, each with its share of the cores and a GPU in turn.

    Small models keep one core busy better than several. Each process holds a model of its own.

    Args:
        number: Of processes, as ``processes:4`` has it; empty: one a core.

    Raises:
        BvfError: It is no number, 0, or too large.
    """

    def __init__(self, number: str = "") -> None:
        wanted = whole_number(number, 1, MOST_PROCESSES) if number else cores()
        if wanted is None:
            said = f'engine processes: "{shortened(number)}" is no number of processes'
            raise BvfError(said, f"1 to {MOST_PROCESSES}, e.g. processes:4")
        self.number = wanted

    def scores(self, shards: Sequence[S], score: Callable[[S], P]) -> Iterator[tuple[S, P]]:
        number = min(self.number, len(shards))
        if not number:
            return
        sent, todo = pickle.dumps(score), iter(shards)
        waiting: dict[Future[P], S] = {}
        context = get_context("spawn")
        ends_when_closed, held = context.Pipe(duplex=False)
        begun = max(1, cores() // number), context.Value("i", 0), ends_when_closed
        with held, ends_when_closed, ProcessPoolExecutor(number, context, _start, begun) as pool:
            try:
                while True:
                    for shard in islice(todo, 2 * number - len(waiting)):
                        with _interrupts_later():
                            future = pool.submit(_score, sent, shard)
                        waiting[future] = shard
                    if not waiting:
                        return
                    for future in wait(waiting, return_when=FIRST_COMPLETED).done:
                        yield waiting.pop(future), future.result()
            except BrokenProcessPool as error:
                raise BvfError("engine processes: one of them died, perhaps for want of memory", IF_ONE_DIES) from error
            finally:
                if waiting:
                    held.close()  # what is still scored is for nobody
                pool.shutdown(cancel_futures=True)


def cores() -> int:
    """Return how many processes can run at once."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def _interrupts_later() -> Iterator[None]:
    """Let an interrupt wait: a process that begins in this block takes none before `_start` is ready for it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _start(threads: int, begun: "Synchronized[int]", ends_when_closed: "Connection") -> None:
    """Begin a process: an interrupt of the terminal ends it at once, and torch takes its share of the machine."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    end_when_closed(ends_when_closed)

    import torch

    torch.set_num_threads(threads)
    with begun.get_lock():
        index, begun.value = begun.value, begun.value + 1
    if torch.cuda.device_count() > 1:
        torch.cuda.set_device(index % torch.cuda.device_count())


def _score(sent: bytes, shard: Any) -> Any:
    return _received(sent)(shard)


@lru_cache(maxsize=1)
def _received(sent: bytes) -> Callable[[Any], Any]:
    """What scores shards in this process, made when the first of them comes, so that its errors reach the run."""
    score: Callable[[Any], Any] = pickle.loads(sent)
    return score
