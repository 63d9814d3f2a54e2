"""The pictures of impact ratios, a row per category, of cues, per contrast, and of two people, per group."""

from dataclasses import dataclass
from typing import ClassVar

from bvf.drawing import FIRST, SECOND, Axis, Dots, MarkedPicture, Marks, RowNames, Rule, Value, caption_of, whole_name
from bvf.results import name_of
from bvf.tables import percent
from bvf_decisions.cue_result import CueResult
from bvf_decisions.pairs.result import PairsResult
from bvf_decisions.result import ImpactResult

FOUR_FIFTHS = 0.8  # below it, federal agencies of the United States look further (29 CFR 1607.4 D)


@dataclass(frozen=True)
class ImpactRatios(MarkedPicture):
    """The impact ratio of each category with its interval; too small ones have no dot."""

    kind: ClassVar[str] = "impact"
    title: ClassVar[str] = "Whom the model selects"

    result: ImpactResult

    def caption(self) -> str:
        result, bars = self.result, self.result.intervals_are_for
        small = any(each.below_2_percent for each in result.categories)
        return caption_of(
            f"Impact ratios of {whole_name(name_of(result))} on {result.topic}: the selection rate of each category "
            f"over the highest of its kind; {result.asked}. Selected: {result.rule}.",
            "No dot: less than 2 % of the candidates." if small else "",
            f"Dashed: {FOUR_FIFTHS:g}, the four-fifths rule.",
            f"Bars: intervals of {percent(result.uncertainty.level)}, {bars}." if bars else "",
        )

    def marks(self) -> Marks:
        """A dot per category with a ratio."""
        rows = [(row, each) for row, each in enumerate(self.result.categories) if each.impact_ratio is not None]
        ratios = [Value(each.impact_ratio or 0.0, each.low, each.high) for _, each in rows]
        names, dots = [each.category for each in self.result.categories], Dots(ratios, [row for row, _ in rows])
        limit, across = Rule(x=FOUR_FIFTHS, dash="dashed"), Axis("impact ratio", from_zero=True)
        return Marks([limit, dots], across, RowNames(names))


@dataclass(frozen=True)
class CueContrasts(MarkedPicture):
    """The contrast of each cue with its interval, and below, hollow, the differences between cues."""

    kind: ClassVar[str] = "cues"
    title: ClassVar[str] = "Which cue brings how much"

    result: CueResult

    def caption(self) -> str:
        result, bars = self.result, self.result.intervals_are_for
        return caption_of(
            f"p({result.favourable}) of {result.levels[0]} less that of {' or '.join(result.levels[1:])}, by cue: "
            f"{whole_name(name_of(result))} on {result.topic}; {result.asked}. Hollow: differences between cues.",
            f"Bars: intervals of {percent(result.uncertainty.level)}, {bars}." if bars else "",
        )

    def marks(self) -> Marks:
        """A dot per contrast, and per difference of two."""
        result, both = self.result, (*self.result.contrasts, *self.result.differences)
        values, hollow = [Value(each.value, each.low, each.high) for each in both], [bool(each.than) for each in both]
        dots = Dots(values, list(range(len(both))), hollow=hollow)
        across = Axis(f"difference in p({result.favourable})")
        return Marks([Rule(x=0.0), dots], across, RowNames([result.named(each) for each in both]))


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
