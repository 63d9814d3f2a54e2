"""The heat map of what a model knows: the probability of the true answer by subject and wording."""

from dataclasses import dataclass, replace
from itertools import chain
from typing import ClassVar

import numpy as np

from bvf import ResultBase
from bvf.drawing import (
    MISSING,
    ColumnNames,
    MarkedPicture,
    Marks,
    Matrix,
    RowNames,
    caption_of,
    groups_shown,
    shown_name,
    whole_name,
)
from bvf.interfaces import Columns
from bvf.results import name_of
from bvf.stats import FloatArray
from bvf.tables import counted, ends
from bvf_knowledge.pictures.truths import Truths, truths_of
from bvf_knowledge.result import knowledge_only

NAMED_COLUMNS, LONGEST_NAME = 30, 1.9
BELOW, NAMES_BELOW, LOWEST = 0.4, 1.6, 1.6
"""Inches below the cells without names of wordings and with them, and the least height of the cells."""
NO_BRACKETS = str.maketrans("", "", "[]")
TRUE = "probability of the true answer"


@dataclass(frozen=True)
class Wordings(MarkedPicture):
    """The picture of how probable the true answer of each subject is in each wording, best known on top and left."""

    kind: ClassVar[str] = "wordings"
    title: ClassVar[str] = "What is known in which wording"
    wide: ClassVar[Columns] = 2
    limited: ClassVar[bool] = True

    model: str
    topic: str
    subjects: tuple[str, ...]  # X, in order
    wordings: tuple[str, ...]  # C, in order
    p: FloatArray  # of the true answer, (X, C); NaN: no answer
    show: int = 0  # number of subjects from both ends of their order; 0: all

    def with_ends(self, show: int) -> "Wordings":
        return replace(self, show=show)

    @property
    def rows(self) -> list[int]:
        """The indices of the subjects that are drawn."""
        return list(chain(*ends(range(len(self.subjects)), self.show)))

    def caption(self) -> str:
        means = _means(self.p)
        best, worst = (f"{shown_name(self.wordings[c].translate(NO_BRACKETS))} ({means[c]:.2f})" for c in (0, -1))
        missing, subjects = int(np.isnan(self.p).sum()), groups_shown(len(self.rows), len(self.subjects), "subject")
        return caption_of(
            f"How probable the true answer is to {whole_name(self.model)} in each wording of {shown_name(self.topic)}: "
            f"{subjects} by {counted(len(self.wordings), 'wording')}.",
            f"Wordings stand by their mean over all subjects, from {best} to {worst}.",
            f"{counted(missing, 'prompt')} without an answer." if missing else "",
        )

    def marks(self) -> Marks:
        """A cell for each subject and wording, darker for a more probable true answer."""
        rows = self.rows
        cells = Matrix(
            self.p[rows], (0.0, 1.0), TRUE, missing=MISSING, texts=[self.wordings] * len(rows),
            hover="%{customdata}<br>p %{z}",
        )  # fmt: skip
        below = f"{len(self.wordings)} wordings, by their mean"
        across = ColumnNames(self.wordings, LONGEST_NAME, below, NAMED_COLUMNS, NAMES_BELOW, LOWEST)
        names = [self.subjects[x] for x in rows]
        return Marks([cells], across, RowNames(names, len(self.subjects), edges=BELOW), grid="")


def wordings(result: ResultBase, truths: Truths | None = None) -> Wordings:
    """Return the picture of all subjects of a result of knowledge; ``truths`` are read if they are not given."""
    of_knowledge = knowledge_only(result)
    read = truths or truths_of(of_knowledge)
    order = np.argsort(-_means(read.p), kind="stable")
    return Wordings(
        model=name_of(of_knowledge),
        topic=of_knowledge.topic,
        subjects=read.subjects,
        wordings=tuple(read.wordings[c] for c in order),
        p=read.p[:, order],
    )


def _means(p: FloatArray) -> FloatArray:
    """The mean over the subjects with an answer, shape (C,); 0 where there is none."""
    means: FloatArray = np.nansum(p, axis=0) / np.maximum(np.isfinite(p).sum(axis=0), 1)
    return means
