"""An upper bound of an average of J(E_c[v]) over groups near a kink of J, from squares, which have no kink.

For a sublinear J with subgradient g at mu, J(mu) = g mu <= s d. s^2 = g' S g is the variance of g m, where m is the
mean in the sample and S its covariance, and d^2 = mu' S^-1 mu. Unlike |mu|, d^2 has an unbiased estimate: m' S^-1 m
less its dimension. The average over groups is sum_x w_x s_x d_x <= sqrt(sum_x w_x s_x) sqrt(sum_x w_x s_x d_x^2), by
Cauchy and Schwarz. The plug-in estimate J(m) errs upward in every group alike, while errors of squares average out.

Axes: X doubtful groups, N subgradients, Y entries of a vector, K numbers that have covariances as sums of products.
"""

from dataclasses import dataclass

import numpy as np

from bvf.arrays import FloatArray

RIDGE = 1e-9
"""Added to the variances, in parts of their sum: v varies in fewer directions than it has entries."""


@dataclass(frozen=True)
class Squares:
    """The squares d^2 of groups, and their errors.

    Args:
        slopes: s, the largest over possible subgradients, shape (X,).
        estimates: Unbiased estimates of d^2, shape (X,).
        dimensions: The expected m' S^-1 m of a group whose mean is 0, shape (X,).
        lengths: m' S^-1 m, shape (X,).
        along: m' S^-1/2 times the whitened scores, shape (X, K).
        whitened: Scores of m, times S^-1/2, shape (X, Y, K).
        freedom: Degrees of freedom of the covariances.
    """

    slopes: FloatArray
    estimates: FloatArray
    dimensions: FloatArray
    lengths: FloatArray
    along: FloatArray
    whitened: FloatArray
    freedom: float

    def upper_end(self, weights: FloatArray, quantile: float) -> float:
        """Return the upper bound of the sum over groups of weight times J(mu), for weights of shape (X,).

        The sum of w s d^2 is at most the largest T with T - its estimate = quantile * error(T): the variance of the
        estimate is a constant and a part that is proportional to T.
        """
        each = weights * self.slopes
        estimate, length = float(each @ self.estimates), float(each @ self.lengths)
        if length <= 0.0:
            return 0.0
        per_square = max(float(((each @ self.along) ** 2).sum()), float(each**2 @ self.lengths)) / length
        middle = estimate + 2.0 * quantile**2 * per_square
        outer = middle**2 - estimate**2 + 2.0 * quantile**2 * self._constant(each)
        most = middle + np.sqrt(max(outer, 0.0))
        return float(np.sqrt(each.sum() * max(most, 0.0)))

    def _constant(self, each: FloatArray) -> float:
        """Half the variance of the estimate if all means are 0: the sum of squares of all entries of covariances.

        Covariances between groups are estimated; their squares are too large by 1 / freedom, which is taken off.
        """
        own = np.matmul(self.whitened, self.whitened.transpose(0, 2, 1))
        of_each = float(each**2 @ (own**2).sum(axis=(1, 2)))
        scaled = (np.sqrt(each)[:, np.newaxis, np.newaxis] * self.whitened).reshape(-1, self.whitened.shape[2])
        products = scaled @ scaled.T if scaled.shape[0] <= scaled.shape[1] else scaled.T @ scaled
        by_chance = float((each @ self.dimensions) ** 2 - each**2 @ self.dimensions**2) / self.freedom
        return of_each + max(float((products**2).sum()) - of_each - by_chance, 0.0)


def squares_of(means: FloatArray, scores: FloatArray, gradients: FloatArray, freedom: float) -> Squares:
    """Return the squares of groups.

    Args:
        means: m, shape (X, Y).
        scores: Numbers whose sums of products are the covariances of the entries of m, shape (X, Y, K).
        gradients: Subgradients of J that the true mean may have, shape (X, N, Y).
        freedom: Degrees of freedom of the covariances.
    """
    covariances = np.matmul(scores, scores.transpose(0, 2, 1))
    total = np.trace(covariances, axis1=1, axis2=2)[:, np.newaxis, np.newaxis]
    ridged = covariances + (RIDGE * total + np.finfo(float).tiny) * np.eye(means.shape[1])
    values, axes = np.linalg.eigh(ridged)
    root = np.matmul(axes / np.sqrt(values)[:, np.newaxis], axes.transpose(0, 2, 1))
    whitened = np.matmul(root, scores)
    z = np.matmul(root, means[..., np.newaxis])
    dimensions = (whitened**2).sum(axis=(1, 2))
    lengths = (z**2).sum(axis=(1, 2))
    slopes = np.sqrt((np.matmul(gradients, ridged) * gradients).sum(axis=2).max(axis=1))
    along = np.matmul(z.transpose(0, 2, 1), whitened)[:, 0]
    return Squares(slopes, lengths - dimensions, dimensions, lengths, along, whitened, freedom)
