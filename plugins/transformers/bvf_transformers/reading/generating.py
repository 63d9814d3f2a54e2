"""Continues texts by drawn tokens.

A token is drawn by Gumbel's trick: the one with the largest sum of logit and noise has the probability of the softmax.
Rounding of logits then changes a token only where two sums are nearly equal; an inverse of the cumulative distribution
would change it far more often, as 50,000 boundaries lie in [0, 1]. Noise for each token of the vocabulary is slow, so a
token is drawn in two steps, each exact: first one of about sqrt(V) blocks of the vocabulary, by the sums of their
probabilities, then a token in the block.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import torch
from torch import Tensor

from bvf.stats import FloatArray
from bvf_transformers.reading.expected import Stream
from bvf_transformers.reading.memory import REMEMBERED_TOKENS_A_TOKEN, Budget, batches_of, by_shape
from bvf_transformers.reading.readout import Readout, at_column
from bvf_transformers.reading.steps import Rows, Run
from bvf_transformers.tokens.word_tree import Ids

Streams = Sequence[Sequence[Stream]]
"""The random numbers of each sample of each text."""


def next_tokens(logits: Tensor, temperature: float, streams: Sequence[Stream]) -> list[int]:
    """Draw a token for each row of logits, shape (N, V), and follow the words of classes in the texts, if asked to."""
    drawn: list[int] = drawn_tokens(logits, temperature, [stream.random for stream in streams]).tolist()
    if streams[0].words is not None:
        streams[0].words.follow(logits / temperature, drawn, streams)
    return drawn


def drawn_tokens(logits: Tensor, temperature: float, streams: Sequence[np.random.Generator]) -> Tensor:
    """Return a token for each row of logits, shape (N, V) to (N,).

    ``streams`` are the random numbers of each row, of which every token takes as many. At temperature 0 the most
    probable token is taken, the first of equal ones, and no random number.
    """
    if not temperature:
        return logits.argmax(dim=1)
    blocks, size = shape_of_blocks(logits.shape[1])
    noise = torch.from_numpy(np.stack([gumbel(stream, blocks + size) for stream in streams])).to(logits.device)
    filled = torch.nn.functional.pad(logits / temperature, (0, blocks * size - logits.shape[1]), value=-math.inf)
    in_blocks = filled.view(-1, blocks, size)
    block = (in_blocks.logsumexp(dim=2) + noise[:, :blocks]).argmax(dim=1)
    in_block = in_blocks[torch.arange(len(block), device=block.device), block]
    return block * size + (in_block + noise[:, blocks:]).argmax(dim=1)


def shape_of_blocks(tokens: int) -> tuple[int, int]:
    """Return the number of blocks of a vocabulary, and the tokens of a block; the last block may have fewer."""
    size = math.isqrt(max(tokens - 1, 0)) + 1
    return -(-tokens // size), size


def gumbel(stream: np.random.Generator, number: int) -> FloatArray:
    """Return random numbers with Gumbel's distribution, shape (number,)."""
    with np.errstate(divide="ignore"):
        noise: FloatArray = -np.log(-np.log(stream.random(number)))
    return noise


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

    def _written(self, ids: Tensor, streams: Sequence[Stream], tokens: int, temperature: float) -> list[list[int]]:
        """The tokens after texts of one length, (B, L), a list per stream. Streams of one text follow each other."""
        rows = Rows(lambda _: self.run, torch.arange(len(ids), device=self.device), ids, with_cache=self.has_cache)
        parents = torch.arange(len(ids), device=self.device).repeat_interleave(len(streams) // len(ids))
        written: list[list[int]] = [[] for _ in streams]
        for stream in streams:
            stream.begin()
        alive = list(range(len(streams)))
        for step in range(tokens):
            logits = self._logits(rows)[parents]
            drawn = next_tokens(logits, temperature, [streams[row] for row in alive])
            for place, token in enumerate(drawn):
                if token not in self.ends:
                    written[alive[place]].append(token)
            kept = [place for place, token in enumerate(drawn) if token not in self.ends | self.last]
            alive = [alive[place] for place in kept]
            if not alive or step == tokens - 1:
                break
            at = torch.tensor(kept, device=self.device)
            chosen, tokens_read = parents[at], torch.tensor(drawn, device=self.device)[at]
            same = step > 0 and len(kept) == len(drawn)
            rows = rows.lengthened(tokens_read) if same else rows.continued(chosen, tokens_read)
            parents = torch.arange(len(kept), device=self.device)
        return written

    def _logits(self, rows: Rows) -> Tensor:
        """The logits of the next token of each row, shape (N, V)."""
        return self.readout.logits(rows.run, at_column(rows.ids, -1))[:, : self.vocabulary]
