"""R, R^b and R^v of models over a label."""

from typing import TYPE_CHECKING, Any

import numpy as np

from bvf.plot.labels import legend, text_style
from bvf.plot.lettering import lettering
from bvf.plot.style import FONT, MARKERS, OF_FIGURES, SHOWN_FIGURES, SMALL, Columns, axes_of, plain_axes
from bvf.views.comparison import Trend

if TYPE_CHECKING:
    from matplotlib.axes import Axes

HEIGHTS = {1: 2.6, 2: 3.4}
WIDEST, AXIS = 0.9, 2.0
"""Inches of a name below the axis, and of the label."""
APART = 0.07
"""Two names must be this share of the axis apart, or one of them is left out."""


def draw(view: Trend, ax: "Axes | None" = None, columns: Columns = 1) -> Any:
    """Draw the figures of models by the label, with their intervals.

    Args:
        view: What is shown.
        ax: Where; None: on a new figure.
        columns: How wide a new figure is.

    Raises:
        BvfError: A font or matplotlib is not installed.
    """
    axes: Any = axes_of(ax, columns, HEIGHTS.get(columns, HEIGHTS[1]))
    letters = lettering(view.names, [view.label])
    plain_axes(axes, grid="y")
    if view.is_logarithmic:
        axes.set_xscale("log")
    for figure, values in view.values.items():
        colour = OF_FIGURES[figure]
        wide = figure == "R"  # the line of R^b often lies upon it
        axes.plot(view.at, [each.value for each in values], color=colour, marker=MARKERS[figure],
                  markersize=5.0 if wide else 3.2, linewidth=2.4 if wide else 1.0, alpha=0.45 if wide else 1.0,
                  label=SHOWN_FIGURES[figure])  # fmt: skip
        for at, each in zip(view.at, values, strict=True):
            if each.low is not None:
                axes.plot([at, at], [each.low, each.high], color=colour, linewidth=1.0, alpha=0.6)
    places = _with_room(np.log(view.at) if view.is_logarithmic else view.at)
    labels = [f"{letters.label(view.names[m], WIDEST, SMALL)} ({_short(view.at[m])})" for m in places]
    axes.set_xticks(
        view.at[places], labels, rotation=30, ha="right", rotation_mode="anchor",
        **text_style(letters, SMALL),
    )  # fmt: skip
    axes.minorticks_off()
    axes.set_xlabel(letters.label(view.label, AXIS), **text_style(letters))
    axes.set_ylabel("risk", fontsize=FONT)
    axes.set_ylim(bottom=min(0.0, axes.get_ylim()[0]))
    legend(axes, letters, axes.get_legend_handles_labels()[0], ax)
    return axes


def _with_room(at: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> list[int]:
    """Models whose name fits right of the one before."""
    width = float(np.ptp(at)) or 1.0
    places = [0]
    for m in range(1, len(at)):
        if at[m] - at[places[-1]] >= APART * width:
            places.append(m)
    return places


def _short(number: float) -> str:
    """350M for 350,000,000."""
    for size, letter in ((1e12, "T"), (1e9, "B"), (1e6, "M"), (1e3, "k")):
        if number >= size:
            return f"{number / size:.3g}{letter}"
    return f"{number:.3g}"
