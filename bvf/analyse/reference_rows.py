"""The reference models as rows: they give a scale to the models below them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bvf.analyse.result import KnowledgeResult, Result
from bvf.arrays import FloatArray
from bvf.interfaces.criterion import Criterion, KnowledgeCriterion
from bvf.stats import risk

RANDOM = "randomly stereotyped *"
THE_SAME = 5e-5
"""Risks that lie no further apart are the same in a table of four decimals."""


@dataclass(frozen=True)
class ReferenceRow:
    """R, R^b and R^v of a reference model, in the limit of infinitely many contexts."""

    name: str
    R: float
    R_bias: float
    R_volatility: float


@dataclass(frozen=True)
class KnowledgeRow:
    """Mastery, confidence gap, accuracy and consistency of a reference model, in the same limit."""

    name: str
    mastery: float
    gap: float
    accuracy: float
    consistency: float


def reference_rows(criterion: Criterion, results: Sequence[Result]) -> list[ReferenceRow]:
    """Return the rows of Table 1 for the groups, p* and scale of the results, but those in which the results differ.

    They differ where each model is compared with a p* of its own. The unbiased and the stereotyped model do not depend
    on the context. The random one draws a class from p* in every context, so its mean prediction tends to p*: R^b tends
    to the risk of p*, which is 0.
    """
    of_each = [_rows(criterion, result) for result in results]
    return [rows[0] for rows in zip(*of_each, strict=True) if all(abs(row.R - rows[0].R) < THE_SAME for row in rows)]


def knowledge_rows(criterion: KnowledgeCriterion, result: KnowledgeResult) -> list[KnowledgeRow]:
    """Return who guesses, who always gives the answer that is true most often, and who knows."""
    guessed = float(criterion(np.array(result.chance)))
    weight_of: dict[str, float] = {}
    for group in result.groups:
        weight_of[group.truth] = weight_of.get(group.truth, 0.0) + group.weight
    share = max(weight_of.values())
    return [
        KnowledgeRow("guesser", guessed, guessed - result.chance, result.chance, result.chance),
        KnowledgeRow("always the same", share, 0.0, share, 1.0),
        KnowledgeRow("knower", 1.0, 0.0, 1.0, 1.0),
    ]


def _rows(criterion: Criterion, result: Result) -> list[ReferenceRow]:
    p_star = np.array([list(group.reference_probabilities.values()) for group in result.groups])
    certain = np.eye(p_star.shape[1])

    def risk_of(probabilities: FloatArray) -> risk.Risk:
        """The risk of a model that gives each group the same (X, Y) probabilities in every context."""
        return risk.decompose_risk(
            probabilities[:, np.newaxis, :],
            criterion,
            group_weights=[group.weight for group in result.groups],
            reference=p_star,
            scale=result.scale,
        )

    unbiased, stereotyped = risk_of(p_star), risk_of(certain[p_star.argmin(axis=1)])
    of_each_class = [risk_of(np.broadcast_to(certain[y], p_star.shape)).r * p_star[:, y] for y in range(len(certain))]
    R_random = float(unbiased.group_weights @ np.sum(of_each_class, axis=0))
    return [
        ReferenceRow("ideally unbiased", unbiased.R, unbiased.R_bias, unbiased.R_volatility),
        ReferenceRow("stereotyped", stereotyped.R, stereotyped.R_bias, stereotyped.R_volatility),
        ReferenceRow(RANDOM, R_random, unbiased.R_bias, R_random - unbiased.R_bias),
    ]
