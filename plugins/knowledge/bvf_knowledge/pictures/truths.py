"""The probability of the true answer of each subject in each wording, which two pictures show."""

from dataclasses import dataclass

import numpy as np

from bvf.results import predictions_of
from bvf.stats import FloatArray, among_candidates
from bvf_knowledge.result import KnowledgeResult
from bvf_knowledge.stats.distractors import draw_candidates


@dataclass(frozen=True)
class Truths:
    """What a model gives the true answers, best known subjects first.

    Args:
        subjects: Names of the X subjects, with their glosses.
        wordings: Texts of the C wordings.
        p: p of the true answer among the candidates, shape (X, C); NaN where there is no answer.
        weights: P(C) of each subject, shape (X, C); 0 where there is no answer.
    """

    subjects: tuple[str, ...]
    wordings: tuple[str, ...]
    p: FloatArray
    weights: FloatArray

    @property
    def of_subjects(self) -> FloatArray:
        """The mean of p over the wordings of each subject, shape (X,)."""
        mean: FloatArray = (np.nan_to_num(self.p) * self.weights).sum(axis=1)
        return mean


def truths_of(result: KnowledgeResult) -> Truths:
    """Return p of the true answers, read from the folder of a result.

    Raises:
        BvfError: The folder is gone.
    """
    read = predictions_of(result)
    truth = np.array([read.classes.index(group.truth) for group in result.groups], dtype=np.intp)
    p = read.probabilities
    if result.distractors:
        names = [group.group for group in result.groups]
        p = among_candidates(p, draw_candidates(names, truth, p.shape[2], result.distractors, result.seed))
    order = sorted(range(len(result.groups)), key=lambda x: -result.groups[x].mastery)
    return Truths(
        subjects=tuple(f"{result.groups[x].group} {result.groups[x].gloss}".strip() for x in order),
        wordings=read.contexts,
        p=p[np.arange(len(truth)), :, truth][order],
        weights=read.weights_of_group[order],
    )
