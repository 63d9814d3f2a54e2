"""The picture of groups of people: the score that a benchmark gives against the lean of a model."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from bvf.arrays import FloatArray
from bvf.drawing.interactive import DIGITS, SYMBOLS_OF_MODELS, axis, bars, dots, layout_of, plain
from bvf.drawing.labels import figure_label, key_label, legend, text_style
from bvf.drawing.lettering import lettering
from bvf.drawing.names import shown_name, whole_name
from bvf.drawing.point_names import name_points
from bvf.drawing.sentences import caption_of
from bvf.drawing.style import GREY, MARKERS_OF_MODELS, SEVERAL, axes_of, plain_axes
from bvf.drawing.values import Value, draw_crosses
from bvf.errors import BvfError, nearest
from bvf.interfaces.picture import Columns, Figure, Picture
from bvf.tables.words import between, correlation, counted, p_value
from bvf_insights.measures.result import Agreement, GroupMeasures, MeasureComparison
from bvf_insights.measures.tables import called

if TYPE_CHECKING:
    from matplotlib.axes import Axes

HEIGHTS = {1: 3.0, 2: 4.2}
"""Height in inches of a figure of one and of two columns."""
AXIS = 3.0
"""Largest width in inches of the title of an axis."""


@dataclass(frozen=True)
class Measures(Picture):
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

    def draw(self, ax: "Axes | None" = None, columns: Columns = 1) -> Any:
        """Draw a point with two intervals for each group and model."""
        axes: Any = axes_of(ax, columns, HEIGHTS.get(columns, HEIGHTS[1]))
        names = [each.group for each in self.points]
        letters = lettering(names, self.models, [self.score])
        plain_axes(axes, grid="both")
        axes.axvline(0.0, color=GREY, linewidth=0.7)
        for number, model in enumerate(self.models):
            points, colour = self._of(model), SEVERAL[number % len(SEVERAL)]
            draw_crosses(axes, *_values(points), colour)
            dot: dict[str, Any] = {"color": colour, "markersize": 4.0, "linestyle": "", "clip_on": False}
            marker = MARKERS_OF_MODELS[number % len(MARKERS_OF_MODELS)]
            axes.plot(*_places(points), marker, **dot, label=key_label(letters, model))
        axes.set_xlabel(self.lean, **text_style(letters))
        axes.set_ylabel(figure_label(letters, self.score, AXIS), **text_style(letters))
        if len(self.models) > 1:
            legend(axes, letters, axes.get_legend_handles_labels()[0], ax)
        name_points(axes, _places(self.points), names, range(len(names)), letters)
        return axes

    def interactive(self) -> Figure:
        traces = []
        for number, model in enumerate(self.models):
            points = self._of(model)
            leans, scores = _values(points)
            trace = dots(leans, [round(each.value, DIGITS) for each in scores])
            colour, mark = SEVERAL[number % len(SEVERAL)], SYMBOLS_OF_MODELS[number % len(SYMBOLS_OF_MODELS)]
            look = {"name": plain(model), "marker": {"color": colour, "size": 9, "symbol": mark}}
            shown = "%{text}<br>lean %{x}, score %{y}<extra></extra>"
            text = [plain(each.group) for each in points]
            traces.append({**trace, **look, "error_y": bars(scores), "text": text, "hovertemplate": shown})
        layout = layout_of(420, plain(self.lean), legend=len(self.models) > 1)
        return {"data": traces, "layout": {**layout, "yaxis": axis(plain(self.score))}}

    def _of(self, model: str) -> list[GroupMeasures]:
        return [each for each in self.points if each.model == model]


def measures(comparison: MeasureComparison, score: str = "") -> Measures:
    """Return the picture of one score; empty: the first of those that most groups have.

    Raises:
        BvfError: No group has a lean and a score, or none has this score.
    """
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


def _values(points: Sequence[GroupMeasures]) -> tuple[list[Value], list[Value]]:
    leans = [Value(each.lean, each.lean_low, each.lean_high) for each in points]
    return leans, [Value(each.value, each.low, each.high) for each in points]


def _places(points: Sequence[GroupMeasures]) -> tuple[FloatArray, FloatArray]:
    return np.array([each.lean for each in points]), np.array([each.value for each in points])
