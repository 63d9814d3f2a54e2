"""The engine that needs nothing."""

from collections.abc import Callable, Iterator, Sequence

from bvf.interfaces.engine import Engine, P, S


class LocalEngine(Engine):
    """Scores one shard after another in this process."""

    def scores(self, shards: Sequence[S], score: Callable[[S], P]) -> Iterator[tuple[S, P]]:
        for shard in shards:
            yield shard, score(shard)
