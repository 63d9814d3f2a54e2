"""Keys and values of tokens: of what stands left of [X], kept from shard to shard, and of the texts of one read.

A head is the text left of [X] in a context: it is the same for all groups. Heads are read in batches of one shape,
whatever they stand beside, so that a run in parts, or one that goes on, computes the same bits as a run in one go.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from transformers.cache_utils import DynamicLayer

from bvf.stats import IntArray
from bvf_transformers.reading.memory import by_shape
from bvf_transformers.tokens.word_tree import Ids

Memory = list[tuple[Tensor, Tensor]]
"""Keys and values of N tokens in every layer, shape (N, heads, size) each."""
FEWEST_TOKENS = 8
"""Shorter heads are read with the texts: keeping them saves less than reading them apart costs."""
HEADS_TOGETHER, TOKENS_TOGETHER = 8, 8
"""The rows of a batch of heads, and the number of which its length is a multiple."""
BYTES_OF_HEADS = 1_000_000_000
SHARE_OF_HEADS = 0.125
"""Heads are kept up to this size, on an accelerator up to this share of what the weights leave free."""


class Kept:
    """The keys and values of heads, as many as fit ``most_bytes``, followed by those of one read of texts.

    ``positions`` is the number of positions of the model.
    """

    def __init__(self, most_bytes: int, positions: int) -> None:
        self.memory: Memory = []
        self._most_bytes, self._positions = most_bytes, positions
        self._places: dict[Ids, IntArray] = {(): np.arange(0)}
        self._stop, self._is_full = 0, False  # where the kept tokens end

    def places(self, heads: Sequence[Ids], read: Callable[[Sequence[Ids], int], Memory]) -> tuple[list[IntArray], int]:
        """Return the places of the tokens of distinct heads, and the first place after all of them.

        Heads that are not kept are read: ``read`` gets some, and a length to which they are padded, and returns the
        keys and values of their tokens, one head after the other. Those that do not fit are lost with the next read.
        """
        if self._is_full and self._places.keys().isdisjoint(filter(None, heads)):
            self._places, self._stop, self._is_full = {(): np.arange(0)}, 0, False  # they were of other contexts
        found, stop = dict(self._places), self._stop
        missing = [head for head in heads if head not in found]
        for group in by_shape(missing, lambda head: -(-len(head) // TOKENS_TOGETHER)):
            alike = [missing[index] for index in group]
            length = min(-(-len(alike[0]) // TOKENS_TOGETHER) * TOKENS_TOGETHER, self._positions)
            for first in range(0, len(alike), HEADS_TOGETHER):
                batch = alike[first : first + HEADS_TOGETHER]
                self.write(stop, read(batch, length))
                starts = stop + np.cumsum([0, *map(len, batch)])
                of_batch = {head: start + np.arange(len(head)) for head, start in zip(batch, starts, strict=False)}
                stop = int(starts[-1])
                found.update(of_batch)
                self._is_full |= stop * bytes_each(self.memory) > self._most_bytes
                if not self._is_full:
                    self._places.update(of_batch)
                    self._stop = stop
        return [found[head] for head in heads], stop

    def write(self, start: int, states: Memory) -> None:
        """Put the keys and values of tokens behind the first ``start`` ones. What stood there is lost."""
        self.memory = self.memory or [(keys[:0], values[:0]) for keys, values in states]
        self.memory = [
            (_written(keys, start, new_keys), _written(values, start, new_values))
            for (keys, values), (new_keys, new_values) in zip(self.memory, states, strict=True)
        ]


def bytes_each(memory: Memory) -> int:
    """Return the bytes of the keys and values of one token; 0 if there are none."""
    return sum(states[:1].nbytes for layer in memory for states in layer)


def _written(states: Tensor, start: int, new: Tensor) -> Tensor:
    """The states with new ones from ``start`` on; a larger copy if they do not fit."""
    stop = start + len(new)
    if stop > len(states):
        larger = states.new_empty(stop + stop // 4, *states.shape[1:])
        larger[:start] = states[:start]
        states = larger
    states[start:stop] = new
    return states


class Remembered(DynamicLayer):
    """A cache layer with the keys and values of texts, gathered when used, and space for those of further tokens.

    Keys and values of N tokens have shape (N, heads, size); paths are the indices of each text's tokens, (B, L).
    """

    def __init__(self, keys: Tensor, values: Tensor, paths: Tensor) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.lazy_initialization(keys, values)
        self._memory = keys, values
        self._paths = paths.to(keys.device)

    def get_seq_length(self) -> int:
        return self._paths.shape[1]

    def update(self, key_states: Tensor, value_states: Tensor, *args: Any, **kwargs: Any) -> tuple[Tensor, Tensor]:
        self.keys, self.values = key_states, value_states
        heads, words = key_states.shape[1:3]
        places = nn.functional.pad(self._paths, (0, words))[:, None] * heads
        places = places + torch.arange(heads, device=places.device)[:, None]
        keys, values = self._memory
        return _with_room(keys, places, key_states), _with_room(values, places, value_states)


def _with_room(memory: Tensor, places: Tensor, new: Tensor) -> Tensor:
    """Gather states at places, (B, heads, L + W). The last W are those of ``new``, shape (B, heads, W, size)."""
    states = memory.flatten(0, 1).index_select(0, places.flatten()).view(*places.shape, -1)
    states[:, :, places.shape[2] - new.shape[2] :] = new
    return states
