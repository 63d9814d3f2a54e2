"""Risk where a model thinks before it answers: volatility between contexts, and of the thoughts within a context.

A thought is drawn, and p(y | x, c, k) follows it. For a convex J, Jensen's inequality holds twice, over contexts and
over thoughts, and splits the volatility of a group in two parts that are never negative:

    r^v = [E_c J(E_k s) - J(E_c E_k s)] + [E_c E_k J(s) - E_c J(E_k s)]

The first is what contexts contradict each other after thoughts are averaged, the second what the thoughts of one
context do. Their sum, r = E_c E_k J(s) and r^b = J(E_c E_k s) need no more care than without thoughts: r is a mean.

With K thoughts, J(mean of K) is too high by the noise of thoughts, most of all near a kink of J. So J(E_k s) has a
bracket, as J(E_c s) has (`bvf.stats.sampling.intervals`): the plug-in estimate errs upward, and the cross-fit one
downward. The latter takes the tangent of J at the mean of all other thoughts of a context, at each thought in turn:

    1/K sum_k [J(m_k) + g_k (s_k - m_k)]    m_k: mean of the K - 1 others, g_k: a subgradient of J there

As s_k does not depend on m_k, its mean is that of J(m_k) + g_k (E_k s - m_k) <= J(E_k s); and it is never above J of
the mean of all K, as subgradients are monotone. For a quadratic J it errs by -1/(K - 1) of the variance of a thought,
and the plug-in estimate by 1/K. The volatility between contexts follows from either estimate, and so does that of
thoughts, the other way round.

Axes: X groups, C contexts, K thoughts, Y entries of a vector, S splits.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import ClassVar

import numpy as np

from bvf.stats import (
    BoolArray,
    Decomposition,
    Drawn,
    FloatArray,
    IntArray,
    Noisy,
    Sampled,
    checked_probabilities,
    itself,
    student_quantile,
)

SPLITS = 10
"""Random splits of the thoughts into halves, over which cross-fit estimates are averaged."""
OWN_STREAM = 31_415
"""Second part of the seed of the splits."""


@dataclass(frozen=True, eq=False)
class AfterThoughts(Drawn):
    """The probabilities of classes after each of K thoughts.

    Args:
        p: p(y | x, c, k), shape (X, C, K, Y); NaN where it is missing.
        p_star: p*, shape (X, 1, Y) or (X, C, Y).
        seed: Seed of the splits into halves.
    """

    p: FloatArray
    p_star: FloatArray
    seed: int = 0

    @cached_property
    def mean(self) -> FloatArray:
        """E_k[p], shape (X, C, Y)."""
        mean: FloatArray = self.p.mean(axis=2)
        return mean

    @cached_property
    def halves(self) -> list[tuple[FloatArray, FloatArray]]:
        """The means of both random halves of the thoughts of each prompt, for each split, shape (X, C, Y) each."""
        rng, number = np.random.default_rng((self.seed, OWN_STREAM)), self.p.shape[2]
        pairs = list[tuple[FloatArray, FloatArray]]()
        for _ in range(SPLITS):
            first = rng.random(self.p.shape[:3]).argsort(axis=2) < number // 2
            one = np.where(first[..., np.newaxis], self.p, 0.0).sum(axis=2) / (number // 2)
            other = np.where(first[..., np.newaxis], 0.0, self.p).sum(axis=2) / (number - number // 2)
            gone = np.isnan(self.mean).any(axis=-1, keepdims=True)
            pairs.append((np.where(gone, np.nan, one), np.where(gone, np.nan, other)))
        return pairs

    def in_contexts(self, kept: BoolArray | IntArray) -> "AfterThoughts":
        """Return the probabilities in some of the contexts."""
        return replace(
            self, p=self.p[:, kept], p_star=self.p_star if self.p_star.shape[1] == 1 else self.p_star[:, kept]
        )

    one_by_one: ClassVar[bool] = True

    def checked(self, *, sublinear: bool) -> FloatArray:
        return checked_probabilities(self.mean)

    def risk(self, plain: Sampled, vectors_of: Callable[[FloatArray], FloatArray], p_x: FloatArray) -> Sampled:
        halves = [(vectors_of(one), vectors_of(other)) for one, other in self.halves]
        apart = (self.p - self.mean[:, :, np.newaxis]) / self.p_star[:, :, np.newaxis]
        by_thought = plain.vectors[:, :, np.newaxis] + apart
        of_all = plain.vectors, plain.J, plain.sample, plain.certainty
        return ThoughtRisk(*of_all, by_thought=by_thought, halves=halves)

    @property
    def variances(self) -> FloatArray:
        """The variance of p between the thoughts of a prompt, shape (X, C, Y); NaN where it is missing."""
        variances: FloatArray = self.p.var(axis=2, ddof=1)
        return variances


@dataclass(frozen=True)
class ThoughtRisk(Sampled):
    """E_c[E_k J(v)], J(E_c[E_k v]) and their difference. ``vectors`` are the means over thoughts, E_k[v].

    Args:
        by_thought: v after each thought, shape (X, C, K, Y); NaN where it is missing.
        halves: E_k[v] by both halves of the thoughts, for each split, shape (X, C, Y) each.
    """

    by_thought: FloatArray = field(kw_only=True)
    halves: Sequence[tuple[FloatArray, FloatArray]] = field(kw_only=True)

    def estimates(self, group_weights: FloatArray, level: float) -> Decomposition:
        """Return estimates and intervals as `Sampled.estimates`.

        They allow for thoughts of contexts that were drawn repeatedly, which are the same each time.
        """
        found, quantile = super().estimates(group_weights, level), _quantile(self, level)
        total, of_mean, rest = (
            each.further(quantile * noise, np.zeros_like(noise))
            for each, noise in zip((found.total, found.of_mean, found.rest), self.noise(group_weights), strict=True)
        )
        return Decomposition(total, of_mean, rest)

    def noise(self, group_weights: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return standard errors of the three due to noise of thoughts that the variance between contexts hides."""
        along = self._along(self._gradients)
        parts = self._judged, along, self._judged - along
        total, of_mean, rest = (_hidden_error(self, each, group_weights) for each in parts)
        return total, of_mean, rest

    @property
    def without_noise(self) -> FloatArray:
        """E_k J(v) in each context, shape (X, C); J(0) where it is missing."""
        return self._in_contexts

    @cached_property
    def _judged(self) -> FloatArray:
        """J(v) after each thought, shape (X, C, K); J(0) where it is missing."""
        known = np.nan_to_num(self.by_thought)
        shape = known.shape
        return np.asarray(self.J.in_contexts(known.reshape(shape[0], -1, shape[3]))).reshape(shape[:3])

    @cached_property
    def _in_contexts(self) -> FloatArray:
        return np.asarray(self._judged.mean(axis=2))

    def _along(self, gradients: FloatArray) -> FloatArray:
        """The products g v after each thought, shape (X, C, K), with subgradients g of shape (X, 1 or C, Y)."""
        broad = np.broadcast_to(gradients, self._known.shape)
        return np.asarray(np.einsum("xcky,xcy->xck", np.nan_to_num(self.by_thought), broad))

    def _sums_of_parts(self, counts_of_both: tuple[FloatArray, FloatArray]) -> list[FloatArray]:
        return self._sums_of_halves(self.halves, counts_of_both)

    def parts_of_rest(self, group_weights: FloatArray) -> tuple[Sampled, Sampled] | None:
        """Return the volatility between contexts and that of thoughts; None where J is not convex."""
        if self.J.concave:
            return None
        between = self.between(group_weights)
        return between, self.within(between)

    def between(self, group_weights: FloatArray) -> "BetweenContexts":
        """Return E_c[J(E_k v)] and J(E_c[E_k v]); their difference is the volatility between contexts.

        ``group_weights`` is P(X), shape (X,).
        """
        return BetweenContexts(
            self.vectors,
            self.J,
            self.sample,
            self.certainty,
            halves=self.halves,
            group_weights=group_weights,
            by_thought=self.by_thought,
        )

    def within(self, between: "BetweenContexts") -> "WithinContexts":
        """Return the volatility of thoughts, E_c[E_k J(v) - J(E_k v)]."""
        plug_in = np.maximum(self._in_contexts - between._in_contexts, 0.0)
        crossed = self._in_contexts - between.crossed
        gone, judged = (
            np.isnan(self.vectors).any(axis=-1, keepdims=True),
            itself(len(self.vectors), 0.0, self._highest.max()),
        )
        below, above = (
            Sampled(np.where(gone, np.nan, each[..., np.newaxis]), judged, self.sample, self.from_certainty)
            for each in (plug_in, crossed)
        )
        slopes = self.J.gradient(self._known)
        return WithinContexts(
            below.vectors,
            judged,
            self.sample,
            self.from_certainty,
            above=above,
            by_thought=self._judged - self._along(slopes),
        )


@dataclass(frozen=True)
class BetweenContexts(Noisy):
    """E_c[J(E_k v)], J(E_c[E_k v]) and their difference, with a bracket for the noise of thoughts.

    ``by_thought`` is v after each thought, shape (X, C, K, Y); NaN where it is missing.
    """

    by_thought: FloatArray = field(kw_only=True)

    @cached_property
    def crossed(self) -> FloatArray:
        """The cross-fit estimate of J(E_k v) in each context, shape (X, C)."""
        known = np.nan_to_num(self.by_thought)
        groups, contexts, thoughts, entries = known.shape
        others = (known.sum(axis=2, keepdims=True) - known) / (thoughts - 1)
        flat = (groups, contexts * thoughts, entries)
        crossed = self._by_tangent(others.reshape(flat), known.reshape(flat)).reshape(known.shape[:3]).mean(axis=2)
        return np.asarray(np.minimum(crossed, self._in_contexts))  # above it by rounding only

    def values(self, group_weights: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return the plug-in estimates: of the parts of r^v, so that they sum to it."""
        return self.by_shares(group_weights)


@dataclass(frozen=True)
class WithinContexts(Sampled):
    """The volatility of thoughts as a mean over contexts of numbers, shape (X, C, 1), which err downward.

    Args:
        above: The cross-fit estimates of the same numbers, which err upward.
        by_thought: The influence of each thought on the number of its context, up to a constant, shape (X, C, K).
    """

    bracket_of_noise: ClassVar[bool] = True
    above: Sampled = field(kw_only=True)
    by_thought: FloatArray = field(kw_only=True)

    def estimates(self, group_weights: FloatArray, level: float) -> Decomposition:
        """Return the estimate and the interval of the mean. It stands for a difference from 0, J of no volatility."""
        below = self.estimate_of_total(group_weights, level)
        above = self.above.estimate_of_total(group_weights, level)
        both = replace(below, high=np.maximum(above.high, below.high), cross_fit=above.value)
        noise, nothing = _hidden_error(self, self.by_thought, group_weights), np.zeros_like(below.value)
        whole = both.further(_quantile(self, level) * noise, nothing).within(self.most(group_weights))
        return Decomposition(whole, replace(whole, value=nothing, low=nothing, high=nothing, cross_fit=None), whole)

    def noise(self, group_weights: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return the standard error that the variance between contexts hides, and what ``above`` varies more."""
        hidden = _hidden_error(self, self.by_thought, group_weights)
        errors = [self.sample.standard_errors(group_weights @ each.influences[0]) for each in (self.above, self)]
        error = np.sqrt(hidden**2 + np.maximum(errors[0] ** 2 - errors[1] ** 2, 0.0))
        return error, np.zeros_like(error), error

    def _plug_in(self, p_x: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        total = p_x @ self._totals
        return total, np.zeros_like(total), total

    @cached_property
    def influences(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Influence of an occurrence of each context on the mean, on 0, and on their difference, (X, C) each."""
        on_total = super().influences[0]
        return on_total, np.zeros_like(on_total), on_total


def _quantile(sampled: Sampled, level: float) -> float:
    return float(student_quantile(0.5 + level / 2.0, sampled.sample.freedom))


def _hidden_error(sampled: Sampled, of_thoughts: FloatArray, group_weights: FloatArray) -> FloatArray:
    """The standard error of a mean over contexts of E_k of ``of_thoughts``, (X, C, K), that repeated contexts hide.

    Thoughts are independent between groups and contexts; a context that was drawn repeatedly has the same each time.
    """
    hidden = np.maximum(sampled.sample.weights**2 - sampled.sample.own_variances, 0.0)
    variances = of_thoughts.var(axis=2, ddof=1) / of_thoughts.shape[2]
    return np.asarray(np.sqrt(group_weights**2 @ (sampled._there**2 * variances) @ hidden))
