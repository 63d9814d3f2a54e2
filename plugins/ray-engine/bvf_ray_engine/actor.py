"""The worker on a node of the cluster.

Ray sends this module by value, and it imports bvf only once work begins: so it reports versions where bvf is missing.
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
"""Distributions whose versions may change a result."""
Answer = tuple[bytes, str]
"""A pickled result and an empty text, or a pickled exception and its traceback."""


class Worker:
    """Does the tasks of one kind of work, one at a time."""

    do: Callable[[Any], Any]

    def placed(self) -> tuple[str, str, dict[str, str]]:
        """Return the address and host name of this machine, and the installed `versions`."""
        from ray.util import get_node_ip_address

        return get_node_ip_address(), platform.node(), versions()

    def begin(self, work: bytes, index: int, workers: int, threads: int, folder: str, path: tuple[str, ...]) -> Answer:
        """Load the pickled work and give it its threads and devices (`Share`).

        The working folder is the run's if this machine has it.

        ``path`` is the run's ``sys.path``: its entries that this process lacks are appended. ``OMP_NUM_THREADS``, which
        Ray sets for each worker, becomes the number for all workers of the machine, as the work expects.
        """

        def begun() -> None:
            from bvf import Share

            if os.path.isdir(folder):
                os.chdir(folder)
            os.environ["OMP_NUM_THREADS"] = str(threads * workers)
            sys.path += [entry for entry in path if entry not in sys.path]
            self.do = pickle.loads(work).begin(Share(index, workers, threads))

        return _answered(begun)

    def done(self, task: bytes) -> Answer:
        """Do one pickled task."""
        return _answered(lambda: self.do(pickle.loads(task)))


def versions() -> dict[str, str]:
    """Return the versions of Python, `LIBRARIES` and every plugin by distribution. None of them is imported.

    A distribution that does not name itself has the name of its plugin.
    """
    found = {"python": platform.python_version()}
    for library in LIBRARIES:
        with suppress(PackageNotFoundError):
            found[library] = version(library)
    plugins = {entry.name: entry.dist.metadata for entry in entry_points(group="bvf") if entry.dist}
    for plugin, known in plugins.items():
        (name, *_), (its, *_) = known.get_all("Name", [plugin]), known.get_all("Version", ["without a version"])
        found[name] = its
    return found


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
