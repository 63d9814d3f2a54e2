"""Subgradients of criteria J, and error bounds of risks for class probabilities that have error bounds.

For a sublinear J, |J(s + t) - J(s)| <= max(J(t), J(-t)). If each probability of a prediction is off by b at most, then
t = d / p* with |d_y| <= b. J of such a t is largest in a corner of that cube, where J(b v) = b J(v). So the error of a
risk is at most b times the largest J over the corners (for many classes: a bound of it).

The volatility r^v = E_c[J(s)] - J(E_c[s]) may be off by twice that; but mostly by far less. With a subgradient g at
the mean, J(E_c[s]) >= g E_c[s], so r^v <= E_c[h(s)] for h(s) = J(s) - g s >= 0, with equality where J is linear around
the mean. In all contexts that lean as the mean does, h is 0, and stays 0 if they are off by a little.
"""

from functools import reduce
from itertools import product

import numpy as np

from bvf.arrays import FloatArray
from bvf.interfaces.criterion import Criterion
from bvf.stats.figures.probabilities import mean_over_contexts

DECIMALS = 12
"""Vectors are rounded to this many decimals, so that rounding errors do not determine the side of a kink."""
STEP = 1e-6
"""Step in probability for difference quotients."""


def subgradient(criterion: Criterion, at: FloatArray, p_star: FloatArray) -> FloatArray:
    """Return a subgradient of J at vectors: the criterion's own, or numerical if it defines none.

    Args:
        criterion: J, for ``p_star``.
        at: v, shape (X, N, Y). If p* is the same in all contexts, the sum over y of p* v must be 0, as for
            stereotypes and their differences.
        p_star: Shape (X, 1, Y) or (X, C, Y).

    Returns:
        g, shape (X, N, Y); J(u) >= J(v) + g (u - v) is only guaranteed for such vectors u.
    """
    given = criterion.subgradient(np.round(at, DECIMALS))
    return _numerical(criterion, at, p_star) if given is None else given


def _numerical(criterion: Criterion, at: FloatArray, p_star: FloatArray) -> FloatArray:
    """A subgradient by difference quotients towards certainty of each class, e_y / p* - 1.

    If p* depends on the context, there is no such vector; J then depends on s alone, and steps are along e_y.

    At a kink where three or more classes tie, the quotients together may not be a subgradient. If v is a stereotype and
    a backward step would leave the simplex, the quotient is one-sided.
    """
    gradient = np.zeros_like(at)
    inside = (at >= -1.0).all(axis=2)
    here = criterion(at)
    changing = p_star.shape[1] > 1
    slopes = np.ones((1, 1, at.shape[2])) if changing else p_star
    for y, certain in enumerate(np.eye(at.shape[2])):
        direction = np.broadcast_to(certain, at.shape) if changing else certain / p_star - 1.0 - at
        further = criterion(at + STEP * direction)
        back = at - STEP * direction
        taken = np.asarray(~inside | (back >= -1.0).all(axis=2))
        nearer = np.where(taken, criterion(np.where(taken[..., np.newaxis], back, at)), here)
        gradient[..., y] = slopes[..., y] * (further - nearer) / (STEP * (1.0 + taken))
    return gradient


MOST_CORNERS = 10
"""The most classes for which J is computed in all 2^Y corners; for more, the sum over axes is a looser bound."""


MOST_CORNERS_OF_CONTEXTS = 6
"""The most classes for which every corner is tried in every context."""
LINEAR = 1e-12
"""J may differ from a linear function by this, relative to 1."""


def leeway(J: Criterion, p_star: FloatArray) -> FloatArray:
    """Return an upper bound on the error of a prediction's risk, per unit of error of each class probability.

    J must be sublinear. For p* of shape (X, 1, Y) or (X, C, Y), the bound has the shape (X, 1) or (X, C).
    """
    classes = p_star.shape[2]
    if classes <= MOST_CORNERS:
        corners = (J(np.array(corner) / p_star) for corner in product((-1.0, 1.0), repeat=classes))
        return reduce(np.maximum, corners)
    sides = [side / p_star for side in np.eye(classes)]
    one_by_one: FloatArray = np.sum([np.maximum(J(side), J(-side)) for side in sides], axis=0)
    return one_by_one


def leeway_of_volatility(
    J: Criterion, p_star: FloatArray, vectors: FloatArray, bounds: FloatArray, weights: FloatArray
) -> FloatArray:
    """Return an upper bound on the error of r^v of each group, shape (X,).

    It is never above twice the error bound of r, the weighted mean of `leeway` times ``bounds``.

    Args:
        J: The criterion for p*; sublinear.
        p_star: Shape (X, 1, Y) or (X, C, Y).
        vectors: The vectors v whose J is taken, such as stereotypes, shape (X, C, Y); NaN where missing.
        bounds: Error bound of each probability, shape (X, C).
        weights: P(C) over the contexts that each group has, shape (X, C).
    """
    twice = 2.0 * mean_over_contexts(leeway(J, p_star) * bounds, weights)
    classes = p_star.shape[2]
    if p_star.shape[1] > 1 or classes > MOST_CORNERS_OF_CONTEXTS:
        return twice
    v = np.where((weights > 0)[..., np.newaxis], vectors, 0.0)
    mean = mean_over_contexts(v, weights)[:, np.newaxis]
    mean_bound = mean_over_contexts(bounds, weights)[:, np.newaxis]
    at_mean, in_contexts = subgradient(J, mean, p_star), subgradient(J, v, p_star)
    corners = [np.array(corner) / p_star for corner in product((-1.0, 1.0), repeat=classes)]

    def above_tangent(at: FloatArray) -> FloatArray:
        above: FloatArray = J(at) - (at_mean * at).sum(axis=2)
        return above

    here = above_tangent(v)
    furthest = reduce(np.maximum, (above_tangent(v + bounds[..., np.newaxis] * corner) for corner in corners))
    kinks = reduce(np.maximum, (above_tangent(mean + mean_bound[..., np.newaxis] * corner) for corner in corners))
    less = bounds * (np.abs(in_contexts - at_mean) / p_star).sum(axis=2)
    more, fewer = (mean_over_contexts(each, weights) for each in (furthest - here, np.minimum(less, here)))
    fewer = np.where(np.abs(kinks[:, 0]) <= LINEAR, fewer, twice)
    return np.minimum(np.maximum(more, fewer), twice)
