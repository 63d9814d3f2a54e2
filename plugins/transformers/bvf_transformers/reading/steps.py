"""Ask for words of several pieces after a text, piece by piece, with or without a cache of what was read."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import torch
from torch import Tensor

from bvf_transformers.reading.readout import Readout, at_column
from bvf_transformers.tokens.word_tree import PieceTree, answers_of

Run = Callable[[Tensor, Any, bool], Any]
"""Calls the model with token ids (B, L), a cache or None, and whether a cache is wanted."""


class Steps(Protocol):
    """Rows of text that grow by a token; ``first`` has the logits after the text, shape (B, V)."""

    first: Tensor

    def descend(self, parents: Tensor, tokens: Tensor) -> Tensor:
        """Take the rows ``parents``, append a token to each, and return the logits after it.

        Args:
            parents: Indices of the rows there are now, shape (N,).
            tokens: Token ids, shape (N,).

        Returns:
            Logits, shape (N, V); there are N rows from now on.
        """


class CachedSteps:
    """Reads every token once: keys and values of what was read are kept and handed down, as in beam search."""

    def __init__(self, readout: Readout, run: Run, ids: Tensor) -> None:
        self._readout, self._run = readout, run
        self._cache: Any = None
        self.first = self._read(ids)

    def descend(self, parents: Tensor, tokens: Tensor) -> Tensor:
        self._cache.reorder_cache(parents)
        return self._read(tokens[:, None])

    def _read(self, ids: Tensor) -> Tensor:
        def run() -> Tensor:
            output = self._run(ids, self._cache, True)
            self._cache = output.past_key_values
            logits: Tensor = output.logits
            return logits

        return self._readout.logits(run, at_column(ids, -1))


class PlainSteps:
    """Reads the whole text again at every step: for models whose cache cannot be handed down."""

    def __init__(self, readout: Readout, run: Run, ids: Tensor) -> None:
        self._readout, self._run, self._ids = readout, run, ids
        self.first = self._read()

    def descend(self, parents: Tensor, tokens: Tensor) -> Tensor:
        self._ids = torch.cat([self._ids[parents], tokens[:, None]], dim=1)
        return self._read()

    def _read(self) -> Tensor:
        def run() -> Tensor:
            logits: Tensor = self._run(self._ids, None, False).logits
            return logits

        return self._readout.logits(run, at_column(self._ids, -1))


@dataclass(frozen=True)
class Stepper:
    """A model that is asked piece by piece.

    Args:
        readout: How its logits are read.
        has_cache: See `cache_works`.
        boundary: Token ids that may follow a word, for trees of pieces that ask for them.
    """

    readout: Readout
    has_cache: bool
    boundary: Tensor | None = None

    def tokens_each(self, length: int, tree: PieceTree) -> int:
        """Return how many tokens one text takes: with a cache its own and one per beginning, else all per beginning."""
        return length + tree.widest if self.has_cache else length * tree.widest

    def answers(self, run: Run, ids: Tensor, tree: PieceTree, *, absolute: bool) -> Tensor:
        """Return log p of the answers after texts of one length, shape (B, Q).

        Args:
            run: The model.
            ids: The texts, shape (B, L).
            tree: The pieces of the words.
            absolute: Normalised; otherwise the head is computed for single pieces only where that is possible.
        """
        if not absolute and len(tree.beginnings) == 1 and self.readout.can_choose_rows:
            rows = torch.from_numpy(tree.tokens).to(ids.device)
            return self.readout.logits(lambda: run(ids, None, False).logits, at_column(ids, -1), rows)
        return self._answers((CachedSteps if self.has_cache else PlainSteps)(self.readout, run, ids), tree)

    def _answers(self, steps: Steps, tree: PieceTree) -> Tensor:
        """Log p of every answer after every text, shape (B, Q), level by level of the tree."""
        each = torch.arange(len(steps.first), device=steps.first.device)
        answers = []
        above = 0
        for level in tree.levels():
            logits = steps.first
            if tree.beginnings[level[0]]:
                parents = torch.cat([int(parent - above) * len(each) + each for parent in tree.parents[level]])
                above = int(level[0])
                tokens = torch.tensor([tree.beginnings[k][-1] for k in level], device=each.device)
                logits = steps.descend(parents, tokens.repeat_interleave(len(each)))
            answers.append(answers_of(logits, tree, level, len(each), self.boundary))
        return torch.cat(answers, dim=1)


def cache_works(readout: Readout, run: Run, ids: Tensor) -> bool:
    """Whether steps with a cache give the logits that plain ones give; found out on a sample of two rows.

    Row r stays with text r % 2, as in `Stepper`: a seq2seq model has read text r % 2 for it.
    """
    try:
        cached, plain = CachedSteps(readout, run, ids), PlainSteps(readout, run, ids)
        for parents in ([0, 1, 0, 1], [2, 1]):
            at = torch.tensor(parents, device=ids.device)
            tokens = ids[0, [-1, 0, 0, -1][: len(parents)]]
            if not readout.agree(cached.descend(at, tokens), plain.descend(at, tokens)):
                return False
    except (RuntimeError, TypeError, ValueError, AttributeError, IndexError):
        return False
    return True
