"""What p of an analysis rests on: it is exact, or a share of counts. Kinds of answers of plugins have others."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from bvf.arrays import FloatArray, IntArray, Pick
from bvf.stats.sampling.drawn import Drawn
from bvf.stats.sampling.reading_error import corrected
from bvf.stats.sampling.sampled_answers import Answers


@dataclass(frozen=True, eq=False)
class Exact:
    """p as it is. It is the base of all kinds."""

    @property
    def is_corrected(self) -> bool:
        """Whether p is corrected for the counted error of a reader."""
        return False

    def random(self, p_star: FloatArray) -> Drawn | None:
        """Return what p was estimated from, with p*; None: it was computed."""
        return None

    def each(self, pick: Pick) -> "Exact":
        """Return the basis of the prompts that ``pick`` selects from an array of shape (X, C, ...)."""
        return self

    def scaled(self, ratio: FloatArray) -> "Exact":
        """Return the basis of p times a ratio, shape (X, C, Y): it is no share of counts any more."""
        return Exact()

    def mean_of(self, function: Callable[[FloatArray], FloatArray], p: FloatArray, p_star: FloatArray) -> FloatArray:
        """Return the mean of a function of stereotypes over the answers of each prompt, shape (X, C).

        The function maps (X, N, Y) to (X, N); ``p_star`` is p*, shape (X, 1, Y) or (X, C, Y).
        """
        return function(p / p_star - 1.0)

    def unclipped(self, p: FloatArray) -> FloatArray:
        """Return p without bias, shape (X, C, Y): corrected for errors of reading, it may be below 0 or above 1."""
        return p

    def every(self, p: FloatArray, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the p of every answer, (X, N, Y), and its weight in its group, (X, N), for ``weights`` (X, C)."""
        return p, weights


@dataclass(frozen=True, eq=False)
class Counted(Exact):
    """How often each class was sampled, shape (X, C, Y), with ``matrix`` and ``vectors`` (``each``) of `Answers`."""

    counts: IntArray
    matrix: FloatArray | None = None
    vectors: FloatArray | None = None

    @property
    def is_corrected(self) -> bool:
        return self.matrix is not None

    def random(self, p_star: FloatArray) -> Answers:
        return Answers(self.counts, p_star, matrix=self.matrix, each=self.vectors)

    def each(self, pick: Pick) -> Exact:
        vectors = None if self.vectors is None else pick(self.vectors)
        return replace(self, counts=pick(self.counts), vectors=vectors)

    def unclipped(self, p: FloatArray) -> FloatArray:
        if self.vectors is not None:
            return self.random(np.ones_like(p)).shares
        if self.matrix is None:
            return p
        with np.errstate(invalid="ignore"):
            return corrected(self.counts / self.counts.sum(axis=2, keepdims=True), self.matrix)
