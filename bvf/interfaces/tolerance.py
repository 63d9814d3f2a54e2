"""The tolerance of a run: how far class probabilities may be off, on average over prompts, where words are left out."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from bvf.arrays import FloatArray, IntArray

MOST_IN_ONE_PROMPT = 10.0
"""No prompt may be further off than this many times the tolerance, since figures of single contexts are shown, too."""


@dataclass(frozen=True)
class Tolerance:
    """How far class probabilities (Eq. 8) may be off where words are left out.

    A risk r_x is a mean over the contexts of a group. So what counts is a mean of error bounds: for the prompts of each
    group, the mean of their bounds with the weights of their contexts must be at most ``value``; and each single bound
    at most ten times that.

    Args:
        value: The largest mean of error bounds, from 0 to 1.
        groups: Number of each prompt's group, shape (P,).
        weights: The positive weight of each prompt in the mean of its group, shape (P,).
    """

    value: float
    groups: IntArray
    weights: FloatArray

    @classmethod
    def on_each(cls, value: float, prompts: int) -> "Tolerance":
        """Return the tolerance that allows an error bound of at most ``value`` for each single prompt."""
        return cls(value, np.arange(prompts), np.ones(prompts))

    @cached_property
    def group_places(self) -> IntArray:
        """The number of each prompt's group if groups are counted 0, 1, 2, and so on without gaps, shape (P,)."""
        return np.unique(self.groups, return_inverse=True)[1]

    def needed(self, bounds: FloatArray) -> FloatArray:
        """Return, for each prompt, the smallest value that allows the error bounds of its group, shape (P,).

        ``bounds`` has the error bound of each prompt, shape (P,).
        """
        place = self.group_places
        means = np.bincount(place, self.weights * bounds) / np.bincount(place, self.weights)
        highest = np.zeros(len(means))
        np.maximum.at(highest, place, bounds)
        return np.maximum(means, highest / MOST_IN_ONE_PROMPT)[place]

    def of(self, prompts: Sequence[int] | IntArray) -> "Tolerance":
        """Return the tolerance for some of the prompts. If all such parts keep theirs, the whole keeps its own."""
        return replace(self, groups=self.groups[prompts], weights=self.weights[prompts])

    def of_distinct(self, places: Sequence[int] | IntArray) -> "Tolerance":
        """Return the tolerance for distinct prompts, of which ``places`` has the number of each prompt, shape (P,).

        Numbers are 0, 1, 2, and so on. A distinct prompt that two groups have in common is a group of its own.
        """
        weights: FloatArray = np.bincount(places, self.weights).astype(np.float64)
        first, last = np.full(len(weights), np.iinfo(np.int64).max), np.full(len(weights), -1)
        np.minimum.at(first, places, self.groups)
        np.maximum.at(last, places, self.groups)
        alone = last.max(initial=-1) + 1 + np.arange(len(weights))
        return Tolerance(self.value, np.where(first == last, first, alone), weights)
