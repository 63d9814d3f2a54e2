"""Makes the data frames of `bvf.Result.risks` and `bvf.Result.tails`."""

import numpy as np
import pandas as pd

from bvf.errors import BvfError
from bvf.interfaces.criterion import Criterion
from bvf.stats.figures.probabilities import mean_over_contexts
from bvf.stats.figures.risk import criterion_for
from bvf.study.predictions import Predictions


def risk_frame(predictions: Predictions, criterion: Criterion, divisor: float) -> pd.DataFrame:
    """Return a data frame with a row per group and context: the context's weight and the risk J(s) / divisor.

    After thoughts, the risk is the mean over them.
    """
    J = criterion_for(criterion, predictions.reference)
    s = predictions.stereotypes
    towards = J.towards(mean_over_contexts(s, predictions.weights_of_group)[:, np.newaxis])
    risks = predictions.basis.mean_of(towards, predictions.probabilities, predictions.reference) / divisor
    return pd.DataFrame(
        {
            "group": np.repeat(predictions.group_names, len(predictions.contexts)),
            "context": np.tile(predictions.contexts, len(predictions.group_names)),
            "weight": np.tile(predictions.context_weights, len(predictions.group_names)),
            "risk": risks.ravel(),
        }
    )


def tail_frame(predictions: Predictions, threshold: float) -> pd.DataFrame:
    """Return a data frame with a row per group and class: shares of contexts with s < -threshold and s > threshold."""
    if not threshold >= 0.0:
        raise BvfError(f"a threshold of {threshold} for stereotypes", "write a number of 0 or more")
    s, weights = predictions.stereotypes, predictions.weights_of_group
    below, above = (mean_over_contexts(far.astype(np.float64), weights) for far in (s < -threshold, s > threshold))
    return pd.DataFrame(
        {
            "group": np.repeat(predictions.group_names, len(predictions.classes)),
            "attribute": np.tile(predictions.classes, len(predictions.group_names)),
            "below": below.ravel(),
            "above": above.ravel(),
        }
    )
