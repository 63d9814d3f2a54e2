"""The tokens of all words as a tree: which token to score after which word prefix. Each pair is scored once.

Where a word begins longer ones (*African*, *African American*), its own probability is that of the texts that begin
with it and with none of the longer words. So no text counts for two words.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import torch
from torch import Tensor

from bvf.stats import BoolArray, FloatArray, IntArray

Ids = tuple[int, ...]
BOUNDARY = -1
"""Stands for any token that may follow the end of a word."""
PAIRS_NAMED = 5


@dataclass(frozen=True)
class Remainder:
    """The texts that begin with a word, continue with some pieces of a longer one, and then leave it.

    Args:
        beginning: Index of the prefix after which they leave.
        end: Index of the question after this prefix that must be answered by the next token (BOUNDARY); None: any may.
        longer: Indices of the questions after this prefix whose pieces lead on to longer words, shape (N,).
    """

    beginning: int
    end: int | None
    longer: IntArray

    def share(self, answers: FloatArray, longer: FloatArray) -> FloatArray:
        """Return p of leaving after the prefix, given the prefix, shape (B,).

        ``answers`` has log p of the pieces, and ``longer`` what is taken as log p of those that lead on to longer
        words, shape (B, Q) each.
        """
        most = 1.0 if self.end is None else np.exp(answers[:, self.end])
        share: FloatArray = np.maximum(most - np.exp(longer[:, self.longer]).sum(axis=1), 0.0)
        return share


@dataclass(frozen=True, eq=False)
class PieceTree:
    """The K prefixes of words, and the Q questions "what is log p of this token?" after them.

    Args:
        beginnings: Distinct proper prefixes of the words' pieces: () first, shorter ones before longer ones.
        parents: Index of each beginning without its last piece, shape (K,); -1 for ().
        tokens: The piece, or BOUNDARY (the end of a word), of each question, shape (Q,), sorted by beginning.
        first_question: Index of the first question after each beginning, and Q as the last entry, shape (K + 1,).
        paths: For each of W words, indices of the questions whose log p sum to its log p, by the chain rule.
        beginning_paths: For each of K beginnings, indices of the questions whose log p sum to its log p.
        remainders: For each word that begins longer ones, by its index, the parts of its own probability.
        longer_paths: The same as ``paths`` for the longer words that are not scored themselves, by their texts.
        beside: How many further words of one token are read with these: the last questions after (), and the last of
            the W words. No other word leaves them out, nor they one.
    """

    beginnings: tuple[Ids, ...]
    parents: IntArray
    tokens: IntArray
    first_question: IntArray
    paths: tuple[IntArray, ...]
    beginning_paths: tuple[IntArray, ...]
    remainders: Mapping[int, tuple[Remainder, ...]]
    longer_paths: Mapping[str, IntArray]
    beside: int = 0

    @property
    def first(self) -> int:
        """The number of first pieces of words, without those that are read beside."""
        return int(self.first_question[1]) - self.beside

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

    def questions(self, beginnings: IntArray) -> tuple[IntArray, IntArray]:
        """Return two values per question after the N prefixes: its prefix's position among them, and its index."""
        first = self.first_question[beginnings]
        counts = self.first_question[beginnings + 1] - first
        rows = np.repeat(np.arange(len(beginnings)), counts)
        return rows, np.arange(len(rows)) + np.repeat(first - np.cumsum(counts) + counts, counts)

    def word_logprobs(
        self, answers: FloatArray, asked: BoolArray | None = None, longer: FloatArray | None = None
    ) -> FloatArray:
        """Return log p of the words, shape (B, W), from log p of the pieces of the Q questions, shape (B, Q).

        Args:
            answers: Log p of the pieces, shape (B, Q).
            asked: Whether the pieces after a beginning were scored, shape (B, K); None: all were. A text that may go on
                to a longer word by pieces that were not scored counts for no word.
            longer: Log p of the pieces that lead on to longer words, shape (B, Q), where it is not that in ``answers``,
                as for the lower bound of a word the upper one of longer words counts; None: as in ``answers``.
        """
        logp = _summed(answers, self.paths)
        for word, remainders in self.remainders.items():
            own = np.zeros(len(logp))
            for each in remainders:
                reached = np.exp(answers[:, self.beginning_paths[each.beginning]].sum(axis=1))
                counted = 1.0 if asked is None else asked[:, each.beginning]
                own += reached * counted * each.share(answers, answers if longer is None else longer)
            with np.errstate(divide="ignore"):
                logp[:, word] = np.minimum(logp[:, word], np.log(own))
        return logp

    def beginning_logprobs(self, answers: FloatArray) -> FloatArray:
        """Return log p of the word prefixes, shape (B, K), from log p of the questions' tokens, shape (B, Q)."""
        return _summed(answers, self.beginning_paths)

    def expected_logprobs(self, answers: FloatArray) -> FloatArray:
        """Return log p of the words, shape (B, W), if every text that may end after a word does.

        ``answers`` has log p of the questions' tokens, -inf if not scored, shape (B, Q).
        """
        return _summed(np.where((self.tokens == BOUNDARY) & np.isneginf(answers), 0.0, answers), self.paths)


def _summed(answers: FloatArray, paths: Sequence[IntArray]) -> FloatArray:
    return np.stack([answers[:, path].sum(axis=1) for path in paths], axis=1)


@lru_cache(maxsize=64)
def tree_of(
    pieces: tuple[Ids, ...],
    boundary: frozenset[int] | None = None,
    longer_words: tuple[tuple[str, Ids], ...] = (),
    beside: Ids = (),
) -> PieceTree:
    """Build the tree of words with these pieces, no two of which are the same.

    With ``boundary``, the ids of the tokens that may follow a word, also the end of each word is scored. The words
    leave out ``longer_words``, texts with their pieces, as they leave out each other. ``beside`` are tokens of further
    words, which change nothing for the others.
    """
    known = dict.fromkeys((*pieces, *(ids for _, ids in longer_words)))
    sequences = [ids if boundary is None else (*ids, BOUNDARY) for ids in known]
    parts = {ids[: length + 1] for ids in sequences for length in range(len(ids))}
    beginnings = sorted({ids[:-1] for ids in parts}, key=lambda ids: (len(ids), ids))
    place = {ids: index for index, ids in enumerate(beginnings)}
    asked = sorted(parts, key=lambda ids: (place[ids[:-1]], ids[-1]))
    first = sum(len(ids) == 1 for ids in asked)
    question = {ids: index + (len(beside) if index >= first else 0) for index, ids in enumerate(asked)}
    beginning_of = np.array([place[ids[:-1]] for ids in asked], dtype=np.int64)
    tokens = np.array([ids[-1] for ids in asked], dtype=np.int64)

    def path(ids: Ids) -> IntArray:
        return np.array([question[ids[: length + 1]] for length in range(len(ids))], dtype=np.int64)

    following: dict[Ids, list[Ids]] = {start: [] for start in beginnings}
    for part in asked:
        following[part[:-1]].append(part)
    remainders = {}
    for word, ids in enumerate(pieces):
        found = [
            Remainder(place[start], question.get(end), np.array([question[part] for part in longer], dtype=np.int64))
            for start, end, longer in _where_texts_leave(ids, following, known.keys(), boundary)
        ]
        if found:
            remainders[word] = tuple(found)
    return PieceTree(
        beginnings=tuple(beginnings),
        parents=np.array([place[ids[:-1]] if ids else -1 for ids in beginnings], dtype=np.int64),
        tokens=np.insert(tokens, first, beside),
        first_question=np.searchsorted(np.insert(beginning_of, first, [0] * len(beside)), np.arange(len(place) + 1)),
        paths=(*map(path, sequences[: len(pieces)]), *np.arange(first, first + len(beside))[:, np.newaxis]),
        beginning_paths=tuple(map(path, beginnings)),
        remainders=remainders,
        longer_paths={text: path(ids) for text, ids in longer_words},
        beside=len(beside),
    )


def _where_texts_leave(
    word: Ids, following: Mapping[Ids, Sequence[Ids]], words: Set[Ids], boundary: frozenset[int] | None
) -> Iterator[tuple[Ids, Ids, Sequence[Ids]]]:
    """Yield what makes a `Remainder` of a word: the prefix, its end (or ()), and the prefixes that lead on.

    ``following`` has the prefixes that are one piece longer than each prefix; their last piece may be BOUNDARY.
    """
    todo = [word]
    while todo:
        start = todo.pop()
        longer: Sequence[Ids] = following.get(start, ())
        onward = [part for part in longer if boundary is not None or part not in words]
        end: Ids = ()
        if boundary is not None and start in words:
            ended = (*start, BOUNDARY)
            onward = [part for part in longer if part != ended and (part[-1] in boundary) == (start == word)]
            longer, end = (onward, ended) if start == word else ([ended, *onward], ())
        if longer:
            yield start, end, longer
        todo += onward


def remark_on_longer_words(trees: Iterable[PieceTree], words: Sequence[str]) -> tuple[str, ...]:
    """Return a sentence that names the words that begin longer ones, as a remark for readers; empty if there are none.

    Args:
        trees: The trees of the words, which have other pieces after other texts.
        words: The words, length W.
    """
    pairs: dict[str, None] = {}
    for tree in dict.fromkeys(trees):
        for shorter, remainders in tree.remainders.items():
            onward = {question for each in remainders for question in each.longer.tolist()}
            for longer, path in (*zip(words, tree.paths, strict=True), *tree.longer_paths.items()):
                if longer != words[shorter] and onward & set(path.tolist()):
                    pairs[f'"{words[shorter]}" without "{longer}"'] = None
    if not pairs:
        return ()
    named = list(pairs)[:PAIRS_NAMED]
    more = f", and {len(pairs) - len(named)} more" if len(pairs) > len(named) else ""
    return (f"p of a word leaves out the texts that go on to a longer one: {', '.join(named)}{more}",)


def log_softmax_at(logits: Tensor, rows: Tensor, tokens: Tensor, boundary: Tensor | None) -> Tensor:
    """Return log p, shape (M,), of ``tokens`` by logits[rows]. Tokens and rows have shape (M,), logits (N, V).

    The token BOUNDARY stands for any token in ``boundary``, which is None if BOUNDARY does not occur.
    """
    values = logits[rows, tokens.clamp_min(0)]
    if boundary is not None:
        anywhere = logits[:, boundary].logsumexp(dim=-1)
        values = torch.where(tokens == BOUNDARY, anywhere[rows], values)
    return values - logits.logsumexp(dim=-1)[rows]
