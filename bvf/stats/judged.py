"""A criterion as intervals need it: a convex function of vectors, with its subgradients."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from bvf.arrays import FloatArray


@dataclass(frozen=True)
class Judged:
    """A convex function of vectors, or a concave one times -1.

    Args:
        value: Maps (X, N, Y) to (X, N), for the groups of the sample.
        gradient: Maps (X, N, Y) to a subgradient at each vector, (X, N, Y).
        in_contexts: Maps (X, C, Y) to (X, C): J of each context, where J may depend on the mean over contexts.
        extremes: Vectors whose convex hull holds every v, shape (X, E, Y).
        concave: J itself is concave, and the three functions are those of -J.
        least: J is not defined for entries of v below this.
        most: The largest J; needed for a concave and steep J, whose tangents say next to nothing.
    """

    value: Callable[[FloatArray], FloatArray]
    gradient: Callable[[FloatArray], FloatArray]
    in_contexts: Callable[[FloatArray], FloatArray]
    extremes: FloatArray
    concave: bool = False
    least: float = -np.inf
    most: float = np.inf


def itself(groups: int, least: float = 0.0, most: float = 1.0) -> Judged:
    """Return J(v) = v, for one number per group and context between two bounds."""
    return Judged(
        value=lambda v: v[..., 0],
        gradient=np.ones_like,
        in_contexts=lambda v: v[..., 0],
        extremes=np.broadcast_to([[least], [most]], (groups, 2, 1)),
    )
