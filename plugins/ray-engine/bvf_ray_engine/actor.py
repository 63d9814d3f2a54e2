"""The worker on a node of the cluster.

This module is sent by value and imports nothing of bvf, so that it runs, and can report versions, where bvf is missing.
"""

import os
import pickle
import platform
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, entry_points, version
from typing import Any

LIBRARIES = ("bvf", "numpy", "pyarrow", "tokenizers", "torch", "transformers")
"""Distributions whose versions may change an answer."""
Answer = tuple[bytes, str]
"""A pickled value, and the traceback if the value is an error, else an empty text."""


class Worker:
    """Does one task at a time of the work that it has begun."""

    do: Callable[[Any], Any]

    def placed(self) -> tuple[str, str, dict[str, str]]:
        """Return the address and the name of this machine, and the installed versions."""
        from ray.util import get_node_ip_address

        return get_node_ip_address(), platform.node(), versions()

    def begin(self, work: bytes, index: int, workers: int, threads: int, folder: str, path: tuple[str, ...]) -> Answer:
        """Begin the pickled work with a share, in the working folder of the run if this machine has it.

        ``path`` is the run's search path for modules; its folders that are new to this process come last.
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
    """Return the versions of Python, of libraries that may change an answer, and of every plugin; none is imported."""
    found = {"python": platform.python_version()}
    for library in LIBRARIES:
        with suppress(PackageNotFoundError):
            found[library] = version(library)
    return found | {entry.dist.name: entry.dist.version for entry in entry_points(group="bvf") if entry.dist}


def _answered(call: Callable[[], object]) -> Answer:
    try:
        return pickle.dumps(call()), ""
    except BaseException as error:  # noqa: BLE001 - whatever it is, the run ends with it
        trace = traceback.format_exc()
        try:
            content = pickle.dumps(error)
            pickle.loads(content)
        except Exception:  # noqa: BLE001 - errors can be of classes that cannot be sent
            content = pickle.dumps(RuntimeError(f"{type(error).__name__}: {error}"))
        return content, trace
