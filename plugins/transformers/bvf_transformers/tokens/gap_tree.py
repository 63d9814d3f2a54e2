"""The tokens of all words as a tree for models that fill a gap of a fixed number of masks, one per token of the word.

What such a model says of the first mask depends on how many masks there are. So the first step down the tree is the
number of masks, whose log p is 0, since it is given. Below it p of a word is a product of conditional probabilities, by
which one mask at a time is filled in. So p of what is filled in is at least p of all words that continue it.
"""

from typing import NamedTuple

import numpy as np

from bvf.stats import BoolArray, FloatArray
from bvf_transformers.tokens.word_tree import BOUNDARY, Ids, PieceTree, tree_of


class Gap(NamedTuple):
    """What stands in the slot: the first tokens of a word, and a mask for each of the others."""

    filled: Ids
    masks: int


def gap_tree_of(pieces: tuple[Ids, ...]) -> PieceTree:
    """Build the tree of words with these pieces. Each stands below a mark for the number of its tokens."""
    return tree_of(tuple((BOUNDARY - len(ids), *ids) for ids in pieces))


def gaps_of(tree: PieceTree) -> list[Gap]:
    """Return the gap that is read for each beginning of the tree, length K; an empty one for ()."""
    return [Gap(ids[1:], BOUNDARY - ids[0] - len(ids[1:])) if ids else Gap((), 0) for ids in tree.beginnings]


def answers_before_reading(tree: PieceTree, chosen: BoolArray) -> FloatArray:
    """Return log p of the tree's questions, shape (B, Q): 0 for the numbers of masks, -inf for the rest.

    ``chosen`` is whether questions after each beginning are asked, shape (B, K).
    """
    answers = np.full((len(chosen), len(tree.tokens)), -np.inf)
    answers[chosen[:, 0], : tree.first_question[1]] = 0.0
    return answers
