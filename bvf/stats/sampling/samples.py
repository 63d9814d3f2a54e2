"""Contexts as a random sample: standard errors, splits into independent halves, and intervals for rare contexts.

Student's interval is far too short if nearly all contexts contribute 0 to a mean, and one or two contribute all of it.
Gaffke (2005) adds one unit at the largest possible value and weights all units at random, as in the Bayesian bootstrap;
a quantile of that mean is the end of the interval. For units of 0 and 1 it is the exact binomial bound; for many units
it is close to Student's t. No distribution is known for which its coverage is too low (Phan, Thomas and Learned-Miller
2021, ICML). The largest possible value is too extreme for a useful interval of R^v, so the added unit is as extreme as
the most extreme one that was seen (`bvf.stats.sampling.intervals.Sampled.rare`); contexts beyond that are left out. The
distribution of the mean is approximated by a Pearson distribution with the same three moments.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray

from bvf.arrays import BoolArray, FloatArray, IntArray
from bvf.stats.figures.quantiles import pearson3_below, pearson3_quantile, student_quantile, student_tail

Unit = Literal["occurrence", "document", "template", "opening"]
SPLITS = 100
"""Number of splits over which a cross-fit estimate is averaged, so that it hardly depends on the seed."""
PARTS = 5
"""An uneven split has one of this many equal parts of the sample on one side, and the others on the other."""
NO_ERROR = 1e-8
"""A standard error below this is rounding (also of difference quotients): all contexts agree."""
NO_VARIANCE = NO_ERROR**2
NO_SKEWNESS = 1e-9
FEWEST = 12
"""The fewest units (contexts, occurrences) for which there are intervals: for fewer none was tested."""
MOST_OF_A_KIND = 10**9
"""numpy draws parts of exactly equal size for fewer occurrences than this."""


@dataclass(frozen=True)
class ContextSample:
    """Contexts drawn from a source such as a corpus, and the sampling unit.

    - ``occurrence``: occurrences were drawn independently; their number is the sum of the counts.
    - ``document``: documents were drawn independently; ``replicates`` are the counts in bootstrap resamples of them.
    - ``template``: templates were drawn independently, each with its weight.
    - ``opening``: what stands before templates was drawn; ``replicates`` are as for documents.

    Contexts may also be drawn from a set that is such a sample itself, ``drawn_from``: two-stage sampling, with errors
    of the draws and of the set.

    Args:
        counts: How often each context was drawn, whole numbers except for ``template``, shape (C,).
        unit: The sampling unit, of which draws are independent.
        replicates: Counts in each bootstrap resample of the documents or openings, shape (C, R).
        documents: Number of documents, or of openings less one per template; None: not known.
        drawn_from: The set from which contexts were drawn; None: they were drawn from the source itself.
        seed: Seed of the splits into halves.
    """

    counts: FloatArray
    unit: Unit = "occurrence"
    replicates: NDArray[np.unsignedinteger] | FloatArray | None = None
    documents: int | None = None
    drawn_from: "DrawnFrom | None" = None
    seed: int = 0
    MEASURED_FROM: ClassVar[int] = 50
    """The smallest sample for which the coverage of intervals was measured (docs/evidence/coverage.md)."""
    FEWEST_TEMPLATES: ClassVar[int] = 10
    """The fewest templates, in Kish's effective number, for which there are intervals by template."""
    RESAMPLES: ClassVar[int] = 1000
    """Bootstrap resamples of templates, from which standard errors are computed where each has several contexts."""

    @classmethod
    def of_templates(cls, weights: FloatArray, origins: IntArray) -> tuple[Self, bool]:
        """Return contexts as a sample of templates, and whether these are enough for intervals.

        ``weights`` are P(C), and ``origins`` the index of the template of each context, shape (C,).
        """
        places = np.unique(origins, return_inverse=True)[1]
        of_templates = np.bincount(places, weights)
        effective = float(of_templates.sum() ** 2 / (of_templates**2).sum())
        drawn = np.random.default_rng(0).poisson(1.0, (len(of_templates), cls.RESAMPLES))
        sample = cls(weights, "document", weights[:, np.newaxis] * drawn[places], max(round(effective), 2))
        return sample, effective >= cls.FEWEST_TEMPLATES

    def enough(self, there: BoolArray) -> BoolArray:
        """Whether answers in a mask of contexts, (..., C), are enough for an interval: in all, or in `FEWEST`."""
        drawn = self.counts > 0.0
        number = (there & drawn).sum(axis=-1)
        return np.asarray((number >= FEWEST) | (number == drawn.sum()))

    def only(self, kept: BoolArray) -> "ContextSample":
        """Return the sample restricted to the contexts in the mask ``kept``, shape (C,)."""
        replicates, source = self.replicates, self.drawn_from
        return replace(
            self,
            counts=self.counts[kept],
            replicates=None if replicates is None else replicates[kept],
            drawn_from=None if source is None else source.only(kept),
        )

    @property
    def redrawn(self) -> NDArray[np.unsignedinteger] | FloatArray | None:
        """The replicates, where the unit is what they are of; None: errors do not rest on replicates."""
        return self.replicates if self.unit in ("document", "opening") else None

    @property
    def weights(self) -> FloatArray:
        """P(C), shape (C,), sums to 1."""
        weights: FloatArray = self.counts / self.counts.sum()
        return weights

    @property
    def size(self) -> float:
        """Sample size: the number of units drawn. For templates, it is Kish's effective sample size."""
        if self.unit == "template":
            return float(1.0 / (self.weights**2).sum())
        if self.redrawn is not None and self.documents is not None:
            return float(self.documents)
        return float(self.counts.sum())

    @property
    def effective_size(self) -> float:
        """The number of independent units of the source that would say as much.

        It is `size`, but for n draws from a set of N units (documents or occurrences), which see units repeatedly. By
        Kish's formula, (sum m)^2 / sum m^2 for m draws of a unit, they are n N / (n + N - 1) units on average.
        """
        if self.drawn_from is None:
            return self.size
        return self.size / (1.0 + (self.size - 1.0) / self.drawn_from.units)

    @property
    def freedom(self) -> float:
        """Degrees of freedom of standard errors from this sample.

        For draws from a set the variance is a sum over units of the set with unequal weights. By Satterthwaite it has
        as many degrees of freedom as that of `effective_size` units.
        """
        replicates = np.inf if self.replicates is None else self.replicates.shape[1]
        return float(max(1.0, min(self.effective_size, replicates) - 1.0))

    def margins(self, influence: FloatArray, level: float) -> tuple[FloatArray, FloatArray]:
        """Return how many standard errors an interval extends below and above an estimate, shape (...) each.

        They are quantiles of Student's t, corrected for skewness (Hall 1992, J. R. Stat. Soc. B 54): a mean of mostly
        zeros and a few large numbers is more often too small than too large.
        """
        t, a = float(student_quantile(0.5 + level / 2.0, self.freedom)), self._skewness(influence)
        return _unskewed(t, a), -_unskewed(-t, a)

    def ends(self, value: float, influence: FloatArray, level: float) -> tuple[float, float]:
        """Return the ends of the interval of a mean over contexts, of which each context has an influence, (C,)."""
        error = float(self.standard_errors(influence))
        below, above = self.margins(influence, level)
        return value - float(below) * error, value + float(above) * error

    def p_values(self, estimate: FloatArray, influence: FloatArray, noise: FloatArray | float = 0.0) -> FloatArray:
        """Return two-sided p values, shape (...).

        p is the smallest 1 - level at which the interval by `margins` excludes 0. ``noise`` is a standard error that
        is added to that of contexts.

        If all influences are 0, p is 1 for an estimate of 0, and 0 for any other.
        """
        error, a = np.hypot(self.standard_errors(influence), noise), self._skewness(influence)
        moves = error > NO_ERROR
        T = np.divide(estimate, error, out=np.zeros_like(error), where=moves)
        unskewed = T + a * T**2 / 3.0 + a**2 * T**3 / 27.0 + a / 6.0
        p = 2.0 * student_tail(np.abs(unskewed), self.freedom)
        return np.where(moves, p, np.abs(estimate) <= NO_ERROR)

    def _skewness(self, influence: FloatArray) -> FloatArray:
        """Skewness of a mean of ``effective_size`` independent units, shape (...)."""
        squared = influence**2
        variance, third = squared @ self.weights, (squared * influence) @ self.weights
        skewness = np.divide(third, variance**1.5, out=np.zeros_like(third), where=variance > NO_VARIANCE)
        of_mean: FloatArray = skewness / np.sqrt(self.effective_size)
        return of_mean

    def at_most(self, level: float) -> float:
        """Return the one-sided exact binomial upper bound on the probability of an event that no unit has."""
        return float(1.0 - (1.0 - level) ** (1.0 / self.effective_size))

    def standard_errors(self, influence: FloatArray) -> FloatArray:
        """Return the standard errors of statistics, shape (...).

        ``influence``, shape (..., C), is the influence of an occurrence of each context; its weighted mean is 0.
        """
        if self.redrawn is not None:
            moved = influence @ (self.redrawn - self.counts[:, np.newaxis]) / self.counts.sum()
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

    @property
    def own_variances(self) -> FloatArray:
        """The part of `standard_errors`, squared, that is due to each context alone if its influence is 1, (C,).

        Noise that is independent between contexts has the variance of their squared weights instead: more than this
        where a context was drawn repeatedly.
        """
        if self.unit == "template":
            return np.asarray(self.weights**2 * _small_sample(float(np.count_nonzero(self.counts))))
        n = self.counts.sum()
        if self.redrawn is not None:
            changes = (self.redrawn - self.counts[:, np.newaxis]) / n
            return np.asarray((changes**2).mean(axis=1) * _small_sample(self.size))
        per_unit = 1.0 / n if self.drawn_from is None else 1.0 / n + 1.0 / self.drawn_from.occurrences
        return np.asarray(self.counts * per_unit / max(n - 1.0, 1.0))

    @property
    def undivided(self) -> BoolArray:
        """A mask of the contexts that are never in both parts of a split, shape (C,)."""
        replicates = self.redrawn if self.drawn_from is None else self.drawn_from.replicates
        if self.unit == "template":
            return np.full(len(self.counts), True)
        return np.asarray((self.counts <= 1.0) & (replicates is None))

    def scores(self, influence: FloatArray) -> FloatArray:
        """Return numbers whose sums of products are the covariances of statistics, shape (..., K).

        ``influence`` is as for `standard_errors`, whose results are the lengths of these vectors. For draws from a set,
        correlations are those of the draws.
        """
        if self.redrawn is not None:
            moved = influence @ (self.redrawn - self.counts[:, np.newaxis]) / self.counts.sum()
            return np.asarray(moved * np.sqrt(_small_sample(self.size) / moved.shape[-1]))
        if self.unit == "template":
            return np.asarray(influence * self.weights * np.sqrt(_small_sample(float(np.count_nonzero(self.counts)))))
        n = self.counts.sum()
        scores: FloatArray = influence * np.sqrt(self.counts / (n * max(n - 1.0, 1.0)))
        if self.drawn_from is None:
            return scores
        length, error = np.sqrt((scores**2).sum(axis=-1)), self.standard_errors(influence)
        grown = np.divide(error, length, out=np.zeros_like(error), where=length > 0.0)
        return np.asarray(scores * grown[..., np.newaxis])

    @cached_property
    def halves(self) -> tuple[FloatArray, FloatArray]:
        """Counts of each context in the first and second half of each split, shape (`SPLITS`, C) each.

        The halves are independent samples. For documents they have the weights P, a Poisson(1) resample, and 2 - P,
        which may be negative: E[P (2 - P)] is 0, as for disjoint halves. Of draws from a set see `DrawnFrom.split`.
        """
        if self.redrawn is not None:
            first = self.redrawn[:, :SPLITS].T.astype(np.float64)
            return first, 2.0 * self.counts - first
        return self._split(2)

    @cached_property
    def uneven(self) -> tuple[FloatArray, FloatArray] | None:
        """Counts of each context in the large and the small part of each split, shape (`SPLITS`, C) each.

        Like `halves`, but the small part is one of `PARTS`. None for documents: their weights in the small part would
        often be negative in sum.
        """
        if self.redrawn is not None or (self.drawn_from is not None and self.drawn_from.replicates is not None):
            return None
        return self._split(PARTS)

    def _split(self, parts: int) -> tuple[FloatArray, FloatArray]:
        """Counts of each context in all but one of ``parts`` equal parts of the sample, and in that one."""
        rng = np.random.default_rng(self.seed)
        if self.unit == "template":
            first = self._most_templates(parts, rng)
        elif self.drawn_from is not None and np.isfinite(self.drawn_from.occurrences):
            return self.drawn_from.split(self.counts.astype(np.int64), parts, rng)
        else:
            first = _most_occurrences(self.counts.astype(np.int64), parts, rng)
        return first, self.counts - first

    def _most_templates(self, parts: int, rng: np.random.Generator) -> FloatArray:
        """Counts of the templates in the first part.

        Of every ``parts`` templates of similar weight, one that is chosen at random is left out.
        """
        order = np.argsort(-self.counts, kind="stable")
        left_out = rng.integers(parts, size=(SPLITS, -(-len(order) // parts)))
        taken = left_out[..., np.newaxis] != np.arange(parts)
        first = np.zeros((SPLITS, len(order)))
        first[:, order] = taken.reshape(SPLITS, -1)[:, : len(order)] * self.counts[order]
        return first


@dataclass(frozen=True)
class DrawnFrom:
    """A set from which contexts were drawn, such as one mined from a corpus. The set is itself a sample of that source.

    Args:
        occurrences: Number of occurrences of all its contexts.
        counts: Number of occurrences in the set of each drawn context, shape (C,).
        replicates: These counts in bootstrap resamples of documents, (C, R); None: occurrences are independent.
        documents: Number of documents; None: not known.
    """

    occurrences: float
    counts: FloatArray
    replicates: NDArray[np.unsignedinteger] | None = None
    documents: int | None = None

    @property
    def units(self) -> float:
        """Number of independent units of the set: of documents if their replicates are known, else of occurrences."""
        if self.replicates is None:
            return self.occurrences
        return float(min(self.documents or self.occurrences, self.replicates.shape[1]))

    def only(self, kept: BoolArray) -> "DrawnFrom":
        """Return the set with counts only for those drawn contexts that are in the mask ``kept``, shape (C,)."""
        replicates = None if self.replicates is None else self.replicates[kept]
        return replace(self, counts=self.counts[kept], replicates=replicates)

    def variances(self, influence: FloatArray, drawn: FloatArray) -> FloatArray:
        """Return the variance due to the sampling of the set itself. It is at least that of independent occurrences.

        The variance between documents is estimated from the drawn contexts, weighted by inverse drawing probabilities,
        minus the variance that the draws add to this estimate. ``drawn``, shape (C,), is how often each was drawn.
        """
        number, size = drawn.sum(), self.occurrences
        of_occurrences: FloatArray = influence**2 @ drawn / (max(number - 1.0, 1.0) * size)
        if self.replicates is None:
            return of_occurrences
        stands_for = drawn * size / (number * self.counts)
        changes = self.replicates - self.counts[:, np.newaxis]
        of_draws = influence**2 @ (stands_for * (changes**2).mean(axis=1) / self.counts) * size / number
        of_both = (((influence * stands_for) @ changes) ** 2).mean(axis=-1)
        of_documents = _small_sample(self.units) * (of_both - of_draws) / ((1.0 - 1.0 / number) * size**2)
        variances: FloatArray = np.maximum(of_documents, of_occurrences)
        return variances

    def split(self, drawn: IntArray, parts: int, rng: np.random.Generator) -> tuple[FloatArray, FloatArray]:
        """Return the draws of each context in all but one of ``parts`` equal parts, and in that, (`SPLITS`, C) each.

        Parts of the draws have the set in common: one occurrence may be drawn into both. So the occurrences of the
        set are split: each is in the second part with probability 1 / ``parts``, and a draw is in the part of its
        occurrence. A draw of a context is of one of its k occurrences in the set, each with probability 1 / k.
        Documents are split into halves by weights, too, as in `ContextSample.halves`: the draws of the first half have
        P / k, the others 2 - P / k, where P of the k occurrences are in a Poisson(1) resample of the documents. A draw
        of a context that is in one document only needs no coin: it is in both halves, as its document is.
        """
        of_set = np.maximum(self.counts, 1.0)
        in_first = rng.binomial(of_set.astype(np.int64), 1.0 - 1.0 / parts, size=(SPLITS, len(drawn)))
        first = rng.binomial(drawn, in_first / of_set).astype(np.float64)
        second = drawn - first
        if self.replicates is None:
            return first, second
        of_one = ~(self.replicates % of_set[:, np.newaxis]).any(axis=1)
        first, second = (np.where(of_one, drawn / 2.0, each) for each in (first, second))
        resampled = self.replicates[:, :SPLITS].T / of_set
        return first * resampled, second * (2.0 - resampled)


def _most_occurrences(counts: IntArray, parts: int, rng: np.random.Generator) -> FloatArray:
    """Counts of the first part of occurrences: an exact share of them, or each by chance where numpy ends."""
    number = int(counts.sum())
    if number >= MOST_OF_A_KIND:
        return rng.binomial(counts, 1.0 - 1.0 / parts, size=(SPLITS, len(counts))).astype(np.float64)
    first = number * (parts - 1) // parts
    return rng.multivariate_hypergeometric(counts, first, size=SPLITS, method="marginals").astype(np.float64)


def _unskewed(t: float, a: FloatArray) -> FloatArray:
    """The solution T of T + a T^2 / 3 + a^2 T^3 / 27 + a / 6 = t (Hall's transformation)."""
    some = np.where(np.abs(a) < NO_SKEWNESS, 1.0, a)
    return np.where(some == a, 3.0 / some * (np.cbrt(1.0 + some * (t - some / 6.0)) - 1.0), t)


def _small_sample(units: float) -> float:
    return units / (units - 1.0) if units > 1.0 else 1.0


@dataclass(frozen=True)
class WithOneMore:
    """The mean of a sample of independent units and one more unit. All arrays have the shape (...).

    Args:
        mean: The mean of the sample, without the added unit.
        variance: Variance of a unit.
        third: Third central moment of a unit.
        further: The value of the added unit minus the mean.
        units: The number of units without the added one.
    """

    mean: FloatArray
    variance: FloatArray
    third: FloatArray
    further: FloatArray
    units: FloatArray

    def quantile(self, level: float) -> FloatArray:
        """Return the ``level`` quantile of the mean of all units under random weights."""
        moved, deviation, skewness = self._moments
        return self.mean + moved + deviation * pearson3_quantile(level, skewness)

    def upper_end(self, level: float) -> FloatArray:
        """Return the upper end of an equal-tailed interval of ``level``."""
        return self.quantile(0.5 + level / 2.0)

    def below(self, value: float) -> FloatArray:
        """Return the probability that the mean of all units, under random weights, is below a value."""
        moved, deviation, skewness = self._moments
        away = value - self.mean - moved
        scaled = np.divide(away, deviation, out=np.zeros_like(deviation), where=deviation > 0)
        return np.where(deviation > 0, pearson3_below(scaled, skewness), away > 0)

    @property
    def _moments(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Shift from ``mean``, standard deviation and skewness of the mean under Dirichlet weights of all units."""
        units, further, total = self.units, self.further, self.units + 1.0
        moved = further / total
        second = (units * (self.variance + moved**2) + (further - moved) ** 2) / total
        third = (units * (self.third - 3.0 * self.variance * moved - moved**3) + (further - moved) ** 3) / total
        deviation = np.sqrt(second / (total + 1.0))
        central = 2.0 * third / ((total + 1.0) * (total + 2.0))
        skewness = np.divide(central, deviation**3, out=np.zeros_like(central), where=deviation > 0)
        return moved, deviation, skewness


def with_one_more(sample: ContextSample, mean: FloatArray, influence: FloatArray, further: FloatArray) -> WithOneMore:
    """Return the mean of a sample and one more unit.

    Args:
        sample: The contexts; the effective number of units is the one that gives the standard error.
        mean: The mean of the sample, shape (...).
        influence: The value of an occurrence of each context minus the mean, shape (..., C).
        further: The value of the added unit minus the mean, shape (...).
    """
    squared = influence**2
    variance, third = squared @ sample.weights, (squared * influence) @ sample.weights
    error = sample.standard_errors(influence)
    whole = np.full_like(variance, sample.size)
    units = np.divide(variance, error**2, out=whole.copy(), where=error > NO_ERROR)
    return WithOneMore(mean, variance, third, further, np.minimum(units, whole))
