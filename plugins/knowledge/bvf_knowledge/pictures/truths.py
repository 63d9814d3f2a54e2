"""Pictures of the probability of the true answer of each subject: over wordings, and in each wording."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bvf import ResultBase
from bvf.drawing import (
    INK,
    MISSING,
    Axis,
    ColumnNames,
    Dots,
    Line,
    Mark,
    Marks,
    Matrix,
    RowNames,
    Rule,
    caption_of,
    groups_shown,
    segments,
    shown_name,
    whole_name,
)
from bvf.interfaces import Columns
from bvf.results import name_of, predictions_of
from bvf.stats import FloatArray, IntArray, among_candidates, weighted_quantile
from bvf.tables import counted
from bvf_knowledge.pictures.subjects import OfSubjects, named_with_gloss
from bvf_knowledge.result import KnowledgeResult, knowledge_only
from bvf_knowledge.stats.candidates import draw_candidates
from bvf_knowledge.stats.knowledge import true_probabilities

QUANTILES = (0.05, 0.25, 0.75, 0.95)
TRUE = "probability of the true answer"
WIDTHS = ((0, 3, 0.7), (1, 2, 2.4))
"""The lines of a row: the quantiles at its ends, and its width in points."""
NAMED_COLUMNS, LONGEST_NAME = 30, 1.9
BELOW, NAMES_BELOW, LOWEST = 0.4, 1.6, 1.6
"""Inches below the cells without names of wordings and with them, and the least height of the cells."""
NO_BRACKETS = str.maketrans("", "", "[]")


@dataclass(frozen=True)
class Truths:
    """What a model gives the true answers, best known subjects first."""

    subjects: tuple[str, ...]  # names of the X subjects, with their glosses
    wordings: tuple[str, ...]  # texts of the C wordings
    p: FloatArray  # p of the true answer among the candidates, shape (X, C); NaN where there is no answer
    weights: FloatArray  # P(C) of each subject, shape (X, C); 0 where there is no answer

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
    truth = np.array([np.isin(read.classes, group.true_answers) for group in result.groups])
    p = read.probabilities
    if result.distractors:
        names = [group.group for group in result.groups]
        p = among_candidates(p, draw_candidates(names, truth, result.distractors, result.seed))
    order = sorted(range(len(result.groups)), key=lambda x: -result.groups[x].mastery)
    return Truths(
        subjects=tuple(named_with_gloss(result.groups[x]) for x in order),
        wordings=read.contexts,
        p=true_probabilities(p, truth)[order],
        weights=read.weights_of_group[order],
    )


@dataclass(frozen=True)
class _OfTruths(OfSubjects):
    """A picture of what a model gives the true answers."""

    result: KnowledgeResult
    truths: Truths

    @property
    def rows(self) -> list[int]:
        """The indices of the subjects that are drawn."""
        return self.shown(range(len(self.truths.subjects)))


@dataclass(frozen=True)
class Certainty(_OfTruths):
    """The picture of the distribution over wordings of the probability of the true answer, best known on top."""

    kind: ClassVar[str] = "certainty"
    title: ClassVar[str] = "How certain the true answer is over wordings"

    @property
    def quantiles(self) -> FloatArray:
        """The quantiles at 5, 25, 75 and 95 % over the wordings of each subject, by their weight, shape (X, 4)."""
        levels, of_each = (
            [level * (1.0 - 1e-12) for level in QUANTILES],
            zip(self.truths.p, self.truths.weights, strict=True),
        )
        return np.array([[weighted_quantile(p[w > 0], w[w > 0], level) for level in levels] for p, w in of_each])

    def caption(self) -> str:
        quantiles, subjects = self.quantiles, self.truths.subjects
        widest = int((quantiles[:, -1] - quantiles[:, 0]).argmax())
        return caption_of(
            f"How the probability of the true answer varies over the wordings of {shown_name(self.result.topic)}, for "
            f"{whole_name(name_of(self.result))}.",
            f"{groups_shown(len(self.rows), len(subjects), 'subject')}, "
            f"{counted(self.result.number_of_contexts, 'wording')}, best known on top.",
            "Dot: mean; thick line: the middle half of the wordings by their weight; thin line: the middle 90%.",
            f"Widest: {shown_name(subjects[widest])}, {quantiles[widest, 0]:.2f} to {quantiles[widest, -1]:.2f}.",
            f"Dashed: a guesser, {self.result.chance:.2f}.",
        )

    def marks(self) -> Marks:
        """A dot and two lines per subject, and a dashed line for a guesser."""
        rows, quantiles, subjects = self.rows, self.quantiles[self.rows], self.truths.subjects
        places, marks = range(len(rows)), list[Mark]([Rule(x=self.result.chance, dash="dashed")])
        for first, last, width in WIDTHS:
            marks.append(Line(*segments(quantiles[:, first], quantiles[:, last], places), INK, width))
        marks.append(Dots(self.truths.of_subjects[rows], places, INK, size=3.2))
        return Marks(marks, Axis(TRUE, (0.0, 1.0)), RowNames([subjects[x] for x in rows], len(subjects)))


def certainty(result: ResultBase, truths: Truths | None = None) -> Certainty:
    """Return the picture of all subjects of a result of knowledge; ``truths`` are read if they are not given."""
    of_knowledge = knowledge_only(result)
    return Certainty(of_knowledge, truths or truths_of(of_knowledge))


@dataclass(frozen=True)
class Wordings(_OfTruths):
    """The picture of how probable the true answer of each subject is in each wording, best known on top and left."""

    kind: ClassVar[str] = "wordings"
    title: ClassVar[str] = "What is known in which wording"
    wide: ClassVar[Columns] = 2

    @property
    def order(self) -> IntArray:
        """The indices of wordings, (C,), by their mean over all subjects."""
        return np.argsort(-_means(self.truths.p), kind="stable")

    def caption(self) -> str:
        p, wordings, order = self.truths.p, self.truths.wordings, self.order
        means, missing = _means(p), int(np.isnan(p).sum())
        best, worst = (f"{shown_name(wordings[c].translate(NO_BRACKETS))} ({means[c]:.2f})" for c in order[[0, -1]])
        subjects = groups_shown(len(self.rows), len(p), "subject")
        return caption_of(
            f"How probable the true answer is to {whole_name(name_of(self.result))} in each wording of "
            f"{shown_name(self.result.topic)}: {subjects} by {counted(len(wordings), 'wording')}.",
            f"Wordings stand by their mean over all subjects, from {best} to {worst}.",
            f"{counted(missing, 'prompt')} without an answer." if missing else "",
        )

    def marks(self) -> Marks:
        """A cell for each subject and wording, darker for a more probable true answer."""
        rows, order, subjects = self.rows, self.order, self.truths.subjects
        wordings = [self.truths.wordings[c] for c in order]
        cells = Matrix(
            self.truths.p[rows][:, order], (0.0, 1.0), TRUE, missing=MISSING, texts=[wordings] * len(rows),
            hover="%{customdata}<br>p %{z}",
        )  # fmt: skip
        below = f"{len(wordings)} wordings, by their mean"
        across = ColumnNames(wordings, LONGEST_NAME, below, NAMED_COLUMNS, NAMES_BELOW, LOWEST)
        names = RowNames([subjects[x] for x in rows], len(subjects), edges=BELOW)
        return Marks([cells], across, names, grid="")


def wordings(result: ResultBase, truths: Truths | None = None) -> Wordings:
    """Return the picture of all subjects of a result of knowledge; ``truths`` are read if they are not given."""
    of_knowledge = knowledge_only(result)
    return Wordings(of_knowledge, truths or truths_of(of_knowledge))


def _means(p: FloatArray) -> FloatArray:
    """The mean over the subjects with an answer, shape (C,); 0 where there is none."""
    means: FloatArray = np.nansum(p, axis=0) / np.maximum(np.isfinite(p).sum(axis=0), 1)
    return means
