"""The error of a reader, counted in labelled texts, and shares of classes corrected for it.

A text of class k is read as class j with probability M_kj, so the shares of readings are q = p M, and p = q M^-1: for
two classes the estimator of Rogan and Gladen (1978). It is linear, so that corrected shares of few texts are unbiased
estimates of p, as shares of readings are of q. They may leave the simplex; so may their mean, which is shown as the
nearest point of it.

Axes: X groups, C contexts, Y classes.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from bvf.arrays import FloatArray, IntArray

DRAWS = 100
"""How many matrices are drawn around the one that was counted."""
PRIOR = 0.5
"""Added to each count before matrices are drawn (Jeffreys), so that errors which were not seen may occur."""
LEAST = 0.01
"""The smallest singular value of a matrix that is inverted."""
SEED = 19_783


@dataclass(frozen=True)
class Confusion:
    """How often labelled texts of a class were read as each class. ``counts`` has a row per label, shape (Y, Y)."""

    counts: IntArray

    @classmethod
    def of(cls, counts: Mapping[str, Mapping[str, int]]) -> "Confusion":
        """Return the counts of labelled texts by class and reading, in the order of the classes."""
        return cls(np.array([list(read.values()) for read in counts.values()]))

    @cached_property
    def matrix(self) -> FloatArray:
        """M, the probability of each reading by label, shape (Y, Y); its rows sum to 1."""
        matrix: FloatArray = self.counts / self.counts.sum(axis=1, keepdims=True)
        return matrix

    def drawn_again(self) -> Iterator[FloatArray]:
        """Yield matrices drawn from the posterior of each row (Dirichlet), without those that cannot be inverted."""
        rng = np.random.default_rng(SEED)
        for _ in range(DRAWS):
            drawn = np.stack([rng.dirichlet(row + PRIOR) for row in self.counts])
            if np.linalg.svd(drawn, compute_uv=False).min() > LEAST:
                yield drawn


def corrected(shares: FloatArray, matrix: FloatArray) -> FloatArray:
    """Return p = q M^-1 for shares of readings q, shape (..., Y); it may leave the simplex."""
    return np.asarray(np.linalg.solve(matrix.T, shares[..., np.newaxis])[..., 0], dtype=np.float64)


def on_simplex(p: FloatArray) -> FloatArray:
    """Return the nearest point of the simplex (by Euclidean distance) to vectors that sum to 1, shape (..., Y).

    >>> on_simplex(np.array([1.2, -0.1, -0.1])).tolist()
    [1.0, 0.0, 0.0]
    """
    ordered = -np.sort(-p, axis=-1)
    excess = (np.cumsum(ordered, axis=-1) - 1.0) / np.arange(1, p.shape[-1] + 1)
    last = (ordered > excess).sum(axis=-1, keepdims=True) - 1
    return np.maximum(p - np.take_along_axis(excess, np.maximum(last, 0), axis=-1), 0.0)


def differs_between(counts: IntArray) -> float | None:
    """Return the smallest p value, times the number of classes, for equal errors in all groups of labelled texts.

    Whether a text was read as its label is tested against its group, for each label, by Pearson's chi-square.

    Args:
        counts: How often texts of a group with a label were read wrongly and rightly, shape (G, Y, 2).

    Returns:
        None if no label has texts of two groups and both right and wrong readings.
    """
    from scipy.stats import chi2_contingency  # which a run of probabilities does without

    found = list[float]()
    for of_label in np.moveaxis(counts, 1, 0):
        there = of_label[of_label.sum(axis=1) > 0]
        if len(there) > 1 and (there.sum(axis=0) > 0).all():
            found.append(float(chi2_contingency(there, correction=False).pvalue))
    return min(1.0, min(found) * len(found)) if found else None
