"""The picture of groups of people: the score that a benchmark gives against the lean of a model."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bvf import BvfError
from bvf.drawing import (
    CROSS,
    Axis,
    Dots,
    Mark,
    MarkedPicture,
    Marks,
    PointNames,
    Rule,
    Value,
    caption_of,
    looks,
    shown_name,
    whole_name,
)
from bvf.errors import nearest
from bvf.tables import between, correlation, counted, p_value
from bvf_insights.measures.result import Agreement, GroupMeasures, MeasureComparison, called

LONGEST = 60
"""The most columns of the title of an axis."""


@dataclass(frozen=True)
class Measures(MarkedPicture):
    """The picture of groups as points: the lean of a model to a group, and the score of items about it."""

    kind: ClassVar[str] = "measures"
    title: ClassVar[str] = "Scores of groups against leans"

    points: tuple[GroupMeasures, ...]
    agreements: tuple[Agreement, ...]  # of each model
    level: float

    @property
    def models(self) -> tuple[str, ...]:
        """The models, each once."""
        return tuple(dict.fromkeys(each.model for each in self.points))

    @property
    def score(self) -> str:
        """The score and its benchmark."""
        return called(self.points[0].measure, self.points[0].source)

    @property
    def lean(self) -> str:
        """The name of the lean."""
        return self.agreements[0].first

    def caption(self) -> str:
        of = whole_name(self.models[0]) if len(self.models) == 1 else counted(len(self.models), "model")
        topics = ", ".join(dict.fromkeys(shown_name(each.topic) for each in self.points))
        return caption_of(
            f"{shown_name(self.points[0].measure)} of {shown_name(self.points[0].source)} for items about a group, "
            f"against the {shown_name(self.lean)} of {of} in {topics}. A point is a group.",
            *map(self._said, self.agreements),
            f"Bars: intervals of {self.level:.0%}.",
        )

    def _said(self, each: Agreement) -> str:
        who = f"{whole_name(each.model)}: " if len(self.models) > 1 else ""
        if each.kendall is None:
            return f"{who}{counted(each.things, 'group')} cannot tell whether the two agree."
        ends = between(each.low, each.high, 2)
        rough = ", rough" if each.rough and ends else ""
        interval = f" ({self.level:.0%}: {ends}{rough})" if ends else ""
        found = f"Kendall's correlation {correlation(each.kendall)}{interval}, p {p_value(each.p_value)}"
        return f"{who}{found}, of {counted(each.things, 'group')}."

    def marks(self) -> Marks:
        """A point with two intervals for each group and model."""
        marks = list[Mark]([Rule(x=0.0, width=0.7)])
        for model, (colour, marker) in zip(self.models, looks(len(self.models)), strict=True):
            points = [each for each in self.points if each.model == model]
            leans = [Value(each.lean, each.lean_low, each.lean_high) for each in points]
            scores = [Value(each.value, each.low, each.high) for each in points]
            texts, hover = [each.group for each in points], "%{text}<br>lean %{x}, score %{y}"
            marks.append(Dots(leans, scores, colour, marker, model, 4.0, bar=CROSS, texts=texts, hover=hover))
        names = [each.group for each in self.points]
        x, y = np.array([(each.lean, each.value) for each in self.points]).T
        marks.append(PointNames(x, y, names, range(len(names))))
        axes = Axis(self.lean), Axis(shown_name(self.score, LONGEST))
        return Marks(marks, *axes, grid="both", legend=len(self.models) > 1)


def measures(comparison: MeasureComparison, score: str = "") -> Measures:
    """Return the picture of one score; empty: of the first that most groups have. Refuses one of no group."""
    over = [each for each in comparison.agreements if each.over == "groups"]
    if not over:
        raise BvfError("no group of a benchmark is a class or a group of a topic of a run", "add runs of other topics")
    names = list(dict.fromkeys(each.second for each in over))
    if score and score not in names:
        raise BvfError(f'no group has a score "{score}"', nearest(score, names))
    first = max((each for each in over if score in ("", each.second)), key=lambda each: each.things)
    key = (first.first, first.second_source, first.second)
    chosen = [each for each in over if (each.first, each.second_source, each.second) == key]
    points = [
        each
        for each in comparison.groups
        if (each.lean_called, each.source, each.measure) == (first.first, first.second_source, first.second)
    ]
    return Measures(tuple(points), tuple(chosen), comparison.level)
