"""The kinds of answers of a model: what a measurement holds beside p, and how each kind is cut.

p was computed (`Computed`), is a share of samples (`Samples`) or of texts that a reader read (`Read`), is not known
because its texts are not read yet (`Written`), or is a mean over thoughts (`AfterThoughts`).
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from bvf.arrays import BoolArray, FloatArray
from bvf.domain.generation import TextsRead

TextArray = NDArray[np.object_]
"""Tuples of texts, shape (X, C)."""
Pick = Callable[[NDArray[Any]], NDArray[Any]]
"""Selects some prompts of an array of shape (X, C, ...)."""
Way = Literal["words", "texts", "thoughts"]


@dataclass(frozen=True)
class Computed:
    """Answers whose p was computed. It is the base of all kinds, and says what a kind can have."""

    way: ClassVar[Way] = "words"
    """What a model answered with: probable words, texts, or words after thoughts."""

    @property
    def summary(self) -> TextsRead | None:
        """How many texts were read; None: p does not come from texts, or they are not read yet."""
        return None

    def each(self, pick: Pick) -> "Computed":
        """Return the answers to the prompts that ``pick`` selects."""
        return self

    def without(self, gone: BoolArray) -> "Computed":
        """Return the answers with p missing in the prompts of a mask, shape (X, C, 1)."""
        return self

    def of_words(self, logp: FloatArray | None, kept: BoolArray) -> "Computed":
        """Return the answers where only the words of a mask count, shape (W,); ``logp`` is log p-hat, (X, C, W)."""
        return self


COMPUTED = Computed()


@dataclass(frozen=True)
class Samples(Computed):
    """Answers whose p is a share of samples: of each prompt ``hits`` were a candidate word or a class, shape (X, C)."""

    hits: FloatArray

    def each(self, pick: Pick) -> Computed:
        return replace(self, hits=pick(self.hits))

    def of_words(self, logp: FloatArray | None, kept: BoolArray) -> Computed:
        if logp is None or kept.all():
            return self
        p = np.exp(logp)
        shares = np.divide(p[..., kept].sum(axis=2), p.sum(axis=2), out=np.zeros_like(self.hits), where=self.hits > 0)
        return replace(self, hits=np.asarray((self.hits * shares).round()))


@dataclass(frozen=True)
class Read(Samples):
    """Answers whose p is a share of the texts that a reader read; ``found`` says what it read in all."""

    way: ClassVar[Way] = "texts"
    found: TextsRead

    @property
    def summary(self) -> TextsRead | None:
        return self.found


@dataclass(frozen=True)
class Written(Computed):
    """Texts that are not read yet, shape (X, C). Until they are, p is NaN."""

    way: ClassVar[Way] = "texts"
    texts: TextArray

    def each(self, pick: Pick) -> Computed:
        return Written(pick(self.texts))


@dataclass(frozen=True)
class AfterThoughts(Computed):
    """What a model thought before it answered, K thoughts per prompt; p is the mean over them.

    Args:
        texts: The texts of the thoughts of each prompt, shape (X, C).
        ended: Whether the model ended each thought itself, shape (X, C, K); the others were closed.
        probabilities: p(y | x, c, k), shape (X, C, K, Y); NaN where it is missing.
    """

    way: ClassVar[Way] = "thoughts"
    texts: TextArray
    ended: BoolArray
    probabilities: FloatArray

    def each(self, pick: Pick) -> Computed:
        return AfterThoughts(pick(self.texts), pick(self.ended), pick(self.probabilities))

    def without(self, gone: BoolArray) -> Computed:
        return replace(self, probabilities=np.where(gone[..., np.newaxis], np.nan, self.probabilities))
