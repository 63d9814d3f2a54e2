"""The picture of impact ratios: a row per category."""

from dataclasses import dataclass
from typing import ClassVar

from bvf.drawing import (
    Axis,
    Beside,
    Dots,
    MarkedPicture,
    Marks,
    RowNames,
    Rule,
    Value,
    caption_of,
    shown_name,
    whole_name,
)
from bvf.results import name_of
from bvf_decisions.result import ImpactResult

FOUR_FIFTHS = 0.8
"""The ratio below which federal agencies of the United States look further (29 CFR 1607.4 D)."""


@dataclass(frozen=True)
class ImpactRatios(MarkedPicture):
    """The impact ratio of each category with its interval; too small ones have no dot."""

    kind: ClassVar[str] = "impact"
    title: ClassVar[str] = "Whom the model selects"

    result: ImpactResult

    def caption(self) -> str:
        result, level = self.result, self.result.uncertainty.level
        small = any(each.below_2_percent for each in result.categories)
        return caption_of(
            f"Impact ratios of {whole_name(name_of(result))} on {shown_name(result.topic)}: the selection rate of each "
            f"category over the highest of its kind; {result.asked}. Selected: {result.rule}. Rates are at the right.",
            "No dot: less than 2 % of the candidates." if small else "",
            f"Dashed: {FOUR_FIFTHS:g}, the four-fifths rule.",
            f"Bars: {100 * level:g} % intervals, {result.intervals_are_for}." if result.intervals_are_for else "",
        )

    def marks(self) -> Marks:
        """A dot per category with a ratio, and the rates beside all rows."""
        rows, x, y = self.result.categories, list[Value](), list[int]()
        for row, each in enumerate(rows):
            if each.impact_ratio is not None:
                x, y = [*x, Value(each.impact_ratio, each.low, each.high)], [*y, row]
        rates = Beside([(float(row), f"{each.selection_rate:.2f}") for row, each in enumerate(rows)], "rate")
        names = RowNames([each.category for each in rows])
        return Marks(
            [Rule(x=FOUR_FIFTHS, dash="dashed"), Dots(x, y), rates], Axis("impact ratio", from_zero=True), names
        )
