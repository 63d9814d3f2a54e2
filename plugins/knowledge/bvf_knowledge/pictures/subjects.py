"""The picture of the subjects of a relation: the mastery of each, and how much of it wordings leave open."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import ClassVar, Self, TypeVar

from bvf import Interval, ResultBase
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
    caption_of,
    groups_shown,
    shown_name,
    what_bars_are,
    whole_name,
)
from bvf.results import name_of, value_of
from bvf.tables import counted, ends
from bvf_knowledge.result import GroupKnowledge, KnowledgeResult, knowledge_only

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
class Subjects(OfSubjects):
    """The picture of the mastery of each subject in a row, with its interval over wordings, best known first."""

    kind: ClassVar[str] = "subjects"
    title: ClassVar[str] = "How well subjects are known"

    result: KnowledgeResult

    @property
    def subjects(self) -> list[GroupKnowledge]:
        """All subjects in order."""
        return sorted(self.result.groups, key=lambda group: -group.mastery)

    @property
    def rows(self) -> list[GroupKnowledge]:
        """The subjects that are drawn."""
        return self.shown(self.subjects)

    def caption(self) -> str:
        of, known, right = self.result, self.subjects, sum(each.is_true(each.says) for each in self.subjects)
        corrected = any(each.corrected_mastery is not None for each in self.rows)
        best, worst = (f"{shown_name(named_with_gloss(each))} ({each.mastery:.2f})" for each in (known[0], known[-1]))
        return caption_of(
            f"How well {whole_name(name_of(of))} knows the subjects of {shown_name(of.topic)}: mastery, the score of "
            "the true answer under the mean prediction over wordings.",
            f"{groups_shown(len(self.rows), len(known), 'subject')}, {counted(of.number_of_contexts, 'wording')}. "
            f"From {best} to {worst}.",
            f"The true answer is on top for {right} of {counted(len(known), 'subject')}.",
            *self._widest_and_most_certain(),
            "" if right == len(known) else "Hollow: another answer is on top; it stands at the right.",
            "Ticks: mastery without a preference for some answers." if corrected else "",
            f"Dashed: a guesser, {of.guesser.mastery:.2f}.",
            what_bars_are(of.uncertainty.level_of_intervals, of.uncertainty.undefined),
        )

    def marks(self) -> Marks:
        """The mastery of each subject. A hollow dot has the wrong answer that the model gives beside it."""
        marks = list[Mark]()
        for right, name, colour in ((True, "right on average", INK), (False, "another answer", FIRST)):
            there = [(place, each) for place, each in enumerate(self.rows) if each.is_true(each.says) == right]
            texts = [f"{each.truth}; says {each.says or 'a tie'}" for _, each in there]
            x, y, hollow = (
                [value_of(each, "mastery") for _, each in there],
                [place for place, _ in there],
                [not right] * len(there),
            )
            if there:
                hover = "%{text}<br>%{x}"
                marks.append(Dots(x, y, colour, name=name, size=3.2, hollow=hollow, texts=texts, hover=hover))
        corrected = [
            (place, each.corrected_mastery)
            for place, each in enumerate(self.rows)
            if each.corrected_mastery is not None
        ]
        if corrected:
            places, values = zip(*corrected, strict=True)
            marks.append(Dots(values, places, GREY, "|", CORRECTED, 5.0))
        says = [(place, each.says or "a tie") for place, each in enumerate(self.rows) if not each.is_true(each.says)]
        guesser = Rule(x=self.result.guesser.mastery, dash="dashed")
        rows_of = RowNames([named_with_gloss(each) for each in self.rows], len(self.subjects))
        across = Axis("mastery", from_zero=True, at_most=1.0)
        key = Rule(dash="dashed", name="a guesser")
        return Marks([guesser, *marks, key, Beside(says, colour=FIRST, widest=SAYS)], across, rows_of)

    def _widest_and_most_certain(self) -> list[str]:
        """Sentences on the subjects whose intervals are widest and narrowest; none if there are no intervals."""
        known = [each for each in self.subjects if "mastery" in each.intervals]
        bounded = [(named_with_gloss(each), each.intervals["mastery"]) for each in known]
        bounded.sort(key=lambda each: each[1].high - each[1].low, reverse=True)
        if len(bounded) < 2 * NAMED:
            return []
        return [f"Widest: {_ends(bounded[:NAMED])}.", f"Most certain: {_ends(bounded[: -NAMED - 1 : -1])}."]


def subjects(result: ResultBase) -> Subjects:
    """Return the picture of all subjects of a result of knowledge, best known first."""
    return Subjects(knowledge_only(result))


def named_with_gloss(group: GroupKnowledge) -> str:
    """Return the name of a subject, with its gloss if it has one."""
    return f"{group.group} {group.gloss}".strip()


def _ends(several: Sequence[tuple[str, Interval]]) -> str:
    return ", ".join(f"{shown_name(name)} ({each.low:.2f} to {each.high:.2f})" for name, each in several)
