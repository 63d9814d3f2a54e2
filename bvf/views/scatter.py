"""Volatility against bias of each group."""

from dataclasses import dataclass

import numpy as np

from bvf.analyses.explain.shapes import spearman
from bvf.analyses.explain.sides import leading, sides_decide
from bvf.analyses.risk.result import risk_only
from bvf.arrays import FloatArray, IntArray
from bvf.results.result import ResultBase
from bvf.views.values import Value, level_of, value_of


@dataclass(frozen=True)
class Scatter:
    """r^b and r^v of groups, in the order of the result.

    Args:
        model: The model that has the risks.
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
        spearman: Rank correlation of r^v with r^b; None: one of them is the same for all groups.
        sides_decide: Whether groups are volatile only in so far as they change sides.
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
    spearman: float | None = None
    sides_decide: bool = False


def scatter(result: ResultBase) -> Scatter:
    """Return volatility against bias of each group.

    Raises:
        BvfError: It is no result of risk.
    """
    of_risk = risk_only(result)
    groups = of_risk.groups
    r_bias, r_volatility = (np.array([getattr(group, name) for group in groups]) for name in ("r_bias", "r_volatility"))
    return Scatter(
        model=of_risk.model,
        topic=of_risk.topic,
        classes=tuple(groups[0].mean_probabilities),
        groups=tuple(group.group for group in groups),
        weights=np.array([group.weight for group in groups]),
        r_bias=r_bias,
        r_volatility=r_volatility,
        bias=tuple(value_of(group, "r_bias") for group in groups),
        volatility=tuple(value_of(group, "r_volatility") for group in groups),
        leads=np.array([leading(group) for group in groups], dtype=np.intp),
        contexts=of_risk.number_of_contexts,
        level=level_of(of_risk),
        spearman=spearman(r_bias, r_volatility),
        sides_decide=sides_decide(of_risk),
    )
