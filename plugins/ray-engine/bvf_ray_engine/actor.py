"""The worker on a node of the cluster.

This module is sent by value, and imports nothing of bvf: where bvf is missing, it still runs, and says so.
"""

import os
import pickle
import platform
import sys
import traceback
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, entry_points, version
from typing import Any

LIBRARIES = ("bvf", "numpy", "pyarrow", "tokenizers", "torch", "transformers")
"""Distributions whose versions may change an answer."""
Answer = tuple[bytes, str]
"""A pickled value; and a traceback if the value is an error, else nothing."""


class Worker:
    """Holds the work that was begun, and does one task at a time."""

    do: Callable[[Any], Any]

    def placed(self) -> tuple[str, str, dict[str, str]]:
        """Return the address and the name of this machine, and the versions of what is installed."""
        from ray.util import get_node_ip_address

        return get_node_ip_address(), platform.node(), versions()

    def begin(self, work: bytes, index: int, workers: int, threads: int, folder: str, path: tuple[str, ...]) -> Answer:
        """Begin the work, in the folder of the run where this machine has it.

        Args:
            work: Pickled.
            index: Index of the share.
            workers: Workers of the share.
            threads: Threads of the share.
            folder: Working folder of the run.
            path: Where the run finds modules; folders that are new to this process come last.
        """

        def begun() -> None:
            from bvf.interfaces.engine import Share

            if os.path.isdir(folder):
                os.chdir(folder)
            sys.path += [entry for entry in path if entry not in sys.path]
            self.do = pickle.loads(work).begin(Share(index, workers, threads))

        return _answered(begun)

    def done(self, task: bytes) -> Answer:
        """Do one task."""
        return _answered(lambda: self.do(pickle.loads(task)))


def versions() -> dict[str, str]:
    """Return the versions of Python, of libraries that decide on answers, and of every plugin; none is imported."""
    plugins = {entry.dist.name: entry.dist.version for entry in entry_points(group="bvf") if entry.dist}
    libraries = {name: version for name in LIBRARIES if (version := _version(name))}
    return {"python": platform.python_version(), **libraries, **plugins}


def _version(distribution: str) -> str:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return ""


def _answered(call: Callable[[], object]) -> Answer:
    try:
        return pickle.dumps(call()), ""
    except BaseException as error:  # noqa: BLE001 - whatever it is, the run ends with it
        told = traceback.format_exc()
        try:
            content = pickle.dumps(error)
            pickle.loads(content)
        except Exception:  # noqa: BLE001 - errors can be of classes that cannot be sent
            content = pickle.dumps(RuntimeError(f"{type(error).__name__}: {error}"))
        return content, told
