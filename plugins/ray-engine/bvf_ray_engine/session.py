"""The run's side of the Ray process: starts it, exchanges messages with it, and ends it."""

import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from multiprocessing import Pipe
from typing import Self

from bvf import BvfError
from bvf.errors import LostError, in_one_line
from bvf.interfaces import Capacity
from bvf_ray_engine.messages import Ask, Begin, Connected, Done, GivenUp, Raised, Refused, Tasks, Wants
from bvf_ray_engine.options import AUTO

SILENT = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_ENABLE_UV_RUN_RUNTIME_ENV": "0"}
"""Switches off defaults of Ray: usage reports to its makers, and a new environment for the workers of `uv run`."""
SECONDS_TO_REACH, SECONDS_TO_ANSWER, SECONDS_TO_START = 5.0, 30.0, 180.0
"""Seconds to reach an address, for a cluster there to answer, and to start a cluster here."""
SECONDS_TO_END = 20.0
LONGEST_LINE = 300
_HINT = "ray status shows whether a cluster runs; bvf must run on a node of it"


class Session:
    """The Ray process as a context manager. Refuses an address where nothing answers, and leaves nothing running."""

    def __init__(self, begin: Ask | Begin) -> None:
        self._begin, self._connected = begin, False

    def __enter__(self) -> Self:
        _reach(self._begin.options.address)
        self._connection, other = Pipe()
        self._output = tempfile.TemporaryFile()
        with other:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "bvf_ray_engine", str(other.fileno())],
                pass_fds=[other.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=self._output,
                stderr=self._output,
                start_new_session=True,
                env={**SILENT, **os.environ},
            )
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()
        try:
            if self._connected:
                self._process.wait(SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            pass
        finally:
            self._process.kill()
            self._process.wait()
            self._output.close()

    def send(self, message: Ask | Begin | Tasks) -> None:
        """Send a message to the Ray process."""
        try:
            self._connection.send(message)
        except OSError as error:
            raise self._ended() from error

    def messages(self) -> Iterator[Capacity | Wants | Done | Raised | GivenUp]:
        """Yield messages of the Ray process. Raises `BvfError` if it reports one, does not answer in time or ends."""
        self.send(self._begin)
        address = self._begin.options.address
        seconds = SECONDS_TO_ANSWER if address else SECONDS_TO_START
        if not self._connection.poll(seconds):
            problem = f"nothing at {address} answered" if address else "no cluster started here"
            raise BvfError(f"engine ray: {problem} within {seconds:g} seconds", _HINT)
        while True:
            try:
                message = self._connection.recv()
            except (EOFError, OSError) as error:
                raise self._ended() from error
            match message:
                case Connected():
                    self._connected = True
                case Refused(problem, hint, lost):
                    raise (LostError if lost else BvfError)(problem, hint)
                case _:
                    yield message

    def _ended(self) -> BvfError:
        self._output.seek(0)
        lines = [line for line in self._output.read().decode(errors="replace").splitlines() if line.strip()]
        last = f": {in_one_line(lines[-1])[:LONGEST_LINE]}" if lines else ""
        kind = LostError if self._connected else BvfError
        return kind(f"engine ray: the connection to Ray has ended{last}", "run the same command again: it goes on")


def _reach(address: str) -> None:
    """Refuse an address where no server listens, before a process is started for it."""
    if address in {"", AUTO}:
        return
    host, _, port = address.rpartition(":")
    try:
        socket.create_connection((host.strip("[]"), int(port)), SECONDS_TO_REACH).close()
    except OSError as error:
        raise BvfError(f"engine ray: nothing answers at {address}: {error}", _HINT) from error
