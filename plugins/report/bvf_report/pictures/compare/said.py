"""The picture of probable words against texts: how far each group leans in both."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from bvf.analyses.compare.orders import LEAN
from bvf.analyses.compare.result import Comparison, GroupLean, OrderAgreement, TopicComparison
from bvf.arrays import FloatArray
from bvf.drawing.interactive import DIGITS, axis, bars, dots, layout_of, plain
from bvf.drawing.labels import text_style
from bvf.drawing.lettering import lettering
from bvf.drawing.names import shown_name
from bvf.drawing.point_names import name_points
from bvf.drawing.sentences import caption_of, what_bars_are
from bvf.drawing.style import GREY, INK, axes_of, plain_axes
from bvf.drawing.values import Value, draw_crosses
from bvf.errors import BvfError
from bvf.interfaces.picture import Columns, Figure, Picture
from bvf.tables.words import between, correlation, counted, p_value

if TYPE_CHECKING:
    from matplotlib.axes import Axes

HEIGHTS = {1: 3.3, 2: 5.0}
"""Height in inches of a figure of one and of two columns."""


@dataclass(frozen=True)
class Said(Picture):
    """The picture of one topic: a point per group, its lean by probable words and by the texts that a model wrote."""

    kind: ClassVar[str] = "said"
    title: ClassVar[str] = "Probable words against texts"

    topic: str
    points: tuple[GroupLean, ...]
    agreement: OrderAgreement | None  # of the orders by lean; None: too few groups, or all lean alike
    contexts: int
    level: float
    undefined: str  # why there are no intervals; empty: there are some

    @property
    def called(self) -> str:
        """The name of the lean."""
        return f"lean to {self.points[0].to}"

    def caption(self) -> str:
        return caption_of(
            f"{shown_name(self.called, len(self.called)).capitalize()} of {counted(len(self.points), 'group')} of "
            f"{shown_name(self.topic)} in {counted(self.contexts, 'context')}, by probable words (across) and by "
            "texts (upwards). A point is a group; on the line both are the same.",
            self._agreement(),
            what_bars_are(None if self.undefined else self.level, self.undefined),
        )

    def _agreement(self) -> str:
        found = self.agreement
        if found is None:
            return "Too few groups, or none that differ, to say whether both put them in one order."
        ends = between(found.low, found.high, 2)
        interval = f" ({found.level:.0%}: {ends})" if ends else ""
        of_orders = f"Kendall's correlation of the two orders {correlation(found.kendall)}{interval}"
        return f"{of_orders}, p {p_value(found.p_value)}."

    def draw(self, ax: "Axes | None" = None, columns: Columns = 1) -> Any:
        """Draw a point with two intervals for each group, and the line on which both leans are the same."""
        axes: Any = axes_of(ax, columns, HEIGHTS.get(columns, HEIGHTS[1]))
        names = [each.group for each in self.points]
        letters = lettering(names, [self.called])
        plain_axes(axes, grid="both")
        draw_crosses(axes, *self._values(), INK)
        axes.plot(*self._places(), "o", color=INK, markersize=3.6, linestyle="", clip_on=False)
        reach = (*axes.get_xlim(), *axes.get_ylim())
        ends = min(reach), max(reach)
        axes.plot(ends, ends, color=GREY, linewidth=0.8, linestyle="--", zorder=0)
        axes.set(xlim=ends, ylim=ends)
        axes.set_xlabel(f"{self.called}, probable words", **text_style(letters))
        axes.set_ylabel(f"{self.called}, texts", **text_style(letters))
        apart = np.abs(np.subtract(*self._places()))
        name_points(axes, self._places(), names, np.argsort(-apart, kind="stable").tolist(), letters)
        return axes

    def interactive(self) -> Figure:
        probable, said = self._values()
        points = {
            **dots(probable, [round(each.value, DIGITS) for each in said]),
            "error_y": bars(said),
            "text": [plain(each.group) for each in self.points],
            "marker": {"color": INK, "size": 8},
            "hovertemplate": "%{text}<br>probable words %{x}, texts %{y}<extra></extra>",
        }
        values = [each.value for each in (*probable, *said)]
        ends = [round(min(values), DIGITS), round(max(values), DIGITS)]
        line = {"mode": "lines", "line": {"color": GREY, "width": 1, "dash": "dash"}, "hoverinfo": "skip"}
        same = {"type": "scatter", "x": ends, "y": ends, **line}
        layout = layout_of(420, plain(f"{self.called}, probable words"), legend=False)
        return {"data": [same, points], "layout": {**layout, "yaxis": axis(plain(f"{self.called}, texts"))}}

    def _values(self) -> tuple[list[Value], list[Value]]:
        probable = [Value(each.probable, each.probable_low, each.probable_high) for each in self.points]
        return probable, [Value(each.said, each.said_low, each.said_high) for each in self.points]

    def _places(self) -> tuple[FloatArray, FloatArray]:
        return np.array([each.probable for each in self.points]), np.array([each.said for each in self.points])


def said(compared: Comparison) -> tuple[Said, ...]:
    """Return a picture for each topic in which probable words of a model are compared with its texts; may be empty."""
    return tuple(_said(topic, compared.level) for topic in compared.topics if topic.leans)


def refuse_none(pictures: tuple[Said, ...]) -> tuple[Said, ...]:
    """Return pictures, of which there is at least one.

    Raises:
        BvfError: There is none, as no topic has two runs of which one was read by its texts.
    """
    if not pictures:
        raise BvfError(
            "no topic has two runs of which one was read by probabilities and the other by texts",
            "name two folders: of a run, and of the same with --reading generated",
        )
    return pictures


def _said(topic: TopicComparison, level: float) -> Said:
    return Said(
        topic=topic.topic,
        points=topic.leans,
        agreement=next((each for each in topic.orders if each.figure.startswith(LEAN)), None),
        contexts=topic.number_of_contexts,
        level=level,
        undefined=topic.undefined,
    )
