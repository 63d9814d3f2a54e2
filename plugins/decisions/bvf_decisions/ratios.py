"""Ratios of selection rates, and differences of means, of categories of groups: their intervals."""

from dataclasses import dataclass

import numpy as np

from bvf.stats import NO_ERROR, FloatArray, IntArray, student_quantile, student_tail


@dataclass(frozen=True)
class Units:
    """What was drawn at random: names within their cells, documents, or openings.

    Sums of products of ``scores`` over units are the covariances of the rates of categories; NaN: not known.
    """

    scores: FloatArray  # (K, U)
    strata: IntArray  # the index of the stratum within which each unit was drawn, (U,)
    freedom: FloatArray  # degrees of freedom of each stratum, (H,)

    def variances(self, scores: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return variances of statistics with ``scores``, (..., U), and their degrees of freedom by Satterthwaite."""
        of_strata = scores**2 @ np.eye(len(self.freedom))[self.strata]
        total, of_total = of_strata.sum(axis=-1), (of_strata**2 / self.freedom).sum(axis=-1)
        return total, np.divide(total**2, of_total, out=np.full_like(total, np.inf), where=of_total > 0)


def names_as_units(rates: FloatArray, weights: FloatArray, cells: IntArray) -> Units:
    """Return names as units: each is drawn within its cell, such as names of Black women.

    Args:
        rates: The selection rate of each name, or another mean, (X,).
        weights: The share of each name in each category, (K, X), 0 if it is not in it, or a difference of two such.
        cells: The index of the cell of each name, (X,).
    """
    own = np.eye(cells.max() + 1)[cells]  # X, H
    number = own.sum(axis=0)
    from_mean = rates - (own / number) @ (own.T @ rates)
    small_sample = np.where(number > 1, np.sqrt(number / np.maximum(number - 1.0, 1.0)), np.nan)[cells]
    scores = np.where(weights != 0, weights * from_mean * small_sample, 0.0)
    return Units(scores, cells, np.maximum(number - 1.0, 1.0))


def ratio_ends(rates: FloatArray, units: Units, level: float) -> tuple[FloatArray, FloatArray]:
    """Return both ends of the intervals of the ratios of every two rates, (K, K) each: that of the row to the column.

    By Fieller's theorem: the ratios r for which ``rates[k] - r * rates[j]`` is not significantly different from 0, by
    Student's t with degrees of freedom by Satterthwaite. The upper end is infinite where the rate of the column may be
    0. Both are NaN where an error is not known, and infinite where no candidate of the column is ever selected.
    """
    covariance = units.scores @ units.scores.T
    own, row = np.diag(covariance), rates[:, np.newaxis]
    ratio = np.divide(row, rates, out=np.zeros_like(covariance), where=rates > 0)
    total, freedom = units.variances(units.scores[:, np.newaxis] - ratio[..., np.newaxis] * units.scores)
    t = student_quantile(0.5 + level / 2.0, freedom) ** 2
    a, b, c = rates**2 - t * own, row * rates - t * covariance, row**2 - t * own[:, np.newaxis]
    root = b + np.sqrt(np.maximum(b**2 - a * c, 0.0))
    low = np.divide(c, root, out=np.zeros_like(c), where=(c > 0) & (root > 0))
    high = np.divide(root, a, out=np.full_like(a, np.inf), where=a > 0)
    low[:, (rates == 0) & (own <= 0)] = np.inf
    low[np.isnan(total)] = high[np.isnan(total)] = np.nan
    return low, high


def impact_ends(rates: FloatArray, units: Units, level: float, pairs: int = 0) -> tuple[FloatArray, FloatArray]:
    """Return both ends of the intervals of the ratio of each rate to the highest one, (K,) each.

    It is the lowest of the ratios to all rates, and which rate is the highest in truth is not known. So its interval
    ends below at the lowest of the lower ends, of which one is that of the true ratio; and above at the lowest of upper
    ends that all hold together, at a level raised for their number (Bonferroni), or for that of ``pairs``.
    """
    low, _ = ratio_ends(rates, units, level)
    _, high = ratio_ends(rates, units, 1.0 - (1.0 - level) / (pairs or max(len(rates) - 1, 1)))
    return np.minimum(low.min(axis=1), 1.0), np.minimum(high.min(axis=1), 1.0)


def difference_ends(differences: FloatArray, units: Units, level: float) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return both ends of the intervals of differences, and their p values, by Student's t, (K,) each; NaN: not known.

    ``units`` have the scores of the differences.
    """
    variance, freedom = units.variances(units.scores)
    error = np.sqrt(variance)
    reach = student_quantile(0.5 + level / 2.0, freedom) * error
    t = np.divide(np.abs(differences), error, out=np.zeros_like(error), where=error > NO_ERROR)
    p = np.where(error > NO_ERROR, 2.0 * student_tail(t, freedom), np.abs(differences) <= NO_ERROR)
    return differences - reach, differences + reach, np.where(np.isnan(error), np.nan, p)


def largest_ends(differences: FloatArray, units: Units, level: float) -> tuple[float, float]:
    """Return both ends of the interval of the largest of the differences, whatever their signs; NaN: not known.

    Which one is the largest in truth is not known. So the upper end is the highest of all; the lower end is the highest
    of those that all hold together, at a level raised for their number (Bonferroni).
    """
    low, high, _ = difference_ends(differences, units, 1.0 - (1.0 - level) / len(differences))
    least = max(0.0, low.max(), (-high).max())
    low, high, _ = difference_ends(differences, units, level)
    return (np.nan if np.isnan(low).any() else float(least)), float(np.maximum(high, -low).max())
