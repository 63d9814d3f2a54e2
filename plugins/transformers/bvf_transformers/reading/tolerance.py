"""Which words need not be asked for: p of the pieces that a word begins with bounds p of the word."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch

from bvf.arrays import BoolArray, FloatArray, IntArray
from bvf_transformers.tokens.word_tree import PieceTree

Ask = Callable[[BoolArray], FloatArray]
"""Asks after chosen beginnings, shape (B, K), and returns log p of the answers, shape (B, Q), or -inf if not asked."""
FIRST_SHARE = 0.9
"""Share of the tolerance that the first round may use up, so that few rounds are needed after it."""


@dataclass(frozen=True)
class Unasked:
    """What words that were not asked can do to the probabilities of Y classes (Eq. 8).

    With L_y known of class y and T of all, and at most U_y not known of it, p(y) lies between L_y / (T + U_not_y) and
    (L_y + U_y) / (T + U_y). Half of what is not known is counted, so that the estimate P_y is about the middle:
    L_y + U_y / 2, divided by the sum over the classes.

    Args:
        tree: The pieces of the words.
        most: How many words after each beginning can be true at once, shape (K,).
        counted: The share of a beginning's unknown probability that is counted for each word, shape (K, W).
        in_class: Whether there are words of a class after a beginning, shape (K, Y).
        in_others: Whether there are words of another class, shape (K, Y).
        class_of_word: Shape (W,).
    """

    tree: PieceTree
    most: FloatArray
    counted: FloatArray
    in_class: FloatArray
    in_others: FloatArray
    class_of_word: IntArray

    def known(self, logp: FloatArray) -> FloatArray:
        """Return L_y, shape (B, Y), from log p of the words, shape (B, W)."""
        return _times(np.exp(logp), np.eye(self.in_class.shape[1])[self.class_of_word])

    def bounds(self, answers: FloatArray, asked: BoolArray) -> FloatArray:
        """Return upper bounds on the probability after beginnings that were not asked, shape (B, K)."""
        return np.where(asked, 0.0, np.exp(self.tree.beginning_logprobs(answers)) * self.most)

    def deviation(self, known: FloatArray, bounds: FloatArray) -> FloatArray:
        """Return the largest distance of any P_y from p(y) that is possible, shape (B,); rounding puts none below 0."""
        in_class, in_others = _times(bounds, self.in_class), _times(bounds, self.in_others)
        total = known.sum(axis=1, keepdims=True)
        lowest, highest = _ratio(known, total + in_others), _ratio(known + in_class, total + in_class)
        estimate = _share(known + in_class / 2)
        deviation: FloatArray = np.maximum(highest - estimate, estimate - lowest).max(axis=1, initial=0.0)
        return deviation

    def worth_asking(self, known: FloatArray, bounds: FloatArray, tolerance: float) -> BoolArray:
        """Return whether to ask after each beginning, shape (B, K): those that matter least may be left out."""
        order = np.argsort(bounds * self._leverage(_share(known)), axis=1)
        rank = np.argsort(order, axis=1)
        fits, too_many = np.zeros(len(bounds), dtype=np.int64), np.full(len(bounds), bounds.shape[1] + 1)
        while (too_many - fits > 1).any():
            middle = (fits + too_many) // 2
            is_fine = self.deviation(known, np.where(rank < middle[:, None], bounds, 0.0)) <= tolerance
            fits, too_many = np.where(is_fine, middle, fits), np.where(is_fine, too_many, middle)
        return (rank >= fits[:, None]) & (bounds > 0)

    def _leverage(self, share: FloatArray) -> FloatArray:
        """How far a little more after each beginning could move a class, shape (B, K); one class at a time."""
        leverage = np.zeros((len(share), len(self.most)))
        for y, p in enumerate(share.T[:, :, None]):
            np.maximum(leverage, (1.0 - p) * self.in_class[:, y] + p * self.in_others[:, y], out=leverage)
        return leverage


def logprobs_within(
    unasked: Unasked, texts: int, ask: Ask, tolerance: float, *, absolute: bool = False
) -> tuple[FloatArray, FloatArray]:
    """Return log p of words, shape (B, W), and how far from exact class probabilities can be, shape (B,).

    The beginnings of words are asked in rounds until the rest moves no class by more than the tolerance, 0 to 1. Words
    that are left out get a share of what is not known. Unless the answers are absolute, log p is up to a constant per
    text.
    """
    asked = np.zeros((texts, len(unasked.tree.beginnings)), dtype=np.bool_)
    chosen = asked.copy()
    chosen[:, 0] = True
    answers = np.full((texts, len(unasked.tree.tokens)), -np.inf)
    share = FIRST_SHARE
    while chosen.any():
        answers = np.maximum(answers, ask(chosen))
        if not asked.any() and not absolute:
            answers -= answers.max(axis=1, keepdims=True)
        asked |= chosen
        logp = unasked.tree.word_logprobs(answers)
        known, bounds = unasked.known(logp), unasked.bounds(answers, asked)
        chosen = unasked.worth_asking(known, bounds, tolerance * share)
        share = 1.0
    with np.errstate(divide="ignore"):
        return np.logaddexp(logp, np.log(_times(bounds, unasked.counted))), unasked.deviation(known, bounds)


def unasked_words(tree: PieceTree, class_of_word: IntArray) -> Unasked:
    """Return what unasked words of a tree can do to their classes."""
    words = [tuple(path.tolist()) for path in tree.paths]
    beginnings = [tuple(path.tolist()) for path in tree.beginning_paths]
    words_after = [
        [w for w, word in enumerate(words) if len(word) > len(start) and word[: len(start)] == start]
        for start in beginnings
    ]
    words_in_class = np.zeros((len(beginnings), int(class_of_word.max()) + 1))
    counted = np.zeros((len(beginnings), len(words)))
    for k, after in enumerate(words_after):
        np.add.at(words_in_class[k], class_of_word[after], 1)
        counted[k, after] = 0.5 / words_in_class[k, class_of_word[after]]
    in_class = np.minimum(words_in_class, 1.0)
    alone = in_class.sum(axis=1, keepdims=True) == 1
    return Unasked(
        tree=tree,
        most=np.array([_most_at_once([words[w] for w in after]) for after in words_after], dtype=float),
        counted=counted,
        in_class=in_class,
        in_others=np.where(alone, 1.0 - in_class, 1.0),
        class_of_word=class_of_word,
    )


def _most_at_once(words: list[tuple[int, ...]]) -> int:
    """The largest number of words that each begin with the one before: they can be true of the same text."""
    return max(sum(word[: len(other)] == other for other in words) for word in words)


def _times(values: FloatArray, matrix: FloatArray) -> FloatArray:
    """Matrix product by torch: NumPy has threads of its own, which keep spinning and take the cores from torch's."""
    return (torch.from_numpy(values) @ torch.from_numpy(matrix)).numpy()


def _ratio(part: FloatArray, whole: FloatArray) -> FloatArray:
    ratio: FloatArray = np.divide(part, whole, out=np.zeros_like(part), where=part > 0)
    return ratio


def _share(known: FloatArray) -> FloatArray:
    """P_y, shape (B, Y); 0 where nothing is known."""
    return _ratio(known, np.broadcast_to(known.sum(axis=1, keepdims=True), known.shape))
