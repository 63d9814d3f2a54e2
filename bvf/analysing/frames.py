"""Results as frames of pandas."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from bvf.analysing.distribution import distribution_of
from bvf.analysing.result import Result, ResultBase
from bvf.errors import BvfError
from bvf.hooks.loader import Plugins, load
from bvf.interfaces.criterion import Criterion
from bvf.stats.probabilities import mean_over_contexts
from bvf.stats.risk import criterion_for


def stereotype_frame(result: ResultBase) -> pd.DataFrame:
    """Return what `bvf.Result.stereotypes` does."""
    found = distribution_of(result)
    s = found.s
    frames = [
        pd.DataFrame(
            {
                "group": group,
                "context": found.contexts,
                "weight": found.weights,
                "attribute": name,
                "probability": found.p[x, :, y],
                "stereotype": s[x, :, y],
            }
        )
        for x, group in enumerate(found.groups)
        for y, name in enumerate(found.classes)
    ]
    return pd.concat(frames, ignore_index=True)


def risk_frame(result: Result, plugins: Plugins | None) -> pd.DataFrame:
    """Return what `bvf.Result.risks` does."""
    found = distribution_of(result)
    criterion = (plugins or load()).criteria.make(result.criterion)
    if not isinstance(criterion, Criterion):
        raise BvfError(f"{result.criterion} is no criterion of risk")
    J = criterion_for(criterion.for_classes(found.classes), found.p_star)
    mean = mean_over_contexts(found.s, found.weights_of_group)
    risks = J.towards(mean[:, np.newaxis])(found.s) / result.divisor
    return pd.DataFrame(
        {
            "group": np.repeat(found.groups, len(found.contexts)),
            "context": np.tile(found.contexts, len(found.groups)),
            "weight": np.tile(found.weights, len(found.groups)),
            "risk": risks.ravel(),
        }
    )


def tail_frame(result: Result, threshold: float) -> pd.DataFrame:
    """Return what `bvf.Result.tails` does."""
    if not threshold >= 0.0:
        raise BvfError(f"a threshold of {threshold} for stereotypes", "write a number of 0 or more")
    found = distribution_of(result)
    s, weights = found.s, found.weights_of_group
    below, above = (mean_over_contexts(far.astype(np.float64), weights) for far in (s < -threshold, s > threshold))
    return pd.DataFrame(
        {
            "group": np.repeat(found.groups, len(found.classes)),
            "attribute": np.tile(found.classes, len(found.groups)),
            "below": below.ravel(),
            "above": above.ravel(),
        }
    )


def interval_frame(result: ResultBase) -> pd.DataFrame:
    """Return what `bvf.Result.intervals` does."""
    columns = ["group", "figure", "value", "low", "high", "cross_fit"]
    return pd.DataFrame(list(_intervals(result)), columns=columns)


def _intervals(result: ResultBase) -> Iterator[tuple[Any, ...]]:
    for group, holder, intervals in (
        ("", result, result.uncertainty.intervals),
        *((each.group, each, each.intervals) for each in result.groups),
    ):
        for figure, found in intervals.items():
            cross_fit = np.nan if found.cross_fit is None else found.cross_fit
            yield group, figure, getattr(holder, figure), found.low, found.high, cross_fit
