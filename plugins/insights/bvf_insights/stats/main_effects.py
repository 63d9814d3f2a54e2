"""The variance of predictions over crossed contexts: what each factor of a context does, and what they do together.

Where every level of each factor stands with every level of all others, and weights are products of those of levels, the
effects of factors are orthogonal: the variance over contexts is the sum of the variances of the means of each factor's
levels, and of what is left, the interactions (Fisher 1925, Statistical Methods for Research Workers).
"""

from collections.abc import Sequence
from math import prod

import numpy as np

from bvf.stats import FloatArray, IntArray


def are_crossed(context_weights: FloatArray, levels: Sequence[IntArray]) -> bool:
    """Return whether factors are crossed: each combination of levels is one context, weighted by their product.

    Args:
        context_weights: P(C), shape (C,), sums to 1.
        levels: Index of the level of each context, shape (C,), by factor.
    """
    weights = [np.bincount(each, context_weights) for each in levels]
    combinations = set(zip(*(each.tolist() for each in levels), strict=True))
    if not len(combinations) == len(context_weights) == prod(map(len, weights)):
        return False
    product = np.prod([weight[each] for weight, each in zip(weights, levels, strict=True)], axis=0)
    return bool(np.allclose(context_weights, product))


def main_effects(
    lean: FloatArray, group_weights: FloatArray, context_weights: FloatArray, levels: Sequence[IntArray]
) -> FloatArray:
    """Return the share of each factor, and of all factors together, in the variance over contexts, shape (F + 1,).

    It is the variance of a group's predictions, summed over classes, on average over groups. All shares are 0 if
    nothing varies.

    >>> lean, even = np.array([[[0.1], [0.3], [0.1], [0.3]]]), np.full(4, 0.25)
    >>> main_effects(lean, np.ones(1), even, [np.array([0, 1, 0, 1]), np.array([0, 0, 1, 1])]).round(6).tolist()
    [1.0, 0.0, 0.0]

    Args:
        lean: p - p* of every group in every context, none missing, shape (X, C, Y).
        group_weights: P(X), shape (X,), sums to 1.
        context_weights: P(C), shape (C,), sums to 1.
        levels: Index of the level of each context, shape (C,), for each of F crossed factors (`are_crossed`).
    """
    apart = lean - np.einsum("c,xcy->xy", context_weights, lean)[:, np.newaxis]
    total = float(group_weights @ (apart**2).sum(axis=2) @ context_weights)
    of_factors = []
    for level in levels:
        in_level = np.eye(level.max() + 1)[level] * context_weights[:, np.newaxis]
        weights = in_level.sum(axis=0)
        means = np.einsum("cl,xcy->xly", in_level / weights, apart)
        of_factors.append(float(group_weights @ (means**2).sum(axis=2) @ weights))
    parts = np.array([*of_factors, max(total - sum(of_factors), 0.0)])
    return parts / total if total > 0 else np.zeros_like(parts)
