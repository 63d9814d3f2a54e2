"""Contexts as a sample, with standard errors of what is computed from them, and halves that are independent samples."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from bvf.arrays import BoolArray, FloatArray
from bvf.stats.quantiles import student_quantile, student_tail

Unit = Literal["occurrence", "document", "template"]
SPLITS = 100
"""Pairs of halves over which a cross-fit estimate is averaged, so that a seed does not move it."""
NO_ERROR = 1e-8
"""A standard error below this is rounding, difference quotients included: all contexts agree."""
NO_VARIANCE = NO_ERROR**2
NO_SKEWNESS = 1e-9


@dataclass(frozen=True)
class ContextSample:
    """Contexts that were drawn from a source.

    - ``occurrence``: occurrences were drawn independently; their number is the sum of the counts.
    - ``document``: documents were drawn independently; ``replicates`` are the counts for other draws of documents.
    - ``template``: templates were drawn independently, each with its weight.

    Contexts may also be drawn from a set that is such a sample itself, ``drawn_from``: then there are two errors, that
    of the draws and that of the set.

    Args:
        counts: How often each context was drawn, whole numbers except for ``template``, shape (C,).
        unit: What was drawn independently.
        replicates: Counts if documents were drawn again (Poisson bootstrap), shape (C, R).
        documents: How many documents there are; None: not known.
        drawn_from: The set from which contexts were drawn; None: from the source itself.
        seed: Seed of the halves.
    """

    counts: FloatArray
    unit: Unit = "occurrence"
    replicates: NDArray[np.unsignedinteger] | None = None
    documents: int | None = None
    drawn_from: "DrawnFrom | None" = None
    seed: int = 0

    def only(self, kept: BoolArray) -> "ContextSample":
        """Return the sample of the contexts that are marked, shape (C,)."""
        replicates, source = self.replicates, self.drawn_from
        return replace(
            self,
            counts=self.counts[kept],
            replicates=None if replicates is None else replicates[kept],
            drawn_from=None if source is None else source.only(kept),
        )

    @property
    def weights(self) -> FloatArray:
        """P(C), shape (C,), sums to 1."""
        weights: FloatArray = self.counts / self.counts.sum()
        return weights

    @property
    def size(self) -> float:
        """How many units were drawn; Kish's effective number for templates that differ in weight."""
        if self.unit == "template":
            return float(1.0 / (self.weights**2).sum())
        if self.unit == "document" and self.documents is not None:
            return float(self.documents)
        return float(self.counts.sum())

    @property
    def freedom(self) -> float:
        """Degrees of freedom of a standard error."""
        if self.unit == "document" and self.replicates is not None:
            return float(max(1.0, min(self.size, self.replicates.shape[1]) - 1.0))
        return max(1.0, self.size - 1.0)

    def margins(self, influence: FloatArray, level: float) -> tuple[FloatArray, FloatArray]:
        """Return by how many standard errors an interval reaches below and above an estimate, shape (...) each.

        Student's t, corrected for the skewness of single occurrences (Hall 1992, J. R. Stat. Soc. B 54): a mean of
        mostly zeros and a few large numbers is more often too small than too large.
        """
        t, a = float(student_quantile(0.5 + level / 2.0, self.freedom)), self._skewness(influence)
        return _unskewed(t, a), -_unskewed(-t, a)

    def p_values(self, estimate: FloatArray, influence: FloatArray) -> FloatArray:
        """Return the smallest 1 - level at which an interval by `margins` does not hold 0, two-sided, shape (...).

        Where no context moves the estimate, it is 1 for an estimate of 0, and 0 for any other.
        """
        error, a = self.standard_errors(influence), self._skewness(influence)
        moves = error > NO_ERROR
        T = np.divide(estimate, error, out=np.zeros_like(error), where=moves)
        unskewed = T + a * T**2 / 3.0 + a**2 * T**3 / 27.0 + a / 6.0
        p = 2.0 * student_tail(np.abs(unskewed), self.freedom)
        return np.where(moves, p, np.abs(estimate) <= NO_ERROR)

    def _skewness(self, influence: FloatArray) -> FloatArray:
        """Skewness of a mean of single occurrences, shape (...)."""
        squared = influence**2
        variance, third = squared @ self.weights, (squared * influence) @ self.weights
        skewness = np.divide(third, variance**1.5, out=np.zeros_like(third), where=variance > NO_VARIANCE)
        of_mean: FloatArray = skewness / np.sqrt(self.size)
        return of_mean

    def at_most(self, level: float) -> float:
        """Return the largest probability of an event that happened in no unit (exact binomial, one-sided)."""
        return float(1.0 - (1.0 - level) ** (1.0 / self.size))

    def standard_errors(self, influence: FloatArray) -> FloatArray:
        """Return the standard errors of statistics, shape (...).

        ``influence``, shape (..., C), is how an occurrence of each context moves a statistic; its weighted mean is 0.
        """
        if self.unit == "document" and self.replicates is not None:
            moved = influence @ (self.replicates - self.counts[:, np.newaxis]) / self.counts.sum()
            errors: FloatArray = np.sqrt((moved**2).mean(axis=-1)) * np.sqrt(_small_sample(self.size))
            return errors
        if self.unit == "template":
            errors = np.sqrt((influence**2 @ self.weights**2) * _small_sample(float(np.count_nonzero(self.counts))))
            return errors
        n = self.counts.sum()
        of_draws = influence**2 @ self.counts / (n * max(n - 1.0, 1.0))
        of_set = 0.0 if self.drawn_from is None else self.drawn_from.variances(influence, self.counts)
        errors = np.sqrt(of_draws + of_set)
        return errors

    @cached_property
    def halves(self) -> tuple[FloatArray, FloatArray]:
        """How often each context is in pairs of halves that are independent samples, shape (`SPLITS`, C) each.

        For documents they are a Poisson replicate P and 2 - P, since E[P (2 - P)] is 0 for P of mean and variance 1;
        numbers of the second may be negative.
        """
        if self.unit == "document" and self.replicates is not None:
            first = self.replicates[:, :SPLITS].T.astype(np.float64)
            return first, 2.0 * self.counts - first
        rng = np.random.default_rng(self.seed)
        if self.unit == "template":
            first = self._half_of_templates(rng)
        else:
            counts = self.counts.astype(np.int64)
            drawn = rng.multivariate_hypergeometric(counts, int(counts.sum()) // 2, size=SPLITS, method="marginals")
            first = drawn.astype(np.float64)
        return first, self.counts - first

    def _half_of_templates(self, rng: np.random.Generator) -> FloatArray:
        """Templates are paired by weight; the half has a random one of every pair."""
        order = np.argsort(-self.counts, kind="stable")
        side = rng.integers(2, size=(SPLITS, (len(order) + 1) // 2))
        taken = np.stack([side, 1 - side], axis=2).reshape(SPLITS, -1)[:, : len(order)]
        half = np.zeros((SPLITS, len(order)))
        half[:, order] = taken * self.counts[order]
        return half


@dataclass(frozen=True)
class DrawnFrom:
    """A set of contexts that is a sample of a source, from which some were drawn.

    Args:
        occurrences: How many the set has.
        counts: Occurrences of the contexts that were drawn, shape (C,).
        replicates: The counts if documents were drawn again, shape (C, R); None: occurrences were drawn independently.
    """

    occurrences: float
    counts: FloatArray
    replicates: NDArray[np.unsignedinteger] | None = None

    def only(self, kept: BoolArray) -> "DrawnFrom":
        """Return the set for the drawn contexts that are marked, shape (C,)."""
        replicates = None if self.replicates is None else self.replicates[kept]
        return replace(self, counts=self.counts[kept], replicates=replicates)

    def variances(self, influence: FloatArray, drawn: FloatArray) -> FloatArray:
        """Return the variance that comes from the set, shape (...): at least that of independent occurrences.

        The part of documents is estimated from the contexts that were drawn, each standing for all that it was drawn
        from, less the variance that the draws add to that estimate. ``drawn``, shape (C,), is how often each was drawn.
        """
        number, size = drawn.sum(), self.occurrences
        of_occurrences: FloatArray = influence**2 @ drawn / (max(number - 1.0, 1.0) * size)
        if self.replicates is None:
            return of_occurrences
        stands_for = drawn * size / (number * self.counts)
        changes = self.replicates - self.counts[:, np.newaxis]
        of_draws = influence**2 @ (stands_for * (changes**2).mean(axis=1) / self.counts) * size / number
        of_both = (((influence * stands_for) @ changes) ** 2).mean(axis=-1)
        of_documents = (of_both - of_draws) / ((1.0 - 1.0 / number) * size**2)
        variances: FloatArray = np.maximum(of_documents, of_occurrences)
        return variances


def _unskewed(t: float, a: FloatArray) -> FloatArray:
    """T with T + a T^2 / 3 + a^2 T^3 / 27 + a / 6 = t."""
    some = np.where(np.abs(a) < NO_SKEWNESS, 1.0, a)
    return np.where(some == a, 3.0 / some * (np.cbrt(1.0 + some * (t - some / 6.0)) - 1.0), t)


def _small_sample(units: float) -> float:
    return units / (units - 1.0) if units > 1.0 else 1.0
