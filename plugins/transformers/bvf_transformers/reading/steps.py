"""Scores words of several tokens after a text, token by token, with or without a key-value cache."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from bvf_transformers.reading.readout import Readout, at_column
from bvf_transformers.tokens.word_tree import PieceTree, answers_of

Run = Callable[[Tensor, Any, bool], Any]
"""Calls the model with token ids (B, L), a cache or None, and whether a cache is wanted."""


class Steps:
    """A batch of texts that grow token by token. ``first`` has the logits after the texts, shape (B, V).

    With a cache every token is read once: keys and values are reordered at each step, as in beam search. A model whose
    cache cannot be reordered reads the whole text again at every step.
    """

    def __init__(self, readout: Readout, run: Run, ids: Tensor, *, with_cache: bool) -> None:
        self._readout, self._run, self._ids = readout, run, ids
        self._with_cache = with_cache
        self._cache: Any = None
        self.first = self._read(ids)

    def descend(self, parents: Tensor, tokens: Tensor) -> Tensor:
        """Take the rows ``parents``, append ``tokens``, shape (N,) each, and return the next logits, shape (N, V)."""
        if self._with_cache:
            self._cache.reorder_cache(parents)
            return self._read(tokens[:, None])
        self._ids = torch.cat([self._ids[parents], tokens[:, None]], dim=1)
        return self._read(self._ids)

    def _read(self, ids: Tensor) -> Tensor:
        def run() -> Tensor:
            output = self._run(ids, self._cache, self._with_cache)
            self._cache = output.past_key_values if self._with_cache else None
            logits: Tensor = output.logits
            return logits

        return self._readout.logits(run, at_column(ids, -1))


@dataclass(frozen=True)
class Stepper:
    """Scores words token by token. Trees with boundaries need ``boundary``, the token ids that may follow a word."""

    readout: Readout
    has_cache: bool
    boundary: Tensor | None = None

    def tokens_each(self, length: int, tree: PieceTree) -> int:
        """Return how many tokens a text takes in a batch. Without a cache, each word prefix reads the text again."""
        return length + tree.widest if self.has_cache else length * tree.widest

    def answers(self, run: Run, ids: Tensor, tree: PieceTree, *, absolute: bool) -> Tensor:
        """Return log p of the tokens of a tree's questions, (B, Q), after texts of one length, (B, L).

        Unless ``absolute``, and if every word is a single piece, only the logits of these tokens may be computed. They
        are log p up to a constant per text.
        """
        if not absolute and len(tree.beginnings) == 1 and self.readout.can_choose_rows:
            rows = torch.from_numpy(tree.tokens).to(ids.device)
            return self.readout.logits(lambda: run(ids, None, False).logits, at_column(ids, -1), rows)
        steps = Steps(self.readout, run, ids, with_cache=self.has_cache)
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
    """Whether `Steps` give the same logits with a cache as without one, on a sample of two rows.

    Row r always continues text r % 2, as in `Stepper`: that is the text that a seq2seq encoder has read for the row.
    """
    try:
        cached, plain = (Steps(readout, run, ids, with_cache=with_cache) for with_cache in (True, False))
        for parents in ([0, 1, 0, 1], [2, 1]):
            at = torch.tensor(parents, device=ids.device)
            tokens = ids[0, [-1, 0, 0, -1][: len(parents)]]
            if not readout.agree(cached.descend(at, tokens), plain.descend(at, tokens)):
                return False
    except (RuntimeError, TypeError, ValueError, AttributeError, IndexError):
        return False
    return True
