"""The picture of what frames change: R, R^b and R^v in one level of a frame less those in another."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from bvf.drawing.interactive import apart, beside, dots, in_rows, look_of
from bvf.drawing.labels import legend, name_axis, name_rows
from bvf.drawing.lettering import lettering
from bvf.drawing.names import shown_name, whole_name
from bvf.drawing.sentences import caption_of
from bvf.drawing.style import GREY, axes_of, colour_of, marker_of, plain_axes, rows_of
from bvf.drawing.values import Value, draw_value
from bvf.errors import BvfError
from bvf.interfaces.picture import Columns, Figure, Picture
from bvf.study.averages import RISK
from bvf.tables.symbols import drawn_symbol, listed, symbol
from bvf.tables.words import counted
from bvf_insights.explain.result import Explanation, FrameDifference

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PITCH = 0.34
"""Inches per row."""
APART = 0.25
"""Distance between the figures of one row, in rows."""
AXIS = "difference of the figure"


@dataclass(frozen=True)
class FrameEffects(Picture):
    """The picture of differences between levels of frames, each in the same templates."""

    kind: ClassVar[str] = "frames"
    title: ClassVar[str] = "What words around a context change"

    model: str
    topic: str
    templates: int
    rows: tuple[tuple[str, dict[str, Value]], ...]  # name of each pair of levels; differences by field
    decisions: dict[tuple[str, str], str]  # by name of the row and field; empty: too few templates
    level: float  # of the intervals

    def caption(self) -> str:
        apart = [
            f"{symbol(field)} of {shown_name(name)} ({decision})"
            for (name, field), decision in self.decisions.items()
            if decision != "tied"
        ]
        sentences = [
            f"{listed(*RISK)} of {whole_name(self.model)} ({shown_name(self.topic)}) in contexts with one level of a "
            f"frame less those with another, in the same {counted(self.templates, 'template')}."
        ]
        if not self.decisions:
            return caption_of(*sentences, "No intervals: there are too few templates of about equal weight.")
        found = f"Significant by p adjusted with Holm: {'; '.join(apart) or 'none'}."
        return caption_of(*sentences, found, f"Bars: {self.level:.0%} intervals, for other templates.")

    def draw(self, ax: "Axes | None" = None, columns: Columns = 1) -> Any:
        """Draw a row per pair of levels, with a dot and an interval per figure, and a line at 0."""
        names = [name for name, _ in self.rows]
        rows = rows_of(len(names), ax, PITCH)
        axes: Any = axes_of(ax, columns, rows.height)
        letters = lettering(names)
        plain_axes(axes)
        axes.axvline(0.0, color=GREY, linewidth=0.8)
        for place, (_, values) in enumerate(self.rows):
            for number, (field, value) in enumerate(values.items()):
                row = place + APART * (number - (len(values) - 1) / 2)
                draw_value(axes, row, value, marker_of(field), colour_of(field))
        name_rows(axes, rows, names, letters)
        name_axis(axes, AXIS, letters)
        legend(axes, letters, self._keys(), ax)
        return axes

    def interactive(self) -> Figure:
        traces = [
            {
                **dots([values[field] for _, values in self.rows], beside(len(self.rows), number, len(RISK))),
                **look_of(field),
            }
            for number, field in enumerate(RISK)
        ]
        return in_rows(traces, apart([name for name, _ in self.rows]), AXIS, legend=True)

    def _keys(self) -> list[Any]:
        from matplotlib.lines import Line2D

        dot: dict[str, Any] = dict(linestyle="", markersize=3.6)
        return [
            Line2D([], [], marker=marker_of(field), color=colour_of(field), label=drawn_symbol(field), **dot)
            for field in RISK
        ]


def frame_effects(explanation: Explanation) -> FrameEffects:
    """Return the picture of what frames change in an explanation.

    Raises:
        BvfError: The contexts are not templates in frames, or J is neither convex nor concave.
    """
    differences = [each for each in explanation.frames if each.figure in RISK]
    about = f"{explanation.model}, {explanation.topic}: no picture of frames"
    if not explanation.frames:
        message = f"{about}: the contexts are not templates in frames"
        raise BvfError(message, "make such contexts with bvf contexts frame")
    if not differences:
        raise BvfError(f"{about}: the criterion {explanation.criterion} is neither convex nor concave")
    by_row: dict[str, dict[str, FrameDifference]] = {}
    for each in differences:
        by_row.setdefault(f"{each.frame}: {each.second} less {each.first}", {})[each.figure] = each
    return FrameEffects(
        model=explanation.model,
        topic=explanation.topic,
        templates=max(each.templates for each in differences),
        rows=tuple(
            (name, {field: Value(each.difference, each.low, each.high) for field, each in row.items()})
            for name, row in by_row.items()
        ),
        decisions={
            (name, field): each.decision
            for name, row in by_row.items()
            for field, each in row.items()
            if each.decision is not None
        },
        level=explanation.level,
    )
