"""Decides which of several models are scored at the same time, each by one worker."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from heapq import nlargest

from bvf.interfaces.engine import Capacity

LONGEST = 2
"""How many times a worker's share of all weights one model may have: the other workers wait for it at the end."""


@dataclass(frozen=True)
class Weights:
    """The bytes that the weights of a model take once they are loaded.

    They are in the main memory, which all workers of a machine share, or on a device of the worker
    (``in_main_memory=False``).
    """

    size: int
    in_main_memory: bool = True


def at_once(models: Sequence[Weights | None], capacity: Capacity) -> tuple[int, ...]:
    """Return the places of the models that workers score at the same time, one model per worker, the largest first.

    Any worker takes the next model when it has finished one. All workers together score each of the other models: those
    of unknown size, those that do not fit into the main memory of every machine beside the others, and those so large
    that other workers would long be idle. The time that a model takes is estimated by its size. If a single model is
    left, it is one of the others too.

    Args:
        models: The weights of each model; None: not known.
        capacity: The workers, and their machines. Where the memory of a machine is not known, any models fit.
    """
    workers = capacity.workers
    left = {place: weights for place, weights in enumerate(models) if weights is not None}
    while len(left) > 1 and workers > 1:
        others = _too_heavy(left, workers) or _too_many(left, capacity)
        if not others:
            return tuple(sorted(left, key=lambda place: -left[place].size))
        del left[max(others, key=lambda place: left[place].size)]
    return ()


def _too_heavy(models: Mapping[int, Weights], workers: int) -> dict[int, Weights]:
    """The models that one worker would long be busy with after the others have finished."""
    share = sum(weights.size for weights in models.values()) / workers
    return {place: weights for place, weights in models.items() if weights.size > LONGEST * share}


def _too_many(models: Mapping[int, Weights], capacity: Capacity) -> dict[int, Weights]:
    """The models in the main memory, if as many as a machine has workers may not fit there together; else none."""
    in_memory = {place: weights for place, weights in models.items() if weights.in_main_memory}
    sizes = [weights.size for weights in in_memory.values()]
    fit = all(
        machine.memory is None or sum(nlargest(machine.workers, sizes)) <= machine.memory
        for machine in capacity.machines
    )
    return {} if fit else in_memory
