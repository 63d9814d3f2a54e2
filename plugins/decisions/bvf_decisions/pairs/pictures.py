"""The picture of two people: a row per group, in one text with others and alone."""

from dataclasses import dataclass
from typing import ClassVar

from bvf.drawing import FIRST, SECOND, Axis, Dots, MarkedPicture, Marks, RowNames, Rule, Value, caption_of, whole_name
from bvf.results import name_of
from bvf.tables import percent
from bvf_decisions.pairs.result import PairsResult


@dataclass(frozen=True)
class TwoPeople(MarkedPicture):
    """The score of each group among its partners and, where that was asked, alone."""

    kind: ClassVar[str] = "pairs"
    title: ClassVar[str] = "Two people in one text"

    result: PairsResult

    def caption(self) -> str:
        result, level = self.result, percent(self.result.uncertainty.level)
        known = any(each.low is not None for each in result.people)
        return caption_of(
            f"{self.title}, {whole_name(name_of(result))} on {result.topic}: {result.scored}; {result.asked}.",
            f"Hollow: the same log odds of each alone, from {result.alone}." if result.alone else "",
            f"Bars: intervals of {level}, {result.uncertainty.population}." if known else "",
        )

    def marks(self) -> Marks:
        """A dot per group, and a hollow one for each alone."""
        people = sorted(self.result.people, key=lambda each: -each.score)
        rows = list(range(len(people)))
        both = Dots([Value(each.score, each.low, each.high) for each in people], rows, FIRST, name="with others")
        known = [(row, each, each.alone) for row, each in enumerate(people) if each.alone is not None]
        alone = Dots(
            [Value(value, each.alone_low, each.alone_high) for _, each, value in known],
            [row for row, *_ in known],
            SECOND,
            name="alone",
            hollow=[True] * len(known),
        )
        return Marks(
            [Rule(x=0.0), both, *([alone] if known else [])],
            Axis("log odds"),
            RowNames([each.group for each in people]),
        )
