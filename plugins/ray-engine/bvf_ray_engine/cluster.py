"""The cluster: one that is there, or one that is started here."""

import logging
import math
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import ray

from bvf.errors import BvfError, said
from bvf.files.processors import processors
from bvf_ray_engine.options import AUTO, RayOptions

QUIET: dict[str, Any] = {"include_dashboard": False, "log_to_driver": False, "logging_level": logging.ERROR}
STORE = 256 * 2**20
"""Bytes of memory for objects on a cluster that is started here: nothing large is put there."""
ROUNDING = 1e-9


@contextmanager
def connected(options: RayOptions) -> Iterator[None]:
    """Be connected to a cluster in the block.

    Raises:
        BvfError: It cannot be started, or refuses.
    """
    try:
        if options.address:
            ray.init(address=options.address, **{**QUIET, "include_dashboard": None})
        else:
            needed = max(options.workers, 1) * options.cpus
            ray.init(address="local", num_cpus=max(processors(), needed), object_store_memory=STORE, **QUIET)
    except Exception as error:
        raise _refused(error, options) from error
    try:
        yield
    finally:
        ray.shutdown()


def room(options: RayOptions) -> Counter[str]:
    """Return how many workers fit on the nodes of each machine, by its address, busy or not.

    Raises:
        BvfError: None fits on any.
    """
    nodes = [node for node in ray.nodes() if node["Alive"]]
    workers: Counter[str] = Counter()
    for node in nodes:
        workers[node["NodeManagerAddress"]] += _fitting(node["Resources"], options)
    if not workers.total():
        wanted = f"{options.cpus} CPU" + (f" and {options.gpus:g} GPU" if options.gpus else "")
        largest = ", ".join(f"{_has(node, 'CPU'):g} CPU and {_has(node, 'GPU'):g} GPU" for node in nodes[:3])
        raise BvfError(
            f"engine ray: no node has {wanted} for a worker",
            f"the nodes have {largest or 'gone'}; choose other -E cpus= and -E gpus=, or add nodes first",
        )
    return workers


def _fitting(resources: dict[str, float], options: RayOptions) -> int:
    rooms = [resources.get("CPU", 0.0) / options.cpus]
    rooms += [resources.get("GPU", 0.0) / options.gpus] if options.gpus else []
    return math.floor(min(rooms) + ROUNDING)


def _has(node: dict[str, Any], resource: str) -> float:
    return float(node["Resources"].get(resource, 0.0))


def _refused(error: Exception, options: RayOptions) -> BvfError:
    if not options.address:
        return BvfError(f"engine ray: no cluster can be started here: {said(error)}", "ray start --head says more")
    hint = "ray status shows whether one runs; bvf must run on a node of it, with the same versions of Ray and Python"
    where = "this machine is in no cluster" if options.address == AUTO else f"no cluster at {options.address}"
    return BvfError(f"engine ray: {where}: {said(error)}", hint)
