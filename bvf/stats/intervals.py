"""Intervals of E_c[J(v)] (R), of J(E_c[v]) (R^b), and of their difference (R^v), for contexts that are a sample.

E_c[J(v)] is a mean over contexts, so that Student's t is right. J(E_c[v]) is not: where J has a kink, as |mean| has at
0, it is too large by about a standard error, and no bootstrap of it covers the truth. For a convex J there is a
bracket: J of the sample's mean errs upward, and the cross-fit estimate errs downward. It takes a subgradient g of J at
the mean of one half of the sample, m_A, and evaluates J(m_A) + g (m_B - m_A) at the mean of the other half.

Axes: X groups, C contexts, Y entries of a vector.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from bvf.arrays import BoolArray, FloatArray
from bvf.stats.judged import Judged
from bvf.stats.probabilities import without_rounding
from bvf.stats.rare import WithOneMore, with_one_more
from bvf.stats.samples import NO_ERROR, ContextSample

CLEAR = 0.5
"""A group is in doubt if the subgradient of a half moves its mean differently by this many standard deviations."""


@dataclass(frozen=True)
class Estimate:
    """A quantity, or one per group, with its interval.

    Args:
        value: The plug-in estimate: the figure of the paper.
        cross_fit: The estimate whose bias has the other sign; None for a mean, which has no bias.
    """

    value: FloatArray
    low: FloatArray
    high: FloatArray
    cross_fit: FloatArray | None = None

    def mirrored(self) -> "Estimate":
        """Return the estimate of the quantity times -1."""
        return Estimate(-self.value, -self.high, -self.low, None if self.cross_fit is None else -self.cross_fit)

    @property
    def bracket(self) -> tuple[FloatArray, FloatArray]:
        """The two estimates whose biases have different signs; the same twice for a mean."""
        return self.value, self.value if self.cross_fit is None else self.cross_fit

    def within(self, most: FloatArray) -> "Estimate":
        """Return the estimate of a quantity that is 0 to ``most`` but for rounding."""
        high = np.minimum(self.high, np.maximum(most, self.value))
        return replace(self, low=np.maximum(self.low, 0.0), high=np.maximum(high, 0.0))


@dataclass(frozen=True)
class Decomposition:
    """E_c[J(v)], J(E_c[v]) and their difference, which is 0 or more: shape () over all groups, or (X,), one per group.

    The difference is the first less the second for a convex J, and the second less the first for a concave one.
    """

    total: Estimate
    of_mean: Estimate
    rest: Estimate


@dataclass(frozen=True)
class Sampled:
    """Vectors in a sample of contexts, and a convex J of them.

    Methods take the weights of the groups in each sum, shape (..., X), and return shape (...).

    Args:
        vectors: v, shape (X, C, Y); NaN where a context is missing for a group.
        J: The convex function.
        sample: What the contexts are a sample of.
    """

    vectors: FloatArray
    J: Judged
    sample: ContextSample

    def estimates(self, group_weights: FloatArray, level: float) -> Decomposition:
        """Return E_c[J(v)], J(E_c[v]) and their difference with intervals; groups are fixed, not sampled.

        Where all contexts agree, the end of an interval is what an unseen part of the source may add.
        """
        p_x, unseen = group_weights, self.sample.at_most(level)
        (total, of_mean, rest), crossed = self._plug_in(p_x), p_x @ self._cross_fits
        unseen_of_total, unseen_of_mean, unseen_of_rest = self.moved_by_unseen(p_x)
        on_total, on_mean, on_rest = (self._reaches(p_x, influence, level) for influence in self.influences)
        steady, widest = on_rest.above_cross_fit <= NO_ERROR, unseen * unseen_of_rest.up
        far = self.rare(p_x).upper_end(level)
        estimates = Decomposition(
            total=Estimate(
                total,
                _end(total, -on_total.below, -unseen * unseen_of_total.down),
                _end(total, on_total.above, unseen * unseen_of_total.up),
            ),
            of_mean=Estimate(
                of_mean,
                _end(crossed, -on_mean.below_cross_fit, -unseen * unseen_of_mean.down),
                _end(of_mean, on_mean.above_any_signs, unseen * unseen_of_mean.up),
                crossed,
            ),
            rest=Estimate(
                rest,
                _end(rest, -on_rest.below, -unseen * unseen_of_rest.down),
                np.where(steady, total - crossed + widest, np.maximum(total - crossed + on_rest.above_cross_fit, far)),
                total - crossed,
            ),
        )
        if self.J.concave:
            estimates = replace(estimates, total=estimates.total.mirrored(), of_mean=estimates.of_mean.mirrored())
        most = self.most(p_x)
        return Decomposition(estimates.total.within(most), estimates.of_mean.within(most), estimates.rest.within(most))

    def values(self, group_weights: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return E_c[J(v)], J(E_c[v]) and their difference, which is 0 or more."""
        total, of_mean, rest = self._plug_in(group_weights)
        return (-total, -of_mean, rest) if self.J.concave else (total, of_mean, rest)

    def most(self, group_weights: FloatArray) -> FloatArray:
        """Return the largest possible value of each of the three, whatever the contexts."""
        return group_weights @ (-self._lowest if self.J.concave else self._highest)

    def moved_by_unseen(self, group_weights: FloatArray) -> tuple["Moved", "Moved", "Moved"]:
        """Return how far E_c[J(v)], J(E_c[v]) and their difference move at most, per share of unseen contexts.

        A concave J is taken times -1.
        """
        p_x = group_weights
        total, of_mean, highest = p_x @ self._totals, p_x @ self._of_means, p_x @ self._highest
        return (
            Moved(total - p_x @ self._lowest, highest - total),
            Moved(p_x @ self._steepest, highest - of_mean),
            Moved(np.zeros_like(total), self._rare_extreme(p_x)),
        )

    def rare(self, group_weights: FloatArray) -> WithOneMore:
        """Return E_c[J(v)] - J(E_c[v]) with one more unit, for contexts that were not seen."""
        p_x, (_, _, rest) = group_weights, self._plug_in(group_weights)
        return with_one_more(self.sample, rest, p_x @ self.influences[2], self._rare_extreme(p_x) - rest)

    def _plug_in(self, p_x: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        total, of_mean = p_x @ self._totals, p_x @ self._of_means
        return total, of_mean, without_rounding(total - of_mean, total)

    def _rare_extreme(self, p_x: FloatArray) -> FloatArray:
        """How far J of an unseen context is assumed to be above its tangent.

        As far as in any context that was seen; the largest possible value if J is above it in none.
        """
        rest = p_x @ (self._totals - self._of_means)
        furthest = rest + (p_x @ self.influences[2]).max(axis=-1)
        return np.where(furthest > NO_ERROR, furthest, p_x @ self._most_bowed)

    def leaving_each_out(self, group_weights: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return E_c[J(v)] and J(E_c[v]) without each context in turn, shape (C,) each, for P(X) of shape (X,).

        A context that is the only one of a group cannot be left out: NaN.
        """
        weights = self._there * self.sample.weights
        with np.errstate(invalid="ignore", divide="ignore"):
            totals = (self._totals[:, np.newaxis] - weights * self._in_contexts) / (1.0 - weights)
            means = (self._means - weights[..., np.newaxis] * self._known) / (1.0 - weights)[..., np.newaxis]
            sign = -1.0 if self.J.concave else 1.0
            return sign * (group_weights @ totals), sign * (group_weights @ self.J.value(means))

    def _reaches(self, p_x: FloatArray, influence: FloatArray, level: float) -> "_Reach":
        """How far the ends of intervals are from the estimates.

        Influences of groups in doubt may cancel each other only because of the signs that this sample gives them, so
        the error of clear groups and that of doubtful ones are added up. A cross-fit estimate of groups in doubt rests
        on half the sample at a time, which makes their error larger by the square root of 2 at most.
        """
        below, above = self.sample.margins(p_x @ influence, level)
        error = self.sample.standard_errors(p_x @ influence)
        clear, doubtful = (
            self.sample.standard_errors(p_x @ np.where(chosen[:, np.newaxis], influence, 0.0))
            for chosen in (~self._in_doubt, self._in_doubt)
        )
        of_halves = clear + np.sqrt(2.0) * doubtful
        return _Reach(below * error, above * error, above * (clear + doubtful), below * of_halves, above * of_halves)

    @cached_property
    def _there(self) -> FloatArray:
        """1 over the total weight of a group's contexts; 0 where a context is missing; shape (X, C)."""
        there = ~np.isnan(self.vectors).any(axis=2)
        return there / (there @ self.sample.weights)[:, np.newaxis]

    @cached_property
    def _known(self) -> FloatArray:
        """The vectors, 0 where they are missing."""
        return np.where((self._there > 0)[..., np.newaxis], self.vectors, 0.0)

    @cached_property
    def _means(self) -> FloatArray:
        """E_c[v], shape (X, 1, Y)."""
        means: FloatArray = np.matmul((self._there * self.sample.weights)[:, np.newaxis], self._known)
        return means

    @cached_property
    def _in_contexts(self) -> FloatArray:
        return np.asarray(self.J.in_contexts(self._known))

    @cached_property
    def _totals(self) -> FloatArray:
        totals: FloatArray = (self._there * self.sample.weights * self._in_contexts).sum(axis=1)
        return totals

    @cached_property
    def _of_means(self) -> FloatArray:
        return self.J.value(self._means)[:, 0]

    @cached_property
    def _gradients(self) -> FloatArray:
        """A subgradient at E_c[v], shape (X, 1, Y)."""
        return self.J.gradient(self._means)

    @cached_property
    def influences(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """How an occurrence of every context moves E_c[J(v)], J(E_c[v]) and their difference, shape (X, C) each."""
        on_total = self._there * (self._in_contexts - self._totals[:, np.newaxis])
        along = (self._gradients * (self._known - self._means)).sum(axis=2)
        on_mean = self._there * along
        return on_total, on_mean, on_total - on_mean

    @cached_property
    def _halves(self) -> tuple["_Half", "_Half"]:
        """The halves of every pair; the whole sample twice where a half lacks a group, or J is undefined there.

        J may be undefined in half of a sample of documents, where some documents count less than 0 times.
        """
        sizes = [(self._there > 0) @ counts.T for counts in self.sample.halves]
        both = (sizes[0] > NO_ERROR) & (sizes[1] > NO_ERROR)
        means = [
            counts @ self._known / np.where(both, size, 1.0)[..., np.newaxis]
            for counts, size in zip(self.sample.halves, sizes, strict=True)
        ]
        for mean in means:
            both = both & (mean >= self.J.least).all(axis=2)
        first, second = (
            _Half(np.where(both[..., np.newaxis], mean, self._means), size)
            for mean, size in zip(means, sizes, strict=True)
        )
        return first, second

    @cached_property
    def _cross_fits(self) -> FloatArray:
        """The cross-fit estimate of J(E_c[v]), averaged over the pairs, shape (X,).

        Each judged half is weighted by its size, so that the estimate is never above J(E_c[v]) for a convex J.
        """
        first, second = self._halves
        fits = [
            judged.size * (self.J.value(one.mean) + (self.J.gradient(one.mean) * (judged.mean - one.mean)).sum(axis=2))
            for one, judged in ((first, second), (second, first))
        ]
        return np.asarray(((fits[0] + fits[1]) / (first.size + second.size)).mean(axis=1))

    @cached_property
    def _in_doubt(self) -> BoolArray:
        """Whether the halves disagree on how J moves, shape (X,)."""
        error = self._spread(self._gradients)
        apart = np.concatenate(
            [self._spread(self.J.gradient(half.mean) - self._gradients) for half in self._halves], axis=1
        )
        return np.asarray((apart > CLEAR * error + NO_ERROR).any(axis=1))

    @cached_property
    def _highest(self) -> FloatArray:
        """The largest J that a context can have, shape (X,)."""
        highest: FloatArray = self.J.value(self.J.extremes).max(axis=1)
        return highest

    @cached_property
    def _lowest(self) -> FloatArray:
        """The smallest possible value, shape (X,): a risk is 0 or more, and -J nowhere below its tangent."""
        if not self.J.concave:
            return np.zeros_like(self._of_means)
        return np.maximum(self._of_means - self._steepest, -self.J.most)

    @cached_property
    def _steepest(self) -> FloatArray:
        """How far a context can lower J(E_c[v]), shape (X,)."""
        moved = (self._gradients * (self.J.extremes - self._means)).sum(axis=2)
        steepest: FloatArray = np.maximum(-moved.min(axis=1), 0.0)
        return steepest

    @cached_property
    def _most_bowed(self) -> FloatArray:
        """How far J of a context can be above its tangent at E_c[v], shape (X,)."""
        tangent = self._of_means[:, np.newaxis] + (self._gradients * (self.J.extremes - self._means)).sum(axis=2)
        bowed: FloatArray = np.maximum((self.J.value(self.J.extremes) - tangent).max(axis=1), 0.0)
        return bowed

    @cached_property
    def _covariances(self) -> FloatArray:
        """Of the entries of v over contexts, shape (X, Y, Y)."""
        centred = self._known - self._means
        weighted = centred * (self._there * self.sample.weights)[..., np.newaxis]
        covariances: FloatArray = np.matmul(weighted.transpose(0, 2, 1), centred)
        return covariances

    def _spread(self, gradients: FloatArray) -> FloatArray:
        """Standard deviation over contexts of g v, for gradients of shape (X, N, Y); shape (X, N)."""
        variance = (np.matmul(gradients, self._covariances) * gradients).sum(axis=2)
        spread: FloatArray = np.sqrt(np.maximum(variance, 0.0))
        return spread


@dataclass(frozen=True)
class Moved:
    """How far something goes down and up, 0 or more, shape (...) each."""

    down: FloatArray
    up: FloatArray


@dataclass(frozen=True)
class _Half:
    """Means over halves, shape (X, S, Y), and how many occurrences are in them, shape (X, S)."""

    mean: FloatArray
    size: FloatArray


@dataclass(frozen=True)
class _Reach:
    """How far the ends are from the plug-in estimate and from the cross-fit estimate, shape (...) each."""

    below: FloatArray
    above: FloatArray
    above_any_signs: FloatArray
    below_cross_fit: FloatArray
    above_cross_fit: FloatArray


def _end(point: FloatArray, width: FloatArray, where_all_agree: FloatArray | float) -> FloatArray:
    """An end of an interval: a point plus or minus its error, or a bound where there is no error at all."""
    return point + np.where(np.abs(width) > NO_ERROR, width, where_all_agree)
