"""The pictures of impact ratios, a row per category, and of cues, a row per contrast."""

from dataclasses import dataclass
from typing import ClassVar

from bvf.drawing import Axis, Dots, MarkedPicture, Marks, RowNames, Rule, Value, caption_of, whole_name
from bvf.results import name_of
from bvf_decisions.cue_result import CueResult
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
            f"Bars: intervals of {100 * result.uncertainty.level:g} %, {bars}." if bars else "",
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
            f"Bars: intervals of {100 * result.uncertainty.level:g} %, {bars}." if bars else "",
        )

    def marks(self) -> Marks:
        """A dot per contrast, and per difference of two."""
        result, both = self.result, (*self.result.contrasts, *self.result.differences)
        values, hollow = [Value(each.value, each.low, each.high) for each in both], [bool(each.than) for each in both]
        dots = Dots(values, list(range(len(both))), hollow=hollow)
        across = Axis(f"difference in p({result.favourable})")
        return Marks([Rule(x=0.0), dots], across, RowNames([result.named(each) for each in both]))
