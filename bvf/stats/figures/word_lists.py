"""How figures depend on the choice of words for each class.

Axes: X groups, C contexts, W words, Y classes.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bvf.arrays import BoolArray, FloatArray, IntArray
from bvf.stats.figures.probabilities import mean_over_contexts, normalised_context_weights, shares_of

HALVINGS = 100
AT_ONCE = 2**20
"""How many probabilities of classes are computed in one product of matrices, for several lists of words."""
OF_CLASSES_TOGETHER = 1.75
"""By how much more of what is not known of classes may be there in all than in one; Y / 2(Y - 1) + 1, for Y > 2."""
MOST = 0.9
"""Share of the random halvings between the ends of a range."""


@dataclass(frozen=True)
class WordProbabilities:
    """The probability p-hat of each candidate word, normalised over all words of all classes.

    Args:
        of_word: Shape (W, X, C), sums to 1 over W; NaN where every word has probability 0.
        class_of_word: Class of each word, shape (W,).
        classes: |Y|.
        bounds: Error bound of the probabilities of classes, shape (X, C); 0 where they are exact.
    """

    of_word: FloatArray
    class_of_word: NDArray[np.intp]
    classes: int
    bounds: FloatArray

    @classmethod
    def from_logp(
        cls, logp: FloatArray, class_of_word: NDArray[np.intp], classes: int, bounds: FloatArray
    ) -> "WordProbabilities":
        """Return word probabilities from log p-hat, (X, C, W): log p of words, known up to a constant per prompt."""
        logp = np.ascontiguousarray(np.moveaxis(logp, 2, 0))
        largest = logp.max(axis=0)
        mass = np.exp(logp - np.where(np.isfinite(largest), largest, 0.0))
        return cls(shares_of(mass, axis=0), class_of_word, classes, bounds)

    def shares(self, context_weights: FloatArray, group_weights: FloatArray) -> FloatArray:
        """Return each word's fraction of its class's mean probability E_x[E_c[p]], (W,); NaN where that is 0."""
        of_word = np.moveaxis(self.of_word, 0, 2)
        weights = normalised_context_weights(context_weights, of_word)
        mean = group_weights @ mean_over_contexts(of_word, weights)
        of_class = np.bincount(self.class_of_word, mean, self.classes)[self.class_of_word]
        return np.divide(mean, of_class, out=np.full_like(mean, np.nan), where=of_class > 0)

    def of_classes(self, lists: BoolArray) -> Iterator[FloatArray]:
        """Yield p(y | x, c), (X, C, Y), from the words of each of N lists, masks of shape (N, W).

        NaN where their probability is 0.
        """
        words, *prompts = self.of_word.shape
        of_word, classes = self.of_word.reshape(words, -1), np.arange(self.classes)[:, np.newaxis]
        together = max(1, AT_ONCE // (self.classes * of_word.shape[1]))
        for first in range(0, len(lists), together):
            belongs = lists[first : first + together, np.newaxis] & (self.class_of_word == classes)
            mass = belongs.reshape(-1, words).astype(np.float64) @ of_word
            shares = shares_of(mass.reshape(-1, self.classes, *prompts), axis=1)
            yield from np.moveaxis(shares, 1, 3)

    def bounds_of(self, words: BoolArray) -> FloatArray:
        """Return the error bound of classes' p by the words of a mask (W,), shape (X, C): docs/concepts/method.md."""
        if words.all() or not self.bounds.any():
            return self.bounds
        of_class = self.class_of_word == np.arange(self.classes)[:, np.newaxis]
        whole, left = (np.tensordot((of_class & mask).astype(np.float64), self.of_word, 1) for mask in (True, words))
        rest, others = left.sum(axis=0), (self.classes - 1) * self.bounds
        half = np.divide(others, 1.0 - whole + others, out=np.zeros_like(whole), where=others > 0.0)
        half *= 1.0 + 2.0 * self.bounds if self.classes == 2 else OF_CLASSES_TOGETHER
        not_in_class = 1.0 - shares_of(left, axis=0)
        moved = (not_in_class * half).max(axis=0) + (not_in_class * np.minimum(whole - left, half)).sum(axis=0)
        least = rest - half.max(axis=0)
        bounds = np.divide(moved, least, out=np.ones_like(moved), where=least > moved)
        return np.where(self.bounds > 0.0, bounds, 0.0)

    def figures(self, lists: BoolArray, figures_of: Callable[[FloatArray, FloatArray], FloatArray]) -> FloatArray:
        """Return F figures (such as R) for each of N word lists, shape (N, F).

        ``figures_of`` maps p(y | x, c) and its error bounds to them. ``lists``, shape (N, W), are masks of the words in
        each list, which has at least one word of every class. Equal lists, of which there are many where classes have
        few words, are computed once.
        """
        different, places = np.unique(lists, axis=0, return_inverse=True)
        both = zip(self.of_classes(different), map(self.bounds_of, different), strict=True)
        return np.array([figures_of(*each) for each in both])[places]


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
