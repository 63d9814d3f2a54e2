"""Many texts in a few runs: trie → pack → forward → gather.

Every distinct beginning of the texts, and of the words behind them, is one token of one run. Packed sequences mix
tokens of many texts; a mask lets each see what stands above it in its own text, and nothing else.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from bvf_transformers.batching import Budget
from bvf_transformers.pieces import FloatArray, IntArray, PieceTree, log_softmax_at
from bvf_transformers.readout import Readout
from bvf_transformers.trie import PAD, Trie, pack, rows_of, trie_of

TreeRun = Callable[[Tensor, Tensor, Tensor], Tensor]
"""Calls the model with token ids (B, L), an additive mask (B, 1, L, L) and positions (B, L); logits (B, L, V)."""
SEQUENCES_AT_A_TIME = 200_000
"""Texts times beginnings of words in one trie: bounds the memory of the host."""
SEQUENCE_LENGTH = 128
"""Tokens a packed sequence: attention grows with it, and what stands above the first token is repeated in each."""


@dataclass(frozen=True)
class TreeReader:
    """A model that reads packed trees.

    Args:
        run: The model.
        readout: How its logits are read.
        budget: Tokens a run.
        device: Where the tokens go.
        dtype: Number format of the mask.
        window: Tokens a sequence at most; models that attend to near tokens only count them as they stand in it.
        boundary: Token ids that may follow a word, for trees of pieces that ask for them.
    """

    run: TreeRun
    readout: Readout
    budget: Budget
    device: torch.device
    dtype: torch.dtype
    window: int
    boundary: Tensor | None = None


@dataclass(frozen=True)
class _Asked:
    """Texts continued by beginnings of words, in the order of their nodes: all shape (A,)."""

    nodes: IntArray
    texts: IntArray
    beginnings: IntArray

    def where(self, kept: NDArray[np.bool_]) -> "_Asked":
        return _Asked(self.nodes[kept], self.texts[kept], self.beginnings[kept])

    def new_in(self, packed: "_Pack") -> "_Asked":
        """Return those at the new nodes of a pack."""
        own = slice(*np.searchsorted(self.nodes, (packed.start, packed.stop)))
        return _Asked(self.nodes[own], self.texts[own], self.beginnings[own])


@dataclass(frozen=True)
class _Pack:
    """Some sequences of nodes.

    Args:
        nodes: Shape (B, L), with PAD behind; what stands above the new nodes is repeated before them.
        start: First of the nodes that are new in this pack.
        stop: The one behind the last of them.
        places: Where the new nodes stand, counted through the pack, shape (stop - start,).
    """

    nodes: IntArray
    start: int
    stop: int
    places: IntArray


def tree_answers(
    reader: TreeReader, texts: IntArray, pieces: PieceTree, chosen: NDArray[np.bool_], *, absolute: bool
) -> FloatArray:
    """Ask for the pieces of words behind texts.

    Args:
        reader: The model.
        texts: Token ids, shape (T, L), with PAD behind; no text twice.
        pieces: The K beginnings and Q questions.
        chosen: Behind which beginnings each text is asked, shape (T, K).
        absolute: Normalise the answers right behind a text too; otherwise a constant a text may be added to them.

    Returns:
        Log p of the answers, shape (T, Q); -inf where nothing was asked.

    Raises:
        OutOfMemoryError: A single text does not fit.
    """
    if len(texts) > 1 and chosen.sum() > SEQUENCES_AT_A_TIME:
        halves = (slice(None, len(texts) // 2), slice(len(texts) // 2, None))
        return np.concatenate([tree_answers(reader, texts[h], pieces, chosen[h], absolute=absolute) for h in halves])
    trie, asked = _trie_of_questions(texts, pieces, chosen)
    in_part = (asked.beginnings == 0) & (not absolute and reader.readout.head is not None)
    streams = (asked.where(in_part), asked.where(~in_part))
    values: tuple[list[Tensor], list[Tensor]] = ([], [])
    start = 0
    while start < trie.size:
        packed = _packed(reader, trie, start)

        def read(packed: _Pack = packed) -> tuple[Tensor, Tensor]:
            return _gathered(reader, trie, pieces, packed, streams)

        new = packed.stop - packed.start
        found = reader.budget.tried(read, new, -(-packed.nodes.size // new))
        if found is not None:
            for own, more in zip(values, found, strict=True):
                own += [more] if len(more) else []
            start = packed.stop
    answers = np.full((len(texts), len(pieces.tokens)), -np.inf)
    for stream, own in zip(streams, values, strict=True):
        which, questions = pieces.questions(stream.beginnings)
        answers[stream.texts[which], questions] = torch.cat(own).double().cpu().numpy() if own else -np.inf
    return answers


def _trie_of_questions(texts: IntArray, pieces: PieceTree, chosen: NDArray[np.bool_]) -> tuple[Trie, _Asked]:
    """The trie of texts with the chosen beginnings of words behind them."""
    text, beginning = np.nonzero(chosen)
    longest = max(map(len, pieces.beginnings))
    rows = np.concatenate([texts[text], np.full((len(text), longest), PAD, dtype=np.int64)], axis=1)
    behind = (texts[text] != PAD).sum(axis=1)
    for place in range(longest):
        piece = np.array([ids[place] if len(ids) > place else PAD for ids in pieces.beginnings], dtype=np.int64)
        rows[np.arange(len(rows)), behind + place] = piece[beginning]
    trie = trie_of(rows)
    order = np.argsort(trie.leaves, kind="stable")
    return trie, _Asked(trie.leaves[order], text[order], beginning[order])


def _packed(reader: TreeReader, trie: Trie, start: int) -> _Pack:
    """The next nodes in sequences; the first has room for at least one of them, whatever the budget is."""
    tokens = reader.budget.tokens
    deepest = int(trie.depths.max()) + 1
    length = min(max(min(SEQUENCE_LENGTH, tokens), deepest + min(deepest, tokens)), reader.window)
    sequences: list[IntArray] = []
    node = start
    while node < trie.size and (not sequences or (len(sequences) + 1) * length <= tokens):
        sequences.append(pack(trie, node, length))
        node = int(sequences[-1][-1]) + 1
    nodes = rows_of(sequences)
    is_new = nodes >= start
    is_new[1:] &= nodes[1:] > nodes[:-1].max(axis=1, keepdims=True)  # what stands above was new in an earlier sequence
    return _Pack(nodes, start, node, np.flatnonzero(is_new))


def _gathered(
    reader: TreeReader, trie: Trie, pieces: PieceTree, packed: _Pack, streams: tuple[_Asked, _Asked]
) -> tuple[Tensor, Tensor]:
    """Answers at the new nodes of a pack: logits of those asked in part, and log p of the others; shape (M,) each."""
    in_part, whole = (stream.new_in(packed) for stream in streams)
    nodes = np.concatenate([in_part.nodes, whole.nodes])
    nothing = torch.empty(0, device=reader.device)
    if not len(nodes):
        return nothing, nothing
    run = _forward(reader, trie, packed)
    places = _on(reader, packed.places[nodes - packed.start])
    which, questions = pieces.questions(whole.beginnings)
    head = reader.readout.head
    if head is None:
        logits = reader.readout.logits(run, places)
        rows, tokens = (torch.from_numpy(values).to(logits.device) for values in (which, pieces.tokens[questions]))
        return nothing, log_softmax_at(logits, rows, tokens, reader.boundary)
    states = reader.readout.states(run, places)
    first, rows, tokens = (
        torch.from_numpy(values).to(states.device)
        for values in (pieces.tokens[: pieces.first_question[1]], which, pieces.tokens[questions])
    )
    parts, rest = states[: len(in_part.nodes)], states[len(in_part.nodes) :]
    return (
        head.logits(parts, first).float().flatten() if len(parts) else nothing,
        head.log_softmax_at(rest, rows, tokens, reader.boundary) if len(rest) else nothing,
    )


def _forward(reader: TreeReader, trie: Trie, packed: _Pack) -> Callable[[], Tensor]:
    """Return what runs the model over a pack."""
    is_token = packed.nodes != PAD
    at_nodes = [np.where(is_token, values[packed.nodes], 0) for values in (trie.ends, trie.tokens, trie.depths)]
    nodes, ends, tokens, depths = _on(reader, np.stack([packed.nodes, *at_nodes]))
    mask = tree_mask(nodes, ends, reader.dtype)
    return lambda: reader.run(tokens, mask, depths)


def tree_mask(nodes: Tensor, ends: Tensor, dtype: torch.dtype) -> Tensor:
    """Return the additive mask of packed sequences, shape (B, 1, L, L): a node sees itself and those above it.

    Args:
        nodes: Shape (B, L); PAD sees PAD, so that no row of the attention is empty.
        ends: The node behind the subtree of each, shape (B, L); 0 for PAD.
        dtype: Number format.
    """
    seen, seeing = nodes[:, None, :], nodes[:, :, None]
    hidden = (seen > seeing) | (seeing >= ends[:, None, :])
    mask = torch.zeros(hidden.shape, dtype=dtype, device=nodes.device).masked_fill_(hidden, torch.finfo(dtype).min)
    return mask[:, None]


def _on(reader: TreeReader, values: IntArray) -> Tensor:
    """Copy to the device; to a GPU without waiting for it."""
    tensor = torch.from_numpy(np.ascontiguousarray(values))
    if reader.device.type == "cuda":
        return tensor.pin_memory().to(reader.device, non_blocking=True)
    return tensor.to(reader.device)
