"""Results as frames of pandas."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from bvf.analysing.basis import counted
from bvf.analysing.margin import margin_of
from bvf.analysing.result import Result, ResultBase
from bvf.arrays import FloatArray
from bvf.errors import BvfError
from bvf.hooks.loader import Plugins, load
from bvf.interfaces.criterion import Criterion
from bvf.measuring.folder import read_measurement
from bvf.stats.probabilities import mean_over_contexts, normalised_context_weights
from bvf.stats.risk import criterion_for


@dataclass(frozen=True)
class _Distribution:
    """The predictions that a result rests on, read from its folder.

    Args:
        groups: X, those of the result.
        contexts: C.
        classes: Y.
        weights: P(C), shape (C,).
        p: p(y | x, c), shape (X, C, Y); NaN where it is missing.
        p_star: p*(y | x), shape (X, Y).
    """

    groups: tuple[str, ...]
    contexts: tuple[str, ...]
    classes: tuple[str, ...]
    weights: FloatArray
    p: FloatArray
    p_star: FloatArray

    @property
    def s(self) -> FloatArray:
        """Stereotypes (Eq. 1), shape (X, C, Y)."""
        stereotypes: FloatArray = self.p / self.p_star[:, np.newaxis] - 1.0
        return stereotypes

    @property
    def weights_of_group(self) -> FloatArray:
        """P(C) over the contexts that are there for each group, shape (X, C)."""
        return normalised_context_weights(self.weights, self.p)


def stereotype_frame(result: ResultBase) -> pd.DataFrame:
    """Return what `bvf.Result.stereotypes` does."""
    found = _distribution(result)
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
    found = _distribution(result)
    criterion = (plugins or load()).criteria.make(result.criterion)
    if not isinstance(criterion, Criterion):
        raise BvfError(f"{result.criterion} is no criterion of risk")
    J = criterion_for(criterion.for_classes(found.classes), found.p_star[:, np.newaxis])
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
    found = _distribution(result)
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


def _distribution(result: ResultBase) -> _Distribution:
    if result.folder is None or not result.folder.is_dir():
        raise BvfError("this result has no folder with probabilities", "read it with bvf.read_result(FOLDER)")
    measurement = read_measurement(result.folder, words=True)
    if measurement.record.digest != result.measurement:
        raise BvfError(f"{result.folder} holds another measurement than that of this result")
    asked, classes = counted(measurement.record.asked, measurement, result.words)
    margin = margin_of(asked, result.margin)
    names = tuple(group.group for group in result.groups)
    return _Distribution(
        groups=names,
        contexts=tuple(each.context.key for each in asked.in_order),
        classes=margin.classes,
        weights=asked.context_weights,
        p=margin.of(classes)[[asked.group_names.index(name) for name in names]],
        p_star=np.array([[each.reference_probabilities[name] for name in margin.classes] for each in result.groups]),
    )
