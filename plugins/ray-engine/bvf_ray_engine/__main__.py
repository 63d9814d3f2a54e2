"""The process that speaks to Ray, so that what Ray prints, its signals and its crashes do not reach the run."""

import sys
from contextlib import suppress
from multiprocessing.connection import Connection
from queue import SimpleQueue
from threading import Thread
from typing import Any

from bvf.errors import BvfError
from bvf_ray_engine.cluster import connected
from bvf_ray_engine.messages import Begin, Connected, Refused
from bvf_ray_engine.pool import Pool


def main(run: Connection) -> None:
    """Serve the run at the other end of a connection, until that end is closed."""
    begin: Begin = run.recv()
    events: SimpleQueue[Any] = SimpleQueue()
    with suppress(BrokenPipeError):
        try:
            with connected(begin.options):
                run.send(Connected())
                Thread(target=_listen, args=(run, events), daemon=True).start()
                pool = Pool(begin, events, run.send)
                try:
                    pool.run()
                finally:
                    pool.end()
        except BvfError as error:
            run.send(Refused(error.message, error.hint))


def _listen(run: Connection, events: "SimpleQueue[Any]") -> None:
    with suppress(EOFError, OSError):
        while True:
            events.put(run.recv())
    events.put(None)


if __name__ == "__main__":
    main(Connection(int(sys.argv[1])))
