"""Texts of several lengths that grow together, by a token per forward pass: one that ends makes room for others.

Keys and values of a text stand at the front of its row, so a text of any length can join without moving the others,
and one token is written per row and pass, where a cache of the library would copy all of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor
from transformers import DynamicCache
from transformers.cache_utils import DynamicLayer

from bvf_transformers.reading.packed import TreeReader
from bvf_transformers.reading.readout import at_column
from bvf_transformers.reading.steps import Rows, Run
from bvf_transformers.tokens.word_tree import Ids


class GrowingLayer(DynamicLayer):
    """A cache layer whose rows have different numbers of tokens, and space behind them.

    ``keys`` and ``values`` have shape (R, heads, W, size), of which the first N rows are in use. ``lengths``, shape
    (N,), has the tokens of each, without the one that is read now.
    """

    keys: Tensor
    values: Tensor
    lengths: Tensor
    width = 0

    def get_seq_length(self) -> int:
        return self.width - 1

    def update(self, key_states: Tensor, value_states: Tensor, *args: Any, **kwargs: Any) -> tuple[Tensor, Tensor]:
        rows, ends = torch.arange(len(key_states), device=key_states.device), self.lengths.to(key_states.device)
        self.keys[rows, :, ends], self.values[rows, :, ends] = key_states[:, :, 0], value_states[:, :, 0]
        return self.keys[: len(rows), :, : self.width], self.values[: len(rows), :, : self.width]

    def put(self, start: int, keys: Tensor, values: Tensor, width: int) -> None:
        """Put rows of one length behind the first ``start`` ones, with space for ``width`` tokens each."""
        if not self.is_initialized:
            self.lazy_initialization(keys, values)  # type: ignore[no-untyped-call]
            self.keys, self.values = keys.new_empty(0), values.new_empty(0)
        self.keys, self.values = _put(self.keys, start, keys, width), _put(self.values, start, values, width)


def _put(states: Tensor, start: int, new: Tensor, width: int) -> Tensor:
    """The states with new rows from ``start`` on; a larger copy if they do not fit."""
    stop = start + len(new)
    if stop > len(states):
        larger = new.new_zeros(max(stop, 2 * start), new.shape[1], width, new.shape[3])
        if start:
            larger[:start] = states[:start]
        states = larger
    states[start:stop, :, : new.shape[2]], states[start:stop, :, new.shape[2] :] = new, 0.0
    return states


@dataclass
class Pool:
    """Rows of texts that grow: what reads them, the last token of each, which is not read yet, and the tokens before.

    ``width`` is the most tokens that a row may get.
    """

    reader: TreeReader
    width: int
    layers: list[GrowingLayer] = field(default_factory=list)
    last: list[int] = field(default_factory=list)
    lengths: list[int] = field(default_factory=list)

    def join(self, begun: Rows, parents: Sequence[int], last: Sequence[int]) -> None:
        """Add rows that continue the texts ``parents``, which were read and have one length, by one token each."""
        of_texts: list[Any] = begun.cache.layers
        self.layers = self.layers or [GrowingLayer() for _ in of_texts]  # type: ignore[no-untyped-call]
        for layer, its in zip(self.layers, of_texts, strict=True):
            if its.keys is None:  # it has those of another layer
                continue
            at = torch.tensor(parents, device=its.keys.device)
            layer.put(len(self.last), its.keys[at], its.values[at], self.width)
        self.last += last
        self.lengths += [begun.ids.shape[1]] * len(last)

    def logits(self) -> Tensor:
        """Read the last token of each row, and return the logits of the next one, shape (N, V)."""
        lengths = torch.tensor(self.lengths, device=self.reader.device)
        width = max(self.lengths) + 1
        cache = DynamicCache()
        for layer in self.layers:
            layer.lengths, layer.width = lengths, width
        cache.layers.extend(self.layers)
        seen = torch.arange(width, device=lengths.device) <= lengths[:, None]
        mask, ids = self.reader.mask(seen[:, None]), torch.tensor(self.last, device=lengths.device)[:, None]
        places = torch.arange(len(ids), device=lengths.device)
        return self.reader.readout.logits(lambda: self.reader.run(ids, mask, lengths[:, None], cache), places)

    def goes_on(self, places: Sequence[int], tokens: Sequence[int]) -> list[int]:
        """Keep the rows ``places``, in order, and add the token that was drawn for each; free the others' space.

        Returns the places in their new order: rows from the end take the space of those that are left out.
        """
        token_of, order = dict(zip(places, tokens, strict=True)), list(range(len(places)))
        free = [row for row in order if row not in token_of]
        moved = [row for row in places if row >= len(places)]
        for layer in (layer for layer in self.layers if free and layer.is_initialized):
            for states in (layer.keys, layer.values):
                states[free] = states[moved]
        for row, source in zip(free, moved, strict=True):
            order[row] = source
        self.lengths = [self.lengths[row] + 1 for row in order]
        self.last = [token_of[row] for row in order]
        return order


@torch.inference_mode()
def can_grow(reader: TreeReader, run: Run, text: Ids) -> bool:
    """Whether two texts of different lengths, one a token of the other, give together what each gives alone."""
    pool, alone = Pool(reader, 2 * len(text)), list[Tensor]()
    try:
        for length in (len(text), 1):
            ids = torch.tensor([[*text[:length], text[0]]], device=reader.device)
            read, whole = (Rows(lambda _: run, ids[0, :1], part, with_cache=True) for part in (ids[:, :-1], ids))
            read.run()
            pool.join(read, [0], [text[0]])
            alone.append(reader.readout.logits(whole.run, at_column(ids, -1)))
        return reader.readout.agree(pool.logits(), torch.cat(alone))
    except (RuntimeError, TypeError, ValueError, AttributeError, IndexError):
        return False
