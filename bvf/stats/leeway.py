"""Error bounds of risks for class probabilities that have error bounds.

For a sublinear J, |J(s + t) - J(s)| <= max(J(t), J(-t)). If each probability of a prediction is off by b at most, then
t = d / p* with |d_y| <= b. J of such a t is largest in a corner of that cube, where J(b v) = b J(v). So the error of a
risk is at most b times the largest J over the corners (for many classes: a bound of it).
"""

from functools import reduce
from itertools import product

import numpy as np

from bvf.arrays import FloatArray
from bvf.interfaces.criterion import Criterion

MOST_CORNERS = 10
"""The most classes for which J is computed in all 2^Y corners; for more, the sum over axes is a looser bound."""


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
