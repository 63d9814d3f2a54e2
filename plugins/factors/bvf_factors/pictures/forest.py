"""A picture of the coefficients of levels and their intervals."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from bvf import BvfError
from bvf.drawing import (
    FIRST,
    GREY,
    INK,
    SECOND,
    Axis,
    Dots,
    MarkedPicture,
    Marks,
    RowNames,
    Rule,
    Value,
    caption_of,
    shown_name,
)
from bvf.tables import percent
from bvf_factors.pictures.coverage import refuse_unknown
from bvf_factors.regressing.importance import Importance, LevelEffect
from bvf_factors.run import FactorsResult

SIDES = {"more": ("deviates more", FIRST), "less": ("deviates less", SECOND), "neither": ("cannot tell", GREY)}
"""Name and colour of each side: whether the model deviates significantly more or less, by p adjusted for all levels."""


@dataclass(frozen=True)
class Forest(MarkedPicture):
    """The levels with coefficients furthest from 0, the largest first. ``of`` is the number of all levels."""

    kind: ClassVar[str] = "forest"
    title: ClassVar[str] = "Which levels make a model deviate"
    limited: ClassVar[bool] = True

    importance: Importance
    effects: tuple[LevelEffect, ...]
    of: int

    def caption(self) -> str:
        fitted, level = self.importance, self.importance.level
        references = dict.fromkeys(f"{shown_name(each.term)}={shown_name(each.reference)}" for each in self.effects)
        return caption_of(
            f"Which levels make the model deviate, all other factors held ({fitted.method}, {fitted.rows:,} prompts): "
            f"the coefficient of each against its reference ({', '.join(references)}).",
            f"{len(self.effects)} of {self.of} levels, those furthest from 0." if len(self.effects) < self.of else "",
            f"Bars: intervals of {percent(level)}. Coloured: p < {1 - level:.2g}, adjusted by Holm.",
        )

    def side(self, effect: LevelEffect) -> str:
        """Return the side of a level, one of `SIDES`."""
        if effect.adjusted_p is None or effect.adjusted_p >= 1.0 - self.importance.level:
            return "neither"
        return "more" if effect.coefficient > 0 else "less"

    def marks(self) -> Marks:
        """The coefficients of levels and their intervals, the largest on top, and a line at 0."""
        dots, level = list[Dots](), self.importance.level
        for side, (called, colour) in SIDES.items():
            places = [place for place, each in enumerate(self.effects) if self.side(each) == side]
            if places:
                shown = [self.effects[place] for place in places]
                values = [Value(each.coefficient, each.low, each.high) for each in shown]
                dots.append(Dots(values, places, colour, name=called, bar=(1.2, 1.0)))
        across = Axis(f"coefficient, {percent(level)} interval (coloured: p < {1 - level:.2g} by Holm)")
        rows = RowNames([f"{each.term}={each.level}" for each in self.effects], edges=0.45)
        return Marks([*dots, Rule(x=0.0, colour=INK, width=0.7)], across, rows, legend=len(dots) > 1)


def forest(importance: Importance, show: int = 24, factors: Sequence[str] = ()) -> Forest:
    """Return the picture of the ``show`` (0: all) levels, of some factors or all, furthest from 0."""
    chosen = [each for each in importance.effects if not factors or each.term in factors]
    furthest = sorted(chosen, key=lambda each: -abs(each.coefficient))[: show or None]
    return Forest(importance, tuple(sorted(furthest, key=lambda each: -each.coefficient)), len(chosen))


def forest_of(analysis: FactorsResult, show: int = 24, factors: Sequence[str] = ()) -> Forest:
    """Return the levels of an analysis as `forest` does. Refuses an analysis without a regression."""
    refuse_unknown(analysis, factors)
    if analysis.importance is None:
        raise BvfError(f"{analysis.title}: no regression: {analysis.importance_refused}")
    return forest(analysis.importance, show, factors)
