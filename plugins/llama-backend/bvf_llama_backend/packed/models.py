"""Causal models with packed weights, for bare texts and chats: llama.cpp computes trees of sequences."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from bvf_transformers.kinds.causal import CausalModel, ends_of_texts
from bvf_transformers.kinds.slot import Read
from bvf_transformers.reading.expected import Stream
from bvf_transformers.reading.generating import Streams, next_tokens
from bvf_transformers.reading.packed import PAD, parts_of, rows_of, trie_of
from bvf_transformers.reading.tolerance import Ask
from bvf_transformers.tokens.cutting import Cut
from bvf_transformers.tokens.word_tree import Ids, PieceTree, log_softmax_at
from torch import Tensor

from bvf.domain import Generation, Turn
from bvf.stats import BoolArray, FloatArray, IntArray
from bvf_llama_backend.chat import ChatModel, ContinuedChatModel, LlamaModel
from bvf_llama_backend.packed.weights import AT_ONCE, SEQUENCES, Logits, PackedWeights, Tokens

TEXTS = SEQUENCES // 2
"""The most texts that are kept at a time; the other sequences are for words after them."""
BRANCHES = SEQUENCES - TEXTS
"""The most beginnings of words that are read at a time."""
KEPT_WRITING = 2048
"""Texts are continued together as long as their tokens are not more."""
REMARK = (
    "computed by llama.cpp from packed weights: it rounds what they are multiplied with, mostly to 8 bits, so "
    "probabilities differ from those of unpacked weights, and a little with what else is in a batch"
)


class WordsAfterTexts:
    """T texts that were read, and the words that are scored after them.

    Args:
        weights: The model; nothing else may be read with it as long as words are scored.
        texts: Token ids of distinct texts, shape (T, L), T <= `TEXTS`. PAD fills the right.
        pieces: The pieces of the words.
        boundary: Token ids that may follow a word, for trees with boundaries.
    """

    def __init__(self, weights: PackedWeights, texts: IntArray, pieces: PieceTree, boundary: Tensor | None) -> None:
        self._weights = weights
        self._pieces = pieces
        self._boundary = boundary
        self._lengths = (texts != PAD).sum(axis=1)
        logits = logits_after(weights, texts, BRANCHES)
        rows, questions = pieces.questions(np.zeros(len(texts), dtype=np.int64))
        self._first = self._logp(logits, rows, questions).reshape(len(texts), -1)

    def answers(self, chosen: BoolArray) -> FloatArray:
        """Score the pieces after the chosen beginnings, shape (T, K). Returns log p, (T, Q), -inf if not chosen."""
        pieces = self._pieces
        answers = np.full((len(chosen), len(pieces.tokens)), -np.inf)
        answers[chosen[:, 0], : self._first.shape[1]] = self._first[chosen[:, 0]]
        is_asked = chosen & (pieces.lengths > 0)
        for part in _parts(is_asked, pieces.is_above):
            logits = self._read(part, is_asked)
            texts, beginnings = np.nonzero(part & is_asked)
            rows, questions = pieces.questions(beginnings)
            answers[texts[rows], questions] = self._logp(logits, rows, questions)
        return answers

    def _read(self, part: BoolArray, is_asked: BoolArray) -> Logits:
        """The logits after those beginnings of words in a part, (T, K), that are asked, shape (M, V)."""
        pieces = self._pieces
        texts, beginnings = np.nonzero(part)
        end_texts, ends = np.nonzero(_ends(part, pieces.is_above))
        sequences = TEXTS + np.arange(len(ends))
        for text, sequence in zip(end_texts.tolist(), sequences.tolist(), strict=True):
            self._weights.branch(text, sequence)
        belongs = (texts[:, None] == end_texts) & pieces.is_above[ends, beginnings[:, None]]
        tokens = Tokens(
            pieces.last_pieces[beginnings],
            self._lengths[texts] + pieces.lengths[beginnings] - 1,
            [sequences[row].tolist() for row in belongs],
            is_asked[texts, beginnings],
        )
        logits = self._weights.forward(tokens)
        self._weights.drop(sequences.tolist())
        return logits

    def _logp(self, logits: Logits, rows: IntArray, questions: IntArray) -> FloatArray:
        """Log p of the pieces that are asked for, shape (M,), each by one of the rows of logits."""
        tokens = torch.from_numpy(self._pieces.tokens[questions])
        logp = log_softmax_at(torch.from_numpy(logits), torch.from_numpy(rows), tokens, self._boundary)
        answers: FloatArray = logp.double().numpy()
        return answers


def _ends(chosen: BoolArray, is_above: BoolArray) -> BoolArray:
    """Which of the chosen beginnings after texts, (T, K), begin no longer one that is chosen there."""
    at_or_below = chosen.astype(np.int64) @ is_above
    ends: BoolArray = chosen & (at_or_below == 1)
    return ends


def _parts(is_asked: BoolArray, is_above: BoolArray) -> Iterator[BoolArray]:
    """Yield the beginnings to read after texts, (T, K), in parts of at most `BRANCHES`.

    They are those that are asked, and what these begin with; what several parts begin with is in each of them.
    """
    part, size = np.zeros_like(is_asked), 0
    for text, end in zip(*np.nonzero(_ends(is_asked, is_above)), strict=True):
        new = is_above[end] & ~part[text]
        if size + new.sum() > BRANCHES:
            yield part
            part, size, new = np.zeros_like(is_asked), 0, is_above[end]
        part[text] |= new
        size += int(new.sum())
    if size:
        yield part


def logits_after(weights: PackedWeights, texts: IntArray, room: int = 0) -> Logits:
    """Read texts, (T, L) with T <= `SEQUENCES`, and return the logits of their next tokens, shape (T, V).

    Text number t is sequence t. Beginnings that texts share are read once. There is room for ``room`` further tokens.
    """
    trie = trie_of(texts)
    weights.forget(trie.size + room)
    nodes = np.arange(trie.size)[:, None]
    belongs = (trie.leaves >= nodes) & (trie.leaves < trie.ends[:, None])
    ends, row_of_text = np.unique(trie.leaves, return_inverse=True)
    sequences = [np.flatnonzero(row).tolist() for row in belongs]
    return weights.forward(Tokens(trie.tokens, trie.depths, sequences, np.isin(nodes[:, 0], ends)))[row_of_text]


@dataclass(frozen=True)
class PackedGenerator:
    """Continues token sequences with llama.cpp.

    Args:
        weights: The model.
        ends: Ids of tokens that end a text.
        vocabulary: The number of tokens that the tokenizer can write; logits beyond are of none.
        last: Ids of tokens that end a text, and are its last.
    """

    weights: PackedWeights
    ends: frozenset[int]
    vocabulary: int
    last: frozenset[int] = frozenset()

    def continued(
        self, texts: Sequence[Ids], streams: Streams, tokens: int, temperature: float
    ) -> list[list[list[int]]]:
        """Return what `Generator.continued` does; a beginning that texts share is read once for all samples."""
        rows = [(text, stream) for text, of_text in zip(texts, streams, strict=True) for stream in of_text]
        together = min(SEQUENCES, max(1, KEPT_WRITING // tokens))
        written = [
            ids
            for start in range(0, len(rows), together)
            for ids in self._written(rows[start : start + together], tokens, temperature)
        ]
        stops = np.cumsum([len(of_text) for of_text in streams])
        return [written[stop - len(of_text) : stop] for stop, of_text in zip(stops.tolist(), streams, strict=True)]

    def _written(self, rows: Sequence[tuple[Ids, Stream]], tokens: int, temperature: float) -> list[list[int]]:
        """The tokens after each text, drawn with its random numbers."""
        logits = logits_after(self.weights, rows_of([text for text, _ in rows]), len(rows) * tokens)
        written: list[list[int]] = [[] for _ in rows]
        alive = list(range(len(rows)))
        for _ in range(tokens):
            of_tokens = torch.from_numpy(logits[:, : self.vocabulary])
            drawn = next_tokens(of_tokens, temperature, [rows[row][1] for row in alive])
            added = [(row, token) for row, token in zip(alive, drawn, strict=True) if token not in self.ends]
            for row, token in added:
                written[row].append(token)
            alive = [row for row, token in added if token not in self.last and len(written[row]) < tokens]
            if not alive:
                break
            last = np.array([written[row][-1] for row in alive])
            positions = np.array([len(rows[row][0]) + len(written[row]) - 1 for row in alive])
            logits = self.weights.forward(
                Tokens(last, positions, [[row] for row in alive], np.ones(len(alive), dtype=np.bool_))
            )
        return written


class Packed(CausalModel):
    """A causal model whose texts are read, and continued, by llama.cpp. Words are cut and put together as elsewhere."""

    def prepare(self) -> None:
        self.find_word_ends()
        self.reads_trees = True

    def remarks(self, cuts: Sequence[Cut], words: Sequence[str]) -> tuple[str, ...]:
        return (REMARK, *super().remarks(cuts, words))

    def way_of_reading(self, cuts: Sequence[Cut]) -> Read:
        return self._read_packed

    def _read_packed(self, cuts: Sequence[Cut], pieces: PieceTree, *, absolute: bool) -> Iterator[tuple[IntArray, Ask]]:
        """Read texts; yield the indices of some, and what scores words after these. Log p is always absolute."""
        texts = rows_of([cut.left for cut in cuts])
        for alike in parts_of(texts, AT_ONCE):
            for start in range(0, len(alike), TEXTS):
                part = alike[start : start + TEXTS]
                yield part, WordsAfterTexts(self.model, texts[part], pieces, self.boundary).answers

    def logits_after(self, cuts: Sequence[Cut]) -> Tensor:
        texts = rows_of([cut.left for cut in cuts])
        parts = [logits_after(self.model, texts[start : start + TEXTS]) for start in range(0, len(texts), TEXTS)]
        return torch.cat([torch.from_numpy(part) for part in parts])

    def drawn(
        self, lefts: Sequence[Ids], streams: Streams, generation: Generation, last: frozenset[int]
    ) -> list[list[list[int]]]:
        generator = PackedGenerator(self.model, ends_of_texts(self.model, self.tokenizer), self.writable, last)
        return generator.continued(lefts, streams, generation.tokens, generation.temperature)


class PackedLlama(Packed, LlamaModel):
    """Reads bare texts, or texts in the chat that a prompt brings."""


class PackedChat(Packed, ChatModel):
    """Reads every context as the user's message in a chat."""


class PackedContinuedChat(Packed, ContinuedChatModel):
    """Reads every context as the start of the assistant's answer."""


PACKED: dict[Turn | None, type[LlamaModel]] = {None: PackedLlama, "user": PackedChat, "assistant": PackedContinuedChat}
"""The class that reads a context, by whose turn of the chat it is; None: there is no chat."""
