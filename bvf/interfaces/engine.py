"""Where work is done: in this process, or anywhere else."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import ClassVar, Generic, Self, TypeVar

T = TypeVar("T")
R = TypeVar("R")
AS_ENGINES_YIELD = "an engine yields every task once, with what the work made of it"


@dataclass(frozen=True)
class Share:
    """What one worker may use of its machine.

    Args:
        index: Number of the worker among those on this machine, from 0.
        workers: How many workers there are on this machine.
        threads: How many threads its libraries may start; 0: as many as they like.
    """

    index: int = 0
    workers: int = 1
    threads: int = 0

    def within(self, threads: int) -> Self:
        """Return the share with its part of the threads of a run, and no more than its engine allows.

        Args:
            threads: How many the run may start on one machine; its workers divide them, and each has at least one.
        """
        part = max(1, threads // self.workers)
        return replace(self, threads=min(self.threads or part, part))


class Work(ABC, Generic[T, R]):
    """What an engine does with every task: score a shard, mine a piece of a corpus. It can be pickled."""

    @abstractmethod
    def begin(self, share: Share) -> Callable[[T], R]:
        """Load what the work needs, and return what does one task at a time.

        Called once per worker, where the worker runs. What it returns is called from one thread at a time.
        """


class Engine(ABC):
    """Does work on tasks. Implement `map` and nothing else.

    ``elsewhere`` says that tasks are done outside this process, so that this one lets go of the model that it loaded.
    """

    elsewhere: ClassVar[bool] = False

    @abstractmethod
    def map(self, tasks: Iterable[T], work: Work[T, R]) -> Iterator[tuple[T, R]]:
        """Yield every task with what the work made of it, in any order, as soon as each is done.

        A caller that has enough closes the iterator, and an interrupt ends it with KeyboardInterrupt: stop what still
        runs then, in a ``finally`` block. What the work raises ends the iterator too, with the same error.

        Args:
            tasks: Small and picklable; there may be none. Take them as they are needed: a corpus is a long stream.
            work: Pickle it to send it elsewhere, and call its ``begin`` once per worker.
        """
