"""Risks of the reference models: unbiased, stereotyped, random."""

from collections.abc import Sequence

import numpy as np

from bvf.analyses.risk.result import ReferenceRow, Result
from bvf.arrays import FloatArray
from bvf.domain.scale import Scale
from bvf.interfaces.criterion import Criterion
from bvf.stats.figures.probabilities import mean_probabilities
from bvf.stats.figures.risk import Risk, criterion_for, decompose_risk
from bvf.study.study import RISK
from bvf.tables.words import NOTHING

RANDOM = "randomly stereotyped *"


def reference_rows(
    criterion: Criterion, group_weights: FloatArray, context_weights: FloatArray, p_star: FloatArray, scale: Scale
) -> tuple[ReferenceRow, ...]:
    """Return the reference models of the paper's Table 1, for p* of shape (X, 1, Y) or (X, C, Y).

    The unbiased model predicts p*. The stereotyped one is certain of the same class in every context: the least likely
    one under the mean of p* over contexts. The random one is certain of a class drawn from p* in every context, so in
    the limit of infinitely many contexts its mean stereotype is 0, and so is R^b.
    """
    weights = context_weights if p_star.shape[1] > 1 else np.ones(1)
    certain = np.eye(p_star.shape[2])

    def risk_of(probabilities: FloatArray) -> Risk:
        p = np.broadcast_to(probabilities, p_star.shape)
        return decompose_risk(
            p, criterion, context_weights=weights, group_weights=group_weights, reference=p_star, scale=scale
        )

    mean = mean_probabilities(p_star, weights)
    unbiased, stereotyped = risk_of(p_star), risk_of(certain[mean.argmin(axis=1)][:, np.newaxis])
    J = criterion_for(criterion, p_star)
    drawn = np.sum([p_star[..., y] * J(certain[y] / p_star - 1.0) for y in range(len(certain))], axis=0)
    R_random = float(unbiased.group_weights @ (drawn @ (weights / weights.sum()))) / unbiased.divisor
    rows = (
        ("ideally unbiased", unbiased.R, unbiased.R_bias, unbiased.R_volatility),
        ("stereotyped", stereotyped.R, stereotyped.R_bias, stereotyped.R_volatility),
        (RANDOM, R_random, unbiased.R_bias, R_random - unbiased.R_bias),
    )
    return tuple(
        ReferenceRow(name=name, R=R, R_bias=R_bias, R_volatility=R_volatility) for name, R, R_bias, R_volatility in rows
    )


def shared_references(results: Sequence[Result]) -> list[ReferenceRow]:
    """Return the rows of reference models that all results share. Results with different p* have different rows."""
    return [
        rows[0]
        for rows in zip(*(result.references for result in results), strict=True)
        if all(abs(getattr(row, name) - getattr(rows[0], name)) < NOTHING for row in rows for name in RISK)
    ]
