"""Answers that were drawn, from which p is estimated: risks are estimated without their noise."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import ClassVar

from bvf.arrays import BoolArray, FloatArray, IntArray
from bvf.stats.sampling.estimates import Pair
from bvf.stats.sampling.intervals import Sampled
from bvf.stats.sampling.noisy import Noisy


class Drawn(ABC):
    """Answers of each prompt that were drawn, and p*, shape (X, 1, Y) or (X, C, Y)."""

    one_by_one: ClassVar[bool] = False
    """Whether J is of each answer, and not of the mean over the answers of a prompt."""
    p_star: FloatArray

    @property
    @abstractmethod
    def halves(self) -> Sequence[Pair]:
        """Independent, unbiased estimates of p from both halves of the answers, per split, shape (X, C, Y) each."""

    @property
    @abstractmethod
    def variances(self) -> FloatArray:
        """The variance of the estimates of p due to what was drawn, shape (X, C, Y)."""

    @abstractmethod
    def in_contexts(self, kept: BoolArray | IntArray) -> "Drawn":
        """Return the answers in some of the contexts."""

    @abstractmethod
    def checked(self, *, sublinear: bool) -> FloatArray:
        """Return the estimates of p, shape (X, C, Y), NaN where missing, for a J that is ``sublinear`` or is not."""

    def risk(self, plain: Sampled, vectors_of: Callable[[FloatArray], FloatArray], p_x: FloatArray) -> Sampled:
        """Return a risk without the noise of what was drawn.

        Args:
            plain: The risk of the estimates of p.
            vectors_of: Maps p to the vectors whose risk it is.
            p_x: P(X), shape (X,).
        """
        if not plain.J.sublinear:
            return plain
        halves = [(vectors_of(one), vectors_of(other)) for one, other in self.halves]
        return Noisy(plain.vectors, plain.J, plain.sample, plain.certainty, halves=halves, group_weights=p_x)
