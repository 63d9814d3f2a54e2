"""The kinds of pictures of knowledge: for ``bvf plot``, and as functions of `bvf.plot`.

`bvf.plot` adds ``ax`` and ``columns`` to the parameters of each method ``of``.
"""

from collections.abc import Sequence

from bvf import Picture, PictureKind, ResultBase
from bvf.interfaces import ROWS_SHOWN
from bvf_knowledge.pictures.confidence import Confidence, Mastery, confidence, mastery
from bvf_knowledge.pictures.subjects import Subjects, subjects
from bvf_knowledge.pictures.truths import Certainty, Wordings, certainty, wordings


class MasteryKind(PictureKind):
    """A point per relation and model: the confidence gap (vertical) against mastery (horizontal)."""

    picture = Mastery
    of_several = True

    def of(self, results: ResultBase | Sequence[ResultBase]) -> Picture:
        return mastery([results] if isinstance(results, ResultBase) else results)


class ConfidenceKind(PictureKind):
    """For each model the share of subjects that it answers rightly in at least a share of wordings."""

    picture = Confidence
    of_several = True

    def of(self, results: ResultBase | Sequence[ResultBase]) -> Picture:
        return confidence([results] if isinstance(results, ResultBase) else results)


class SubjectsKind(PictureKind):
    """A row per subject with its mastery, best known first, and the wrong answer that a model gives."""

    picture = Subjects

    def of(self, result: ResultBase, *, show: int = ROWS_SHOWN) -> Picture:
        return subjects(result).with_ends(show)


class CertaintyKind(PictureKind):
    """A row per subject with the distribution over wordings of the probability of its true answer."""

    picture = Certainty

    def of(self, result: ResultBase, *, show: int = ROWS_SHOWN) -> Picture:
        return certainty(result).with_ends(show)


class WordingsKind(PictureKind):
    """A matrix of subjects (rows) and wordings (columns), darker for a more probable true answer."""

    picture = Wordings

    def of(self, result: ResultBase, *, show: int = ROWS_SHOWN) -> Picture:
        return wordings(result).with_ends(show)
