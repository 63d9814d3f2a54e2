"""Batches of one shape, as large as the budget and the memory allow."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import TypeVar

import torch

from bvf.errors import OutOfMemoryError

T = TypeVar("T")
FIRST_BUDGET = 8192
LARGEST_BUDGET = {"cpu": 32_768}
LARGEST_ON_ACCELERATOR = 1_048_576
GROWS_AFTER = 4


class Budget:
    """Tokens a batch: fixed, or growing until memory runs out, and halved then."""

    def __init__(self, batch_tokens: int, device: torch.device, model: str) -> None:
        self.tokens = batch_tokens or FIRST_BUDGET
        self.model = model
        self._fixed = bool(batch_tokens)
        self._largest = LARGEST_BUDGET.get(device.type, LARGEST_ON_ACCELERATOR)
        self._successes = 0

    def succeeded(self) -> None:
        """Grow after some batches that fitted."""
        self._successes += 1
        if not self._fixed and self._successes % GROWS_AFTER == 0:
            self.tokens = min(self.tokens * 2, max(self._largest, self.tokens))

    def exhausted(self, batch: int, tokens_each: int) -> None:
        """Halve after a batch that did not fit, and stay there.

        Raises:
            OutOfMemoryError: The batch was one prompt.
        """
        if batch == 1:
            raise OutOfMemoryError(
                f"{self.model}: not even one prompt of {tokens_each} tokens fits the memory",
                "use another --device, --dtype bfloat16, or --device-map auto",
            )
        self.tokens = max(batch * tokens_each // 2, 1)
        self._largest = self.tokens
        self._successes = 0


def by_shape(items: Sequence[T], shape: Callable[[T], Hashable]) -> list[list[int]]:
    """Return the indices of items of the same shape together: no padding, so nothing that could leak."""
    groups: dict[Hashable, list[int]] = defaultdict(list)
    for index, item in enumerate(items):
        groups[shape(item)].append(index)
    return list(groups.values())


def in_batches(
    indices: Sequence[int], tokens_each: int, budget: Budget, run: Callable[[Sequence[int]], T]
) -> Iterator[tuple[Sequence[int], T]]:
    """Run batches of items of one shape; one that does not fit the memory is run again in halves.

    Raises:
        OutOfMemoryError: A single item does not fit.
    """
    start = 0
    while start < len(indices):
        batch = indices[start : start + max(1, budget.tokens // tokens_each)]
        try:
            answer = run(batch)
        except (RuntimeError, MemoryError) as error:
            if not is_out_of_memory(error):
                raise
            budget.exhausted(len(batch), tokens_each)
            if torch.cuda.is_available():
                torch.cuda.empty_cache()
            continue
        budget.succeeded()
        yield batch, answer
        start += len(batch)


def is_out_of_memory(error: Exception) -> bool:
    """Whether an error says that memory ran out, on any device."""
    if isinstance(error, torch.OutOfMemoryError | MemoryError):
        return True
    text = str(error).lower()
    return "out of memory" in text or "can't allocate memory" in text or "not enough memory" in text
