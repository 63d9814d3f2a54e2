"""Estimates and intervals of E_c[J(v)] and J(E_c[v]) where v is from samples of answers, and the possible risks.

There are two levels of sampling: contexts, and answers in each context. As answers are drawn anew in each context, the
variance between contexts already holds the noise of sampling; only contexts that were drawn repeatedly have the same
answers each time, and their noise is added (`Noisy.repeated_noise`).

Noise also moves estimates. J of a noisy v is too large on average for a convex J, and near a kink there is no unbiased
estimate. So E_c[J(v)] has a bracket too: J of the shares errs upward, and the cross-fit estimate g(v_A) v_B from two
halves of the answers of each context downward, at most 0 on average if v = 0 (`bvf.stats.sampling.sampled_answers`). In
the cross-fit of J(E_c[v]), a context that is in both parts of the contexts adds one half of its answers to each.

Axes: X groups, C contexts, Y entries of a vector, S splits.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from bvf.arrays import FloatArray, missing, summed
from bvf.stats.figures.quantiles import student_quantile
from bvf.stats.sampling.intervals import Decomposition, Estimate, Margins, Pair, Sampled, itself

HALVINGS = 100


@dataclass(frozen=True)
class Noisy(Sampled):
    """Vectors v from shares of sampled answers, and a sublinear function J. ``vectors`` are those of the shares.

    Args:
        halves: Two independent, unbiased estimates of v for each split of the answers, shape (X, C, Y) each.
        group_weights: P(X), shape (X,).
        apart: How far the answers of a context are from what is estimated from those of all contexts together, and is
            part of every v, shape (X, C, Y); None: nothing is.
    """

    halves: Sequence[Pair] = field(kw_only=True)
    group_weights: FloatArray = field(kw_only=True)
    apart: FloatArray | None = field(default=None, kw_only=True)

    def estimates(self, group_weights: FloatArray, level: float) -> Decomposition:
        """Return estimates and intervals as `Sampled.estimates`, with both errors; ``value`` is that of the shares.

        Intervals hold the printed figures, `values`, also where few answers put these outside.
        """
        found, noise = super().estimates(group_weights, level), self.repeated_noise(group_weights)
        quantile = float(student_quantile(0.5 + level / 2.0, self.sample.freedom))
        nothing = np.zeros(group_weights.shape[:-1])
        all_raised = (nothing, nothing, self.excess(group_weights))
        total, of_mean, rest = (
            each.further(quantile * by, raised) for each, by, raised in zip(found, noise, all_raised, strict=True)
        )
        total = replace(total, low=np.maximum(total.low, np.minimum(of_mean.low, total.value)))  # R is at least R^b
        return Decomposition(
            *(
                replace(each, low=np.minimum(each.low, shown), high=np.maximum(each.high, shown))
                for each, shown in zip((total, of_mean, rest), self.values(group_weights), strict=True)
            )
        )

    def _of_total(self, p_x: FloatArray, level: float) -> Estimate:
        by_shares, below = super()._of_total(p_x, level), self._below.estimate_of_total(p_x, level)
        return replace(by_shares, low=np.minimum(below.low, by_shares.low), cross_fit=self._lower(p_x))

    def _of_rest(self, p_x: FloatArray, margins: Margins, level: float) -> Estimate:
        """The lower end is below that of shares by what noise may have added to E_c[J(v)]."""
        rest = super()._of_rest(p_x, margins, level)
        return replace(rest, low=rest.low - self.excess(p_x))

    def excess(self, group_weights: FloatArray) -> FloatArray:
        """Return by how much noise may have raised E_c[J(v)] of the shares: its distance from the cross-fit one."""
        return group_weights @ self._totals - self._lower(group_weights)

    def _lower(self, p_x: FloatArray) -> FloatArray:
        """The cross-fit estimate of E_c[J(v)]: that of J(E_c[v]) if it is larger."""
        lower = np.maximum(p_x @ self.cross_fit_totals, p_x @ self.cross_fit_of_means)
        return np.minimum(lower, p_x @ self._totals)

    def values(self, group_weights: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return the possible E_c[J(v)], J(E_c[v]) and their difference that are nearest to the cross-fit ones."""
        total, of_mean = (group_weights @ each for each in self._possible)
        return total, of_mean, np.maximum(total - of_mean, 0.0)

    def by_shares(self, group_weights: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return E_c[J(v)], J(E_c[v]) and their difference with shares taken as exact."""
        return super().values(group_weights)

    @cached_property
    def cross_fit_of_means(self) -> FloatArray:
        """The cross-fit estimate of J(E_c[v]) in these very contexts: by halves of the answers alone, shape (X,)."""
        weights = self._weights[:, np.newaxis]
        return np.minimum(self._crossed(lambda half: np.matmul(weights, half))[:, 0], self.of_means)

    @cached_property
    def _possible(self) -> tuple[FloatArray, FloatArray]:
        return possible_risks(self.cross_fit_totals, self.cross_fit_of_means, self.group_weights)

    def leaving_each_out(self, group_weights: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the possible E_c[J(v)] and J(E_c[v]) without each context in turn, shape (C,) each."""
        total, of_mean, _ = self.values(group_weights)
        totals = total + self._below.leaving_each_out(group_weights)[0] - group_weights @ self.cross_fit_totals
        of_means = of_mean + super().leaving_each_out(group_weights)[1] - group_weights @ self.of_means
        totals = np.maximum(totals, 0.0)
        return totals, np.clip(of_means, 0.0, totals)

    def repeated_noise(self, group_weights: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return standard errors of the three due to noise that the variance between contexts does not show.

        Half the difference of both halves of answers has the variance of their mean, whatever it is. What is estimated
        from all contexts together has an error that they have in common.
        """
        hidden = np.maximum(self.sample.weights**2 - self.sample.own_variances, 0.0)
        each = [((one - other) / 2.0, hidden / len(self.halves)) for one, other in self.halves if hidden.any()]
        each += [] if self.apart is None else [(self.apart, self.sample.weights**2)]
        squares = np.zeros((3, *group_weights.shape[:-1]))
        for moved, weights in each:
            along = (group_weights @ (self._there * summed(g * np.nan_to_num(moved))) for g in self._slopes)
            on_total, on_mean = along
            squares += np.stack([of_all**2 @ weights for of_all in (on_total, on_mean, on_total - on_mean)])
        errors = np.sqrt(squares)
        return errors[0], errors[1], errors[2]

    def noise(self, group_weights: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return `repeated_noise`, and what cross-fit estimates of E_c[J(v)] vary more than those of the shares."""
        total, of_mean, rest = self.repeated_noise(group_weights)
        errors = [self.sample.standard_errors(group_weights @ each.influences[0]) for each in (self._below, self)]
        more = np.sqrt(np.maximum(errors[0] ** 2 - errors[1] ** 2, 0.0))
        return np.hypot(total, more), of_mean, np.hypot(rest, more)

    @cached_property
    def _slopes(self) -> Pair:
        """Subgradients of J at each v, and at E_c[v]."""
        return self.J.gradient(self._known), self._gradients

    @property
    def without_noise(self) -> FloatArray:
        return self.crossed

    @cached_property
    def crossed(self) -> FloatArray:
        """The cross-fit estimate of J(v) in each context, averaged over splits, shape (X, C); it may be below 0."""
        return np.minimum(self._crossed(lambda half: half), self._in_contexts)

    def _crossed(self, vectors_of: Callable[[FloatArray], FloatArray]) -> FloatArray:
        """J of vectors that are made of each half, by the tangent at those of the other half, averaged over splits."""
        crossed = np.zeros(1)
        for pair in self.halves:
            one, other = (vectors_of(np.nan_to_num(half)) for half in pair)
            for at, judged in ((one, other), (other, one)):
                crossed = crossed + self._by_tangent(at, judged) / (2.0 * len(self.halves))
        return crossed

    def _by_tangent(self, at: FloatArray, vectors: FloatArray) -> FloatArray:
        """The tangent of J at some vectors, taken at others, shape (X, N); for a sublinear J it goes through 0."""
        slopes = np.where(at.any(axis=2, keepdims=True), self.J.gradient(at), 0.0)  # 0 at v = 0, where J has its kink
        along = summed(slopes * vectors)
        return along if self.J.sublinear else along + self.J.value(at) - summed(slopes * at)

    @cached_property
    def cross_fit_totals(self) -> FloatArray:
        """The cross-fit estimate of E_c[J(v)], shape (X,)."""
        totals: FloatArray = (self._weights * self.crossed).sum(axis=1)
        return totals

    @cached_property
    def _below(self) -> Sampled:
        """The cross-fit estimates of contexts as numbers, whose mean errs downward."""
        vectors = np.where(missing(self.vectors), np.nan, self.crossed)[..., np.newaxis]
        return Sampled(vectors, itself(len(vectors), 0.0, self._highest.max()), self.sample, self.from_certainty)

    def _sums_of_parts(self, counts_of_both: tuple[FloatArray, FloatArray]) -> list[FloatArray]:
        return self._sums_of_halves(self.halves, counts_of_both, whole=self.apart is None)


def possible_risks(total: FloatArray, of_mean: FloatArray, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return r and r^b of groups, 0 <= r^b <= r, from their cross-fit estimates, shape (X,) each.

    Both estimates err downward, that of E_c[J(s)] more, and it is at least J(E_c[s]). So the one with the larger mean
    over groups is taken for r. The larger one per group would be noise: of 40 groups without risk half are above 0.
    """
    r = possible(total if weights @ total > weights @ of_mean else of_mean, np.full_like(total, np.inf), weights)
    return r, possible(of_mean, r, weights)


def possible(estimates: FloatArray, most: FloatArray, weights: FloatArray) -> FloatArray:
    """Return the values from 0 to ``most`` that are nearest to estimates and have their mean, shape (X,).

    They are max(0, min(most, estimate - t)), with the one t for which their mean over ``weights`` is that of the
    estimates (or 0, or the mean of ``most``, if that is not possible). They are nearest by weighted least squares.
    """
    mean = float(np.clip(weights @ estimates, 0.0, weights @ most))
    low, high = float(np.where(np.isinf(most), 0.0, estimates - most).min()), float(estimates.max())
    for _ in range(HALVINGS):
        shift = (low + high) / 2.0
        above = weights @ np.clip(estimates - shift, 0.0, most) > mean
        low, high = (shift, high) if above else (low, shift)
    return np.clip(estimates - high, 0.0, most)
