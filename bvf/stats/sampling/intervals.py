"""Intervals of E_c[J(v)] (risk R), J(E_c[v]) (bias R^b) and their difference (volatility R^v), for sampled contexts.

E_c[J(v)] is a mean over contexts, so Student's t interval is valid. J(E_c[v]) is not a mean: where J has a kink, as
|mean| has at 0, the plug-in estimate is too large by about a standard error, and bootstrap intervals miss the truth.
For a convex J there is a bracket: the plug-in estimate J(mean) is biased upward, and the cross-fit estimate downward.
The latter takes a subgradient g of J at the mean m_A of one half of the sample: J(m_A) + g (m_B - m_A).

Axes: X groups, C contexts, Y entries of a vector.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, NamedTuple

import numpy as np

from bvf.arrays import BoolArray, FloatArray, missing, summed
from bvf.stats.figures.probabilities import without_rounding
from bvf.stats.sampling.kinks import ERROR, OF_ANY_PARTS, OF_PARTS, Kinks, Signs
from bvf.stats.sampling.samples import NO_ERROR, NO_VARIANCE, ContextSample, WithOneMore, with_one_more

Pair = tuple[FloatArray, FloatArray]
"""Two independent estimates of one array."""


@dataclass(frozen=True)
class Estimate:
    """An estimate of a quantity and its interval, overall or per group.

    Args:
        value: The plug-in estimate: the figure of the paper.
        cross_fit: The cross-fit estimate, whose bias has the opposite sign; None for a mean, which is unbiased.
    """

    value: FloatArray
    low: FloatArray
    high: FloatArray
    cross_fit: FloatArray | None = None

    def mirrored(self) -> "Estimate":
        """Return the estimate of -1 times the quantity."""
        return Estimate(-self.value, -self.high, -self.low, None if self.cross_fit is None else -self.cross_fit)

    @property
    def bracket(self) -> tuple[FloatArray, FloatArray]:
        """The plug-in and the cross-fit estimate, whose biases have opposite signs; for a mean, the two are equal."""
        return self.value, self.value if self.cross_fit is None else self.cross_fit

    def further(self, by: FloatArray, raised: FloatArray) -> "Estimate":
        """Return the estimate with an interval that includes a further, independent error.

        ``raised`` is by how much noise may have raised both estimates.
        """
        lowest, highest = np.minimum(*self.bracket) - raised, np.maximum(*self.bracket)
        below, above = np.maximum(lowest - self.low, 0.0), np.maximum(self.high - highest, 0.0)
        moves = by > 0.0
        return replace(
            self,
            low=np.where(moves, np.minimum(np.maximum(lowest - np.hypot(below, by), 0.0), self.low), self.low),
            high=np.where(moves, np.maximum(highest + np.hypot(above, by), self.high), self.high),
        )

    def within(self, most: FloatArray) -> "Estimate":
        """Return the estimate with value and interval clipped to the range from 0 to ``most``."""
        high = np.minimum(self.high, np.maximum(most, self.value))
        return replace(self, low=np.maximum(self.low, 0.0), high=np.maximum(high, 0.0))


class Decomposition(NamedTuple):
    """Estimates of E_c[J(v)], J(E_c[v]) and their difference >= 0. The shape is () over all groups, or (X,) per group.

    The difference is E_c[J(v)] - J(E_c[v]) for a convex J, and the negative of that for a concave J.
    """

    total: Estimate
    of_mean: Estimate
    rest: Estimate


@dataclass(frozen=True)
class Moved:
    """Bounds on the decrease (``down``) and increase (``up``) of a quantity, 0 or more, shape (...) each."""

    down: FloatArray
    up: FloatArray


@dataclass(frozen=True)
class Judged:
    """A convex function of vectors: J, or -J if J is concave.

    Args:
        value: Maps (X, N, Y) to (X, N), for the groups of the sample.
        gradient: Maps (X, N, Y) to a subgradient at each vector, (X, N, Y).
        in_contexts: Maps (X, C, Y) to (X, C): J of each context, for a J that may depend on the mean over contexts.
        extremes: Vectors whose convex hull contains every v, shape (X, E, Y).
        concave: J itself is concave, and the three functions above are those of -J.
        least: J is undefined for entries of v below this.
        sublinear: J is sublinear, and so J(v) = g v for every subgradient g at v.
        most: An upper bound of J; needed for a concave, steep J, whose tangents give too loose a bound.
    """

    value: Callable[[FloatArray], FloatArray]
    gradient: Callable[[FloatArray], FloatArray]
    in_contexts: Callable[[FloatArray], FloatArray]
    extremes: FloatArray
    concave: bool = False
    least: float = -np.inf
    sublinear: bool = False
    most: float = np.inf


def itself(groups: int, least: float = 0.0, most: float = 1.0) -> Judged:
    """Return the identity J(v) = v as a `Judged`. v is one number per group and context, from ``least`` to ``most``."""
    return Judged(
        value=lambda v: v[..., 0],
        gradient=np.ones_like,
        in_contexts=lambda v: v[..., 0],
        extremes=np.broadcast_to([[least], [most]], (groups, 2, 1)),
    )


CLEAR = 0.5
"""A group is doubtful if subgradients at the mean and at a half's mean differ, in standard deviations, by this."""
PILED_UP = 0.8
"""A group is nearly certain if the standard deviation of its contexts' distances from certainty is this, in means."""
DECIMALS = 9
"""Subgradients at two vertices are the same if they are so to this many decimals."""
Margins = tuple[FloatArray, FloatArray]
"""How many standard errors an interval reaches below and above an estimate."""


@dataclass(frozen=True)
class Sampled:
    """Vectors v of each group in a sample of contexts (such as stereotypes), and a convex or concave function J.

    R, R^b and R^v with intervals follow from them.

    Methods take weights of the groups, shape (..., X), and return weighted sums over groups, shape (...).

    Args:
        vectors: v, shape (X, C, Y); NaN where a context is missing for a group.
        J: The convex function.
        sample: The contexts as a sample.
        certainty: The distances of predictions from certainty (see `from_certainty`); None: those of v.
    """

    vectors: FloatArray
    J: Judged
    sample: ContextSample
    certainty: FloatArray | None = None

    bracket_of_noise: ClassVar[bool] = False
    """Whether the two estimates of a bracket differ by noise of answers, which two models do not have in common."""

    @property
    def without_noise(self) -> FloatArray | None:
        """J(v) in each context without the noise of answers, shape (X, C); None: they have none, or it stays."""
        return None

    def estimates(self, group_weights: FloatArray, level: float) -> Decomposition:
        """Return estimates and intervals of E_c[J(v)], J(E_c[v]) and their difference. Groups count as fixed.

        If all contexts have the same value, the interval only allows for the part of the source that was not sampled.
        """
        p_x = group_weights
        influences = [p_x @ influence for influence in self.influences[1:]]
        margins = [self.sample.margins(influence, level) for influence in influences]
        of_mean = self._of_mean(p_x, influences[0], margins[0], level)
        most = self.most(p_x)
        return Decomposition(
            total=self.estimate_of_total(p_x, level),
            of_mean=(of_mean.mirrored() if self.J.concave else of_mean).within(most),
            rest=self._of_rest(p_x, margins[1], level).within(most),
        )

    def estimate_of_total(self, group_weights: FloatArray, level: float) -> Estimate:
        """Return the estimate and the interval of E_c[J(v)] alone: the first of `estimates`, without the others."""
        total = self._of_total(group_weights, level)
        return (total.mirrored() if self.J.concave else total).within(self.most(group_weights))

    def _of_total(self, p_x: FloatArray, level: float) -> Estimate:
        """E_c[J(v)], a mean: its interval is Student's t, but for rare contexts of groups that are nearly certain."""
        influence = p_x @ self.influences[0]
        margins = self.sample.margins(influence, level)
        total, error, unseen = p_x @ self._totals, self.sample.standard_errors(influence), self.sample.at_most(level)
        moved = self.moved_by_unseen(p_x)[0]
        return Estimate(
            total,
            np.minimum(
                _end(total, -margins[0] * error, -unseen * moved.down),
                self._lower_end_with_rare(p_x, total, influence, level),
            ),
            _end(total, margins[1] * error, unseen * moved.up),
        )

    def _of_mean(self, p_x: FloatArray, influence: FloatArray, margins: Margins, level: float) -> Estimate:
        """J(E_c[v]): from below cross-fit estimates, which err downward, to above the plug-in one, which errs upward.

        Where many groups are doubtful, the upper end is lower (see `bvf.stats.sampling.kinks`).
        """
        of_mean, crossed, unseen = p_x @ self.of_means, p_x @ self._cross_fits, self.sample.at_most(level)
        moved = self.moved_by_unseen(p_x)[1]
        below, above = margins[0] * self._signs.of_mean_by_parts(p_x), margins[1] * self._signs.of_mean(p_x)
        low = _end(p_x @ self._fits_of_parts, -below, -unseen * moved.down)
        low = np.minimum(low, self._lower_end_with_rare(p_x, crossed, influence, level))
        high = _end(of_mean, above, unseen * moved.up)
        if self._several_doubtful(p_x):
            rise = self._kinks.rise(p_x, float(margins[1]))
            corrected = margins[1] * self._signs.of_mean(p_x, ERROR) - self._kinks.corrections(p_x)
            high = np.minimum(high, of_mean + np.minimum(rise, corrected))
        return Estimate(of_mean, np.minimum(low, crossed), np.maximum(high, of_mean), crossed)

    def _of_rest(self, p_x: FloatArray, margins: Margins, level: float) -> Estimate:
        """E_c[J(v)] - J(E_c[v]): the bracket of J(E_c[v]) the other way round, and a guard against rare contexts."""
        (total, _, rest), crossed, unseen = self._plug_in(p_x), p_x @ self._cross_fits, self.sample.at_most(level)
        below, above = margins[0] * self._signs.of_rest(p_x), margins[1] * self._signs.of_rest_by_parts(p_x)
        if self._several_doubtful(p_x):
            rise = self._kinks.rise(p_x, float(margins[0]), p_x @ self.influences[0])
            corrected = margins[0] * self._signs.of_rest_by_signs(p_x, ERROR) - self._kinks.corrections(p_x)
            below = np.minimum(rise, corrected)
        high = np.maximum(total - p_x @ self._fits_of_parts + above, self.rare(p_x).upper_end(level))
        widest = total - crossed + unseen * self.moved_by_unseen(p_x)[2].up
        high = np.where(above <= NO_ERROR, widest, np.maximum(high, total - crossed))
        return Estimate(rest, np.minimum(rest - below, rest), high, total - crossed)

    def _several_doubtful(self, p_x: FloatArray) -> bool:
        """Whether several doubtful groups are weighted together, and J has the kinks that `Kinks` are about."""
        return bool(self.J.sublinear and p_x.ndim == 1 and np.count_nonzero(p_x[self.in_doubt]) > 1)

    def values(self, group_weights: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return the plug-in estimates of E_c[J(v)], J(E_c[v]) and their difference (>= 0), shape (...) each."""
        total, of_mean, rest = self._plug_in(group_weights)
        return (-total, -of_mean, rest) if self.J.concave else (total, of_mean, rest)

    def parts_of_rest(self, group_weights: FloatArray) -> "tuple[Sampled, Sampled] | None":
        """Return the part of the difference that is between contexts, and that of answers in a context; None: no parts.

        Each stands for a difference.
        """
        return None

    def between(self, group_weights: FloatArray) -> "Sampled":
        """Return E_c[J(v)] and J(E_c[v]) for the mean v over the answers of each context."""
        return self

    def _sums_of_halves(
        self, halves: Sequence[Pair], counts_of_both: tuple[FloatArray, FloatArray], *, whole: bool = True
    ) -> list[FloatArray]:
        """The sums of v over both parts of the contexts in each of S splits, shape (X, S, Y) each.

        A context that is in both parts adds one of the ``halves`` of its answers to each; so do all, if not ``whole``.
        """
        undivided = self.sample.undivided[:, np.newaxis] & whole
        splits = [slice(k, None, len(halves)) for k in range(len(halves))]
        known, sums = np.nan_to_num(self.vectors), list[FloatArray]()
        for side, counts in enumerate(counts_of_both):
            sums.append(np.empty((len(known), len(counts), known.shape[2])))
            for pair, some in zip(halves, splits, strict=True):
                sums[-1][:, some] = counts[some] @ np.where(undivided, known, np.nan_to_num(pair[side]))
        return sums

    def excess(self, group_weights: FloatArray) -> FloatArray:
        """Return by how much noise of sampled answers may have raised E_c[J(v)], shape (...)."""
        return np.zeros(group_weights.shape[:-1])

    def noise(self, group_weights: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return standard errors of the three figures, due to that noise, that `influences` do not show."""
        return (np.zeros(group_weights.shape[:-1]),) * 3

    def most(self, group_weights: FloatArray) -> FloatArray:
        """Return one upper bound, shape (...), of E_c[J(v)], J(E_c[v]) and their difference, whatever the contexts."""
        return group_weights @ (-self._lowest if self.J.concave else self._highest)

    def moved_by_unseen(self, group_weights: FloatArray) -> tuple["Moved", "Moved", "Moved"]:
        """Return how far unseen contexts may move E_c[J(v)], J(E_c[v]) and their difference, per unseen probability.

        For a concave J, the bounds are those of the same quantities for -J.
        """
        p_x = group_weights
        total, of_mean, highest = p_x @ self._totals, p_x @ self.of_means, p_x @ self._highest
        return (
            Moved(total - p_x @ self._lowest, highest - total),
            Moved(p_x @ self._steepest, highest - of_mean),
            Moved(np.zeros_like(total), self._rare_extreme(p_x)),
        )

    def rare(self, group_weights: FloatArray) -> WithOneMore:
        """Return E_c[J(v)] - J(E_c[v]) as the mean of the sample and one extreme unit that stands for unseen ones."""
        p_x, (_, _, rest) = group_weights, self._plug_in(group_weights)
        return with_one_more(self.sample, rest, p_x @ self.influences[2], self._rare_extreme(p_x) - rest)

    def _plug_in(self, p_x: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        total, of_mean = p_x @ self._totals, p_x @ self.of_means
        return total, of_mean, without_rounding(total - of_mean, total)

    def _rare_extreme(self, p_x: FloatArray) -> FloatArray:
        """The assumed height of J of an unseen context above the tangent of J at E_c[v].

        This is the maximum over the contexts that were seen; if that is 0, the largest possible value.
        """
        rest = p_x @ (self._totals - self.of_means)
        furthest = rest + (p_x @ self.influences[2]).max(axis=-1)
        return np.where(furthest > NO_ERROR, furthest, p_x @ self._most_bowed)

    def _lower_end_with_rare(
        self, p_x: FloatArray, mean: FloatArray, influence: FloatArray, level: float
    ) -> FloatArray:
        """The lower end of a mean with one more context, in which J is as low as it can be; infinity: not needed.

        Where a group is nearly certain, rare contexts in which it is not may all be missing from a small sample. Such
        groups are recognised by the distances of contexts from certainty (see `PILED_UP`).
        """
        distance = p_x @ (self.from_certainty if self.certainty is None else self.certainty)
        mean_distance, squared = distance @ self.sample.weights, distance**2 @ self.sample.weights
        certain = squared > (1.0 + PILED_UP**2) * mean_distance**2 + NO_VARIANCE
        lowest = np.minimum(p_x @ self._lowest - mean, 0.0)
        end = with_one_more(self.sample, mean, influence, lowest).quantile(0.5 - level / 2.0)
        return np.where(certain, end, np.inf)

    @cached_property
    def from_certainty(self) -> FloatArray:
        """The distance of v from certainty of the class that is nearest to the mean of the group, shape (X, C)."""
        nearest = np.abs(self.J.extremes - self._means).sum(axis=2).argmin(axis=1)
        certain = np.take_along_axis(self.J.extremes, nearest[:, np.newaxis, np.newaxis], axis=1)
        return self._there * summed(np.abs(self._known - certain))

    def leaving_each_out(self, group_weights: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return E_c[J(v)] and J(E_c[v]) without each context in turn, shape (C,) each.

        ``group_weights`` is P(X), shape (X,). A value is NaN if the context is the only one of some group.
        """
        weights, sign = self._weights, -1.0 if self.J.concave else 1.0
        with np.errstate(invalid="ignore", divide="ignore"):
            totals = (self._totals[:, np.newaxis] - weights * self._in_contexts) / (1.0 - weights)
            means = (self._means - weights[..., np.newaxis] * self._known) / (1.0 - weights)[..., np.newaxis]
            return sign * (group_weights @ totals), sign * (group_weights @ self.J.value(means))

    @cached_property
    def _there(self) -> FloatArray:
        """1 / (total weight of a group's contexts), shape (X, C). It is 0 where a context is missing for the group."""
        there = ~missing(self.vectors)
        return there / (there @ self.sample.weights)[:, np.newaxis]

    @cached_property
    def _weights(self) -> FloatArray:
        """P(C) over the contexts of each group, shape (X, C)."""
        return self._there * self.sample.weights

    @cached_property
    def _known(self) -> FloatArray:
        """The vectors v, shape (X, C, Y). NaN is replaced by 0 where a context is missing for a group."""
        return np.where((self._there > 0)[..., np.newaxis], self.vectors, 0.0)

    @cached_property
    def _means(self) -> FloatArray:
        """The mean vector of each group, E_c[v], shape (X, 1, Y)."""
        means: FloatArray = np.matmul(self._weights[:, np.newaxis], self._known)
        return means

    @cached_property
    def _in_contexts(self) -> FloatArray:
        return np.asarray(self.J.in_contexts(self._known))

    @cached_property
    def _totals(self) -> FloatArray:
        return np.asarray((self._weights * self._in_contexts).sum(axis=1))

    @cached_property
    def of_means(self) -> FloatArray:
        """The plug-in estimate of J(E_c[v]), or of -J(E_c[v]) for a concave J, shape (X,)."""
        return self.J.value(self._means)[:, 0]

    @cached_property
    def _gradients(self) -> FloatArray:
        """A subgradient of J at E_c[v], shape (X, 1, Y)."""
        return self.J.gradient(self._means)

    @cached_property
    def influences(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Influence of an occurrence of each context on E_c[J(v)], J(E_c[v]) and their difference, (X, C) each."""
        on_total = self._there * (self._in_contexts - self._totals[:, np.newaxis])
        along = summed(self._gradients * (self._known - self._means))
        on_mean = self._there * along
        return on_total, on_mean, on_total - on_mean

    @cached_property
    def _halves(self) -> tuple["_Part", "_Part"]:
        return self._parts(self.sample.halves)

    def _parts(self, counts_of_both: tuple[FloatArray, FloatArray]) -> tuple["_Part", "_Part"]:
        """Both parts of each split. If one lacks a context of a group, or J for it, both have the group's full mean.

        J may be undefined in a half of a sample of documents, in which weights of documents may be negative.
        """
        sizes = [(self._there > 0) @ counts.T for counts in counts_of_both]
        both = (sizes[0] > NO_ERROR) & (sizes[1] > NO_ERROR)
        sums = self._sums_of_parts(counts_of_both)
        means = [each / np.where(both, size, 1.0)[..., np.newaxis] for each, size in zip(sums, sizes, strict=True)]
        for mean in means:
            both = both & (mean >= self.J.least).all(axis=2)
        means = [np.where(both[..., np.newaxis], mean, self._means) for mean in means]
        return _Part(means[0], sizes[0]), _Part(means[1], sizes[1])

    def _sums_of_parts(self, counts_of_both: tuple[FloatArray, FloatArray]) -> list[FloatArray]:
        return [counts @ self._known for counts in counts_of_both]

    @cached_property
    def _cross_fits(self) -> FloatArray:
        """The cross-fit estimate of J(E_c[v]), shape (X,). It is averaged over splits and both roles of the halves.

        Halves are weighted by their size, so that the estimate is never above J(E_c[v]) for a convex J. Halves of draws
        from a set of documents do not add up to the sample; there the estimate is cut off at J(E_c[v]).
        """
        first, second = self._halves
        at_first, at_second = self._gradients_of_halves
        fits = [second.size * self._fit(first, at_first, second), first.size * self._fit(second, at_second, first)]
        cross_fits = ((fits[0] + fits[1]) / (first.size + second.size)).mean(axis=1)
        return np.asarray(np.minimum(cross_fits, self.of_means))

    @cached_property
    def _fits_of_parts(self) -> FloatArray:
        """An estimate of J(E_c[v]) that errs downward by less, shape (X,).

        The subgradient is that of the large part of an uneven split, which is nearer to the whole sample than a half.
        """
        if self.sample.uneven is None:
            return self._cross_fits
        large, small = self._parts(self.sample.uneven)
        noise = summed(self._gradients * (small.mean - self._means))  # 0 on average over splits
        fits = self._fit(large, self.J.gradient(large.mean), small)
        return np.asarray(np.minimum((fits - noise).mean(axis=1), self.of_means))

    def _fit(self, one: "_Part", gradients: FloatArray, judged: "_Part") -> FloatArray:
        """J at the mean of one part, and its subgradients there, at the mean of another, shape (X, S)."""
        return self.J.value(one.mean) + summed(gradients * (judged.mean - one.mean))

    @cached_property
    def _signs(self) -> Signs:
        together = self._if_together if self.in_doubt.any() else []
        of_parts = OF_PARTS if self.J.sublinear else OF_ANY_PARTS
        return Signs(self.sample, *self.influences[:2], self.in_doubt, together, of_parts)

    @cached_property
    def _if_together(self) -> list[FloatArray]:
        """Influences on J(E_c[v]) if groups lean to the same class, for each class, shape (X, C) each.

        A group leans there only if one of its halves does.
        """
        at_certainty = self.J.gradient(self.J.extremes)
        _, places = np.unique(np.round(at_certainty, DECIMALS), axis=1, return_index=True)
        error, centred = self._spread(self._gradients), self._known - self._means
        together = []
        for place in places.tolist():
            gradients = at_certainty[:, place : place + 1]
            nearest = np.min([self._spread(each - gradients).min(axis=1) for each in self._gradients_of_halves], axis=0)
            leaning = (nearest[:, np.newaxis] <= CLEAR * error + NO_ERROR)[..., np.newaxis]
            along = summed(np.where(leaning, gradients, self._gradients) * centred)
            together.append(self._there * along)
        return together

    @cached_property
    def _kinks(self) -> Kinks:
        """Doubtful groups, each with the kink that is nearest to its mean."""
        doubtful, (across, apart) = self.in_doubt, self._across
        distances = np.where(apart > 0.0, -summed(across * self._means) / np.where(apart > 0.0, apart, 1.0), np.inf)
        nearest = np.take_along_axis(across, distances.argmin(axis=1)[:, np.newaxis, np.newaxis], axis=1)[:, 0]
        on_means = (self._there[..., np.newaxis] * (self._known - self._means))[doubtful].transpose(0, 2, 1)
        return Kinks(self.J.value, self.sample, self._means, on_means, nearest[doubtful], self._signs)

    @cached_property
    def _gradients_of_halves(self) -> list[FloatArray]:
        return [self.J.gradient(half.mean) for half in self._halves]

    @cached_property
    def _across(self) -> tuple[FloatArray, FloatArray]:
        """Subgradients at halves less those at E_c[v], (X, 2 S, Y); and how far they are apart, or 0: the same."""
        across = np.concatenate([each - self._gradients for each in self._gradients_of_halves], axis=1)
        apart = self._spread(across)
        return across, np.where(apart > CLEAR * self._spread(self._gradients) + NO_ERROR, apart, 0.0)

    @cached_property
    def in_doubt(self) -> BoolArray:
        """A mask of doubtful groups, (X,): subgradients at E_c[v] and at the mean of a half differ (see `CLEAR`)."""
        return np.asarray((self._across[1] > 0.0).any(axis=1))

    @cached_property
    def _highest(self) -> FloatArray:
        """The largest possible J of a context, shape (X,)."""
        return np.asarray(self.J.value(self.J.extremes).max(axis=1))

    @cached_property
    def _lowest(self) -> FloatArray:
        """A lower bound for J of any context, shape (X,). It is 0 for a convex J. A concave J is represented by -J."""
        if not self.J.concave:
            return np.zeros_like(self.of_means)
        return np.maximum(self.of_means - self._steepest, -self.J.most)

    @cached_property
    def _steepest(self) -> FloatArray:
        """The largest decrease of J(E_c[v]) that an unseen context can cause, to first order, shape (X,)."""
        moved = (self._gradients * (self.J.extremes - self._means)).sum(axis=2)
        return np.asarray(np.maximum(-moved.min(axis=1), 0.0))

    @cached_property
    def _most_bowed(self) -> FloatArray:
        """The largest possible distance of J of a context from the tangent of J at E_c[v], shape (X,)."""
        tangent = self.of_means[:, np.newaxis] + (self._gradients * (self.J.extremes - self._means)).sum(axis=2)
        return np.asarray(np.maximum((self.J.value(self.J.extremes) - tangent).max(axis=1), 0.0))

    @cached_property
    def _covariances(self) -> FloatArray:
        """Covariances of the entries of v over contexts, shape (X, Y, Y)."""
        centred = self._known - self._means
        weighted = centred * self._weights[..., np.newaxis]
        return np.asarray(np.matmul(weighted.transpose(0, 2, 1), centred))

    def _spread(self, gradients: FloatArray) -> FloatArray:
        """Standard deviation over contexts of the product g v, shape (X, N). The gradients g have shape (X, N, Y)."""
        variance = summed(np.matmul(gradients, self._covariances) * gradients)
        return np.asarray(np.sqrt(np.maximum(variance, 0.0)))


@dataclass(frozen=True)
class _Part:
    """One part of the contexts in each of S splits: mean of v, shape (X, S, Y), and number of occurrences, (X, S)."""

    mean: FloatArray
    size: FloatArray


def _end(point: FloatArray, width: FloatArray, where_all_agree: FloatArray | float) -> FloatArray:
    """An end of an interval: ``point + width``, or ``point + where_all_agree`` where the width is 0."""
    return point + np.where(np.abs(width) > NO_ERROR, width, where_all_agree)
