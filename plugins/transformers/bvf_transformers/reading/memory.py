"""The memory budget, and batches of items of one shape, as large as it allows."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import TypeVar

import numpy as np
import torch
from torch import Tensor

from bvf.errors import OutOfMemoryError
from bvf.files import free_memory
from bvf.stats import FloatArray

T = TypeVar("T")
BUDGET_ON_CPU = 1024
"""Larger batches do not fit the processor's caches, smaller ones do not keep it busy (docs/evidence/performance.md)."""
FIRST_BUDGET = 8192
LARGEST_BUDGET = 1_048_576
GROWS_AFTER = 4
SHARE_OF_FREE_MEMORY = 0.5
REMEMBERED_TOKENS_A_TOKEN = 8
"""A row counts as one token of the memory budget for so many tokens that it attends to."""
R = TypeVar("R")


class Budget:
    """Tokens per batch, fixed or growing while an accelerator has free memory.

    It grows with batches that fill at least half of it, and is halved whenever memory runs out.
    """

    def __init__(self, batch_tokens: int, device: torch.device, model: str) -> None:
        on_cpu = device.type == "cpu"
        self.tokens = batch_tokens or (BUDGET_ON_CPU if on_cpu else FIRST_BUDGET)
        self.model = model
        self._device = device
        self._largest = self.tokens if batch_tokens or on_cpu else LARGEST_BUDGET
        self._successes = 0

    def tried(self, run: Callable[[], T], items: int, tokens_each: int) -> T | None:
        """Return the result of ``run``; None if it runs out of memory. Then half as many tokens are allowed.

        Raises:
            OutOfMemoryError: A batch with a single item ran out of memory.
        """
        try:
            answer = run()
        except (RuntimeError, MemoryError) as error:
            if not is_out_of_memory(error):
                raise
        else:
            self._successes += (counts := 2 * items * tokens_each > self.tokens)
            enough = counts and self._successes % GROWS_AFTER == 0
            if enough and self.tokens < self._largest and self._is_memory_free():
                self.tokens = min(self.tokens * 2, self._largest)
            return answer
        # here the error is freed, and with it the tensors that its traceback held
        if items == 1:
            raise out_of_memory(f"{self.model}: not even one prompt of {tokens_each} tokens fits the memory")
        self.tokens = self._largest = max(min(self.tokens, items * tokens_each) // 2, 1)
        self._successes = 0
        if torch.cuda.is_available():
            torch.cuda.empty_cache()
        return None

    def _is_memory_free(self) -> bool:
        """Whether the peak memory of the batches so far leaves space for a batch of twice the size."""
        if self._device.type != "cuda":
            return True
        _, total = torch.cuda.mem_get_info(self._device)
        return torch.cuda.max_memory_allocated(self._device) < SHARE_OF_FREE_MEMORY * total


def is_out_of_memory(error: Exception) -> bool:
    """Return whether an error says that memory ran out, on any device."""
    if isinstance(error, torch.OutOfMemoryError | MemoryError):
        return True
    text = str(error).lower()
    return "out of memory" in text or "can't allocate memory" in text or "not enough memory" in text


def free_bytes(device: torch.device) -> int | None:
    """Return how much memory is free on a device, with what torch holds there and does not use; None if unknown."""
    if device.type == "cuda":
        unused = torch.cuda.memory_reserved(device) - torch.cuda.memory_allocated(device)
        return int(torch.cuda.mem_get_info(device)[0]) + unused
    return free_memory() if device.type == "cpu" else None


def out_of_memory(message: str, more: str = "") -> OutOfMemoryError:
    """Return the error for a model or prompt that does not fit into memory. Its hint names options that may help."""
    return OutOfMemoryError(message, f"use --dtype bfloat16, another --device, or -B device_map=auto{more}")


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
