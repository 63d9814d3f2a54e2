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
from bvf.stats import FloatArray, among_candidates, true_probabilities, weighted_quantile
from bvf.tables import counted
from bvf_knowledge.pictures.subjects import OfSubjects
from bvf_knowledge.result import KnowledgeResult, knowledge_only
from bvf_knowledge.stats.candidates import draw_candidates

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
        subjects=tuple(f"{result.groups[x].group} {result.groups[x].gloss}".strip() for x in order),
        wordings=read.contexts,
        p=true_probabilities(p, truth)[order],
        weights=read.weights_of_group[order],
    )


@dataclass(frozen=True)
class Spread:
    """A row of the picture: mean and quantiles of the probability of the true answer over wordings."""

    name: str
    mean: float
    quantiles: tuple[float, ...]  # at 5, 25, 75 and 95 %


@dataclass(frozen=True)
class Certainty(OfSubjects):
    """The picture of the distribution over wordings of the probability of the true answer, best known on top."""

    kind: ClassVar[str] = "certainty"
    title: ClassVar[str] = "How certain the true answer is over wordings"

    model: str
    topic: str
    subjects: tuple[Spread, ...]  # in order
    chance: float  # probability of the true answer to a guesser
    wordings: int

    @property
    def rows(self) -> list[Spread]:
        """The subjects that are drawn."""
        return self.shown(self.subjects)

    def caption(self) -> str:
        widest = max(self.subjects, key=lambda each: each.quantiles[-1] - each.quantiles[0])
        low, *_, high = widest.quantiles
        return caption_of(
            f"How the probability of the true answer varies over the wordings of {shown_name(self.topic)}, for "
            f"{whole_name(self.model)}.",
            f"{groups_shown(len(self.rows), len(self.subjects), 'subject')}, {counted(self.wordings, 'wording')}, best "
            "known on top.",
            "Dot: mean; thick line: the middle half of the wordings by their weight; thin line: the middle 90%.",
            f"Widest: {shown_name(widest.name)}, {low:.2f} to {high:.2f}.",
            f"Dashed: a guesser, {self.chance:.2f}.",
        )

    def marks(self) -> Marks:
        """A dot and two lines per subject, and a dashed line for a guesser."""
        rows, places, marks = self.rows, range(len(self.rows)), list[Mark]([Rule(x=self.chance, dash="dashed")])
        for first, last, width in WIDTHS:
            low, high = ([each.quantiles[end] for each in rows] for end in (first, last))
            marks.append(Line(*segments(low, high, places), INK, width))
        marks.append(Dots([each.mean for each in rows], places, INK, size=3.2))
        return Marks(marks, Axis(TRUE, (0.0, 1.0)), RowNames([each.name for each in rows], len(self.subjects)))


def certainty(result: ResultBase, truths: Truths | None = None) -> Certainty:
    """Return the picture of all subjects of a result of knowledge; ``truths`` are read if they are not given."""
    of_knowledge = knowledge_only(result)
    read = truths or truths_of(of_knowledge)
    spreads = []
    for name, mean, p, weights in zip(read.subjects, read.of_subjects, read.p, read.weights, strict=True):
        there = weights > 0
        quantiles = tuple(weighted_quantile(p[there], weights[there], level * (1.0 - 1e-12)) for level in QUANTILES)
        spreads.append(Spread(name, float(mean), quantiles))
    return Certainty(
        model=name_of(of_knowledge),
        topic=of_knowledge.topic,
        subjects=tuple(spreads),
        chance=of_knowledge.chance,
        wordings=of_knowledge.number_of_contexts,
    )


@dataclass(frozen=True)
class Wordings(OfSubjects):
    """The picture of how probable the true answer of each subject is in each wording, best known on top and left."""

    kind: ClassVar[str] = "wordings"
    title: ClassVar[str] = "What is known in which wording"
    wide: ClassVar[Columns] = 2

    model: str
    topic: str
    subjects: tuple[str, ...]  # X, in order
    wordings: tuple[str, ...]  # C, in order
    p: FloatArray  # of the true answer, (X, C); NaN: no answer

    @property
    def rows(self) -> list[int]:
        """The indices of the subjects that are drawn."""
        return self.shown(range(len(self.subjects)))

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
