"""Down the levels of word pieces behind a text, with or without a cache of what was read."""

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import torch
from torch import Tensor

from bvf_transformers.pieces import Level, add_wanted
from bvf_transformers.readout import Readout

Run = Callable[[Tensor, Any, bool], Any]
"""Calls the model with token ids (B, L), a cache or None, and whether a cache is wanted."""


class Steps(Protocol):
    """Rows of text that grow by a token; ``first`` has the logits behind the text, shape (B, V)."""

    first: Tensor

    def descend(self, parents: Tensor, tokens: Tensor) -> Tensor:
        """Take the rows ``parents``, append a token to each, and return the logits behind it.

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

        return self._readout.logits(run, -1)


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

        return self._readout.logits(run, -1)


def continuation_logprobs(steps: Steps, levels: Sequence[Level], words: int) -> Tensor:
    """Return log p of every word behind every text, shape (B, words), by the chain rule down the levels."""
    rows = len(steps.first)
    logp = torch.zeros((rows, words), device=steps.first.device)
    add_wanted(logp, levels[0], steps.first)
    each = torch.arange(rows, device=logp.device)
    for level in levels[1:]:
        parents = torch.cat([parent * rows + each for parent in level.parents])
        tokens = torch.tensor([prefix[-1] for prefix in level.prefixes], device=logp.device).repeat_interleave(rows)
        add_wanted(logp, level, steps.descend(parents, tokens))
    return logp


def cache_works(readout: Readout, run: Run, ids: Tensor) -> bool:
    """Whether steps with a cache give the logits that plain ones give; found out on a sample of two rows.

    Row r stays with text r % 2, as in `continuation_logprobs`: a seq2seq model has read text r % 2 for it.
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
