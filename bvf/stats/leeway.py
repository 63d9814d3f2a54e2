"""How far risks can be from the exact ones if class probabilities are known only to within a bound.

For a sublinear J, |J(s + t) - J(s)| <= max(J(t), J(-t)). If each probability of a prediction is off by b at most, then
t = d / p* with |d_y| <= b. J of such a t is largest in a corner of that cube, where J(b v) = b J(v). So a risk is off
by b times the largest J over the corners, and its mean over contexts by that factor times the mean bound.
"""

from functools import reduce
from itertools import product

import numpy as np

from bvf.arrays import FloatArray
from bvf.interfaces.criterion import Criterion

MOST_CORNERS = 10
"""The most classes for which every corner is tried: 2^Y of them."""


def leeway(J: Criterion, p_star: FloatArray) -> FloatArray:
    """Return how far the risk of a prediction can move, per unit that each class probability may move.

    For a sublinear J, and p* of shape (X, 1, Y) or (X, C, Y), it has the shape (X, 1) or (X, C).
    """
    classes = p_star.shape[2]
    if classes <= MOST_CORNERS:
        corners = (J(np.array(corner) / p_star) for corner in product((-1.0, 1.0), repeat=classes))
        return reduce(np.maximum, corners)
    sides = [side / p_star for side in np.eye(classes)]
    one_by_one: FloatArray = np.sum([np.maximum(J(side), J(-side)) for side in sides], axis=0)
    return one_by_one
