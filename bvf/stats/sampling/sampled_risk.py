"""The risk, and its shared and particular components, as functions of a sample of contexts, for intervals."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from bvf.arrays import FloatArray
from bvf.domain.scale import USUAL, Scale
from bvf.errors import BvfError
from bvf.interfaces.criterion import Criterion
from bvf.stats.figures.probabilities import (
    checked_probabilities,
    mean_over_contexts,
    normalised_context_weights,
    normalised_weights,
)
from bvf.stats.figures.risk import checked_reference, criterion_for, divisor_of, mean_over_groups, particular_divisor_of
from bvf.stats.sampling.intervals import Sampled
from bvf.stats.sampling.judged import Judged
from bvf.stats.sampling.noisy import Noisy
from bvf.stats.sampling.reading_error import on_simplex
from bvf.stats.sampling.sampled_answers import Answers, Pair
from bvf.stats.sampling.samples import ContextSample
from bvf.stats.sampling.subgradients import subgradient
from bvf.stats.sampling.thoughts import AfterThoughts, BetweenContexts, ThoughtRisk, WithinContexts


@dataclass(frozen=True)
class SampledRisk:
    """The risk of a model in a sample of contexts, for intervals and comparisons. ``group_weights`` is P(X), (X,).

    ``shared`` and ``particular`` (`bvf.stats.figures.risk.Parts`) are None if J is not sublinear, or of one group.
    J is divided by ``divisor``, and that of particular risk by ``particular_divisor``. ``between`` and ``within`` are
    the two parts of the volatility of a model that thinks, between contexts and of thoughts; else None.
    """

    risk: Sampled
    shared: Sampled | None
    particular: Sampled | None
    group_weights: FloatArray
    divisor: float
    particular_divisor: float
    between: BetweenContexts | None = None
    within: WithinContexts | None = None


def sampled_risk(
    probabilities: ArrayLike | Answers | AfterThoughts,
    criterion: Criterion,
    sample: ContextSample,
    *,
    group_weights: ArrayLike | None = None,
    reference: ArrayLike | None = None,
    scale: Scale = USUAL,
) -> SampledRisk:
    """Return the risk of a model as a function of a sample of contexts.

    Args:
        probabilities: p(y | x, c), shape (X, C, Y); NaN where missing. Or the sampled answers whose shares they are:
            the noise of sampling is then taken out if J is sublinear. Or the probabilities after thoughts.
            Either brings its own ``reference``.
        criterion: J, convex or concave.
        sample: The contexts as a sample; its weights are P(C).
        group_weights: P(X), shape (X,). Uniform if None.
        reference: p*, as for `bvf.stats.figures.risk.decompose_risk`, taken as known. Uniform if None.
        scale: ``unit`` (the fully stereotyped model has R = 1) or ``raw``.

    Raises:
        BvfError: As `bvf.stats.figures.risk.decompose_risk`; or J is neither convex nor concave, so that the sign of
            the bias of R^b is not known.
    """
    after = probabilities if isinstance(probabilities, AfterThoughts) else None
    p, halves = _checked(probabilities, criterion)
    reference = probabilities.p_star if isinstance(probabilities, Answers | AfterThoughts) else reference
    p_star = checked_reference(reference, p.shape)
    weights = normalised_context_weights(sample.weights, p)
    p_x = normalised_weights(group_weights, len(p), "group weights")
    if criterion.curvature == "neither":
        raise BvfError(f"{type(criterion).__name__} is neither convex nor concave, so R^b may err in either direction")
    J = criterion_for(criterion, p_star)
    divisor = divisor_of(scale, J, p_star, weights, p_x)
    vertices = np.eye(p.shape[2])

    of_p, in_sample = (
        _VectorsOf(p_star, weights, p_x),
        _InSample(p, halves if J.sublinear else [], J, p_star, sample, p_x, after),
    )
    risk = in_sample.risk(of_p.stereotype, [vertex / p_star - 1.0 for vertex in vertices], divisor)
    volatilities = _volatilities(risk, p_x, J)
    if not J.sublinear or np.count_nonzero(p_x) < 2:
        return SampledRisk(risk, None, None, p_x, divisor, divisor, *volatilities)
    mean_p_star = _mean_over_answering_groups(p_star, p, weights, p_x)
    of_others = 1.0 if after is not None else (1.0 - p_x)[:, np.newaxis, np.newaxis]
    differences = [one - other for one in vertices for other in vertices]
    ends = [(of_others * difference - (p_star - mean_p_star)) / p_star for difference in differences]
    its_divisor = particular_divisor_of(divisor, scale, J, p_star, weights, p_x)
    shared: Sampled = in_sample.risk(of_p.shared, [(vertex - mean_p_star) / p_star for vertex in vertices], divisor)
    shared = shared.between(p_x) if isinstance(shared, ThoughtRisk) else shared  # what groups share is no thought's own
    particular = in_sample.risk(of_p.particular, ends, its_divisor, risk.from_certainty)
    return SampledRisk(risk, shared, particular, p_x, divisor, its_divisor, *volatilities)


def _checked(
    probabilities: ArrayLike | Answers | AfterThoughts, criterion: Criterion
) -> tuple[FloatArray, Sequence[Pair]]:
    """p(y | x, c), shape (X, C, Y), and, where answers were sampled, their shares in both halves of each split."""
    if isinstance(probabilities, AfterThoughts):
        return checked_probabilities(probabilities.mean), []
    if not isinstance(probabilities, Answers):
        return checked_probabilities(probabilities), []
    p = probabilities.shares
    if probabilities.matrix is None:
        p = checked_probabilities(p)
    elif not criterion.sublinear:  # J of a vector outside the simplex may be undefined
        p = on_simplex(p)
    return p, probabilities.halves


def _volatilities(
    risk: Sampled, group_weights: FloatArray, J: Criterion
) -> tuple[BetweenContexts | None, WithinContexts | None]:
    """The two parts of the volatility of a model that thinks; None for others, and where J is not convex."""
    if not isinstance(risk, ThoughtRisk) or J.curvature != "convex":
        return None, None
    between = risk.between(group_weights)
    return between, risk.within(between)


@dataclass(frozen=True)
class _InSample:
    """Makes risks of vectors that are linear in p, shape (X, C, Y), in a sample of contexts.

    ``halves`` are estimates of p by halves of sampled answers, ``group_weights`` P(X). ``after`` has p after thoughts,
    of which ``p`` is the mean.
    """

    p: FloatArray
    halves: Sequence[Pair]
    J: Criterion
    p_star: FloatArray
    sample: ContextSample
    group_weights: FloatArray
    after: AfterThoughts | None = None

    def risk(
        self,
        vectors_of: Callable[[FloatArray], FloatArray],
        enclosed: Sequence[FloatArray],
        divisor: float,
        certainty: FloatArray | None = None,
    ) -> Sampled:
        """Return the risk of the vectors that a function gives for p; ``enclosed`` has the ends of what they may be."""
        vectors = vectors_of(self.p)
        weights = normalised_context_weights(self.sample.weights, self.p)
        at = mean_over_contexts(vectors, weights)[:, np.newaxis]
        judged = _judged(self.J, self.p_star, divisor, at, enclosing(enclosed))
        if self.after is not None:
            halves = [(vectors_of(one), vectors_of(other)) for one, other in self.after.halves]
            apart = (self.after.p - self.p[:, :, np.newaxis]) / self.p_star[:, :, np.newaxis]
            by_thought = vectors[:, :, np.newaxis] + apart
            return ThoughtRisk(vectors, judged, self.sample, certainty, by_thought=by_thought, halves=halves)
        if not self.halves:
            return Sampled(vectors, judged, self.sample, certainty)
        halves = [(vectors_of(one), vectors_of(other)) for one, other in self.halves]
        return Noisy(vectors, judged, self.sample, certainty, halves=halves, group_weights=self.group_weights)


@dataclass(frozen=True)
class _VectorsOf:
    """The vectors whose risks are taken, as linear functions of p, shape (X, C, Y); NaN where p is missing.

    ``weights`` are P(C) for each group, shape (X, C), and ``group_weights`` P(X), shape (X,).
    """

    p_star: FloatArray
    weights: FloatArray
    group_weights: FloatArray

    def stereotype(self, p: FloatArray) -> FloatArray:
        """Return the stereotypes."""
        return p / self.p_star - 1.0

    def shared(self, p: FloatArray) -> FloatArray:
        """Return the mean lean of all groups, over p*."""
        lean = p - self.p_star
        return np.where(np.isnan(lean), np.nan, self._common(lean)) / self.p_star

    def particular(self, p: FloatArray) -> FloatArray:
        """Return the rest of the lean, over p*."""
        lean = p - self.p_star
        return (lean - self._common(lean)) / self.p_star

    def _common(self, lean: FloatArray) -> FloatArray:
        return mean_over_groups(lean, self.weights, self.group_weights)


def _mean_over_answering_groups(p_star: FloatArray, p: FloatArray, weights: FloatArray, p_x: FloatArray) -> FloatArray:
    """E_x[p*] over the groups that are not missing in a context, (C, Y). (1, Y) if all contexts are alike."""
    if np.isnan(p).any() and np.ptp(p_star, axis=0).any():
        return mean_over_groups(np.broadcast_to(p_star, p.shape), weights, p_x)
    mean: FloatArray = np.tensordot(p_x, p_star, 1)
    return mean


def enclosing(vectors: Sequence[FloatArray]) -> FloatArray:
    """Return vectors whose convex hull contains all given vectors, shape (X, E, Y).

    Vectors of shape (X, 1, Y), the same in all contexts, are returned as they are. For shape (X, C, Y) these are the
    Y + 1 corners of a simplex, for any number of contexts. For stereotypes under a p* that depends on the context, it
    is the smallest such simplex: its corners are -1 and e_y / (least p*_y) - 1.
    """
    if vectors[0].shape[1] == 1:
        return np.concatenate(vectors, axis=1)
    least = np.min([each.min(axis=1, keepdims=True) for each in vectors], axis=0)
    width = np.max([each.max(axis=1, keepdims=True) for each in vectors], axis=0) - least
    width = np.where(width > 0.0, width, 1.0)
    reach = np.max([((each - least) / width).sum(axis=2).max(axis=1) for each in vectors], axis=0)
    legs = np.eye(least.shape[2]) * (reach[:, np.newaxis, np.newaxis] * width)
    return np.concatenate([least, least + legs], axis=1)


def _judged(criterion: Criterion, p_star: FloatArray, divisor: float, mean: FloatArray, extremes: FloatArray) -> Judged:
    """J / divisor as a convex function of vectors with the given mean. A concave J becomes -J / divisor."""
    sign = -1.0 if criterion.curvature == "concave" else 1.0
    towards = criterion.towards(mean)
    return Judged(
        value=lambda v: sign * criterion(v) / divisor,
        gradient=lambda v: sign * subgradient(criterion, v, p_star) / divisor,
        in_contexts=lambda v: sign * towards(v) / divisor,
        extremes=extremes,
        concave=sign < 0,
        least=-np.inf if criterion.sublinear else -1.0,
        sublinear=criterion.sublinear,
    )
