"""The parts of p: what a model says of neutral subjects, what the context adds, what a group adds, and the rest.

With n(c, y), the mean prediction for neutral subjects in a context: the default m = E_c[n]; the context's part
k = n - m; the association of a group a = E_c[p - n]; and the rest e = p - m - k - a, whose mean over contexts is 0.

Axes: X groups, C contexts, Y classes. Squares are averaged over classes: of two, they are those of either.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from bvf.arrays import FloatArray
from bvf.stats.figures.last_axis import missing
from bvf.stats.figures.probabilities import mean_over_contexts, normalised_context_weights
from bvf.stats.sampling.samples import ContextSample

TINY = 1e-15
"""A variance below this is rounding."""
OnMean = tuple[FloatArray, FloatArray]
"""A mean over contexts, shape (...), and the influence of each context on it, shape (..., C)."""


@dataclass(frozen=True)
class Estimated:
    """An estimate and the ends of its interval, shape (...) each; None: contexts are no sample."""

    value: FloatArray
    ends: tuple[FloatArray, FloatArray] | None = None


@dataclass(frozen=True)
class LeanParts:
    """The parts of p(y | x, c).

    Args:
        probabilities: p, shape (X, C, Y); NaN where it is missing.
        neutral: n, shape (C, Y); NaN where it is missing. Such contexts count for nothing.
        group_weights: P(X), shape (X,).
        context_weights: P(C), shape (C,).
        sample: The contexts as a sample, for intervals; None: they are none, and spreads are those of these contexts.
        noisy: Answers were sampled: their noise is independent between contexts, however often a context was drawn.
    """

    probabilities: FloatArray
    neutral: FloatArray
    group_weights: FloatArray
    context_weights: FloatArray
    sample: ContextSample | None = None
    noisy: bool = False

    @cached_property
    def default(self) -> OnMean:
        """The default m, (Y,)."""
        (mean,), (influence,) = self._mean(self.neutral[np.newaxis])
        return mean, influence

    @cached_property
    def of_groups(self) -> OnMean:
        """E_c[p] averaged over groups, (Y,), in contexts where both are known."""
        return self._over_groups(self._mean(self.probabilities + 0.0 * self.neutral))

    @cached_property
    def associations(self) -> OnMean:
        """The association a of each group, (X, Y)."""
        return self._mean(self.probabilities - self.neutral)

    @cached_property
    def association(self) -> OnMean:
        """The mean association of groups, (Y,): paired, context by context."""
        return self._over_groups(self.associations)

    @cached_property
    def in_context(self) -> FloatArray:
        """k, shape (C, Y); NaN where it is missing."""
        return self.neutral - self.default[0]

    @cached_property
    def rest(self) -> FloatArray:
        """e, shape (X, C, Y); NaN where it is missing."""
        return self.probabilities - self.neutral - self.associations[0][:, np.newaxis]

    @property
    def explained(self) -> float | None:
        """The share of the variance of p within groups that k explains, as it is; None: nothing varies."""
        within = self._mean_square(self._within)
        return None if within < TINY else 1.0 - self._mean_square(self.rest) / within

    @property
    def slope(self) -> float | None:
        """The slope of p on n within groups, the same for all; None: n does not vary."""
        context = np.broadcast_to(self.in_context, self._within.shape)
        of_context = self._mean_square(context + 0.0 * self._within)
        return None if of_context < TINY else self._mean_square(self._within, context) / of_context

    def estimate(self, of_mean: OnMean, level: float) -> Estimated:
        """Return the estimate of a mean, with its interval by Student's t."""
        value, influence = of_mean
        return Estimated(value, self._ends(value, self._errors(influence), influence, level))

    def spread_of_groups(self, level: float) -> Estimated:
        """Return the standard deviation over groups of a, without the noise that is due to the sample of contexts."""
        (a, influence), w = self.associations, self.group_weights[:, np.newaxis] / self.probabilities.shape[2]
        apart, on_apart = a - self.group_weights @ a, influence - np.tensordot(self.group_weights, influence, 1)
        variance = (w * apart**2).sum()
        if self.sample is None:
            return Estimated(np.sqrt(variance))
        on_variance = 2.0 * np.einsum("xy,xyc->c", w * apart, on_apart)
        scores = self.sample.scores(np.sqrt(w)[..., np.newaxis] * on_apart).reshape(a.size, -1)
        gram = scores @ scores.T if a.size <= scores.shape[1] else scores.T @ scores
        of_noise = 2.0 * (gram**2).sum()  # the variance of a sum of squares of noise alone
        error = np.sqrt(np.maximum(self._errors(on_variance) ** 2 - of_noise, of_noise))
        return self._root(variance - (w * self._errors(on_apart) ** 2).sum(), error, on_variance, level)

    def spread_of_contexts(self, level: float) -> Estimated:
        """Return the standard deviation over contexts of k."""
        return self._spread(self.in_context[np.newaxis], np.ones(1), self.default[1][np.newaxis], level)

    def spread_of_rest(self, level: float) -> Estimated:
        """Return the standard deviation over groups and contexts of e."""
        return self._spread(self.rest, self.group_weights, self.associations[1], level)

    @cached_property
    def _within(self) -> FloatArray:
        """The difference of p from its mean in its group, (X, C, Y)."""
        p = self.probabilities + 0.0 * self.neutral
        return p - self._mean(p)[0][:, np.newaxis]

    def _mean(self, values: FloatArray) -> OnMean:
        """E_c of values, (X, Y), over the contexts of each group that are not missing, and influences, (X, Y, C)."""
        weights = normalised_context_weights(self.context_weights, values)
        mean = mean_over_contexts(values, weights)
        there = ~missing(values)
        known = there / (there @ self.context_weights)[:, np.newaxis]
        moved = np.where(there[..., np.newaxis], values - mean[:, np.newaxis], 0.0)
        return mean, (known[..., np.newaxis] * moved).transpose(0, 2, 1)

    def _over_groups(self, each: OnMean) -> OnMean:
        return self.group_weights @ each[0], np.tensordot(self.group_weights, each[1], 1)

    def _mean_square(self, values: FloatArray, others: FloatArray | None = None) -> float:
        """The mean of squares over groups and contexts (or of products), in the contexts that are not missing."""
        weights = normalised_context_weights(self.context_weights, values)
        products = (values * (values if others is None else others)).mean(axis=2)
        return float(self.group_weights @ mean_over_contexts(products, weights))

    def _spread(self, values: FloatArray, w: FloatArray, on_means: FloatArray, level: float) -> Estimated:
        """The root of the mean square of values, (X, C, Y), whose means over contexts are 0, as they were estimated."""
        mean, influence = self._mean((values**2).mean(axis=2, keepdims=True))
        variance, on_variance = np.asarray(w @ mean[:, 0]), w @ influence[:, 0]
        if self.sample is None:
            return Estimated(np.sqrt(variance))
        of_means = float(w @ (self._errors(on_means) ** 2).mean(axis=1))
        return self._root(variance + of_means, self._errors(on_variance), on_variance, level)

    def _root(self, variance: FloatArray, error: FloatArray, influence: FloatArray, level: float) -> Estimated:
        """The root of an estimated variance; 0 where that is below 0."""
        low, high = self._ends(variance, error, influence, level) or (variance, variance)
        value, *ends = (np.sqrt(np.maximum(each, 0.0)) for each in (variance, low, high))
        return Estimated(value, (ends[0], ends[1]))

    def _ends(
        self, value: FloatArray, error: FloatArray, influence: FloatArray, level: float
    ) -> tuple[FloatArray, FloatArray] | None:
        if self.sample is None:
            return None
        below, above = self.sample.margins(influence, level)
        return value - below * error, value + above * error

    def _errors(self, influence: FloatArray) -> FloatArray:
        if self.sample is None:
            return np.zeros(influence.shape[:-1])
        errors = self.sample.standard_errors(influence)
        if not self.noisy:
            return errors
        return np.maximum(errors, ContextSample(self.context_weights, "template").standard_errors(influence))
