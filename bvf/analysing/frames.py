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
    predictions = distribution_of(result)
    s = predictions.s
    frames = [
        pd.DataFrame(
            {
                "group": group,
                "context": predictions.contexts,
                "weight": predictions.weights,
                "attribute": name,
                "probability": predictions.p[x, :, y],
                "stereotype": s[x, :, y],
            }
        )
        for x, group in enumerate(predictions.groups)
        for y, name in enumerate(predictions.classes)
    ]
    return pd.concat(frames, ignore_index=True)


def risk_frame(result: Result, plugins: Plugins | None) -> pd.DataFrame:
    """Return what `bvf.Result.risks` does."""
    predictions = distribution_of(result)
    criterion = (plugins or load()).criteria.make(result.criterion)
    if not isinstance(criterion, Criterion):
        raise BvfError(f"{result.criterion} is no criterion of risk")
    J = criterion_for(criterion.for_classes(predictions.classes), predictions.p_star)
    mean = mean_over_contexts(predictions.s, predictions.weights_of_group)
    risks = J.towards(mean[:, np.newaxis])(predictions.s) / result.divisor
    return pd.DataFrame(
        {
            "group": np.repeat(predictions.groups, len(predictions.contexts)),
            "context": np.tile(predictions.contexts, len(predictions.groups)),
            "weight": np.tile(predictions.weights, len(predictions.groups)),
            "risk": risks.ravel(),
        }
    )


def tail_frame(result: Result, threshold: float) -> pd.DataFrame:
    """Return what `bvf.Result.tails` does."""
    if not threshold >= 0.0:
        raise BvfError(f"a threshold of {threshold} for stereotypes", "write a number of 0 or more")
    predictions = distribution_of(result)
    s, weights = predictions.s, predictions.weights_of_group
    below, above = (mean_over_contexts(far.astype(np.float64), weights) for far in (s < -threshold, s > threshold))
    return pd.DataFrame(
        {
            "group": np.repeat(predictions.groups, len(predictions.classes)),
            "attribute": np.tile(predictions.classes, len(predictions.groups)),
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
        for figure, interval in intervals.items():
            cross_fit = np.nan if interval.cross_fit is None else interval.cross_fit
            yield group, figure, getattr(holder, figure), interval.low, interval.high, cross_fit
