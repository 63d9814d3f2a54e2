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

import numpy as np
import torch
from torch import Tensor

from bvf.stats import FloatArray
from bvf_transformers.reading.expected import Stream
from bvf_transformers.reading.growing import Pool
from bvf_transformers.reading.memory import REMEMBERED_TOKENS_A_TOKEN, Budget
from bvf_transformers.reading.packed import TreeReader
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
        reader: Reads texts of several lengths together; None: those of one length are read together.
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
    reader: TreeReader | None = None

    def continued(
        self, texts: Sequence[Ids], streams: Streams, tokens: int, temperature: float
    ) -> list[list[list[int]]]:
        """Return, for each text and each of its streams, the ids of at most ``tokens`` tokens that follow it.

        A token that ends a text is left out, unless it is one of those that are to be the last.
        """
        return _Writing(self, texts, streams, tokens, temperature).written()

    def begun(self, texts: Sequence[Ids]) -> Rows:
        """Return rows that will read texts of one length."""
        ids = torch.tensor(texts, dtype=torch.long, device=self.device)
        return Rows(lambda _: self.run, torch.arange(len(ids), device=self.device), ids, with_cache=self.has_cache)

    def logits(self, rows: Rows) -> Tensor:
        """The logits of the next token of each row, shape (N, V)."""
        return self.readout.logits(rows.run, at_column(rows.ids, -1))


class _Alike:
    """Texts of one length that grow, where those of several cannot grow together. The interface is that of `Pool`."""

    def __init__(self, generator: Generator) -> None:
        self.generator = generator

    def join(self, begun: Rows, parents: Sequence[int], last: Sequence[int]) -> None:
        self.rows = begun.continued(*self._on_device(parents, last))

    def logits(self) -> Tensor:
        return self.generator.logits(self.rows)

    def goes_on(self, places: Sequence[int], tokens: Sequence[int]) -> Sequence[int]:
        self.rows = self.rows.continued(*self._on_device(places, tokens))
        return places

    def _on_device(self, *numbers: Sequence[int]) -> list[Tensor]:
        return [torch.tensor(each, device=self.generator.device) for each in numbers]


class _Writing:
    """Continues texts; where those of any length grow together, one that waits takes the place of one that ends."""

    def __init__(
        self, generator: Generator, texts: Sequence[Ids], streams: Streams, tokens: int, temperature: float
    ) -> None:
        self.generator, self.texts, self.streams = generator, texts, streams
        self.tokens, self.temperature = tokens, temperature
        self.samples, longest = max(map(len, streams), default=0), max(map(len, texts), default=0) + tokens
        reader = generator.reader
        self.reader = reader if reader is not None and longest <= reader.window else None
        self.waiting = sorted(range(len(texts)), key=lambda text: len(texts[text]))  # the longest comes first
        self.found: list[list[list[int]]] = [[] for _ in texts]
        self._begin()

    def _begin(self) -> None:
        """Begin without rows, for the texts that wait. ``held``: those that the pool has rows of, or had."""
        self.width = max((len(self.texts[text]) for text in self.waiting), default=0) + self.tokens
        self.held = set[int]()
        self.pool = Pool(self.reader, self.width) if self.reader else _Alike(self.generator)
        self.rows = list[tuple[int, int]]()

    def written(self) -> list[list[list[int]]]:
        """Return the ids of what is written after each text, for each of its streams."""
        budget, attended = self.generator.budget, REMEMBERED_TOKENS_A_TOKEN if self.generator.has_cache else 1
        while self.waiting or self.rows:
            tokens_a_row = max(1, self.width // attended)
            entering = self._entering(max(1, budget.tokens // tokens_a_row))
            self.held |= set(entering)
            unfinished = {text for text, _ in self.rows} | set(entering)

            def turn(entering: list[int] = entering) -> bool:
                with torch.inference_mode():
                    self._read(entering) if entering else self._step()
                return True

            if budget.tried(turn, len(self.held), tokens_a_row * self.samples) is None:
                self.waiting = sorted({*self.waiting, *unfinished}, key=lambda text: len(self.texts[text]))
                self._begin()
            else:
                self.waiting = self.waiting[: len(self.waiting) - len(entering)]
        return self.found

    def _entering(self, rows: int) -> list[int]:
        """The texts that are to be read now: of one length, if there is space for them or for a quarter of the rows.

        Texts that need less than half of the width wait until all rows are free, and get narrower ones.
        """
        space, length = rows - len(self.rows), len(self.texts[self.waiting[-1]]) if self.waiting else 0
        if not self.waiting or (self.rows and (not self.reader or space < max(self.samples, rows // 4))):
            return []
        if self.rows and 2 * (length + self.tokens) < self.width:
            return []
        most = max(1, min(space // self.samples, self.generator.budget.tokens // length))
        return [text for text in self.waiting[-most:] if len(self.texts[text]) == length]

    def _read(self, entering: list[int]) -> None:
        """Read texts of one length, and draw the first token of each of their streams."""
        for text in entering:
            self.found[text] = [[] for _ in self.streams[text]]
            for stream in self.streams[text]:
                stream.begin()
        begun = self.generator.begun([self.texts[text] for text in entering])
        rows = [(text, sample) for text in entering for sample in range(self.samples)]
        parents = [place for place, _ in enumerate(entering) for _ in range(self.samples)]
        kept, tokens = self._drawn(rows, self.generator.logits(begun)[parents])
        if kept:
            self.pool.join(begun, [parents[place] for place in kept], tokens)
            self.rows += [rows[place] for place in kept]

    def _step(self) -> None:
        """Read the last token of each row, and draw the next one."""
        kept, tokens = self._drawn(self.rows, self.pool.logits())
        if kept:
            self.rows = [self.rows[place] for place in self.pool.goes_on(kept, tokens)]
        else:
            self._begin()

    def _drawn(self, rows: Sequence[tuple[int, int]], logits: Tensor) -> tuple[list[int], list[int]]:
        """Draw and note a token of each row; return the places of those that go on, and their tokens."""
        ends, last = self.generator.ends, self.generator.last
        streams = [self.streams[text][sample] for text, sample in rows]
        drawn = next_tokens(logits[:, : self.generator.vocabulary], self.temperature, streams)
        kept = list[int]()
        for place, ((text, sample), token) in enumerate(zip(rows, drawn, strict=True)):
            written = self.found[text][sample]
            if token not in ends:
                written.append(token)
            if token not in ends | last and len(written) < self.tokens:
                kept.append(place)
        return kept, [drawn[place] for place in kept]
