"""How figures depend on the choice of words for each class.

Axes: X groups, C contexts, W words, Y classes.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bvf.arrays import BoolArray, FloatArray, IntArray
from bvf.stats.figures.probabilities import in_blocks, masses_of, normalised_context_weights, shares_of

HALVINGS = 100
AT_ONCE, LISTS = 2**20, 8
"""How many probabilities of classes are computed at once, for several lists of words, and the fewest lists."""
PROMPTS = 4096
"""About so many prompts have probabilities of words at one time."""
OF_CLASSES_TOGETHER = 1.75
"""By how much more of what is not known of classes may be there in all than in one; Y / 2(Y - 1) + 1, for Y > 2."""
MOST = 0.9
"""Share of the random halvings between the ends of a range."""


@dataclass(frozen=True)
class WordProbabilities:
    """The probability p-hat of each candidate word, normalised over all words of all classes.

    It is computed from log p-hat for a block of prompts at a time, as many numbers as words per prompt are large.

    Args:
        logp: log p-hat of words, known up to a constant per prompt, shape (X, C, W).
        class_of_word: Class of each word, shape (W,).
        classes: |Y|.
        bounds: Error bound of the probabilities of classes, shape (X, C); 0 where they are exact.
    """

    logp: NDArray[Any]
    class_of_word: NDArray[np.intp]
    classes: int
    bounds: FloatArray

    def by_lists(self, lists: BoolArray) -> Iterator[tuple[FloatArray, FloatArray, FloatArray]]:
        """Yield p(y | x, c), (X, C, Y), by the words of each list, its error bounds, (X, C), and their p-hat, (X, C).

        ``lists`` are masks of words, (N, W). p is NaN where the words of a list have probability 0.
        """
        together = max(LISTS, AT_ONCE // self.logp[..., : self.classes].size)
        for first in range(0, len(lists), together):
            some = lists[first : first + together]
            yield from (
                (shares_of(of_class, axis=2), self._bounds(words, of_class), of_class.sum(axis=2))
                for words, of_class in zip(some, self._of_classes(some), strict=True)
            )

    def shares(self, context_weights: FloatArray, group_weights: FloatArray) -> FloatArray:
        """Return each word's fraction of its class's mean probability E_x[E_c[p]], (W,); NaN where that is 0."""
        weights = normalised_context_weights(context_weights, self._whole) * group_weights[:, np.newaxis]
        mean = np.zeros(len(self.class_of_word))
        for place, of_word in self._blocks():
            mean += np.tensordot(weights[place], np.nan_to_num(of_word), 2)
        of_class = np.bincount(self.class_of_word, mean, self.classes)[self.class_of_word]
        return np.divide(mean, of_class, out=np.full_like(mean, np.nan), where=of_class > 0)

    def _blocks(self) -> Iterator[tuple[tuple[slice, slice], FloatArray]]:
        """Yield the places of some prompts, and p-hat of each word there; NaN where every word has probability 0."""
        groups, contexts, _ = self.logp.shape
        for rows in in_blocks(groups):
            for columns in in_blocks(contexts, -(-PROMPTS // groups)):
                yield (rows, columns), shares_of(masses_of(self.logp[rows, columns]), axis=2)

    def _of_classes(self, lists: BoolArray) -> FloatArray:
        """Return p-hat of each class by the words of each of N lists, shape (N, X, C, Y)."""
        belongs = lists[:, np.newaxis] & (self.class_of_word == np.arange(self.classes)[:, np.newaxis])
        of_list = belongs.reshape(-1, lists.shape[1]).T.astype(np.float64)
        found = np.empty((len(lists), *self.logp.shape[:2], self.classes))
        for (rows, columns), of_word in self._blocks():
            parts = (of_word @ of_list).reshape(*of_word.shape[:2], len(lists), self.classes)
            found[:, rows, columns] = np.moveaxis(parts, 2, 0)
        return found

    @cached_property
    def _whole(self) -> FloatArray:
        """p-hat of each class by all words, shape (X, C, Y)."""
        whole: FloatArray = self._of_classes(np.ones((1, len(self.class_of_word)), dtype=np.bool_))[0]
        return whole

    def _bounds(self, words: BoolArray, left: FloatArray) -> FloatArray:
        """Return the error bound of classes' p by the words of a mask (W,), shape (X, C): docs/concepts/method.md.

        ``left`` is their p-hat by class.
        """
        if words.all() or not self.bounds.any():
            return self.bounds
        bounds = self.bounds[..., np.newaxis]
        whole, others = self._whole, (self.classes - 1) * bounds
        half = np.divide(others, 1.0 - whole + others, out=np.zeros_like(whole), where=others > 0.0)
        half *= 1.0 + 2.0 * bounds if self.classes == 2 else OF_CLASSES_TOGETHER
        not_in_class = 1.0 - shares_of(left, axis=2)
        moved = (not_in_class * half).max(axis=2) + (not_in_class * np.minimum(whole - left, half)).sum(axis=2)
        least = left.sum(axis=2) - half.max(axis=2)
        found = np.divide(moved, least, out=np.ones_like(moved), where=least > moved)
        return np.where(self.bounds > 0.0, found, 0.0)

    def figures(self, lists: BoolArray, figures_of: Callable[[FloatArray, FloatArray], FloatArray]) -> FloatArray:
        """Return F figures (such as R) for each of N word lists, shape (N, F).

        ``figures_of`` maps p(y | x, c) and its error bounds to them. ``lists``, shape (N, W), are masks of the words in
        each list, which has at least one word of every class. Equal lists, of which there are many where classes have
        few words, are computed once.
        """
        different, places = np.unique(lists, axis=0, return_inverse=True)
        return np.array([figures_of(p, bounds) for p, bounds, _ in self.by_lists(different)])[places]


def unit_of_each(class_of_word: IntArray, named: Sequence[Sequence[int]]) -> IntArray | None:
    """Return the unit that each word is in, shape (W,): words of the same use, of every class.

    The other words pair by their position in the lists of their classes. None: a class has no word in some unit.

    Args:
        class_of_word: Class of each word, shape (W,).
        named: The words of each unit that is named, by index.
    """
    unit = np.full(len(class_of_word), -1, dtype=np.intp)
    for number, indices in enumerate(named):
        unit[list(indices)] = number
    rest = [np.flatnonzero((class_of_word == y) & (unit < 0)) for y in np.unique(class_of_word)]
    if len({len(words) for words in rest}) > 1:
        return None
    for words in rest:
        unit[words] = len(named) + np.arange(len(words))
    classes = [len(np.unique(class_of_word[unit == number])) for number in np.unique(unit)]
    return unit if set(classes) == {len(rest)} else None


def leaving_each_unit_out(unit: IntArray) -> BoolArray:
    """Return masks of the words that are in other units than each of N, shape (N, W); N is 0 if there is one unit."""
    numbers = np.unique(unit)
    without: BoolArray = unit != numbers[:, np.newaxis]
    return without if len(numbers) > 1 else without[:0]


def halved_at_random(unit: IntArray, halvings: int, seed: int) -> BoolArray:
    """Return masks of N word lists, shape (N, W). Each has the words of a random half of the units, rounded up."""
    rng, numbers = np.random.default_rng(seed), np.unique(unit)
    kept = rng.permuted(np.tile(numbers, (halvings, 1)), axis=1)[:, : (len(numbers) + 1) // 2]
    lists: BoolArray = (kept[:, :, np.newaxis] == unit).any(axis=1)
    return lists


def middle(figures: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the lower and upper ends of the central range of each figure, (F,) each.

    `MOST` of its N values lie there. ``figures``, shape (N, 2, F), are these and their error bounds.
    """
    outside, (values, within) = (1.0 - MOST) / 2.0, np.moveaxis(figures, 1, 0)
    low: FloatArray = np.nanquantile(np.maximum(values - within, 0.0), outside, axis=0)
    high: FloatArray = np.nanquantile(values + within, 1.0 - outside, axis=0)
    return low, high
