"""Disparity between a subgroup and others in how often a model deviates, and distances of rates from a target."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import norm

from bvf import BvfError
from bvf.domain import Finite, Share, checked_number
from bvf.stats import BoolArray, FloatArray, student_quantile, student_tail

CORRECTION = 0.5
"""Added to all four counts where one is 0 (Haldane and Anscombe), so that no odds are 0 or infinite."""


@dataclass(frozen=True)
class Disparity:
    """The log disparity of subgroups: the log odds of deviating minus those of the others (Eq. 3).

    Args:
        value: Above 0 where a subgroup has more deviations, shape (...).
        error: Its standard error (Woolf 1955), or that by cluster.
        corrected: Whether counts were corrected, because one of them was 0.
        freedom: Degrees of freedom of t; None: the distribution is normal.
    """

    value: FloatArray
    error: FloatArray
    corrected: BoolArray
    freedom: FloatArray | None = None

    @property
    def p_value(self) -> FloatArray:
        """The p value of the two-sided test that the disparity is 0; NaN where no error is known."""
        known = self.error > 0.0
        z = np.divide(np.abs(self.value), self.error, out=np.full(self.error.shape, np.nan), where=known)
        tail = norm.sf(z) if self.freedom is None else student_tail(z, self.freedom)
        return np.asarray(2.0 * tail, dtype=np.float64)

    def with_error(self, error: FloatArray, freedom: FloatArray) -> "Disparity":
        """Return the disparity with another error and degrees of freedom.

        Corrected counts keep their error, except in a single cluster, which cannot show an error.
        """
        chosen = np.where(self.corrected & (freedom > 0), self.error, error)
        return Disparity(self.value, chosen, self.corrected, np.maximum(freedom, 1.0))

    def interval(self, level: float) -> tuple[FloatArray, FloatArray]:
        """Return the lower and upper ends of the confidence intervals of this level."""
        one_side = 0.5 + level / 2.0
        quantile = norm.ppf(one_side) if self.freedom is None else student_quantile(one_side, self.freedom)
        reach = quantile * self.error
        return self.value - reach, self.value + reach


def log_disparity(
    deviations: ArrayLike, prompts: ArrayLike, others_deviations: ArrayLike, others_prompts: ArrayLike
) -> Disparity:
    """Return the log disparity of subgroups against others.

    The counts, of shape (...), are numbers of prompts in which the model deviates, and of all prompts, on each side.

    >>> apart = log_disparity(8, 20, 10, 80)
    >>> [round(float(each), 4) for each in (apart.value, apart.error, *apart.interval(0.95), apart.p_value)]
    [1.5404, 0.568, 0.4272, 2.6537, 0.0067]
    """
    inside, all_inside, outside, all_outside = (
        np.asarray(each, dtype=np.float64) for each in (deviations, prompts, others_deviations, others_prompts)
    )
    for some, every in ((inside, all_inside), (outside, all_outside)):
        if not ((some >= 0) & (some <= every) & (every > 0)).all():
            raise BvfError("deviations are below 0 or more than the prompts, or there is no prompt")
    table = np.stack(np.broadcast_arrays(inside, all_inside - inside, outside, all_outside - outside))
    corrected = (table == 0).any(axis=0)
    table = table + CORRECTION * corrected
    logs = np.log(table)
    return Disparity(logs[0] - logs[1] - logs[2] + logs[3], np.sqrt((1.0 / table).sum(axis=0)), corrected)


def difference_of_means(of_subgroups: Iterable[FloatArray], of_others: Iterable[FloatArray]) -> Disparity:
    """Return the mean outcome of subgroups minus that of others, and its standard error (unequal variances).

    Each side has numbers of prompts, sums of their outcomes, and sums of the squares of these, shape (...).
    """
    mean, error = _mean(*of_subgroups)
    others_mean, others_error = _mean(*of_others)
    return Disparity(mean - others_mean, np.sqrt(error + others_error), np.zeros(mean.shape, dtype=bool))


def _mean(rows: FloatArray, sums: FloatArray, squares: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The mean and its squared standard error (NaN for one row)."""
    mean = sums / rows
    spread = np.maximum(squares - rows * mean**2, 0.0)
    return mean, np.divide(spread, rows * (rows - 1), out=np.full(rows.shape, np.nan), where=rows > 1)


def checked_target(target: float, is_number: bool) -> float:
    """Return C, the rate that is wanted: a share, or any finite number where the outcome is a number."""
    return float(checked_number(target, Finite if is_number else Share, "--target"))


def distance_to(rates: ArrayLike, target: float = 0.0) -> float:
    """Return DM (Eq. 4), the mean distance of the subgroups' deviation rates from a target C.

    It is the integral of |Q(p) - C| over p, Q the quantiles of the rates: their Wasserstein distance from C. All
    subgroups weigh the same, whatever their size.

    >>> round(distance_to([0.1, 0.2, 0.6, 0.9]), 2), round(distance_to([0.1, 0.2, 0.6, 0.9], 0.5), 2)
    (0.45, 0.3)
    """
    of_subgroups = np.asarray(rates, dtype=np.float64)
    if not of_subgroups.size:
        raise BvfError("there is no subgroup, and so no distance of rates from a target")
    return float(np.abs(of_subgroups - target).mean())
