"""Subgradients of criteria: how J of a mean moves with it."""

import numpy as np

from bvf.arrays import FloatArray
from bvf.interfaces.criterion import Criterion

DECIMALS = 12
"""Vectors are rounded to this many decimals, so that rounding never decides the side of a kink."""
STEP = 1e-6
"""How far the probabilities are moved for a difference quotient."""


def subgradient(criterion: Criterion, at: FloatArray, p_star: FloatArray) -> FloatArray:
    """Return a subgradient of J at vectors: the criterion's own, or a numerical one where it gives none.

    Args:
        criterion: J, for ``p_star``.
        at: v, shape (X, N, Y). Where p* is the same in all contexts, the sum over y of p* v is 0 in each, as
            stereotypes and their differences have it.
        p_star: Shape (X, 1, Y) or (X, C, Y).

    Returns:
        g, shape (X, N, Y); g (u - v) holds only for u that are such vectors too.
    """
    given = criterion.subgradient(np.round(at, DECIMALS))
    return _numerical(criterion, at, p_star) if given is None else given


def _numerical(criterion: Criterion, at: FloatArray, p_star: FloatArray) -> FloatArray:
    """Difference quotients towards certainty of each class, e_y / p* - 1, which keep the sum of probabilities at 1.

    If p* changes with the context, there is no such vector; J then depends on s alone, and steps go along e_y.

    If three classes or more tie at the top of a J with kinks, the quotients together may not be a subgradient. Where v
    is a stereotype and a step back would leave the simplex, the quotient is one-sided.
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
