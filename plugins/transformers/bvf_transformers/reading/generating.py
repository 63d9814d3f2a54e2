"""Continues texts by drawn tokens. The samples of a text share its keys and values, and a text that ends is dropped."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import torch
from torch import Tensor

from bvf_transformers.reading.batching import batches_of, by_shape
from bvf_transformers.reading.drawn_tokens import drawn_tokens
from bvf_transformers.reading.memory import Budget
from bvf_transformers.reading.readout import Readout, at_column
from bvf_transformers.reading.steps import REMEMBERED_TOKENS_A_TOKEN, Rows, Run
from bvf_transformers.tokens.word_tree import Ids

Streams = Sequence[Sequence[np.random.Generator]]
"""The random numbers of each sample of each text."""


class Continuing(Protocol):
    """Continues token sequences by drawn tokens."""

    def continued(
        self, texts: Sequence[Ids], streams: Streams, tokens: int, temperature: float
    ) -> list[list[list[int]]]:
        """Return, for each text and each of its streams, the ids of at most ``tokens`` tokens that follow it.

        A token that ends a text is left out, unless it is one of those that are to be the last.
        """


@dataclass(frozen=True)
class Generator:
    """Continues token sequences.

    Args:
        run: Calls the model.
        readout: Returns its logits.
        has_cache: Whether keys and values are kept; else every step reads the whole text.
        budget: How many tokens are read at a time.
        ends: Ids of tokens that end a text and are left out of it.
        last: Ids of tokens that end a text, and are its last.
        vocabulary: The number of tokens that the tokenizer can write; logits beyond are of none.
        device: Where ids are to be.
    """

    run: Run
    readout: Readout
    has_cache: bool
    budget: Budget
    ends: frozenset[int]
    vocabulary: int
    device: torch.device
    last: frozenset[int] = frozenset()

    def continued(
        self, texts: Sequence[Ids], streams: Streams, tokens: int, temperature: float
    ) -> list[list[list[int]]]:
        """Return what `Continuing` promises. Texts of one length are read together."""
        written: list[list[list[int]]] = [[] for _ in texts]
        samples = len(streams[0]) if streams else 0
        for alike in by_shape(texts, len):
            length = len(texts[alike[0]])
            tokens_a_row = (length + tokens) // REMEMBERED_TOKENS_A_TOKEN if self.has_cache else length + tokens
            tokens_each = max(length, samples * max(1, tokens_a_row))

            def write(batch: Sequence[int]) -> list[list[int]]:
                ids = torch.tensor([texts[index] for index in batch], dtype=torch.long, device=self.device)
                of_batch = [stream for index in batch for stream in streams[index]]
                return self._written(ids, of_batch, tokens, temperature)

            for batch, rows in batches_of(alike, tokens_each, self.budget, write):
                for place, index in enumerate(batch):
                    written[index] = rows[place * samples : (place + 1) * samples]
        return written

    def _written(
        self, ids: Tensor, streams: Sequence[np.random.Generator], tokens: int, temperature: float
    ) -> list[list[int]]:
        """The tokens after texts of one length, (B, L), a list per stream. Streams of one text follow each other."""
        rows = Rows(lambda _: self.run, torch.arange(len(ids), device=self.device), ids, with_cache=self.has_cache)
        parents = torch.arange(len(ids), device=self.device).repeat_interleave(len(streams) // len(ids))
        written: list[list[int]] = [[] for _ in streams]
        alive = list(range(len(streams)))
        for step in range(tokens):
            logits = self._logits(rows)[parents]
            drawn = drawn_tokens(logits, temperature, [streams[row] for row in alive])
            tokens_drawn = drawn.tolist()
            for place, token in enumerate(tokens_drawn):
                if token not in self.ends:
                    written[alive[place]].append(token)
            kept = [place for place, token in enumerate(tokens_drawn) if token not in self.ends | self.last]
            alive = [alive[place] for place in kept]
            if not alive or step == tokens - 1:
                break
            at = torch.tensor(kept, device=self.device)
            chosen, tokens_read = parents[at], drawn[at].to(self.device)
            same = step > 0 and len(kept) == len(drawn)
            rows = rows.lengthened(tokens_read) if same else rows.continued(chosen, tokens_read)
            parents = torch.arange(len(kept), device=self.device)
        return written

    def _logits(self, rows: Rows) -> Tensor:
        """The logits of the next token of each row, shape (N, V)."""
        return self.readout.logits(rows.run, at_column(rows.ids, -1))[:, : self.vocabulary]
