"""Several requests at once, by threads that an interrupted program does not wait for."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from threading import Event, Lock, Thread
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")


def side_by_side(do: Callable[[T], R], items: Sequence[T], most: int) -> Iterator[R]:
    """Yield the result for each item, in their order.

    Args:
        do: Makes the result of an item; may raise anything, which ends the iteration.
        items: Any number.
        most: How many are done at the same time.
    """
    done: list[Future[R]] = [Future() for _ in items]
    waiting = iter(zip(items, done, strict=True))
    taking, ended = Lock(), Event()

    def work() -> None:
        while not ended.is_set():
            with taking:
                item, future = next(waiting, (None, None))
            if item is None or future is None:
                return
            try:
                future.set_result(do(item))
            except BaseException as error:  # noqa: BLE001 - whatever it is, who waits for the answer gets it
                ended.set()
                future.set_exception(error)

    for _ in range(min(most, len(items))):
        Thread(target=work, daemon=True).start()
    try:
        for future in done:
            yield future.result()
    finally:
        ended.set()
