"""Reads many texts in a few forward passes: trie, pack, forward, gather.

Every distinct prefix of the texts is one token in one forward pass. Packed sequences mix tokens of many texts; a
mask lets each token attend only to the tokens before it in its own text. The heads of texts, which stand left of [X],
are not read again (see `bvf_transformers.reading.kept`). Keys and values are kept if some words have several pieces
(tokens) (see `bvf_transformers.reading.word_rows`).
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
from bvf_transformers.reading.kept import HEADS_TOGETHER, Kept, Memory, Remembered
from bvf_transformers.reading.memory import REMEMBERED_TOKENS_A_TOKEN, Budget
from bvf_transformers.reading.readout import Readout
from bvf_transformers.tokens.word_tree import Ids, PieceTree

PAD = -1
TreeRun = Callable[[Tensor, Tensor, Tensor, Cache | None], Tensor]
"""Calls the model with token ids (B, L), an additive mask (B, 1, L, S), positions (B, L) and a cache of S - L tokens,
which grows by L; returns logits (B, L, V)."""
SEQUENCE_LENGTH = 64
"""Tokens per packed sequence: attention costs more in longer ones, but each repeats the nodes above its first token."""
TOKENS_OF_HEADS = 512
"""Tokens of heads that a packed sequence attends to, beyond its first head: bounds the memory of its attention."""


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


def tries_of(rows: IntArray, roots: IntArray) -> tuple[Trie, IntArray]:
    """Build one trie per root, one after the other, of sequences (S, L) with roots, (S,).

    Returns them as one trie, and the root of each node, (N,).
    """
    whole = trie_of(np.column_stack([roots, rows]))
    is_node = whole.depths > 0
    before = np.concatenate([[0], np.cumsum(is_node)])
    above = whole.parents[is_node]
    parents, ends = np.where(is_node[above], before[above], PAD), before[whole.ends[is_node]]
    trie = Trie(whole.tokens[is_node], whole.depths[is_node] - 1, parents, ends, before[whole.leaves])
    sizes = whole.ends[~is_node] - np.flatnonzero(~is_node) - 1
    return trie, np.repeat(whole.tokens[~is_node], sizes)


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
        kept: The keys and values of heads, and of the texts that are being read.
        boundary: Token ids that may follow a word, for trees with boundaries.
    """

    run: TreeRun
    readout: Readout
    budget: Budget
    device: torch.device
    dtype: torch.dtype
    window: int
    kept: Kept
    boundary: Tensor | None = None

    def on_device(self, values: IntArray | BoolArray) -> Tensor:
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

    The next read of texts overwrites the keys and values.

    Args:
        first: Log p of all possible first pieces of words after each text, shape (T, number of such pieces).
        paths: Indices of each text's tokens in the memory, shape (T, L), padded with PAD on the right.
        memory: Keys and values of the tokens; empty if all words have one piece.
    """

    first: FloatArray
    paths: IntArray
    memory: Memory


@dataclass(frozen=True)
class _Heads:
    """The K heads that the nodes of a trie continue.

    Args:
        places: The places in memory of the tokens of each head, length K.
        lengths: The number of these tokens, shape (K,).
        of_node: The head that each node continues, shape (N,).
    """

    places: Sequence[IntArray]
    lengths: IntArray
    of_node: IntArray

    def fitting(self, nodes: IntArray, tokens: int) -> IntArray:
        """Return the first of some nodes, in order: their heads have ``tokens`` tokens, or there is one head."""
        heads = self.of_node[nodes]
        firsts = np.flatnonzero(np.diff(heads, prepend=PAD))
        beyond = firsts[1:][np.cumsum(self.lengths[heads[firsts]])[1:] > tokens]
        return nodes[: beyond[0]] if len(beyond) else nodes

    def above(self, nodes: IntArray) -> tuple[IntArray, IntArray]:
        """Return the places of the tokens of the heads of nodes, and the head of each of these tokens."""
        heads = np.unique(self.of_node[nodes])
        return np.concatenate([self.places[head] for head in heads]), np.repeat(heads, self.lengths[heads])


@dataclass(frozen=True)
class _Pack:
    """Sequences of nodes of a trie for one forward pass.

    Args:
        nodes: Node indices, shape (B, L), padded with PAD on the right; new nodes follow copies of their ancestors.
        start: The first node that is new in this pack.
        stop: The node after the last new one.
        places: Indices of the new nodes in the flattened pack, shape (stop - start,).
        past: Places in memory of the tokens of heads, shape (B, P), padded with PAD on the right.
        heads: The head of each of these tokens, shape (B, P), padded like them.
    """

    nodes: IntArray
    start: int
    stop: int
    places: IntArray
    past: IntArray
    heads: IntArray


@torch.inference_mode()
def read_texts(
    reader: TreeReader, texts: IntArray, heads: Sequence[Ids], pieces: PieceTree, *, absolute: bool
) -> TextsRead:
    """Read distinct texts, shape (T, L), and score first tokens of words after them. PAD fills texts on the right.

    ``heads`` has the head of each text, which is shorter, or is empty. If ``absolute``, log p is normalised; otherwise
    it may be off by a constant per text.
    """
    number = {head: index for index, head in enumerate(dict.fromkeys(heads))}
    head_of_text = np.array([number[head] for head in heads])
    places, stop = reader.kept.places(list(number), lambda batch, length: _read_heads(reader, batch, length))
    lengths = np.array(list(map(len, places)))
    in_head = np.arange(texts.shape[1]) < lengths[head_of_text, None]
    tails = [row[len(head) :] for row, head in zip(texts, heads, strict=True)]
    trie, head_of_node = tries_of(rows_of(tails), head_of_text)
    above = _Heads(places, lengths, head_of_node)
    keeps = len(pieces.beginnings) > 1
    order = np.argsort(trie.leaves)
    ends = trie.leaves[order]
    answers: list[Tensor] = []
    start = 0
    while start < trie.size:
        packed = _packed(reader, trie, above, start)
        asked = packed.places[ends[slice(*np.searchsorted(ends, (packed.start, packed.stop)))] - packed.start]

        def read(packed: _Pack = packed, asked: IntArray = asked) -> tuple[Tensor, Memory]:
            tokens, mask, positions = _inputs(reader, trie, above, packed)
            cache = DynamicCache() if packed.past.size or keeps else None
            if cache is not None and packed.past.size:
                past = reader.on_device(np.maximum(packed.past, 0))
                cache.layers.extend(Remembered(*states, past) for states in reader.kept.memory)

            def run() -> Tensor:
                return reader.run(tokens, mask, positions, cache)

            answers = _first_answers(reader, run, asked, pieces, absolute=absolute)
            return answers, _kept(cache, reader.on_device(packed.places)) if keeps else []

        new = packed.stop - packed.start
        outcome = reader.budget.tried(read, new, -(-packed.nodes.size // new))
        if outcome is not None:
            answers.append(outcome[0])
            if keeps:
                reader.kept.write(stop + start, outcome[1])
            start = packed.stop
    first = np.empty((len(texts), pieces.first_question[1]))
    first[order] = torch.cat(answers).view(first.shape).double().cpu().numpy()
    paths, of_tails = np.full(texts.shape, PAD), paths_of(trie)
    paths[in_head] = np.concatenate([places[head] for head in head_of_text])
    paths[~in_head & (texts != PAD)] = stop + of_tails[of_tails != PAD]
    return TextsRead(first, paths, reader.kept.memory if keeps else [])


def _read_heads(reader: TreeReader, heads: Sequence[Ids], length: int) -> Memory:
    """Read heads, padded to a length and a number of rows; return the keys and values of their tokens."""
    rows = rows_of([*heads, *[heads[-1]] * (HEADS_TOGETHER - len(heads)), [0] * length])[:-1]
    seen = torch.ones(len(rows), length, length, dtype=torch.bool, device=reader.device).tril()
    positions = reader.on_device(np.tile(np.arange(length), (len(rows), 1)))
    cache, first = DynamicCache(), reader.on_device(np.zeros(1, dtype=np.int64))

    def read() -> Memory:
        tokens = reader.on_device(np.maximum(rows, 0))
        reader.readout.logits(lambda: reader.run(tokens, reader.mask(seen), positions, cache), first)
        return _kept(cache, reader.on_device(np.flatnonzero(rows[: len(heads)] != PAD)))

    return reader.budget.tried(read, 1, rows.size) or []


def _first_answers(
    reader: TreeReader, run: Callable[[], Tensor], places: IntArray, pieces: PieceTree, *, absolute: bool
) -> Tensor:
    """Log p of all possible first tokens of words, and of words beside them, at ``places``, flattened text by text.

    Places are the ends of texts.
    """
    tokens = pieces.tokens[: pieces.first_question[1]]
    head = reader.readout.head
    if absolute or head is None:
        rows = np.repeat(np.arange(len(places)), len(tokens))
        return reader.logprobs(run, places, rows, np.tile(tokens, len(places)))
    states = reader.readout.states(run, reader.on_device(places))
    return head.logits(states, reader.on_device(tokens).to(states.device), pieces.beside).float().flatten()


def _packed(reader: TreeReader, trie: Trie, heads: _Heads, start: int) -> _Pack:
    """Pack the nodes from ``start`` on into as many sequences as fit the budget. At least one is packed."""
    tokens = reader.budget.tokens
    deepest = int(trie.depths.max()) + 1
    most = reader.window - int(heads.lengths.max())
    length = min(max(min(SEQUENCE_LENGTH, tokens), deepest + min(deepest, tokens)), most)
    sequences: list[IntArray] = []
    above: list[tuple[IntArray, IntArray]] = []
    node, taken = start, 0
    while node < trie.size and (not sequences or taken + length <= tokens):
        nodes = heads.fitting(pack(trie, node, length), min(reader.window - length, TOKENS_OF_HEADS))
        sequences.append(nodes)
        above.append(heads.above(nodes))
        node, taken = int(nodes[-1]) + 1, taken + length + len(above[-1][0]) // REMEMBERED_TOKENS_A_TOKEN
    nodes = rows_of(sequences)
    is_new = nodes >= start
    is_new[1:] &= nodes[1:] > nodes[:-1].max(axis=1, keepdims=True)  # repeated nodes were new in an earlier sequence
    return _Pack(nodes, start, node, np.flatnonzero(is_new), *map(rows_of, zip(*above, strict=True)))


def _inputs(reader: TreeReader, trie: Trie, heads: _Heads, packed: _Pack) -> tuple[Tensor, Tensor, Tensor]:
    """Token ids, attention mask and positions of packed nodes."""
    nodes, is_node = packed.nodes, packed.nodes != PAD
    positions = trie.depths + heads.lengths[heads.of_node]
    at_nodes = [np.where(is_node, values[nodes], 0) for values in (trie.ends, trie.tokens, positions)]
    on_device, ends, tokens, depths, continued = reader.on_device(
        np.stack([nodes, *at_nodes, np.where(is_node, heads.of_node[nodes], PAD - 1)])
    )
    of_heads = continued[:, :, None] == reader.on_device(packed.heads)[:, None, :]
    return tokens, reader.mask(torch.cat([of_heads, sees(on_device, ends)], dim=2)), depths


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
