"""The risk, and its shared and particular components, as functions of a sample of contexts, for intervals."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from bvf.arrays import FloatArray
from bvf.domain.scale import USUAL, Scale
from bvf.errors import BvfError
from bvf.interfaces.criterion import Criterion
from bvf.stats.figures.leeway import subgradient
from bvf.stats.figures.probabilities import checked_probabilities, mean_over_contexts, normalised_weights
from bvf.stats.figures.risk import checked_reference, criterion_for, divisor_of, mean_over_groups, particular_divisor_of
from bvf.stats.sampling.intervals import Judged, Sampled
from bvf.stats.sampling.sampled_answers import Drawn
from bvf.stats.sampling.samples import ContextSample


@dataclass(frozen=True)
class SampledRisk:
    """The risk of a model in a sample of contexts, for intervals and comparisons. ``group_weights`` is P(X), (X,).

    ``shared`` and ``particular`` (`bvf.stats.figures.risk.Parts`) are None if J is not sublinear, or of one group.
    J is divided by ``divisor``, and that of particular risk by ``particular_divisor``. ``between`` and ``within`` are
    the two parts of the volatility (`Sampled.parts_of_rest`), if it has parts.
    """

    risk: Sampled
    shared: Sampled | None
    particular: Sampled | None
    group_weights: FloatArray
    divisor: float
    particular_divisor: float
    between: Sampled | None = None
    within: Sampled | None = None


def sampled_risk(
    probabilities: ArrayLike | Drawn,
    criterion: Criterion,
    sample: ContextSample,
    *,
    group_weights: ArrayLike | None = None,
    reference: ArrayLike | None = None,
    scale: Scale = USUAL,
) -> SampledRisk:
    """Return the risk of a model as a function of a sample of contexts.

    Args:
        probabilities: p(y | x, c), shape (X, C, Y); NaN where missing. Or answers that were drawn, whose noise is then
            taken out where it can be; they bring their own ``reference``.
        criterion: J, convex or concave.
        sample: The contexts as a sample; its weights are P(C).
        group_weights: P(X), shape (X,). Uniform if None.
        reference: p*, as for `bvf.stats.figures.risk.decompose_risk`, taken as known. Uniform if None.
        scale: ``unit`` (the fully stereotyped model has R = 1) or ``raw``.

    Raises:
        BvfError: As `bvf.stats.figures.risk.decompose_risk`; or J is neither convex nor concave, so that the sign of
            the bias of R^b is not known.
    """
    drawn: Drawn | None = None
    if isinstance(probabilities, Drawn):
        drawn, reference = probabilities, probabilities.p_star
        p = drawn.checked(sublinear=criterion.sublinear)
    else:
        p = checked_probabilities(probabilities)
    p_star = checked_reference(reference, p.shape)
    weights, p_x = normalised_weights(p, sample.weights, group_weights)
    if criterion.curvature == "neither":
        raise BvfError(f"{type(criterion).__name__} is neither convex nor concave, so R^b may err in either direction")
    J = criterion_for(criterion, p_star)
    divisor = divisor_of(scale, J, p_star, weights, p_x)
    vertices = np.eye(p.shape[2])

    of = _InSample(p, drawn, J, p_star, sample, weights, p_x)
    risk = of.risk(of.stereotype, [vertex / p_star - 1.0 for vertex in vertices], divisor)
    volatilities = risk.parts_of_rest(p_x) or (None, None)
    if not J.sublinear or np.count_nonzero(p_x) < 2:
        return SampledRisk(risk, None, None, p_x, divisor, divisor, *volatilities)
    mean_p_star = _mean_over_answering_groups(p_star, p, weights, p_x)
    of_others = 1.0 if drawn and drawn.one_by_one else (1.0 - p_x)[:, np.newaxis, np.newaxis]
    differences = [one - other for one in vertices for other in vertices]
    ends = [(of_others * difference - (p_star - mean_p_star)) / p_star for difference in differences]
    its_divisor = particular_divisor_of(divisor, scale, J, p_star, weights, p_x)
    shared = of.risk(of.shared, [(vertex - mean_p_star) / p_star for vertex in vertices], divisor)
    shared = shared.between(p_x)  # what groups share is no answer's own
    particular = of.risk(of.particular, ends, its_divisor, risk.from_certainty)
    return SampledRisk(risk, shared, particular, p_x, divisor, its_divisor, *volatilities)


@dataclass(frozen=True)
class _InSample:
    """Makes risks of vectors that are linear functions of p, shape (X, C, Y), in a sample of contexts.

    ``drawn`` are the answers that p is estimated from, if they were drawn; ``weights`` are P(C) for each group, shape
    (X, C), and ``group_weights`` P(X), shape (X,). Vectors are NaN where p is missing.
    """

    p: FloatArray
    drawn: Drawn | None
    J: Criterion
    p_star: FloatArray
    sample: ContextSample
    weights: FloatArray
    group_weights: FloatArray

    def risk(
        self,
        vectors_of: Callable[[FloatArray], FloatArray],
        enclosed: Sequence[FloatArray],
        divisor: float,
        certainty: FloatArray | None = None,
    ) -> Sampled:
        """Return the risk of the vectors that a function gives for p; ``enclosed`` has the ends of what they may be."""
        vectors = vectors_of(self.p)
        at = mean_over_contexts(vectors, self.weights)[:, np.newaxis]
        judged = _judged(self.J, self.p_star, divisor, at, enclosing(enclosed))
        plain = Sampled(vectors, judged, self.sample, certainty)
        return self.drawn.risk(plain, vectors_of, self.group_weights) if self.drawn else plain

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
    return np.tensordot(p_x, p_star, 1)


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
