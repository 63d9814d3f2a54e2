"""The reference models as rows: they give a scale to the models below them."""

import numpy as np

from bvf.analyses.risk.result import ReferenceRow
from bvf.arrays import FloatArray
from bvf.domain.scale import Scale
from bvf.interfaces.criterion import Criterion
from bvf.stats.probabilities import mean_probabilities
from bvf.stats.risk import Risk, criterion_for, decompose_risk

RANDOM = "randomly stereotyped *"


def reference_rows(
    criterion: Criterion, group_weights: FloatArray, context_weights: FloatArray, p_star: FloatArray, scale: Scale
) -> tuple[ReferenceRow, ...]:
    """Return the rows of Table 1 for some groups.

    The unbiased model answers p*. The stereotyped one is certain of one class in every context: that which is least
    likely under the mean of p* over contexts. The random one draws a class from p* in every context, so its mean
    stereotype tends to 0: R^b tends to the risk of p*, which is 0.

    Args:
        criterion: J.
        group_weights: P(X), shape (X,).
        context_weights: P(C), shape (C,).
        p_star: p*, shape (X, 1, Y) or (X, C, Y).
        scale: That of the result.
    """
    weights = context_weights if p_star.shape[1] > 1 else np.ones(1)
    certain = np.eye(p_star.shape[2])

    def risk_of(probabilities: FloatArray) -> Risk:
        """The risk of a model with probabilities that broadcast to the shape of p*."""
        p = np.broadcast_to(probabilities, p_star.shape)
        return decompose_risk(
            p, criterion, context_weights=weights, group_weights=group_weights, reference=p_star, scale=scale
        )

    mean = mean_probabilities(p_star, weights)
    unbiased, stereotyped = risk_of(p_star), risk_of(certain[mean.argmin(axis=1)][:, np.newaxis])
    J = criterion_for(criterion, p_star)
    drawn = np.sum([p_star[..., y] * J(certain[y] / p_star - 1.0) for y in range(len(certain))], axis=0)
    R_random = float(unbiased.group_weights @ (drawn @ (weights / weights.sum()))) / unbiased.divisor
    return (
        _row("ideally unbiased", unbiased.R, unbiased.R_bias, unbiased.R_volatility),
        _row("stereotyped", stereotyped.R, stereotyped.R_bias, stereotyped.R_volatility),
        _row(RANDOM, R_random, unbiased.R_bias, R_random - unbiased.R_bias),
    )


def _row(name: str, R: float, R_bias: float, R_volatility: float) -> ReferenceRow:
    return ReferenceRow(name=name, R=R, R_bias=R_bias, R_volatility=R_volatility)
