"""Decides which words need not be scored. p of a word's first tokens is an upper bound of p of the word."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import torch

from bvf.interfaces import Tolerance
from bvf.stats import BoolArray, FloatArray, IntArray
from bvf_transformers.tokens.word_tree import PieceTree

Ask = Callable[[BoolArray], FloatArray]
"""Scores pieces after the chosen beginnings, shape (B, K); returns log p, shape (B, Q), -inf if not asked."""
FIRST_SHARE = 0.95
"""Fraction of the tolerance that the first round aims at, so that few further rounds are needed."""


@dataclass(frozen=True)
class Unasked:
    """Bounds on the effect of unscored words on the probabilities of Y classes (Eq. 8).

    If the known words of class y have the probability L_y, those of all classes T, and the unscored ones of y at most
    U_y, then p(y) lies between L_y / (T + U_not_y) and (L_y + U_y) / (T + U_y). The estimate P_y includes half of the
    unknown, to be about in the middle: L_y + U_y / 2, divided by the sum over the classes.

    Args:
        tree: The pieces of the words.
        counted: The share of a prefix's unknown probability that is added to each word, shape (K, W).
        in_class: 1 if a text with the prefix may count for a word of the class, else 0, shape (K, Y).
        in_others: 1 if a text with the prefix may count for a word of another class, else 0, shape (K, Y).
        class_of_word: Index of the class of each word, shape (W,).
    """

    tree: PieceTree
    counted: FloatArray
    in_class: FloatArray
    in_others: FloatArray
    class_of_word: IntArray

    def known(self, logp: FloatArray) -> FloatArray:
        """Return L_y, the summed p of the scored words of each class, shape (B, Y).

        ``logp`` has shape (B, W), and is -inf for unscored words.
        """
        return _times(np.exp(logp[:, : len(self.class_of_word)]), np.eye(self.in_class.shape[1])[self.class_of_word])

    def bounds(self, answers: FloatArray, asked: BoolArray) -> FloatArray:
        """Return the p of each unscored prefix, shape (B, K), which no words with it exceed together; 0 if scored."""
        return np.where(asked, 0.0, np.exp(self.tree.beginning_logprobs(answers)))

    def deviation(self, known: FloatArray, bounds: FloatArray) -> FloatArray:
        """Return the error bound: the largest possible distance of any P_y from p(y), shape (B,), at least 0."""
        in_class, in_others = _times(bounds, self.in_class), _times(bounds, self.in_others)
        total = known.sum(axis=1, keepdims=True)
        lowest, highest = _ratio(known, total + in_others), _ratio(known + in_class, total + in_class)
        estimate = _share(known + in_class / 2)
        deviation: FloatArray = np.maximum(highest - estimate, estimate - lowest).max(axis=1, initial=0.0)
        return deviation

    def worth_asking(self, known: FloatArray, bounds: FloatArray, tolerance: Tolerance) -> BoolArray:
        """Return whether to score the tokens after each prefix, shape (B, K).

        Of all prefixes after the texts of a group, the least influential are left out, as many as the tolerance allows.
        What other groups there are does not matter.
        """
        rank = _ranks_in_groups(self._influence(known, bounds) * tolerance.weights[:, None], tolerance.groups)
        texts_of_group = np.bincount(tolerance.group_places)[tolerance.group_places]
        fits, too_many = np.zeros(len(bounds), dtype=np.int64), texts_of_group * bounds.shape[1] + 1
        while (too_many - fits > 1).any():
            middle = (fits + too_many) // 2
            deviation = self.deviation(known, np.where(rank < middle[:, None], bounds, 0.0))
            is_fine = tolerance.needed(deviation) <= tolerance.value
            fits, too_many = np.where(is_fine, middle, fits), np.where(is_fine, too_many, middle)
        return (rank >= fits[:, None]) & (bounds > 0)

    def _influence(self, known: FloatArray, bounds: FloatArray) -> FloatArray:
        """About how far a class probability moves if the words with a prefix are left out, shape (B, K)."""
        total = np.maximum(known.sum(axis=1, keepdims=True), np.finfo(np.float64).tiny)
        influence: FloatArray = bounds / (total + bounds) * self._leverage(_share(known))
        return influence

    def _leverage(self, share: FloatArray) -> FloatArray:
        """The largest change of a class probability per unit of p of the words with each prefix, shape (B, K)."""
        leverage = np.zeros((len(share), len(self.in_class)))
        for y, p in enumerate(share.T[:, :, None]):
            np.maximum(leverage, (1.0 - p) * self.in_class[:, y] + p * self.in_others[:, y], out=leverage)
        return leverage


def logprobs_within(
    unasked: Unasked, ask: Ask, tolerance: Tolerance, *, absolute: bool = False
) -> tuple[FloatArray, FloatArray]:
    """Return log p of the words, shape (B, W), and the error bound of the class probabilities, shape (B,).

    Word prefixes are scored in rounds until the rest can change the class probabilities of no group by more than the
    tolerance, on average over its texts. The first round counts on texts that may go on to a longer word to end there,
    as most do: *he* is about as probable as it will be found to be, so that less must be asked beside it. Unscored
    words get a share of the unknown probability. Unless ``absolute``, log p may be off by a constant per text.
    """
    texts = len(tolerance.groups)
    asked = np.zeros((texts, len(unasked.tree.beginnings)), dtype=np.bool_)
    chosen = asked.copy()
    chosen[:, 0] = True
    answers = np.full((texts, len(unasked.tree.tokens)), -np.inf)
    first_aim = replace(tolerance, value=FIRST_SHARE * tolerance.value)
    while chosen.any():
        is_first = not asked.any()
        answers = np.maximum(answers, ask(chosen))
        if is_first and not absolute:
            answers -= answers[:, : unasked.tree.first].max(axis=1, keepdims=True)
        asked |= chosen
        logp = unasked.tree.word_logprobs(answers, asked)
        known, bounds = unasked.known(logp), unasked.bounds(answers, asked)
        if is_first:
            expected = unasked.known(unasked.tree.expected_logprobs(answers))
            chosen = unasked.worth_asking(expected, bounds, first_aim)
        if not is_first or not chosen.any():
            chosen = unasked.worth_asking(known, bounds, tolerance)
    with np.errstate(divide="ignore"):
        of_words = logp[:, : len(unasked.class_of_word)]
        np.logaddexp(of_words, np.log(_times(bounds, unasked.counted)), out=of_words)
    return logp, unasked.deviation(known, bounds)


def logprobs_asked(
    tree: PieceTree, unasked: Unasked | None, ask: Ask, tolerance: Tolerance, *, absolute: bool = False
) -> tuple[FloatArray, FloatArray]:
    """Return the same as `logprobs_within`; without bounds on unscored words (None) every word is scored."""
    if unasked is None:
        every_one = np.ones((len(tolerance.groups), len(tree.beginnings)), dtype=np.bool_)
        return tree.word_logprobs(ask(every_one)), np.zeros(len(every_one))
    return logprobs_within(unasked, ask, tolerance, absolute=absolute)


def unasked_words(tree: PieceTree, class_of_word: IntArray) -> Unasked:
    """Return the bounds on unscored words for a tree of words and their classes. Words without a class have none."""
    words = [tuple(path.tolist()) for path in tree.paths[: len(class_of_word)]]
    beginnings = [tuple(path.tolist()) for path in tree.beginning_paths]
    words_after = [
        {w for w, word in enumerate(words) if len(word) > len(start) and word[: len(start)] == start}
        for start in beginnings
    ]
    for word, remainders in tree.remainders.items():
        for each in remainders:
            words_after[each.beginning].add(word)
    words_in_class = np.zeros((len(beginnings), int(class_of_word.max()) + 1))
    counted = np.zeros((len(beginnings), len(words)))
    for k, after in enumerate(map(sorted, words_after)):
        np.add.at(words_in_class[k], class_of_word[after], 1)
        counted[k, after] = 0.5 / words_in_class[k, class_of_word[after]]
    in_class = np.minimum(words_in_class, 1.0)
    alone = in_class.sum(axis=1, keepdims=True) == 1
    in_others = np.where(alone, 1.0 - in_class, in_class.max(axis=1, keepdims=True))
    return Unasked(tree=tree, counted=counted, in_class=in_class, in_others=in_others, class_of_word=class_of_word)


def _ranks_in_groups(values: FloatArray, groups: IntArray) -> IntArray:
    """Return the rank of each value, shape (B, K), among all those of the rows of its group; the lowest has 0."""
    group_of_value = np.repeat(groups, values.shape[1])
    order = np.lexsort((values.ravel(), group_of_value))
    ordered = group_of_value[order]
    ranks = np.empty(values.size, dtype=np.int64)
    ranks[order] = np.arange(values.size) - np.searchsorted(ordered, ordered)
    return ranks.reshape(values.shape)


def _times(values: FloatArray, matrix: FloatArray) -> FloatArray:
    """Matrix product by torch. NumPy's own threads would keep spinning and take cores from torch's."""
    return (torch.from_numpy(values) @ torch.from_numpy(matrix)).numpy()


def _ratio(part: FloatArray, whole: FloatArray) -> FloatArray:
    ratio: FloatArray = np.divide(part, whole, out=np.zeros_like(part), where=part > 0)
    return ratio


def _share(known: FloatArray) -> FloatArray:
    """Each class's fraction of the total, shape (B, Y); 0 if the total is 0."""
    return _ratio(known, np.broadcast_to(known.sum(axis=1, keepdims=True), known.shape))
