"""What intervals need of a criterion: a convex function of vectors, its subgradients, and the vectors' range."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from bvf.arrays import FloatArray


@dataclass(frozen=True)
class Judged:
    """A convex function of vectors: J, or -J if J is concave.

    Args:
        value: Maps (X, N, Y) to (X, N), for the groups of the sample.
        gradient: Maps (X, N, Y) to a subgradient at each vector, (X, N, Y).
        in_contexts: Maps (X, C, Y) to (X, C): J of each context, for a J that may depend on the mean over contexts.
        extremes: Vectors whose convex hull contains every v, shape (X, E, Y).
        concave: J itself is concave, and the three functions above are those of -J.
        least: J is undefined for entries of v below this.
        sublinear: J is sublinear, and so J(v) = g v for every subgradient g at v.
        most: An upper bound of J; needed for a concave, steep J, whose tangents give too loose a bound.
    """

    value: Callable[[FloatArray], FloatArray]
    gradient: Callable[[FloatArray], FloatArray]
    in_contexts: Callable[[FloatArray], FloatArray]
    extremes: FloatArray
    concave: bool = False
    least: float = -np.inf
    sublinear: bool = False
    most: float = np.inf


def itself(groups: int, least: float = 0.0, most: float = 1.0) -> Judged:
    """Return the identity J(v) = v as a `Judged`. v is one number per group and context, from ``least`` to ``most``."""
    return Judged(
        value=lambda v: v[..., 0],
        gradient=np.ones_like,
        in_contexts=lambda v: v[..., 0],
        extremes=np.broadcast_to([[least], [most]], (groups, 2, 1)),
    )
