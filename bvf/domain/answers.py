"""The kinds of answers of a model: what a measurement holds beside p, and how each kind is cut.

p was computed (`Computed`), or is a share of samples (`Samples`). Plugins have further kinds.
"""

from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from bvf.arrays import BoolArray, FloatArray, IntArray, Pick
from bvf.domain.generation import TextsRead

Way = Literal["words", "texts", "thoughts"]


@dataclass(frozen=True)
class Computed:
    """Answers whose p was computed. It is the base of all kinds, and says what a kind can have."""

    way: ClassVar[Way] = "words"
    """What a model answered with: probable words, texts, or words after thoughts."""
    sampled: ClassVar[bool] = False
    """Whether p is a share of samples."""

    @property
    def summary(self) -> TextsRead | None:
        """How many texts were read; None: p does not come from texts, or they are not read yet."""
        return None

    def counts(self, p: FloatArray) -> IntArray | None:
        """Return how many samples were of each class, for the shares p, shape (X, C, Y); None: p is no share."""
        return None

    def each(self, pick: Pick) -> "Computed":
        """Return the answers to the prompts that ``pick`` selects."""
        return self

    def without(self, gone: BoolArray) -> "Computed":
        """Return the answers with p missing in the prompts of a mask, shape (X, C, 1)."""
        return self

    def of_words(self, logp: NDArray[Any] | None, kept: BoolArray) -> "Computed":
        """Return the answers where only the words of a mask count, shape (W,); ``logp`` is log p-hat, (X, C, W)."""
        return self


COMPUTED = Computed()


@dataclass(frozen=True)
class Samples(Computed):
    """Answers whose p is a share of samples: of each prompt ``hits`` were a candidate word or a class, shape (X, C).

    ``vectors``: where more is known of samples than their class, vectors whose means are p (`Answers.each`).
    """

    sampled: ClassVar[bool] = True
    hits: FloatArray
    vectors: FloatArray | None = field(default=None, kw_only=True)

    def counts(self, p: FloatArray) -> IntArray:
        return np.rint(np.nan_to_num(p) * self.hits[..., np.newaxis]).astype(np.intp)

    def each(self, pick: Pick) -> Computed:
        return replace(self, hits=pick(self.hits), vectors=None if self.vectors is None else pick(self.vectors))

    def of_words(self, logp: NDArray[Any] | None, kept: BoolArray) -> Computed:
        if logp is None or kept.all():
            return self
        p = np.exp(logp, dtype=np.float64)
        shares = np.divide(p[..., kept].sum(axis=2), p.sum(axis=2), out=np.zeros_like(self.hits), where=self.hits > 0)
        return replace(self, hits=np.asarray((self.hits * shares).round()))
