"""The picture of the subjects of a relation: the mastery of each, and how much of it wordings leave open."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import ClassVar, Self, TypeVar

from bvf import ResultBase
from bvf.drawing import (
    FIRST,
    GREY,
    INK,
    Axis,
    Beside,
    Dots,
    Mark,
    MarkedPicture,
    Marks,
    RowNames,
    Rule,
    Value,
    caption_of,
    groups_shown,
    shown_name,
    what_bars_are,
    whole_name,
)
from bvf.results import level_of, name_of, value_of
from bvf.tables import counted, ends
from bvf_knowledge.result import GroupKnowledge, knowledge_only

NAMED = 3
"""How many subjects of the widest and of the narrowest intervals a caption names."""
CORRECTED = "no favourites"
SAYS = 0.8
"""Largest width in inches of a wrong answer beside its row."""
T = TypeVar("T")


@dataclass(frozen=True)
class OfSubjects(MarkedPicture):
    """A picture with a row per subject: ``show`` subjects from both ends of their order, or all (0)."""

    limited: ClassVar[bool] = True
    show: int = field(default=0, kw_only=True)

    def with_ends(self, show: int) -> Self:
        return replace(self, show=show)

    def shown(self, subjects: Sequence[T]) -> list[T]:
        """Return those of all subjects that are drawn."""
        return list(chain(*ends(subjects, self.show)))


@dataclass(frozen=True)
class Subject:
    """A row of the picture: a subject, the answer that is most probable on average, and the mastery of the true one."""

    name: str
    truth: str
    says: str | None  # None: a tie
    right: bool  # whether that answer is true
    mastery: Value
    corrected: Value | None = None  # mastery without a preference for some answers; None: it is undefined


@dataclass(frozen=True)
class Subjects(OfSubjects):
    """The picture of the mastery of each subject in a row, with its interval over wordings, best known first."""

    kind: ClassVar[str] = "subjects"
    title: ClassVar[str] = "How well subjects are known"

    model: str
    topic: str
    subjects: tuple[Subject, ...]  # in order
    guesser: float  # mastery of a guesser
    wordings: int
    level: float | None  # of the intervals; None: there are none
    undefined: str  # why there are no intervals

    @property
    def rows(self) -> list[Subject]:
        """The subjects that are drawn."""
        return self.shown(self.subjects)

    def caption(self) -> str:
        known, right = self.subjects, sum(each.right for each in self.subjects)
        best, worst = (f"{shown_name(each.name)} ({each.mastery.value:.2f})" for each in (known[0], known[-1]))
        return caption_of(
            f"How well {whole_name(self.model)} knows the subjects of {shown_name(self.topic)}: mastery, the score of "
            "the true answer under the mean prediction over wordings.",
            f"{groups_shown(len(self.rows), len(known), 'subject')}, {counted(self.wordings, 'wording')}. From {best} "
            f"to {worst}.",
            f"The true answer is on top for {right} of {counted(len(known), 'subject')}.",
            *self._widest_and_most_certain(),
            "" if right == len(known) else "Hollow: another answer is on top; it stands at the right.",
            "Ticks: mastery without a preference for some answers." if self._corrected() else "",
            f"Dashed: a guesser, {self.guesser:.2f}.",
            what_bars_are(self.level, self.undefined),
        )

    def marks(self) -> Marks:
        """The mastery of each subject. A hollow dot has the wrong answer that the model gives beside it."""
        marks = list[Mark]()
        for right, name, colour in ((True, "right on average", INK), (False, "another answer", FIRST)):
            there = [(place, each) for place, each in enumerate(self.rows) if each.right == right]
            texts = [f"{each.truth}; says {each.says or 'a tie'}" for _, each in there]
            x, y, hollow = [each.mastery for _, each in there], [place for place, _ in there], [not right] * len(there)
            if there:
                hover = "%{text}<br>%{x}"
                marks.append(Dots(x, y, colour, name=name, size=3.2, hollow=hollow, texts=texts, hover=hover))
        corrected = [
            (place, each.corrected.value) for place, each in enumerate(self.rows) if each.corrected is not None
        ]
        if corrected:
            places, values = zip(*corrected, strict=True)
            marks.append(Dots(values, places, GREY, "|", CORRECTED, 5.0))
        says = [(place, each.says or "a tie") for place, each in enumerate(self.rows) if not each.right]
        guesser = Rule(x=self.guesser, dash="dashed")
        rows_of = RowNames([each.name for each in self.rows], len(self.subjects))
        across = Axis("mastery", from_zero=True, at_most=1.0)
        key = Rule(dash="dashed", name="a guesser")
        return Marks([guesser, *marks, key, Beside(says, colour=FIRST, widest=SAYS)], across, rows_of)

    def _corrected(self) -> bool:
        """Whether rows have a corrected mastery."""
        return any(each.corrected is not None for each in self.rows)

    def _widest_and_most_certain(self) -> list[str]:
        """Sentences on the subjects whose intervals are widest and narrowest; none if there are no intervals."""
        bounded = sorted((each for each in self.subjects if each.mastery.low is not None), key=_width, reverse=True)
        if len(bounded) < 2 * NAMED:
            return []
        return [f"Widest: {_ends(bounded[:NAMED])}.", f"Most certain: {_ends(bounded[: -NAMED - 1 : -1])}."]


def subjects(result: ResultBase) -> Subjects:
    """Return the picture of all subjects of a result of knowledge, best known first."""
    of_knowledge = knowledge_only(result)
    return Subjects(
        model=name_of(of_knowledge),
        topic=of_knowledge.topic,
        subjects=tuple(map(_subject, sorted(of_knowledge.groups, key=lambda group: -group.mastery))),
        guesser=of_knowledge.guesser.mastery,
        wordings=of_knowledge.number_of_contexts,
        level=level_of(of_knowledge),
        undefined=of_knowledge.uncertainty.undefined,
    )


def _subject(group: GroupKnowledge) -> Subject:
    name = f"{group.group} {group.gloss}".strip()
    corrected = None if group.corrected_mastery is None else value_of(group, "corrected_mastery")
    return Subject(name, group.truth, group.says, group.is_true(group.says), value_of(group, "mastery"), corrected)


def _width(subject: Subject) -> float:
    low, high = subject.mastery.low, subject.mastery.high
    return 0.0 if low is None or high is None else high - low


def _ends(several: Sequence[Subject]) -> str:
    return ", ".join(f"{shown_name(each.name)} ({each.mastery.low:.2f} to {each.mastery.high:.2f})" for each in several)
