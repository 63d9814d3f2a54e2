"""The process that talks to Ray. So Ray's output, signals and crashes do not reach the run."""

import sys
from contextlib import suppress
from multiprocessing.connection import Connection
from queue import SimpleQueue
from threading import Thread
from typing import Any

from bvf import BvfError
from bvf.errors import LostError
from bvf_ray_engine.cluster import capacity, connected
from bvf_ray_engine.messages import Ask, Begin, Connected, Refused
from bvf_ray_engine.pool import Pool


def main(run: Connection) -> None:
    """Serve the run at the other end of a connection until the run closes it."""
    begin: Ask | Begin = run.recv()
    events: SimpleQueue[Any] = SimpleQueue()

    def listen() -> None:
        with suppress(EOFError, OSError):
            while True:
                events.put(run.recv())
        events.put(None)

    with suppress(BrokenPipeError):
        try:
            with connected(begin.options):
                run.send(Connected())
                if isinstance(begin, Ask):
                    run.send(capacity(begin.options))
                    return
                Thread(target=listen, daemon=True).start()
                pool = Pool(begin, events, run.send)
                try:
                    pool.run()
                finally:
                    pool.end()
        except BvfError as error:
            run.send(Refused(error.message, error.hint, isinstance(error, LostError)))


if __name__ == "__main__":
    main(Connection(int(sys.argv[1])))
