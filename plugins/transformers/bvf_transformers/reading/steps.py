"""Scores words of several tokens after a text, token by token, with or without a key-value cache."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor
from transformers import Cache
from transformers.cache_utils import CacheLayerMixin

from bvf.stats import BoolArray, FloatArray, IntArray
from bvf_transformers.reading.memory import REMEMBERED_TOKENS_A_TOKEN, Budget
from bvf_transformers.reading.readout import Readout, at_column
from bvf_transformers.reading.tolerance import Ask
from bvf_transformers.tokens.word_tree import PieceTree

Run = Callable[[Tensor, Any, bool], Any]
"""Calls the model with token ids (B, L), a cache or None, and whether a cache is wanted."""
RunAfter = Callable[[Tensor], Run]
"""Returns the call for rows that continue these texts, indices of shape (B,)."""
BYTES_KEPT = 256_000_000
"""How much is kept of texts until all words are scored after them that may matter."""


def cache_of(output: Any) -> Any:
    """Return the cache in what a model returns, whose name has changed with transformers 5.24."""
    return output.cache if hasattr(output, "cache") else output.past_key_values


@dataclass
class Rows:
    """Token sequences, each of which continues a text; after `run` they can be continued, in any number and order.

    With a cache every token is read once: keys and values are picked for each step, as in beam search. A model whose
    cache cannot do that reads the whole sequence again at every step.

    Args:
        run_after: Calls the model.
        texts: The text that each row continues, shape (N,).
        ids: The tokens to read, shape (N, L): all of each row, or those that are not in the cache.
        with_cache: Whether there is to be a cache.
        cache: The keys and values of the tokens before; None: there are none.
    """

    run_after: RunAfter
    texts: Tensor
    ids: Tensor
    with_cache: bool
    cache: Any = None

    def run(self) -> Tensor:
        """Read the tokens, and return the logits."""
        output = self.run_after(self.texts)(self.ids, self.cache, self.with_cache)
        self.cache = cache_of(output) if self.with_cache else None
        logits: Tensor = output.logits
        return logits

    def continued(self, parents: Tensor, tokens: Tensor) -> "Rows":
        """Return the rows ``parents``, each with one more token, shape (N,) each. These rows stay as they are."""
        if not self.with_cache:
            ids = torch.cat([self.ids[parents], tokens[:, None]], dim=1)
            return Rows(self.run_after, self.texts[parents], ids, with_cache=False)
        cache = own_copy(self.cache)
        cache.reorder_cache(parents)
        return Rows(self.run_after, self.texts[parents], tokens[:, None], with_cache=True, cache=cache)


@dataclass(frozen=True)
class TextsBegun:
    """Texts of one length that were read, after which words are scored.

    Args:
        stepper: How words are scored.
        tree: The pieces of the words.
        root: The texts.
        first: Log p of the first pieces after each text, shape (B, number of first pieces).
        tokens_a_row: The tokens of the memory budget that a beginning of a word takes.
        held: The bytes that are kept of the texts beside their keys and values.
    """

    stepper: "Stepper"
    tree: PieceTree
    root: Rows
    first: FloatArray
    tokens_a_row: int
    held: int

    @property
    def bytes_kept(self) -> int:
        """How much is kept of the texts."""
        return self.held + bytes_of(self.root.cache)

    @torch.inference_mode()
    def ask(self, chosen: BoolArray) -> FloatArray:
        """Score the pieces after the chosen beginnings, shape (B, K), of each text.

        Returns log p of the tree's Q pieces, shape (B, Q), -inf where not chosen.
        """
        answers = np.full((len(chosen), len(self.tree.tokens)), -np.inf)
        answers[chosen[:, 0], : self.first.shape[1]] = self.first[chosen[:, 0]]
        is_asked = chosen & (self.tree.lengths > 0)
        rows = (is_asked @ self.tree.is_above).sum(axis=1)
        texts = np.flatnonzero(rows)
        while len(texts):
            budget = self.stepper.budget
            fit = int(np.searchsorted(np.cumsum(rows[texts]), budget.tokens // self.tokens_a_row, side="right"))
            part = texts[: max(1, fit)]

            def descend(part: IntArray = part) -> list[tuple[IntArray, IntArray, FloatArray]]:
                return list(self._descended(part, is_asked[part]))

            levels = budget.tried(descend, len(part), int(rows[part].max()) * self.tokens_a_row)
            if levels is not None:
                for of_text, questions, logp in levels:
                    answers[of_text, questions] = logp
                texts = texts[len(part) :]
        return answers

    def _descended(self, texts: IntArray, is_asked: BoolArray) -> Iterator[tuple[IntArray, IntArray, FloatArray]]:
        """Read the beginnings level by level; yield the texts, the questions and log p of each."""
        tree, device = self.tree, self.root.texts.device
        is_read = is_asked @ tree.is_above
        row_of = np.zeros(is_read.shape, dtype=np.int64)
        row_of[:, 0] = texts
        rows = self.root
        for level in tree.levels()[1:]:
            of_text, place = np.nonzero(is_read[:, level])
            if not len(of_text):
                return
            beginnings = level[place]
            parents, tokens = row_of[of_text, tree.parents[beginnings]], tree.last_pieces[beginnings]
            row_of[of_text, beginnings] = np.arange(len(of_text))
            rows = rows.continued(*(torch.from_numpy(each).to(device) for each in (parents, tokens)))
            asked = np.flatnonzero(is_asked[of_text, beginnings])
            which, questions = tree.questions(beginnings[asked])
            logp = self.stepper.logprobs(rows, asked[which], tree.tokens[questions])
            yield texts[of_text[asked[which]]], questions, logp


@dataclass(frozen=True)
class Stepper:
    """Scores words token by token. Trees with boundaries need ``boundary``, the token ids that may follow a word."""

    readout: Readout
    has_cache: bool
    budget: Budget
    boundary: Tensor | None = None

    def begun(
        self, run_after: RunAfter, ids: Tensor, tree: PieceTree, *, length: int, absolute: bool, held: int = 0
    ) -> TextsBegun:
        """Read texts of one length, (B, L), and score first pieces after them.

        Unless ``absolute``, and if the model allows it, only the logits of these pieces are computed. ``length`` is the
        number of tokens to which a word attends, and ``held`` the bytes that ``run_after`` keeps.
        """
        root = Rows(run_after, torch.arange(len(ids), device=ids.device), ids, with_cache=self.has_cache)
        tokens = tree.tokens[: tree.first_question[1]]
        if not absolute and self.readout.can_choose_rows:
            rows = torch.from_numpy(tokens).to(ids.device)
            first = self.readout.logits(root.run, at_column(ids, -1), rows, tree.beside).double().cpu().numpy()
        else:
            each = np.repeat(np.arange(len(ids)), len(tokens))
            first = self.logprobs(root, each, np.tile(tokens, len(ids))).reshape(len(ids), -1)
        tokens_a_row = max(1, length // REMEMBERED_TOKENS_A_TOKEN) if self.has_cache else length
        return TextsBegun(self, tree, root, first, tokens_a_row, held)

    def logprobs(self, rows: Rows, which: IntArray, tokens: IntArray) -> FloatArray:
        """Read rows, and return log p of ``tokens`` after the rows ``which``, shape (M,) each."""
        at, asked = (torch.from_numpy(each).to(rows.ids.device) for each in (which, tokens))
        logp = self.readout.logprobs(rows.run, at_column(rows.ids, -1), at, asked, self.boundary)
        answers: FloatArray = logp.double().cpu().numpy()
        return answers


def asked_together(batches: Iterable[tuple[Sequence[int], TextsBegun]]) -> Iterator[tuple[IntArray, Ask]]:
    """Gather batches of texts until `BYTES_KEPT` are kept; yield their indices, and what scores words after them.

    The words that are left out depend on the texts that are together.
    """
    together: list[tuple[Sequence[int], TextsBegun]] = []
    for batch, begun in batches:
        together.append((batch, begun))
        if sum(each.bytes_kept for _, each in together) >= BYTES_KEPT:
            yield _asked(together)
            together = []
    if together:
        yield _asked(together)


def _asked(batches: Sequence[tuple[Sequence[int], TextsBegun]]) -> tuple[IntArray, Ask]:
    ends = np.cumsum([len(batch) for batch, _ in batches])

    def ask(chosen: BoolArray) -> FloatArray:
        parts = np.split(chosen, ends[:-1])
        return np.concatenate([begun.ask(part) for (_, begun), part in zip(batches, parts, strict=True)])

    return np.concatenate([batch for batch, _ in batches]), ask


def cache_works(readout: Readout, run_after: RunAfter, ids: Tensor) -> bool:
    """Whether `Rows` give the same logits with a cache as without one, on a sample of two texts, also a second time."""
    texts = torch.arange(len(ids), device=ids.device)
    try:
        cached, plain = (Rows(run_after, texts, ids, with_cache=with_cache) for with_cache in (True, False))
        for rows in (cached, plain):
            readout.logits(rows.run, at_column(rows.ids, -1))
        for steps in (([1, 0, 0, 1], [2, 1]), ([0, 1, 1], [2, 0])):
            fast, slow = cached, plain
            for parents in steps:
                at, tokens = torch.tensor(parents, device=ids.device), ids[0, [-1, 0, 0, -1][: len(parents)]]
                fast, slow = fast.continued(at, tokens), slow.continued(at, tokens)
                if not readout.agree(*(readout.logits(rows.run, at_column(rows.ids, -1)) for rows in (fast, slow))):
                    return False
    except (RuntimeError, TypeError, ValueError, AttributeError, IndexError):
        return False
    return True


def bytes_of(part: Any) -> int:
    """Return the size of the keys and values in a cache."""
    if isinstance(part, Tensor):
        return part.nbytes
    if isinstance(part, list):
        return sum(map(bytes_of, part))
    return bytes_of(list(vars(part).values())) if isinstance(part, Cache | CacheLayerMixin) else 0


def own_copy(part: Any) -> Any:
    """Return a copy of a cache that can be changed apart from it. Both have the same tensors."""
    if isinstance(part, list):
        return [own_copy(each) for each in part]
    if isinstance(part, dict):
        return {name: own_copy(each) for name, each in part.items()}
    if isinstance(part, Cache | CacheLayerMixin):
        other = copy(part)
        vars(other).update(own_copy(vars(part)))
        return other
    return part
