"""The effect of each row of a table: its difference from the mean of the other rows, column by column.

Rows are wordings and columns subjects, or the other way round. All columns are in both means: differences are paired.
"""

from dataclasses import dataclass

import numpy as np

from bvf.stats import NO_ERROR, ContextSample, FloatArray, holm


@dataclass(frozen=True)
class Effects:
    """Of each row: its mean, its difference from the mean of the other rows, the interval, and p by Holm, (R,) each.

    The interval and p are None where columns are no sample.
    """

    means: FloatArray
    differences: FloatArray
    low: FloatArray | None = None
    high: FloatArray | None = None
    adjusted_p: FloatArray | None = None


def effects_of_rows(
    values: FloatArray, row_weights: FloatArray, column_weights: FloatArray, sample: ContextSample | None, level: float
) -> Effects:
    """Return the effects of the rows of a table, two rows or more, with no value missing.

    Args:
        values: A score from 0 to 1 for each row and column, shape (R, K).
        row_weights: Weights of rows, shape (R,), each above 0.
        column_weights: Weights of columns, shape (K,), sums to 1.
        sample: The columns as a sample; None: there are no tests.
        level: Level of the intervals, such as 0.95.
    """
    of_all, total = row_weights @ values, row_weights.sum()
    own = row_weights[:, np.newaxis]
    apart = values - (of_all - own * values) / (total - own)
    means, differences = values @ column_weights, apart @ column_weights
    if sample is None:
        return Effects(means, differences)
    influence = apart - differences[:, np.newaxis]
    errors, (below, above) = sample.standard_errors(influence), sample.margins(influence, level)
    p_values = np.where(
        errors > NO_ERROR,
        sample.p_values(differences, influence),
        (np.abs(differences) <= NO_ERROR).astype(np.float64),
    )
    low, high = np.maximum(differences - below * errors, -1.0), np.minimum(differences + above * errors, 1.0)
    return Effects(means, differences, low, high, holm(p_values))
