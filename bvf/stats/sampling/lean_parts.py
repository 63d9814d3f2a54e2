"""The parts of p: what a model says of neutral subjects, what the context adds, what a group adds, and the rest.

With n(c, y), the mean prediction for neutral subjects in a context: the default m = E_c[n]; the context's part
k = n - m; the association of a group a = E_c[p - n]; and the rest e = p - m - k - a, whose mean over contexts is 0.

Axes: X groups, C contexts, Y classes. Squares are averaged over classes: of two, they are those of either.
"""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from bvf.arrays import FloatArray, missing
from bvf.stats.figures.probabilities import mean_over_contexts, normalised_context_weights
from bvf.stats.sampling.samples import ContextSample

TINY = 1e-15
"""A variance below this is rounding."""
OnMean = tuple[FloatArray, FloatArray]
"""A mean over contexts, shape (...), and the influence of each context on it, shape (..., C)."""


def mean_of_groups(p: FloatArray, group_weights: FloatArray) -> FloatArray:
    """Return the mean of p, (X, C, Y), over the groups that are known in each context, (C, Y); NaN where none is.

    In the place of n it leaves to a group what it adds to the mean of the groups.
    """
    known = np.where(missing(p), 0.0, group_weights[:, np.newaxis])
    total = known.sum(axis=0)
    sums = np.einsum("xc,xcy->cy", known, np.where(known[..., np.newaxis] > 0.0, p, 0.0))
    unknown = np.full_like(sums, np.nan)
    mean: FloatArray = np.divide(sums, total[:, np.newaxis], out=unknown, where=total[:, np.newaxis] > 0.0)
    return mean


@dataclass(frozen=True)
class LeanParts:
    """The parts of p(y | x, c).

    Methods return a figure and the ends of its interval, shape (3, ...); the ends are NaN where contexts are no sample,
    or few have an answer for neutral subjects.

    Args:
        probabilities: p, shape (X, C, Y); NaN where it is missing.
        neutral: n, shape (C, Y); NaN where it is missing. Such contexts count for nothing.
        group_weights: P(X), shape (X,).
        context_weights: P(C), shape (C,).
        sample: The contexts as a sample; None: they are none, and figures are those of these contexts.
        noisy: Answers were sampled: their noise is independent between contexts, however often a context was drawn.
        level: Level of the intervals.
        apart: What a prompt says of an estimate that all contexts of its group share, with mean 0, shape (X, C, Y).
    """

    probabilities: FloatArray
    neutral: FloatArray
    group_weights: FloatArray
    context_weights: FloatArray
    sample: ContextSample | None = None
    noisy: bool = False
    level: float = 0.95
    apart: FloatArray = field(default_factory=lambda: np.zeros((1, 1, 1)))

    @property
    def default(self) -> FloatArray:
        """The default m, (3, Y)."""
        return self._estimate(*self._default)

    @property
    def groups(self) -> FloatArray:
        """E_c[p] averaged over groups, (3, Y), in contexts where both are known."""
        mean, influence = self._of_groups(self._known)
        return self._estimate(self.group_weights @ mean, np.tensordot(self.group_weights, influence, 1))

    @property
    def associations(self) -> FloatArray:
        """The association a of each group, (3, X, Y); one that is known in few contexts has no ends."""
        found = self._estimate(*self._associations)
        if self.sample is not None:
            found[1:, ~self.sample.enough(~missing(self.rest))] = np.nan
        return found

    @property
    def association(self) -> FloatArray:
        """The mean association of groups, (3, Y): paired, context by context."""
        mean, influence = self._associations
        return self._estimate(self.group_weights @ mean, np.tensordot(self.group_weights, influence, 1))

    @property
    def in_context(self) -> FloatArray:
        """k, shape (C, Y); NaN where it is missing."""
        return self.neutral - self._default[0]

    @cached_property
    def rest(self) -> FloatArray:
        """e, shape (X, C, Y); NaN where it is missing."""
        return self.probabilities - self.neutral - self._associations[0][:, np.newaxis]

    @property
    def explained(self) -> float | None:
        """The share of the variance of p within groups that k explains, as it is; None: nothing varies."""
        within = self._mean_square(self._within)
        return None if within < TINY else 1.0 - self._mean_square(self.rest) / within

    @property
    def slope(self) -> float | None:
        """The slope of p on n within groups, the same for all; None: n does not vary."""
        context = self.in_context + 0.0 * self._within
        of_context = self._mean_square(context)
        return None if of_context < TINY else self._mean_square(context, self._within) / of_context

    @property
    def spread_of_groups(self) -> FloatArray:
        """The standard deviation over groups of a, (3,), without the noise that is due to the sample of contexts."""
        (a, influence), w = self._associations, self.group_weights[:, np.newaxis] / self.probabilities.shape[2]
        apart, on_apart = a - self.group_weights @ a, influence - np.tensordot(self.group_weights, influence, 1)
        on_variance = 2.0 * np.einsum("xy,xyc->c", w * apart, on_apart)
        of_noise = 0.0  # the variance of a sum of squares of noise alone
        if self.sample is not None:
            scores = self.sample.scores(np.sqrt(w)[..., np.newaxis] * on_apart).reshape(a.size, -1)
            gram = scores @ scores.T if a.size <= scores.shape[1] else scores.T @ scores
            of_noise = 2.0 * float((gram**2).sum())
        error = np.sqrt(np.maximum(self._errors(on_variance) ** 2 - of_noise, of_noise))
        return self._root((w * (apart**2 - self._errors(on_apart) ** 2)).sum(), on_variance, error)

    @property
    def spread_of_contexts(self) -> FloatArray:
        """The standard deviation over contexts of k, (3,)."""
        return self._spread(self.in_context[np.newaxis], np.ones(1), self._default[1][np.newaxis])

    @property
    def spread_of_rest(self) -> FloatArray:
        """The standard deviation over groups and contexts of e, (3,)."""
        return self._spread(self.rest, self.group_weights, self._associations[1])

    @cached_property
    def _default(self) -> OnMean:
        (mean,), (influence,) = self._mean(self.neutral[np.newaxis])
        return mean, influence

    @cached_property
    def _associations(self) -> OnMean:
        return self._of_groups(self.probabilities - self.neutral)

    def _of_groups(self, values: FloatArray) -> OnMean:
        mean, influence = self._mean(values)
        return mean, influence + np.nan_to_num(self.apart).transpose(0, 2, 1)

    @property
    def _known(self) -> FloatArray:
        return np.where(np.isnan(self.neutral), np.nan, self.probabilities)

    @cached_property
    def _within(self) -> FloatArray:
        """The difference of p from its mean in its group, (X, C, Y)."""
        return self._known - self._mean(self._known)[0][:, np.newaxis]

    def _mean(self, values: FloatArray) -> OnMean:
        """E_c of values, (X, Y), over the contexts of each group that are not missing, and influences, (X, Y, C)."""
        mean = mean_over_contexts(values, normalised_context_weights(self.context_weights, values))
        there = ~missing(values)
        moved = np.where(there[..., np.newaxis], values - mean[:, np.newaxis], 0.0)
        return mean, moved.transpose(0, 2, 1) / (there @ self.context_weights)[:, np.newaxis, np.newaxis]

    def _mean_square(self, values: FloatArray, others: FloatArray | None = None) -> float:
        """The mean of squares over groups and contexts (or of products), in the contexts that are not missing."""
        weights = normalised_context_weights(self.context_weights, values)
        products = (values * (values if others is None else others)).mean(axis=2)
        return float(self.group_weights @ mean_over_contexts(products, weights))

    def _spread(self, values: FloatArray, w: FloatArray, on_means: FloatArray) -> FloatArray:
        """The root of the mean square of values, (X, C, Y), whose means over contexts are 0, as they were estimated."""
        mean, influence = self._mean((values**2).mean(axis=2, keepdims=True))
        of_means = (self._errors(on_means) ** 2).mean(axis=1)
        return self._root(w @ (mean[:, 0] + of_means), w @ influence[:, 0])

    def _root(self, variance: FloatArray, influence: FloatArray, error: FloatArray | None = None) -> FloatArray:
        """The root of an estimated variance; 0 where that is below 0."""
        return np.sqrt(np.maximum(self._estimate(variance, influence, error), 0.0))

    def _estimate(self, value: FloatArray, influence: FloatArray, error: FloatArray | None = None) -> FloatArray:
        if self.sample is None or not self.sample.enough(~missing(self.neutral)):
            return np.stack([value, *np.full((2, *np.shape(value)), np.nan)])
        below, above = self.sample.margins(influence, self.level)
        reach = self._errors(influence) if error is None else error
        return np.stack([value, value - below * reach, value + above * reach])

    def _errors(self, influence: FloatArray) -> FloatArray:
        """Standard errors; of sampled answers at least those of single contexts."""
        if self.sample is None:
            return np.zeros(influence.shape[:-1])
        errors = self.sample.standard_errors(influence)
        by_context = ContextSample(self.context_weights, "template").standard_errors(influence)
        return np.maximum(errors, by_context) if self.noisy else errors
