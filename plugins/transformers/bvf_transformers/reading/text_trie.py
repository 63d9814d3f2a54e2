"""A trie of token sequences, stored in arrays. Every distinct prefix is one node, and is computed once."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from bvf.stats import BoolArray, IntArray

PAD = -1


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
