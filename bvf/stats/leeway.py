"""How far risks can be from exact ones where every class probability is known only to within a bound.

For a sublinear J, |J(s + t) - J(s)| <= max(J(t), J(-t)). If each probability of a prediction is off by b at most, then
t = d / p* with |d_y| <= b. J of such a t is largest in a corner of that cube, where J(b v) = b J(v). So a risk is off
by b times the largest J over the corners, and its mean over contexts by as many times the mean bound.
"""

from itertools import product

import numpy as np

from bvf.arrays import FloatArray
from bvf.interfaces.criterion import Criterion

MOST_CORNERS = 10
"""Classes up to which every corner is tried: 2^Y of them."""


def leeway(J: Criterion, p_star: FloatArray) -> FloatArray:
    """Return how far the risk of a prediction can move, per unit that each class probability may move; shape (X,).

    Args:
        J: Sublinear, for ``p_star``.
        p_star: p*(y | x), shape (X, 1, Y).
    """
    classes = p_star.shape[2]
    if classes <= MOST_CORNERS:
        corners = np.array(list(product((-1.0, 1.0), repeat=classes)))
        largest: FloatArray = J(corners / p_star).max(axis=1)
        return largest
    sides = np.eye(classes) / p_star
    one_by_one: FloatArray = np.maximum(J(sides), J(-sides)).sum(axis=1)
    return one_by_one
