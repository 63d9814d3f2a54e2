"""The tokens of all words as a tree: which token to score after which word prefix. Each pair is scored once."""

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import torch
from torch import Tensor

from bvf.arrays import BoolArray, FloatArray, IntArray

Ids = tuple[int, ...]
BOUNDARY = -1
"""Stands for any token that may follow the end of a word."""


@dataclass(frozen=True)
class PieceTree:
    """The K prefixes of words, and the Q questions "what is log p of this token?" after them.

    Args:
        beginnings: Distinct proper prefixes of the words' pieces: () first, shorter ones before longer ones.
        parents: Index of each beginning without its last piece, shape (K,); -1 for ().
        tokens: The piece, or BOUNDARY (the end of a word), of each question, shape (Q,), sorted by beginning.
        first_question: Index of the first question after each beginning, and Q as the last entry, shape (K + 1,).
        paths: For each of W words, indices of the questions whose log p sum to its log p, by the chain rule.
        beginning_paths: For each of K beginnings, indices of the questions whose log p sum to its log p.
    """

    beginnings: tuple[Ids, ...]
    parents: IntArray
    tokens: IntArray
    first_question: IntArray
    paths: tuple[IntArray, ...]
    beginning_paths: tuple[IntArray, ...]

    @cached_property
    def lengths(self) -> IntArray:
        """The number of tokens of each word prefix, shape (K,)."""
        return np.array([len(ids) for ids in self.beginnings], dtype=np.int64)

    @cached_property
    def last_pieces(self) -> IntArray:
        """The last token of each word prefix, shape (K,); 0 for ()."""
        return np.array([ids[-1] if ids else 0 for ids in self.beginnings], dtype=np.int64)

    @cached_property
    def is_above(self) -> BoolArray:
        """Whether word prefix j is a prefix of word prefix k and not (), indexed [k, j], shape (K, K)."""
        return np.array([[len(j) > 0 and k[: len(j)] == j for j in self.beginnings] for k in self.beginnings])

    def levels(self) -> list[IntArray]:
        """Return the indices of the word prefixes of 0 tokens, of 1 token, ..."""
        return [np.flatnonzero(self.lengths == length) for length in range(self.lengths.max() + 1)]

    @property
    def widest(self) -> int:
        """The largest number of word prefixes of the same length."""
        return max(map(len, self.levels()))

    def questions(self, beginnings: IntArray) -> tuple[IntArray, IntArray]:
        """Return two values per question after the N prefixes: its prefix's position among them, and its index."""
        first = self.first_question[beginnings]
        counts = self.first_question[beginnings + 1] - first
        rows = np.repeat(np.arange(len(beginnings)), counts)
        return rows, np.arange(len(rows)) + np.repeat(first - np.cumsum(counts) + counts, counts)

    def word_logprobs(self, answers: FloatArray) -> FloatArray:
        """Return log p of the words, shape (B, W), from log p of the questions' tokens, shape (B, Q)."""
        return np.stack([answers[:, path].sum(axis=1) for path in self.paths], axis=1)

    def beginning_logprobs(self, answers: FloatArray) -> FloatArray:
        """Return log p of the word prefixes, shape (B, K), from log p of the questions' tokens, shape (B, Q)."""
        return np.stack([answers[:, path].sum(axis=1) for path in self.beginning_paths], axis=1)


@lru_cache(maxsize=64)
def tree_of(pieces: tuple[Ids, ...], *, with_boundary: bool = False) -> PieceTree:
    """Build the tree of words from their token ids. With ``with_boundary`` also the end of each word is scored."""
    sequences = [(*ids, BOUNDARY) if with_boundary else ids for ids in pieces]
    parts = {ids[: length + 1] for ids in sequences for length in range(len(ids))}
    beginnings = sorted({ids[:-1] for ids in parts}, key=lambda ids: (len(ids), ids))
    place = {ids: index for index, ids in enumerate(beginnings)}
    asked = sorted(parts, key=lambda ids: (place[ids[:-1]], ids[-1]))
    question = {ids: index for index, ids in enumerate(asked)}
    beginning_of = np.array([place[ids[:-1]] for ids in asked], dtype=np.int64)

    def path(ids: Ids) -> IntArray:
        return np.array([question[ids[: length + 1]] for length in range(len(ids))], dtype=np.int64)

    return PieceTree(
        beginnings=tuple(beginnings),
        parents=np.array([place[ids[:-1]] if ids else -1 for ids in beginnings], dtype=np.int64),
        tokens=np.array([ids[-1] for ids in asked], dtype=np.int64),
        first_question=np.searchsorted(beginning_of, np.arange(len(beginnings) + 1)),
        paths=tuple(map(path, sequences)),
        beginning_paths=tuple(map(path, beginnings)),
    )


def log_softmax_at(logits: Tensor, rows: Tensor, tokens: Tensor, boundary: Tensor | None) -> Tensor:
    """Return log p, shape (M,), of ``tokens`` by logits[rows]. Tokens and rows have shape (M,), logits (N, V).

    The token BOUNDARY stands for any token in ``boundary``, which is None if BOUNDARY does not occur.
    """
    values = logits[rows, tokens.clamp_min(0)]
    if boundary is not None:
        anywhere = logits[:, boundary].logsumexp(dim=-1)
        values = torch.where(tokens == BOUNDARY, anywhere[rows], values)
    return values - logits.logsumexp(dim=-1)[rows]


def answers_of(logits: Tensor, tree: PieceTree, beginnings: IntArray, texts: int, boundary: Tensor | None) -> Tensor:
    """Return log p of the tokens after the given word prefixes, (texts, number of their questions).

    Args:
        logits: Shape (len(beginnings) * texts, V): a row per text for the first prefix, then for the second, ...
        tree: The tree of questions.
        beginnings: Indices of the prefixes, in the order of the rows.
        texts: The number of texts.
        boundary: See `log_softmax_at`.
    """
    which, questions = tree.questions(beginnings)
    rows = torch.from_numpy(which[:, None] * texts + np.arange(texts)).to(logits.device)
    tokens = torch.from_numpy(tree.tokens[questions]).to(logits.device)
    return log_softmax_at(logits, rows.flatten(), tokens.repeat_interleave(texts), boundary).view(rows.shape).T
