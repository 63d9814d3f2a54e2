"""Reads many texts in a few forward passes: trie, pack, forward, gather.

Every distinct prefix of the texts is one token in one forward pass. Packed sequences mix tokens of many texts; a
mask lets each token attend only to the tokens before it in its own text. Keys and values are kept if some words have
several pieces (tokens) (see `bvf_transformers.reading.word_rows`).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
import torch
from torch import Tensor
from transformers import Cache, DynamicCache

from bvf.stats import BoolArray, FloatArray, IntArray
from bvf_transformers.reading.memory import Budget
from bvf_transformers.reading.readout import Readout
from bvf_transformers.tokens.word_tree import PieceTree

PAD = -1
TreeRun = Callable[[Tensor, Tensor, Tensor, Cache | None], Tensor]
"""Calls the model with token ids (B, L), an additive mask (B, 1, L, S), positions (B, L) and a cache of S - L tokens,
which grows by L; returns logits (B, L, V)."""
Memory = list[tuple[Tensor, Tensor]]
"""Keys and values of N tokens in every layer, shape (N, heads, size) each."""
SEQUENCE_LENGTH = 64
"""Tokens per packed sequence: attention costs more in longer ones, but each repeats the nodes above its first token."""


@dataclass(frozen=True)
class Trie:
    """The N distinct non-empty prefixes of S sequences, in preorder.

    Parents come before children; subtrees are contiguous.

    Node u is v or an ancestor of v if and only if u <= v < ends[u].

    Args:
        tokens: Last token of each prefix, shape (N,).
        depths: Position of that token in the sequence, from 0, shape (N,).
        parents: The node of the prefix without that token, PAD for none, shape (N,).
        ends: The first node after each node's subtree, shape (N,).
        leaves: The node of each whole sequence, shape (S,).
    """

    tokens: IntArray
    depths: IntArray
    parents: IntArray
    ends: IntArray
    leaves: IntArray

    @property
    def size(self) -> int:
        """N, the number of nodes."""
        return len(self.tokens)


def rows_of(sequences: Sequence[Sequence[int]] | Sequence[IntArray]) -> IntArray:
    """Return token sequences as the rows of an array, shape (S, L). PAD fills the right."""
    lengths = np.fromiter(map(len, sequences), dtype=np.int64, count=len(sequences))
    rows = np.full((len(sequences), lengths.max(initial=0)), PAD, dtype=np.int64)
    rows[np.arange(rows.shape[1]) < lengths[:, None]] = np.fromiter(
        chain.from_iterable(sequences), dtype=np.int64, count=lengths.sum()
    )
    return rows


def trie_of(rows: IntArray) -> Trie:
    """Build the trie of non-empty token sequences, shape (S, L). PAD fills the right."""
    order, ordered, is_new = _sorted(rows)
    is_token = ordered != PAD

    first_new = np.cumsum(is_new.sum(axis=1))
    node_at = np.full(rows.shape, PAD, dtype=np.int64)
    node_at[is_new] = np.arange(first_new[-1])
    np.maximum.accumulate(node_at, axis=0, out=node_at)
    node_at[~is_token] = PAD

    above = np.concatenate([np.full((len(rows), 1), PAD, dtype=np.int64), node_at[:, :-1]], axis=1)
    ends = np.empty(first_new[-1], dtype=np.int64)
    ends[node_at[is_token]] = np.broadcast_to(first_new[:, None], rows.shape)[is_token]  # the last sequence wins
    leaves = np.empty(len(rows), dtype=np.int64)
    leaves[order] = node_at[np.arange(len(rows)), is_token.sum(axis=1) - 1]
    return Trie(ordered[is_new], np.nonzero(is_new)[1], above[is_new], ends, leaves)


def paths_of(trie: Trie) -> IntArray:
    """Return the nodes of each sequence, from first token to last, shape (S, L). PAD fills the right."""
    depths = trie.depths[trie.leaves]
    paths = np.full((len(depths), depths.max() + 1), PAD, dtype=np.int64)
    rows, nodes = np.arange(len(depths)), trie.leaves
    while len(rows):
        paths[rows, trie.depths[nodes]] = nodes
        nodes = trie.parents[nodes]
        rows, nodes = rows[nodes != PAD], nodes[nodes != PAD]
    return paths


def parts_of(rows: IntArray, nodes: int) -> list[IntArray]:
    """Return the indices of sequences, (S, L), split into batches. The trie of each has about ``nodes`` nodes."""
    order, _, is_new = _sorted(rows)
    return np.split(order, np.flatnonzero(np.diff(np.cumsum(is_new.sum(axis=1)) // nodes)) + 1)


def _sorted(rows: IntArray) -> tuple[IntArray, IntArray, BoolArray]:
    """The sort order, the sorted sequences, and a mask of tokens not shared with the sequence before, (S, L)."""
    order = np.lexsort(rows.T[::-1])
    ordered = rows[order]
    is_shared = np.zeros(rows.shape, dtype=np.bool_)
    np.logical_and.accumulate(ordered[1:] == ordered[:-1], axis=1, out=is_shared[1:])
    return order, ordered, (ordered != PAD) & ~is_shared


def pack(trie: Trie, start: int, length: int) -> IntArray:
    """Return a sequence of at most ``length`` nodes.

    The ancestors of ``start`` come first, then the nodes from ``start`` on.

    Raises:
        ValueError: The ancestors leave no room for another node.
    """
    above = []
    node = int(trie.parents[start])
    while node != PAD:
        above.append(node)
        node = int(trie.parents[node])
    stop = min(start + length - len(above), trie.size)
    if stop <= start:
        raise ValueError(f"{len(above) + 1} nodes do not fit into {length}")
    return np.concatenate([np.array(above[::-1], dtype=np.int64), np.arange(start, stop)])


@dataclass(frozen=True)
class TreeReader:
    """A model that reads packed trees: sequences of tokens of many texts, each distinct prefix once.

    Args:
        run: Calls the model.
        readout: Computes the model's logits where they are needed.
        budget: Tokens per forward pass.
        device: The device of the token ids.
        dtype: The number format of the mask.
        window: The most tokens per sequence: in a model with a sliding window, all tokens must be within it.
        boundary: Token ids that may follow a word, for trees with boundaries.
    """

    run: TreeRun
    readout: Readout
    budget: Budget
    device: torch.device
    dtype: torch.dtype
    window: int
    boundary: Tensor | None = None

    def on_device(self, values: IntArray) -> Tensor:
        """Copy an array to the device. If that is a GPU, the copy is asynchronous."""
        tensor = torch.from_numpy(np.ascontiguousarray(values))
        if self.device.type == "cuda":
            return tensor.pin_memory().to(self.device, non_blocking=True)
        return tensor.to(self.device)

    def mask(self, is_seen: Tensor) -> Tensor:
        """Return the additive attention mask, shape (B, 1, L, S). ``is_seen`` has shape (B, L, S)."""
        mask = torch.zeros(is_seen.shape, dtype=self.dtype, device=is_seen.device)
        return mask.masked_fill_(~is_seen, torch.finfo(self.dtype).min)[:, None]

    def logprobs(self, run: Callable[[], Tensor], places: IntArray, rows: IntArray, tokens: IntArray) -> Tensor:
        """Return log p, shape (M,), of ``tokens`` at places[rows], (M,) each. BOUNDARY is any of ``boundary``.

        ``run`` returns the model's logits, shape (B, L, V); places are indices into the flattened batch, shape (N,).
        """
        at, asked = self.on_device(rows), self.on_device(tokens)
        return self.readout.logprobs(run, self.on_device(places), at, asked, self.boundary)


@dataclass(frozen=True)
class TextsRead:
    """The results of reading T texts: log p of words' first tokens, and keys and values for further tokens.

    Args:
        first: Log p of all possible first pieces of words after each text, shape (T, number of such pieces).
        paths: Indices of each text's tokens in the memory, shape (T, L), padded with PAD on the right.
        memory: Keys and values of the tokens; empty if all words have one piece.
    """

    first: FloatArray
    paths: IntArray
    memory: Memory

    @property
    def bytes_each(self) -> int:
        """Bytes of the keys and values of one token; 0 if they are not kept."""
        return sum(states[:1].nbytes for layer in self.memory for states in layer)


@dataclass(frozen=True)
class _Pack:
    """Sequences of nodes of a trie for one forward pass.

    Args:
        nodes: Node indices, shape (B, L), padded with PAD on the right; new nodes follow copies of their ancestors.
        start: The first node that is new in this pack.
        stop: The node after the last new one.
        places: Indices of the new nodes in the flattened pack, shape (stop - start,).
    """

    nodes: IntArray
    start: int
    stop: int
    places: IntArray


@torch.inference_mode()
def read_texts(reader: TreeReader, texts: IntArray, pieces: PieceTree, *, absolute: bool) -> TextsRead:
    """Read distinct texts, shape (T, L), and score first tokens of words after them. PAD fills texts on the right.

    If ``absolute``, log p is normalised; otherwise it may be off by a constant per text.
    """
    trie = trie_of(texts)
    order = np.argsort(trie.leaves)
    ends = trie.leaves[order]
    answers: list[Tensor] = []
    memories: list[Memory] = []
    start = 0
    while start < trie.size:
        packed = _packed(reader, trie, start)
        asked = packed.places[ends[slice(*np.searchsorted(ends, (packed.start, packed.stop)))] - packed.start]

        def read(packed: _Pack = packed, asked: IntArray = asked) -> tuple[Tensor, Memory]:
            cache = DynamicCache() if len(pieces.beginnings) > 1 else None
            tokens, mask, depths = _inputs(reader, trie, packed.nodes)

            def run() -> Tensor:
                return reader.run(tokens, mask, depths, cache)

            answers = _first_answers(reader, run, asked, pieces, absolute=absolute)
            return answers, _kept(cache, reader.on_device(packed.places))

        new = packed.stop - packed.start
        outcome = reader.budget.tried(read, new, -(-packed.nodes.size // new))
        if outcome is not None:
            answers.append(outcome[0])
            memories.append(outcome[1])
            start = packed.stop
    first = np.empty((len(texts), pieces.first_question[1]))
    first[order] = torch.cat(answers).view(first.shape).double().cpu().numpy()
    layers = (zip(*layer, strict=True) for layer in zip(*memories, strict=True))
    memory = [(torch.cat(keys), torch.cat(values)) for keys, values in layers]
    return TextsRead(first, paths_of(trie), memory)


def _first_answers(
    reader: TreeReader, run: Callable[[], Tensor], places: IntArray, pieces: PieceTree, *, absolute: bool
) -> Tensor:
    """Log p of all possible first tokens of words at ``places``, flattened text by text.

    Places are the ends of texts.
    """
    tokens = pieces.tokens[: pieces.first_question[1]]
    head = reader.readout.head
    if absolute or head is None:
        rows = np.repeat(np.arange(len(places)), len(tokens))
        return reader.logprobs(run, places, rows, np.tile(tokens, len(places)))
    states = reader.readout.states(run, reader.on_device(places))
    return head.logits(states, reader.on_device(tokens).to(states.device)).float().flatten()


def _packed(reader: TreeReader, trie: Trie, start: int) -> _Pack:
    """Pack the nodes from ``start`` on into as many sequences as fit the budget. At least one is packed."""
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
    is_new[1:] &= nodes[1:] > nodes[:-1].max(axis=1, keepdims=True)  # repeated nodes were new in an earlier sequence
    return _Pack(nodes, start, node, np.flatnonzero(is_new))


def _inputs(reader: TreeReader, trie: Trie, nodes: IntArray) -> tuple[Tensor, Tensor, Tensor]:
    """Token ids, attention mask and positions of packed nodes."""
    at_nodes = [np.where(nodes != PAD, values[nodes], 0) for values in (trie.ends, trie.tokens, trie.depths)]
    on_device, ends, tokens, depths = reader.on_device(np.stack([nodes, *at_nodes]))
    return tokens, reader.mask(sees(on_device, ends)), depths


def sees(nodes: Tensor, ends: Tensor) -> Tensor:
    """Return whether each node of a pack attends to each other, shape (B, L, L).

    Nodes attend to themselves and ancestors.

    PAD attends to PAD, so that no row of the attention is empty. ``ends`` has the node after the subtree of each of
    ``nodes``, and 0 for PAD; both have shape (B, L).
    """
    seen, seeing = nodes[:, None, :], nodes[:, :, None]
    return (seen <= seeing) & (seeing < ends[:, None, :])


def _kept(cache: Cache | None, places: Tensor) -> Memory:
    """Keys and values of a cache at ``places``, shape (B, heads, L, size).

    Places are indices into the flattened batch.
    """

    def at_places(states: Tensor) -> Tensor:
        return states.transpose(1, 2).flatten(0, 1)[places.to(states.device)]

    layers: list[Any] = cache.layers if cache else []
    return [(at_places(layer.keys), at_places(layer.values)) for layer in layers]
