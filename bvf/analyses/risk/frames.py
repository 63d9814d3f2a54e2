"""Results of risk as frames of pandas."""

import numpy as np
import pandas as pd

from bvf.errors import BvfError
from bvf.hooks.loader import Plugins, load
from bvf.interfaces.criterion import Criterion
from bvf.results.again import Distribution
from bvf.stats.probabilities import mean_over_contexts
from bvf.stats.risk import criterion_for


def risk_frame(predictions: Distribution, criterion_name: str, divisor: float, plugins: Plugins | None) -> pd.DataFrame:
    """Return what `bvf.Result.risks` does."""
    criterion = (plugins or load()).criteria.make(criterion_name)
    if not isinstance(criterion, Criterion):
        raise BvfError(f"{criterion_name} is no criterion of risk")
    J = criterion_for(criterion.for_classes(predictions.classes), predictions.p_star)
    mean = mean_over_contexts(predictions.s, predictions.weights_of_group)
    risks = J.towards(mean[:, np.newaxis])(predictions.s) / divisor
    return pd.DataFrame(
        {
            "group": np.repeat(predictions.groups, len(predictions.contexts)),
            "context": np.tile(predictions.contexts, len(predictions.groups)),
            "weight": np.tile(predictions.weights, len(predictions.groups)),
            "risk": risks.ravel(),
        }
    )


def tail_frame(predictions: Distribution, threshold: float) -> pd.DataFrame:
    """Return what `bvf.Result.tails` does."""
    if not threshold >= 0.0:
        raise BvfError(f"a threshold of {threshold} for stereotypes", "write a number of 0 or more")
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
