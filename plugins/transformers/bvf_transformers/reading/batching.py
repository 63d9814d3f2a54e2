"""Batches of items of one shape, as large as the memory budget allows."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

import numpy as np
import torch
from torch import Tensor

from bvf.arrays import FloatArray
from bvf_transformers.reading.memory import Budget

T = TypeVar("T")


def by_shape(items: Sequence[T], shape: Callable[[T], Hashable]) -> list[list[int]]:
    """Return the indices of items grouped by shape. So no padding is needed."""
    groups: dict[Hashable, list[int]] = defaultdict(list)
    for index, item in enumerate(items):
        groups[shape(item)].append(index)
    return list(groups.values())


def in_batches(
    items: Sequence[T], tokens_each: int, budget: Budget, run: Callable[[Sequence[T]], Tensor]
) -> FloatArray:
    """Run batches of items of one shape, and return their results as one array, shape (len(items), ...).

    A batch that runs out of memory is run again in smaller ones.
    """
    results: list[FloatArray] = []
    done = 0
    while done < len(items):
        batch = items[done : done + max(1, budget.tokens // tokens_each)]

        def run_batch(batch: Sequence[T] = batch) -> FloatArray:
            with torch.inference_mode():
                return run(batch).double().cpu().numpy()

        result = budget.tried(run_batch, len(batch), tokens_each)
        if result is not None:
            results.append(result)
            done += len(batch)
    return np.concatenate(results)
