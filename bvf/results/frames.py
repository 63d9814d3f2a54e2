"""Results as frames of pandas."""

from collections.abc import Iterable, Mapping

import numpy as np
import pandas as pd

from bvf.study.predictions import Predictions
from bvf.study.uncertainty import Interval


def stereotype_frame(predictions: Predictions) -> pd.DataFrame:
    """Return what `bvf.Result.stereotypes` does."""
    s = predictions.stereotypes
    frames = [
        pd.DataFrame(
            {
                "group": group,
                "context": predictions.contexts,
                "weight": predictions.context_weights,
                "attribute": name,
                "probability": predictions.probabilities[x, :, y],
                "stereotype": s[x, :, y],
            }
        )
        for x, group in enumerate(predictions.group_names)
        for y, name in enumerate(predictions.classes)
    ]
    return pd.concat(frames, ignore_index=True)


def interval_frame(holders: Iterable[tuple[str, object, Mapping[str, Interval]]]) -> pd.DataFrame:
    """Return what `bvf.Result.intervals` does.

    Args:
        holders: The name of a group, or nothing for the whole result; what has the figures; their intervals.
    """
    rows = [
        (
            group,
            figure,
            getattr(holder, figure),
            each.low,
            each.high,
            np.nan if each.cross_fit is None else each.cross_fit,
        )
        for group, holder, intervals in holders
        for figure, each in intervals.items()
    ]
    return pd.DataFrame(rows, columns=["group", "figure", "value", "low", "high", "cross_fit"])
