"""Subgradients of criteria J, from which the influence of a context on J of a mean is computed."""

import numpy as np

from bvf.arrays import FloatArray
from bvf.interfaces.criterion import Criterion

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
