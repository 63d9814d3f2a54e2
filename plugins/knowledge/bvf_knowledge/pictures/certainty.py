"""The picture of how the probability of the true answer varies over wordings, subject by subject."""

from dataclasses import dataclass, replace
from itertools import chain
from typing import ClassVar

from bvf import ResultBase
from bvf.drawing import (
    INK,
    Axis,
    Dots,
    Line,
    Mark,
    MarkedPicture,
    Marks,
    RowNames,
    Rule,
    caption_of,
    groups_shown,
    segments,
    shown_name,
    whole_name,
)
from bvf.results import name_of
from bvf.stats import weighted_quantile
from bvf.tables import counted, ends
from bvf_knowledge.pictures.truths import Truths, truths_of
from bvf_knowledge.result import knowledge_only

QUANTILES = (0.05, 0.25, 0.75, 0.95)
TRUE = "probability of the true answer"
WIDTHS = ((0, 3, 0.7), (1, 2, 2.4))
"""The lines of a row: the quantiles at its ends, and its width in points."""


@dataclass(frozen=True)
class Spread:
    """A row of the picture: mean and quantiles of the probability of the true answer over wordings."""

    name: str
    mean: float
    quantiles: tuple[float, ...]  # at 5, 25, 75 and 95 %


@dataclass(frozen=True)
class Certainty(MarkedPicture):
    """The picture of the distribution over wordings of the probability of the true answer, best known on top."""

    kind: ClassVar[str] = "certainty"
    title: ClassVar[str] = "How certain the true answer is over wordings"
    limited: ClassVar[bool] = True

    model: str
    topic: str
    subjects: tuple[Spread, ...]  # in order
    chance: float  # probability of the true answer to a guesser
    wordings: int
    show: int = 0  # number of subjects from both ends of their order; 0: all

    def with_ends(self, show: int) -> "Certainty":
        return replace(self, show=show)

    @property
    def rows(self) -> tuple[Spread, ...]:
        """The subjects that are drawn."""
        return tuple(chain(*ends(self.subjects, self.show)))

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
