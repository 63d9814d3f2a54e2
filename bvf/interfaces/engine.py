"""Where shards are scored: in this process, or anywhere else."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

S = TypeVar("S")
P = TypeVar("P")


class Engine(ABC):
    """Runs the scoring of shards. Implement `scores` and nothing else."""

    @abstractmethod
    def scores(self, shards: Sequence[S], score: Callable[[S], P]) -> Iterator[tuple[S, P]]:
        """Yield every shard with its scores, in any order, as soon as each is there.

        A caller that has enough closes the iterator, and an interrupt ends it with KeyboardInterrupt: stop what still
        runs then, in a ``finally`` block. What ``score`` raises ends the iterator too, with the same error.

        Args:
            shards: What is to be scored; small and picklable. There may be none.
            score: Scores one shard at a time: call one copy of it from one thread at a time. It can be pickled; in a
                run the copy loads the model where it is unpickled, so unpickle it once per worker, not per shard. (The
                one of a run lets a second thread wait, so that threads bring nothing.)
        """
