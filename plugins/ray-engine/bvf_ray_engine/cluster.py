"""Connects to a Ray cluster or starts one here. It checks the capacity and the versions of its nodes."""

import logging
import math
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import ray

from bvf import BvfError
from bvf.errors import LostError, error_text
from bvf.files import processors
from bvf.interfaces import Capacity, Machine
from bvf_ray_engine.options import AUTO, RayOptions

QUIET: dict[str, Any] = {"include_dashboard": False, "log_to_driver": False, "logging_level": logging.ERROR}
STORE = 256 * 2**20
"""Bytes of the object store of a cluster that is started here: only small objects are put there."""
ROUNDING = 1e-9
HINT = (
    "ray status shows whether one runs; bvf must run on a node of it, with the same versions of Ray and Python; if the "
    "cluster began where ~/.ray/auth_token was, it asks for that token: set RAY_AUTH_MODE=token"
)


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
        raise BvfError(f"engine ray: {place}: {error_text(error)}", HINT) from error
    try:
        yield
    finally:
        ray.shutdown()


def room(options: RayOptions, *, had_some: bool = False) -> Counter[str]:
    """Return how many workers fit on each machine, by address, ignoring other load. Refuses if none fits.

    Raises:
        LostError: None fits, and the cluster had some before.
    """
    workers: Counter[str] = Counter()
    for node in _nodes():
        workers[node.address] += node.room(options)
    if not workers.total():
        wanted = f"{options.cpus} CPU" + (f" and {options.gpus:g} GPU" if options.gpus else "")
        first = ", ".join(f"{node.cpus:g} CPU and {node.gpus:g} GPU" for node in _nodes()[:3])
        raise (LostError if had_some else BvfError)(
            f"engine ray: no node has {wanted} for a worker",
            f"the nodes have {first or 'gone'}; choose other -E cpus= and -E gpus=, or add nodes first",
        )
    return workers


def capacity(options: RayOptions) -> Capacity:
    """Return how many workers the cluster has room for, ignoring other load. Refuses if none fits.

    Any machine may get as many workers as fit there, with the memory that its node gives to Ray.
    """
    fitting = room(options).total()
    number = min(fitting, options.workers or fitting)
    machines = [Machine(min(node.room(options), number), node.memory) for node in _nodes()]
    return Capacity(number, tuple(machine for machine in machines if machine.workers))


@dataclass(frozen=True)
class _Node:
    """A node of the cluster, and what it gives to Ray: CPUs, GPUs, and bytes of main memory (None: not known)."""

    address: str
    cpus: float
    gpus: float
    memory: int | None

    def room(self, options: RayOptions) -> int:
        fitting = min(self.cpus / options.cpus, self.gpus / options.gpus if options.gpus else math.inf)
        return math.floor(fitting + ROUNDING)


def _nodes() -> list[_Node]:
    nodes = [(node["NodeManagerAddress"], node["Resources"]) for node in ray.nodes() if node["Alive"]]
    return [
        _Node(
            address,
            float(has.get("CPU", 0.0)),
            float(has.get("GPU", 0.0)),
            int(has["memory"]) if "memory" in has else None,
        )
        for address, has in nodes
    ]


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
