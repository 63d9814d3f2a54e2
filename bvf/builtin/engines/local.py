"""The engine that works in this process."""

from collections.abc import Iterable, Iterator

from bvf.interfaces.engine import Engine, R, Share, T, Work


class LocalEngine(Engine):
    """Does one task after another in this process."""

    def map(self, tasks: Iterable[T], work: Work[T, R]) -> Iterator[tuple[T, R]]:
        do = work.begin(Share())
        for task in tasks:
            yield task, do(task)
