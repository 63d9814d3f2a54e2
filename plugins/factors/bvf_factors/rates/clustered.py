"""Rates with cluster-robust intervals. Answers to prompts of one cluster may depend on each other."""

from dataclasses import dataclass

import numpy as np

from bvf.arrays import BoolArray, FloatArray, IntArray
from bvf.stats.figures.quantiles import student_quantile

Ends = tuple[float, float]


@dataclass(frozen=True)
class Rates:
    """The rates of models, and the influence of each cluster on them.

    Args:
        values: The rate of each model over its prompts, shape (M,).
        influences: By how much each cluster moves the rate, shape (M, G); 0 where a model has no prompt.
        answered: Whether a model has prompts of a cluster, shape (M, G).
        are_shares: Outcomes are yes and no, so that rates are 0 to 1.
    """

    values: FloatArray
    influences: FloatArray
    answered: BoolArray
    are_shares: bool

    def interval(self, model: int, level: float) -> Ends | None:
        """Return the interval of the rate of a model; None if nothing varies between its clusters."""
        ends = _ends(float(self.values[model]), self.influences[model], self.answered[model], level)
        return (max(ends[0], 0.0), min(ends[1], 1.0)) if ends and self.are_shares else ends

    def difference(self, first: int, second: int, level: float) -> dict[str, float | None]:
        """Return the difference of two models' rates, and the ends of its interval. Models are paired by cluster."""
        value = float(self.values[first] - self.values[second])
        influences = self.influences[first] - self.influences[second]
        ends = _ends(value, influences, self.answered[first] | self.answered[second], level)
        return {"difference": value, **dict(zip(("low", "high"), ends or (None, None), strict=True))}


def rates_of(outcome: FloatArray, models: IntArray, clusters: IntArray, *, are_shares: bool) -> Rates:
    """Return the rates of models, from the outcome, the model and the cluster of each row."""
    shape = int(models.max()) + 1, int(clusters.max()) + 1
    place = models * shape[1] + clusters
    rows, sums = (np.bincount(place, of, shape[0] * shape[1]).reshape(shape) for of in (None, outcome))
    total = rows.sum(axis=1, keepdims=True)
    values = sums.sum(axis=1, keepdims=True) / total
    return Rates(values[:, 0], (sums - values * rows) / total, rows > 0, are_shares)


def _ends(value: float, influences: FloatArray, there: BoolArray, level: float) -> Ends | None:
    """The interval by Student's t. Degrees of freedom are one less than the clusters (Liang and Zeger 1986)."""
    clusters = int(np.count_nonzero(there))
    if clusters < 2 or np.allclose(influences, 0.0, atol=1e-12):
        return None
    error = np.sqrt(clusters / (clusters - 1) * (influences**2).sum())
    reach = float(student_quantile(0.5 + level / 2.0, clusters - 1) * error)
    return value - reach, value + reach
