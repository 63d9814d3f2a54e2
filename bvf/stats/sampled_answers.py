"""Risks corrected for sampling noise. Class probabilities are estimated as fractions of sampled continuations.

A share p of h samples is an unbiased estimate, but J(p / p* - 1) is not: for a convex J it is too large, even if the
model predicts p*, as |p - p*| > 0. This bias would count as volatility, as it is independent between contexts. So the
samples of each prompt are split at random into two halves A and B, and J is replaced by the cross-fit estimate
g(s_A) s_B, with g a subgradient of J: for a sublinear J, J(s) = g(s) s. The noise of the halves is independent: for
s = 0 the expected estimate is 0, and otherwise it is biased downward, as g(s_A) s <= J(s). Both roles of the halves,
weighted by size, and several splits are averaged. J(E_c[s]) is estimated in the same way, with g at the mean of s_A.

Axes: X groups, C contexts, Y classes.
"""

from dataclasses import dataclass

import numpy as np

from bvf.arrays import FloatArray, IntArray
from bvf.interfaces.criterion import Criterion
from bvf.stats.probabilities import mean_over_contexts
from bvf.stats.subgradients import subgradient

SPLITS = 10
REPLICATES = 50
"""Bootstrap resamples; the relative error of a standard error from so many is about a tenth."""
OWN_STREAM = 8_577
"""Second part of the seed: the backend that sampled the answers may have used the same seed."""


@dataclass(frozen=True)
class SampledAnswers:
    """How often each class was sampled, and the criterion and weights for the risk of these counts.

    Args:
        counts: Shape (X, C, Y), whole numbers; all 0 where a prompt is missing.
        J: Sublinear, for ``p_star``.
        p_star: Shape (X, 1, Y).
        weights: P(C) for each group over the contexts that are not missing, shape (X, C).
        divisor: The number by which risks are divided on the chosen scale.
        seed: Seed of the splits.
    """

    counts: IntArray
    J: Criterion
    p_star: FloatArray
    weights: FloatArray
    divisor: float
    seed: int = 0

    def cross_fit(self) -> tuple[FloatArray, FloatArray]:
        """Return the cross-fit estimates of E_c[J(s)] and J(E_c[s]) of each group, shape (X,) each.

        They may be below 0 by chance.
        """
        rng = self._generator()
        total, of_mean = np.mean([self._split_once(self.counts, rng) for _ in range(SPLITS)], axis=0)
        return total, of_mean

    def noise(self) -> "SamplingNoise":
        """Return the risks of parametric bootstrap resamples of the answers, in the same contexts.

        Answers are drawn from (counts + p*) / (number + 1), so that classes that were never sampled may occur.
        """
        rng = self._generator()
        hits = self.counts.sum(axis=2)
        p = (self.counts + self.p_star) / (hits + 1)[..., np.newaxis]
        total, of_mean = np.empty((REPLICATES, len(hits))), np.empty((REPLICATES, len(hits)))
        for replicate in range(REPLICATES):
            counts = rng.multinomial(hits, p)
            total[replicate] = self._split_once(counts, rng)[0]
            mean = mean_over_contexts(self._stereotypes(counts), self.weights)[:, np.newaxis]
            of_mean[replicate] = self.J(mean)[:, 0] / self.divisor
        return SamplingNoise(total, of_mean)

    def _generator(self) -> np.random.Generator:
        return np.random.default_rng((self.seed, OWN_STREAM))

    def _split_once(self, counts: IntArray, rng: np.random.Generator) -> tuple[FloatArray, FloatArray]:
        """The cross-fit estimates from one random split, shape (X,) each."""
        first = halved(counts, rng)
        halves = (first, counts - first)
        hits = np.maximum(counts.sum(axis=2), 1)
        total: FloatArray = np.zeros(hits.shape)
        of_mean: FloatArray = np.zeros(hits.shape)
        for half, other in (halves, halves[::-1]):
            s = self._stereotypes(half)
            judged = self._stereotypes(other) * (other.sum(axis=2) / hits)[..., np.newaxis]
            there = half.sum(axis=2) > 0
            total += (np.where(there[..., np.newaxis], self._gradient(s), 0.0) * judged).sum(axis=2)
            mean = mean_over_contexts(s, self.weights * there)[:, np.newaxis]
            of_mean += (self._gradient(mean) * judged).sum(axis=2)
        weights = self.weights / self.divisor
        return mean_over_contexts(total, weights), mean_over_contexts(of_mean, weights)

    def _gradient(self, s: FloatArray) -> FloatArray:
        return subgradient(self.J, s, self.p_star)

    def _stereotypes(self, counts: IntArray) -> FloatArray:
        """The stereotypes s of class probabilities estimated from ``counts``; 0 where there are no samples."""
        hits = counts.sum(axis=2, keepdims=True)
        return np.where(hits > 0, counts / np.maximum(hits, 1) / self.p_star - 1.0, 0.0)


@dataclass(frozen=True)
class SamplingNoise:
    """Two bootstrap distributions per group, (REPLICATES, X) each: of cross-fit E_c[J(s)] and plug-in J(E_c[s])."""

    total: FloatArray
    of_mean: FloatArray

    def errors(self, group_weights: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return the standard errors of E_c[J(s)], J(E_c[s]) and their difference, shape (...) each.

        These are sums over groups with ``group_weights``, shape (..., X).
        """
        total, of_mean = self.total @ group_weights.T, self.of_mean @ group_weights.T
        first, second, third = (each.std(axis=0, ddof=1) for each in (total, of_mean, total - of_mean))
        return first, second, third


def halved(counts: IntArray, rng: np.random.Generator) -> IntArray:
    """Return the counts per class, shape (..., Y), of a random half of the samples. Odd numbers are rounded down."""
    half = np.zeros_like(counts)
    wanted, left = counts.sum(axis=-1) // 2, counts.sum(axis=-1)
    for y in range(counts.shape[-1]):
        left = left - counts[..., y]
        half[..., y] = rng.hypergeometric(counts[..., y], left, wanted)
        wanted = wanted - half[..., y]
    return half
