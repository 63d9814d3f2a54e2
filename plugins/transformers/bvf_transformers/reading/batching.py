"""Batches of items of one shape, as large as the memory budget allows."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import TypeVar

import numpy as np
import torch
from torch import Tensor

from bvf.stats import FloatArray
from bvf_transformers.reading.memory import Budget

T = TypeVar("T")
R = TypeVar("R")


def by_shape(items: Sequence[T], shape: Callable[[T], Hashable]) -> list[list[int]]:
    """Return the indices of items grouped by shape. So no padding is needed."""
    groups: dict[Hashable, list[int]] = defaultdict(list)
    for index, item in enumerate(items):
        groups[shape(item)].append(index)
    return list(groups.values())


def batches_of(
    items: Sequence[T], tokens_each: int, budget: Budget, run: Callable[[Sequence[T]], R]
) -> Iterator[tuple[Sequence[T], R]]:
    """Run batches of items of one shape, and yield each with its result.

    A batch that runs out of memory is run again in smaller ones.
    """
    done = 0
    while done < len(items):
        batch = items[done : done + max(1, budget.tokens // tokens_each)]

        def run_batch(batch: Sequence[T] = batch) -> R:
            with torch.inference_mode():
                return run(batch)

        result = budget.tried(run_batch, len(batch), tokens_each)
        if result is not None:
            yield batch, result
            done += len(batch)


def in_batches(
    items: Sequence[T], tokens_each: int, budget: Budget, run: Callable[[Sequence[T]], Tensor]
) -> FloatArray:
    """Run batches of items of one shape, and return their results, one after the other, as one array."""

    def run_batch(batch: Sequence[T]) -> FloatArray:
        return run(batch).double().cpu().numpy()

    return np.concatenate([result for _, result in batches_of(items, tokens_each, budget, run_batch)])
