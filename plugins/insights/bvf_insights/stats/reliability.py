"""Split-half reliability over contexts: would other contexts put the groups in the same order?

Contexts are split into two halves, a figure of every group is computed from each half, and the two lists are correlated
over groups. Half as many contexts are less reliable, so the correlation c of the halves is extrapolated to the whole
set by the Spearman-Brown formula (Spearman 1910, British Journal of Psychology 3, 271; Brown 1910, ibid., 296):

    reliability = 2 c / (1 + |c|)

For c < 0 the formula is mirrored here, as 2 c / (1 + c) has no lower bound.
"""

from dataclasses import dataclass

import numpy as np

from bvf.stats import BoolArray, FloatArray

SPLITS = 200
FEWEST_CONTEXTS = 8
"""The fewest contexts; this many can be split into halves in eight ways."""
FEWEST_GROUPS = 5
NO_SPREAD = 1e-9
"""A standard deviation of figures over groups below this counts as 0."""


@dataclass(frozen=True)
class Reliability:
    """The split-half reliability of a figure of groups: its mean and range over many random splits.

    Args:
        mean: -1 to 1; 1: the figures of both halves are perfectly correlated.
        splits: The number of splits in which groups differ in both halves.
    """

    mean: float
    low: float
    high: float
    splits: int


def halves(weights: FloatArray, splits: int = SPLITS, seed: int = 0) -> BoolArray:
    """Return a mask of the contexts in the first half of each of S splits, shape (S, C).

    Contexts are paired by weight, and a random one of every pair goes to each half, so that both have about the same
    weight.
    """
    rng, contexts = np.random.default_rng(seed), len(weights)
    side = rng.random((splits, (contexts + 1) // 2)) < 0.5
    taken = np.stack([side, ~side], axis=2).reshape(splits, -1)[:, :contexts]
    first = np.empty((splits, contexts), dtype=bool)
    first[:, np.argsort(-weights, kind="stable")] = taken
    return first


def split_half(first: FloatArray, second: FloatArray, level: float) -> Reliability | None:
    """Return the split-half reliability of a figure of groups (Spearman-Brown); None if no split has a correlation.

    Splits in which all groups have the same figure in one half have no correlation, and are left out.

    Args:
        first: The figure of each group, computed from the first half of each split, shape (S, X).
        second: The same figure, computed from the second half, shape (S, X).
        level: Share of the splits between the ends of the range, such as 0.95.

    >>> split_half(np.array([[1.0, 2.0, 3.0]]), np.array([[1.0, 3.0, 2.0]]), 0.95).mean  # correlated by 0.5
    0.6666666666666666
    """
    one, other = (half - half.mean(axis=1, keepdims=True) for half in (first, second))
    differ = (one.std(axis=1) > NO_SPREAD) & (other.std(axis=1) > NO_SPREAD)
    one, other = one[differ], other[differ]
    if not len(one):
        return None
    products = np.sqrt((one**2).sum(axis=1) * (other**2).sum(axis=1))
    correlations = np.clip((one * other).sum(axis=1) / products, -1.0, 1.0)
    lifted = 2.0 * correlations / (1.0 + np.abs(correlations))
    low, high = np.quantile(lifted, [(1.0 - level) / 2.0, (1.0 + level) / 2.0])
    return Reliability(float(lifted.mean()), float(low), float(high), len(lifted))
