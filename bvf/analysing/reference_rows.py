"""The reference models as rows: they give a scale to the models below them."""

import numpy as np

from bvf.analysing.result import KnowledgeRow, ReferenceRow
from bvf.arrays import FloatArray
from bvf.interfaces.criterion import Criterion, KnowledgeCriterion
from bvf.stats.risk import Risk, Scale, decompose_risk

RANDOM = "randomly stereotyped *"


def reference_rows(
    criterion: Criterion, group_weights: FloatArray, p_star: FloatArray, scale: Scale
) -> tuple[ReferenceRow, ...]:
    """Return the rows of Table 1 for some groups.

    The unbiased and the stereotyped model do not depend on the context. The random one draws a class from p* in every
    context, so its mean prediction tends to p*: R^b tends to the risk of p*, which is 0.

    Args:
        criterion: J.
        group_weights: P(X), shape (X,).
        p_star: p*(y | x), shape (X, Y).
        scale: That of the result.
    """
    certain = np.eye(p_star.shape[1])

    def risk_of(probabilities: FloatArray) -> Risk:
        """The risk of a model that gives each group the same (X, Y) probabilities in every context."""
        return decompose_risk(
            probabilities[:, np.newaxis, :], criterion, group_weights=group_weights, reference=p_star, scale=scale
        )

    unbiased, stereotyped = risk_of(p_star), risk_of(certain[p_star.argmin(axis=1)])
    of_each_class = [risk_of(np.broadcast_to(certain[y], p_star.shape)).r * p_star[:, y] for y in range(len(certain))]
    R_random = float(unbiased.group_weights @ np.sum(of_each_class, axis=0))
    return (
        _row("ideally unbiased", unbiased.R, unbiased.R_bias, unbiased.R_volatility),
        _row("stereotyped", stereotyped.R, stereotyped.R_bias, stereotyped.R_volatility),
        _row(RANDOM, R_random, unbiased.R_bias, R_random - unbiased.R_bias),
    )


def knowledge_rows(criterion: KnowledgeCriterion, chance: float, share: float) -> tuple[KnowledgeRow, ...]:
    """Return who guesses, who always gives the answer that is true most often, and who knows.

    Args:
        criterion: J.
        chance: Probability of the true answer for who guesses.
        share: Weight of the subjects that have the most frequent true answer.
    """
    guessed = float(criterion(np.array(chance)))
    rows = (
        ("guesser", guessed, guessed - chance, chance, chance),
        ("always the same", share, 0.0, share, 1.0),
        ("knower", 1.0, 0.0, 1.0, 1.0),
    )
    return tuple(
        KnowledgeRow(name=name, mastery=mastery, gap=gap, accuracy=accuracy, consistency=consistency)
        for name, mastery, gap, accuracy, consistency in rows
    )


def _row(name: str, R: float, R_bias: float, R_volatility: float) -> ReferenceRow:
    return ReferenceRow(name=name, R=R, R_bias=R_bias, R_volatility=R_volatility)
