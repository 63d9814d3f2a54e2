"""The three reference models as rows: they give a scale to the models below them."""

from dataclasses import dataclass

import numpy as np

from bvf import risk
from bvf.arrays import FloatArray
from bvf.criterion import Criterion
from bvf.plan import Plan


@dataclass(frozen=True)
class ReferenceRow:
    """R, R^b and R^v of a reference model, in the limit of infinitely many contexts."""

    name: str
    R: float
    R_bias: float
    R_volatility: float


def reference_rows(laid_out: Plan) -> list[ReferenceRow]:
    """Return the rows of Table 1 for the plan's groups, reference p*, criterion and scale.

    The unbiased and the stereotyped model do not depend on the context. The random one draws a class from p* in
    every context, so its mean prediction tends to p*: R^b tends to the risk of p*, which is 0.
    """
    criterion = laid_out.criterion
    if not isinstance(criterion, Criterion):
        return []
    p_star = laid_out.reference
    certain = np.eye(p_star.shape[1])
    least_likely = certain[p_star.argmin(axis=1)]
    unbiased, stereotyped = _risk(laid_out, criterion, p_star), _risk(laid_out, criterion, least_likely)
    of_each_class = [
        _risk(laid_out, criterion, np.broadcast_to(certain[y], p_star.shape)).r * p_star[:, y]
        for y in range(len(certain))
    ]
    R_random = float(laid_out.group_weights @ np.sum(of_each_class, axis=0))
    return [
        ReferenceRow("ideally unbiased", unbiased.R, unbiased.R_bias, unbiased.R_volatility),
        ReferenceRow("stereotyped", stereotyped.R, stereotyped.R_bias, stereotyped.R_volatility),
        ReferenceRow("randomly stereotyped *", R_random, unbiased.R_bias, R_random - unbiased.R_bias),
    ]


LIMIT_NOTE = "* in the limit of infinitely many contexts; `bvf run --model baseline:random` shows it on finitely many"


def _risk(laid_out: Plan, criterion: Criterion, probabilities: FloatArray) -> risk.Risk:
    """The risk of a model that gives each group the same (X, Y) probabilities in every context."""
    return risk.decompose_risk(
        probabilities[:, np.newaxis, :],
        criterion,
        group_weights=laid_out.group_weights,
        reference=laid_out.reference,
        scale=laid_out.config.scale,
    )
