"""The interface of an engine (tasks in one process, in several, on a cluster), and a worker's share of a machine."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import ClassVar, Generic, Self, TypeVar

T = TypeVar("T")
R = TypeVar("R")
AS_ENGINES_YIELD = "an engine yields every task once, with what the work made of it"


@dataclass(frozen=True)
class Share:
    """The CPU threads and devices of a machine that one worker may use.

    It is worker ``index``, from 0, of ``workers`` on this machine; its libraries may start ``threads`` threads, or any
    number if that is 0.
    """

    index: int = 0
    workers: int = 1
    threads: int = 0

    def within(self, threads: int) -> Self:
        """Return these resources limited to this worker's part of ``threads`` threads.

        The worker gets at least one thread, and no more than before.
        """
        part = max(1, threads // self.workers)
        return replace(self, threads=min(self.threads or part, part))


class Work(ABC, Generic[T, R]):
    """The work to be done on every task, such as scoring a block of prompts. Engines pickle it for other processes."""

    @abstractmethod
    def begin(self, share: Share) -> Callable[[T], R]:
        """Load what the work needs, and return a function that does one task.

        It is called once per worker, where the worker runs. Only one thread at a time calls the returned function.
        """


@dataclass(frozen=True)
class Machine:
    """A machine with workers of an engine, each in a process of its own.

    ``workers``: the most of them there; ``memory``: the bytes of its main memory for all of them; None: not known.
    """

    workers: int
    memory: int | None = None


@dataclass(frozen=True)
class Capacity:
    """How many tasks an engine does at once, one per worker, and the machines with these workers."""

    workers: int = 1
    machines: tuple[Machine, ...] = ()


class Engine(ABC):
    """Runs the same work on many tasks. Implement `map`.

    ``elsewhere``: tasks are done outside this process, which therefore frees the model that it loaded.
    """

    elsewhere: ClassVar[bool] = False

    def capacity(self) -> Capacity:
        """Return how many tasks the engine does at once. By default it is 1.

        If there are more workers, a whole model may be a task, so that several models are scored at the same time. It
        is called only if there are several models to be scored.

        Raises:
            BvfError: The machines cannot be asked, or have no room for a worker.
        """
        return Capacity()

    @abstractmethod
    def map(self, tasks: Iterable[T], work: Work[T, R]) -> Iterator[tuple[T, R]]:
        """Yield every task and its result as soon as it is done, in any order.

        A caller that has enough closes the iterator, and an interrupt ends it with KeyboardInterrupt: stop what still
        runs then, in a ``finally`` block. An error of the work ends the iterator too.

        Args:
            tasks: Small and picklable; there may be none. Take them as they are needed: a corpus is a long stream.
            work: Pickle it to send it elsewhere, and call its ``begin`` once per worker.
        """
