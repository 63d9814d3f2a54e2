"""What p of an analysis rests on: it is exact, or a share of samples, of which halves and further draws are made here.

A share p of h samples is an unbiased estimate, but J(p / p* - 1) is not: for a convex J it is too large, even if the
model predicts p*, as |p - p*| > 0. This bias would count as volatility, as it is independent between contexts. So the
samples of each prompt are split at random into two halves A and B, whose shares are independent estimates of p, and J
is replaced by the cross-fit estimate g(s_A) s_B, with g a subgradient of J: for a sublinear J, J(s) = g(s) s. For s = 0
the expected estimate is 0, and otherwise it is biased downward, as g(s_A) s <= J(s). See `bvf.stats.sampling.noisy`.

Such estimates may be below 0 by chance, also for a group of a model whose estimate over all groups is above 0. What is
printed are the possible values that are nearest to them (`possible_risks`).

A reader has an error, counted in labelled texts. A text of class k is read as class j with probability M_kj, so the
shares of readings are q = p M, and p = q M^-1: for two classes the estimator of Rogan and Gladen (1978). It is linear,
so that corrected shares of few texts are unbiased estimates of p, as shares of readings are of q. They may leave the
simplex; so may their mean, which is shown as the nearest point of it.

Axes: X groups, C contexts, Y classes.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

import numpy as np

from bvf.arrays import BoolArray, FloatArray, IntArray, Pick
from bvf.stats.figures.probabilities import checked_probabilities
from bvf.stats.sampling.intervals import Pair, Sampled
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

    @property
    def apart(self) -> FloatArray | float:
        """How far a prompt is from what is estimated of all contexts of its group together; shape (X, C, Y), or 0."""
        return 0.0

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


def corrected(shares: FloatArray, matrix: FloatArray) -> FloatArray:
    """Return p = q M^-1 for shares of readings q, shape (..., Y); it may leave the simplex."""
    return np.asarray(np.linalg.solve(matrix.T, shares[..., np.newaxis])[..., 0], dtype=np.float64)


def on_simplex(p: FloatArray) -> FloatArray:
    """Return the nearest point of the simplex (by Euclidean distance) to vectors that sum to 1, shape (..., Y).

    >>> on_simplex(np.array([1.2, -0.1, -0.1])).tolist()
    [1.0, 0.0, 0.0]
    """
    ordered = -np.sort(-p, axis=-1)
    excess = (np.cumsum(ordered, axis=-1) - 1.0) / np.arange(1, p.shape[-1] + 1)
    last = (ordered > excess).sum(axis=-1, keepdims=True) - 1
    return np.maximum(p - np.take_along_axis(excess, np.maximum(last, 0), axis=-1), 0.0)


SPLITS = 10
"""Random splits of the samples into halves, over which estimates are averaged."""
REPLICATES = 50
"""Bootstrap resamples; the relative error of a standard error from so many is about a tenth."""
OWN_STREAM = 8_577
"""Second part of the seed: the backend that sampled the answers may have used the same seed."""


@dataclass(frozen=True, eq=False)
class Answers(Drawn):
    """How often each class was sampled, for every prompt.

    Args:
        counts: Shape (X, C, Y), whole numbers; all 0 where a prompt is missing.
        p_star: p*, shape (X, 1, Y) or (X, C, Y).
        splits: Number of random splits into halves.
        seed: Seed of the splits.
        matrix: The probability of each reading of a text by its class, shape (Y, Y), where a reader with a measured
            error counted them: estimates of p are corrected for it (`.reading_error`). None: no error.
        each: Vectors of each sample, which sum to 1 and whose means over a prompt estimate p. Vectors of samples with
            different numbers are independent. The last one says how far the prompt is from what is estimated of all
            contexts of its group together. Shape (X, C, K + 1, Y). None: of samples only the counts are known.
    """

    counts: IntArray
    p_star: FloatArray
    splits: int = SPLITS
    seed: int = 0
    matrix: FloatArray | None = None
    each: FloatArray | None = None

    @cached_property
    def hits(self) -> IntArray:
        """The number of samples of each prompt, shape (X, C)."""
        hits: IntArray = self.counts.sum(axis=2)
        return hits

    def checked(self, *, sublinear: bool) -> FloatArray:
        if self.matrix is None and self.each is None:
            return checked_probabilities(self.shares)
        return self.shares if sublinear else on_simplex(self.shares)  # J may be undefined outside of it

    @property
    def shares(self) -> FloatArray:
        """The share of each class among the samples of a prompt, shape (X, C, Y); NaN where a prompt is missing."""
        return self._estimate(self.counts, 1.0) if self.each is None else self._vectors.mean(axis=2)

    @cached_property
    def halves(self) -> list[Pair]:
        """Two independent, unbiased estimates of p for each split, shape (X, C, Y) each; NaN where p is missing.

        Where a prompt has a single sample, one half has none of it, and the other has its distance from p* twice.
        """
        rng, pairs = np.random.default_rng((self.seed, OWN_STREAM)), list[Pair]()
        for _ in range(self.splits):
            if self.each is not None:
                order = np.array_split(rng.permutation(self._vectors.shape[2]), 2)
                pairs.append((self._vectors[:, :, order[0]].mean(axis=2), self._vectors[:, :, order[1]].mean(axis=2)))
                continue
            first = halved(self.counts, rng)
            swapped = (rng.random(self.hits.shape) < 0.5)[..., np.newaxis]  # the smaller half of an odd number
            first = np.where(swapped, self.counts - first, first)
            one, other = (self._estimate(half, 2.0) for half in (first, self.counts - first))
            pairs.append((one, other))
        return pairs

    @property
    def variances(self) -> FloatArray:
        """The variance of the share of each class due to sampling, shape (X, C, Y); 0 where a prompt is missing.

        Its estimate is unbiased: p (1 - p) / (h - 1) for a share p of h samples. A single sample says nothing of it;
        there p (1 - p) is its mean over all other prompts.
        """
        if self.each is not None:
            return np.asarray(np.nan_to_num(self._vectors.var(axis=2, ddof=1) / self._vectors.shape[2]))
        hits, several = self.hits[..., np.newaxis], (self.hits > 1)[..., np.newaxis]
        p = self.counts / np.maximum(hits, 1)
        once = p * (1.0 - p) if self.matrix is None else p @ self._inverse**2 - (p @ self._inverse) ** 2
        of_one_sample = once * hits / np.maximum(hits - 1, 1)
        usual = of_one_sample.mean(axis=(0, 1), where=several) if several.any() else np.full(p.shape[2], 0.25)
        return np.where(hits > 0, np.where(several, of_one_sample, usual) / np.maximum(hits, 1), 0.0)

    def drawn_again(self) -> Iterator["Answers"]:
        """Yield parametric bootstrap resamples of the answers in the same contexts, with one split each.

        Answers are drawn from (counts + q*) / (h + 1), where q* is what would be read for p*. So classes that were
        never sampled may occur. Of vectors, each is as far from the mean of its prompt, times a normal number.
        """
        rng = np.random.default_rng((self.seed, OWN_STREAM, 1))
        if self.each is not None:
            samples, apart = self.each[:, :, :-1], self.each[:, :, -1:]
            mean, number = samples.mean(axis=2, keepdims=True), samples.shape[2]
            noise = (samples - mean) * np.sqrt(number / (number - 1.0))
            for seed in range(REPLICATES):
                again = mean + noise * rng.normal(size=(*noise.shape[:3], 1))
                yield replace(self, each=np.concatenate([again, apart], axis=2), splits=1, seed=seed)
            return
        p = (self.counts + self._read_star) / (self.hits + 1)[..., np.newaxis]
        for seed in range(REPLICATES):
            yield replace(self, counts=rng.multinomial(self.hits, p), splits=1, seed=seed)

    def in_contexts(self, kept: BoolArray | IntArray) -> "Answers":
        """Return the answers in some of the contexts."""
        p_star = self.p_star if self.p_star.shape[1] == 1 else self.p_star[:, kept]
        each = None if self.each is None else self.each[:, kept]
        return replace(self, counts=self.counts[:, kept], p_star=p_star, each=each)

    def risk(self, plain: Sampled, vectors_of: Callable[[FloatArray], FloatArray], p_x: FloatArray) -> Sampled:
        found = super().risk(plain, vectors_of, p_x)
        if self.each is None or not isinstance(found, Noisy):
            return found
        return replace(found, apart=vectors_of(self.shares + self.apart) - vectors_of(self.shares))

    @property
    def apart(self) -> FloatArray | float:
        return 0.0 if self.each is None else self._known[:, :, -1]

    @property
    def _vectors(self) -> FloatArray:
        return self._known[:, :, :-1]

    @cached_property
    def _known(self) -> FloatArray:
        assert self.each is not None
        return self.each if self.matrix is None else self.each @ self._inverse

    @cached_property
    def _inverse(self) -> FloatArray:
        assert self.matrix is not None
        return np.asarray(np.linalg.inv(self.matrix), dtype=np.float64)

    @property
    def _read_star(self) -> FloatArray:
        """What would be read where a model predicts p*."""
        return self.p_star if self.matrix is None else self.p_star @ self.matrix

    def _estimate(self, counts: IntArray, of_single: float) -> FloatArray:
        """An unbiased estimate of p from some of the samples of each prompt; NaN where a prompt has none.

        Where the prompt has a single sample, the distance from p* counts ``of_single`` times.
        """
        number = counts.sum(axis=2, keepdims=True)
        lean = np.where(number > 0, counts / np.maximum(number, 1) - self._read_star, 0.0)
        lean = lean if self.matrix is None else lean @ self._inverse
        times = np.where(self.hits == 1, of_single, 1.0)[..., np.newaxis]
        return np.where((self.hits > 0)[..., np.newaxis], self.p_star + times * lean, np.nan)


def halved(counts: IntArray, rng: np.random.Generator) -> IntArray:
    """Return the counts per class, shape (..., Y), of a random half of the samples. Odd numbers are rounded down."""
    half = np.zeros_like(counts)
    wanted, left = counts.sum(axis=-1) // 2, counts.sum(axis=-1)
    for y in range(counts.shape[-1]):
        left = left - counts[..., y]
        half[..., y] = rng.hypergeometric(counts[..., y], left, wanted)
        wanted = wanted - half[..., y]
    return half


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
