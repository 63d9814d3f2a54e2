"""Answers that a model wrote: texts, before and after they are read, and words after thoughts."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bvf.domain import Computed, Samples, TextsRead
from bvf.stats import BoolArray, Exact, FloatArray
from bvf_texts.stats.thoughts import AfterThoughts

Pick = Callable[[NDArray[Any]], NDArray[Any]]
TextArray = NDArray[np.object_]
"""Tuples of texts, shape (X, C)."""


@dataclass(frozen=True)
class Read(Samples):
    """Answers whose p is a share of the texts that a reader read; ``found`` says what it read in all."""

    way = "texts"
    found: TextsRead

    @property
    def summary(self) -> TextsRead | None:
        return self.found


@dataclass(frozen=True)
class Written(Computed):
    """Texts that are not read yet, shape (X, C). Until they are, p is NaN.

    ``owed`` is how many words of each class were expected in each text and did not come, shape (X, C, K, Y): see
    `bvf.interfaces.Writing`. NaN where it is not known.
    """

    way = "texts"
    texts: TextArray
    owed: FloatArray

    def each(self, pick: Pick) -> Computed:
        return Written(pick(self.texts), pick(self.owed))


@dataclass(frozen=True)
class Thoughts(Computed):
    """What a model thought before it answered, K thoughts per prompt; p is the mean over them.

    Args:
        texts: The texts of the thoughts of each prompt, shape (X, C).
        ended: Whether the model ended each thought itself, shape (X, C, K); the others were closed.
        probabilities: p(y | x, c, k), shape (X, C, K, Y); NaN where it is missing.
    """

    way = "thoughts"
    texts: TextArray
    ended: BoolArray
    probabilities: FloatArray

    def each(self, pick: Pick) -> Computed:
        return Thoughts(pick(self.texts), pick(self.ended), pick(self.probabilities))

    def without(self, gone: BoolArray) -> Computed:
        return replace(self, probabilities=np.where(gone[..., np.newaxis], np.nan, self.probabilities))


@dataclass(frozen=True, eq=False)
class ByThought(Exact):
    """p(y | x, c, k) after each thought, shape (X, C, K, Y), whose means are p."""

    probabilities: FloatArray

    def random(self, p_star: FloatArray) -> AfterThoughts:
        return AfterThoughts(self.probabilities, p_star)

    def each(self, pick: Pick) -> Exact:
        return ByThought(pick(self.probabilities))

    def scaled(self, ratio: FloatArray) -> Exact:
        return ByThought(self.probabilities * ratio[:, :, np.newaxis])

    def mean_of(self, function: Callable[[FloatArray], FloatArray], p: FloatArray, p_star: FloatArray) -> FloatArray:
        stereotypes = self.probabilities / p_star[:, :, np.newaxis] - 1.0
        flat = stereotypes.reshape(len(p), -1, p.shape[2])
        return np.asarray(function(flat).reshape(stereotypes.shape[:3]).mean(axis=2))

    def every(self, p: FloatArray, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
        groups, contexts, thoughts, classes = self.probabilities.shape
        shape = (groups, contexts * thoughts, classes)
        return self.probabilities.reshape(shape), weights.repeat(thoughts, axis=1) / thoughts
