"""Ends worker processes as soon as their parent process has ended."""

import os
from multiprocessing import parent_process
from multiprocessing.connection import Connection
from threading import Thread


def end_with_parent() -> None:
    """End this process as soon as its parent has ended, even by SIGKILL.

    To be called first in a worker process of `multiprocessing`. A thread waits on a pipe that the parent alone holds
    open, so nothing is polled. In a process that `multiprocessing` did not start, nothing happens.
    """
    if parent_process() is not None:
        Thread(target=_wait_and_end, name="end with parent", daemon=True).start()


def end_when_closed(pipe: Connection) -> None:
    """End this process as soon as the other end of a pipe is closed. Its holder may have closed it or have ended."""
    Thread(target=_read_and_end, args=(pipe,), name="end when closed", daemon=True).start()


def _wait_and_end() -> None:
    parent = parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def _read_and_end(pipe: Connection) -> None:
    pipe.poll(None)
    os._exit(1)
