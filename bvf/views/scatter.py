"""Volatility against bias of each group."""

from dataclasses import dataclass

import numpy as np

from bvf.analysing.result import ResultBase, risk_only
from bvf.arrays import FloatArray, IntArray
from bvf.views.leanings import leading
from bvf.views.values import Value, level_of, value_of


@dataclass(frozen=True)
class Scatter:
    """r^b and r^v of groups, in the order of the result.

    Args:
        model: Whose risks they are.
        topic: Of the groups.
        classes: Y.
        groups: X.
        weights: P(x), shape (X,).
        r_bias: r^b, shape (X,).
        r_volatility: r^v, shape (X,).
        bias: r^b with intervals, length X.
        volatility: r^v with intervals, length X.
        leads: Index of the class that each leans to on average, shape (X,).
        contexts: How many contexts there are.
        level: Of the intervals; None: there are none.
    """

    model: str
    topic: str
    classes: tuple[str, ...]
    groups: tuple[str, ...]
    weights: FloatArray
    r_bias: FloatArray
    r_volatility: FloatArray
    bias: tuple[Value, ...]
    volatility: tuple[Value, ...]
    leads: IntArray
    contexts: int
    level: float | None


def scatter(result: ResultBase) -> Scatter:
    """Return volatility against bias of each group.

    Raises:
        BvfError: It is no result of risk.
    """
    of_risk = risk_only(result)
    groups = of_risk.groups
    return Scatter(
        model=of_risk.model,
        topic=of_risk.topic,
        classes=tuple(groups[0].mean_probabilities),
        groups=tuple(group.group for group in groups),
        weights=np.array([group.weight for group in groups]),
        r_bias=np.array([group.r_bias for group in groups]),
        r_volatility=np.array([group.r_volatility for group in groups]),
        bias=tuple(value_of(group, "r_bias") for group in groups),
        volatility=tuple(value_of(group, "r_volatility") for group in groups),
        leads=np.array([leading(group) for group in groups], dtype=np.intp),
        contexts=of_risk.number_of_contexts,
        level=level_of(of_risk),
    )
