"""Connects to a Ray cluster or starts one here. It checks the capacity and the versions of its nodes."""

import logging
import math
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import ray

from bvf.errors import BvfError, error_text
from bvf.files.processors import processors
from bvf_ray_engine.options import AUTO, RayOptions

QUIET: dict[str, Any] = {"include_dashboard": False, "log_to_driver": False, "logging_level": logging.ERROR}
STORE = 256 * 2**20
"""Bytes of the object store of a cluster that is started here: only small objects are put there."""
ROUNDING = 1e-9


@contextmanager
def connected(options: RayOptions) -> Iterator[None]:
    """Connect to a cluster while the block runs. Raises `BvfError` if it cannot be started or reached."""
    try:
        if options.address:
            ray.init(address=options.address, **{**QUIET, "include_dashboard": None})
        else:
            needed = max(options.workers, 1) * options.cpus
            ray.init(address="local", num_cpus=max(processors(), needed), object_store_memory=STORE, **QUIET)
    except Exception as error:
        if not options.address:
            raise BvfError(
                f"engine ray: no cluster can be started here: {error_text(error)}", "ray start --head says more"
            ) from error
        place = "this machine is in no cluster" if options.address == AUTO else f"no cluster at {options.address}"
        raise BvfError(
            f"engine ray: {place}: {error_text(error)}",
            "ray status shows whether one runs; bvf must run on a node of it, with the same versions of Ray and Python",
        ) from error
    try:
        yield
    finally:
        ray.shutdown()


def room(options: RayOptions) -> Counter[str]:
    """Return how many workers fit on each machine, by address, ignoring other load. Refuses if none fits."""
    nodes = [node for node in ray.nodes() if node["Alive"]]
    sizes = [[float(node["Resources"].get(resource, 0.0)) for resource in ("CPU", "GPU")] for node in nodes]
    workers: Counter[str] = Counter()
    for node, (cpus, gpus) in zip(nodes, sizes, strict=True):
        fitting = min(cpus / options.cpus, gpus / options.gpus if options.gpus else math.inf)
        workers[node["NodeManagerAddress"]] += math.floor(fitting + ROUNDING)
    if not workers.total():
        wanted = f"{options.cpus} CPU" + (f" and {options.gpus:g} GPU" if options.gpus else "")
        first = ", ".join(f"{cpus:g} CPU and {gpus:g} GPU" for cpus, gpus in sizes[:3])
        raise BvfError(
            f"engine ray: no node has {wanted} for a worker",
            f"the nodes have {first or 'gone'}; choose other -E cpus= and -E gpus=, or add nodes first",
        )
    return workers


def refuse_other_versions(node: str, there: Mapping[str, str], here: Mapping[str, str]) -> None:
    """Refuse a node whose versions ``there`` differ from those of this process, ``here``; by distribution."""
    apart = [name for name in here if there.get(name) != here[name]]
    if apart:
        other = _listed([f"{name} {there[name]}" if name in there else f"no {name}" for name in apart])
        ours = _listed([f"{name} {here[name]}" for name in apart])
        raise BvfError(
            f"engine ray: node {node} has {other}; here {'is' if len(apart) == 1 else 'are'} {ours}",
            "install the same versions on every node, and restart Ray there: results must not depend on the node",
        )


def _listed(parts: list[str]) -> str:
    return " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))
