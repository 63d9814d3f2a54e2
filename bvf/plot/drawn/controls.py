"""A study beside its controls: a row per topic, in it a dot for the figure and a stroke per group."""

from typing import TYPE_CHECKING, Any

from bvf.plot.labels import legend, name_axis, name_rows
from bvf.plot.lettering import lettering
from bvf.plot.style import MARKERS, OF_FIGURES, PALE, Columns, axes_of, plain_axes, rows_of
from bvf.views.controls import Controls

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PITCH = 0.46
"""Inches per topic, which has two figures."""
OFFSETS = {"R": -0.2, "apart": 0.22}
LOOK = {"R": "R", "apart": "particular_bias"}
"""The figures whose markers they have."""
STROKE = 0.13
"""Half the height of the stroke of a group, in rows."""


def draw(view: Controls, ax: "Axes | None" = None, columns: Columns = 1) -> Any:
    """Draw R of each topic, and how far groups are apart, with both of every group.

    Args:
        view: What is shown.
        ax: Where; None: on a new figure.
        columns: How wide a new figure is.

    Raises:
        BvfError: A font or matplotlib is not installed.
    """
    rows = rows_of(len(view.topics), ax, PITCH)
    axes: Any = axes_of(ax, columns, rows.height)
    names = [each.name for each in view.topics]
    letters = lettering(names, [view.criterion])
    plain_axes(axes)
    for place, each in enumerate(view.topics):
        for figure, value in each.figures.items():
            at, look = place + OFFSETS[figure], LOOK[figure]
            colour = OF_FIGURES[look]
            strokes: dict[str, Any] = {"color": colour, "alpha": 0.3, "linewidth": 0.7}
            axes.vlines(each.of_groups[figure], at - STROKE, at + STROKE, **strokes)
            if value.low is not None:
                axes.plot([value.low, value.high], [at, at], color=colour, linewidth=1.4)
            dot: dict[str, Any] = {"markersize": 4.6, "markeredgecolor": "white", "markeredgewidth": 0.6}
            axes.plot(value.value, at, MARKERS[look], color=colour, linestyle="", clip_on=False, **dot)
    axes.axhline(0.5, color=PALE, linewidth=0.7)
    name_rows(axes, rows, names, letters)
    axes.set_xlim(left=min(0.0, axes.get_xlim()[0]))
    name_axis(axes, letters.label(f"R ({view.criterion}, {view.scale} scale); total variation"), letters)
    legend(axes, letters, _keys(), ax)
    return axes


def _keys() -> list[Any]:
    from matplotlib.lines import Line2D

    dot: dict[str, Any] = {"linestyle": "", "markersize": 4.6}
    dots = [
        Line2D([], [], marker=MARKERS[look], color=OF_FIGURES[look], label=name, **dot) for name, look in LOOK.items()
    ]
    return [*dots, Line2D([], [], marker="|", color=OF_FIGURES["R"], alpha=0.5, linestyle="", label="a group")]
