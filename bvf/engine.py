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

        Args:
            shards: What is to be scored; small and picklable.
            score: Scores one. In a run it can be pickled, and loads the model where it is unpickled.
        """
