"""Reference models of knowledge."""

import numpy as np

from bvf.analyses.knowledge.result import KnowledgeRow
from bvf.interfaces.criterion import KnowledgeCriterion


def knowledge_rows(criterion: KnowledgeCriterion, chance: float, share: float) -> tuple[KnowledgeRow, ...]:
    """Return three rows: who guesses, who always gives the most frequent true answer, and who knows.

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
