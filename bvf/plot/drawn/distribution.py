"""The probability of classes over contexts, a shape per group."""

from typing import TYPE_CHECKING, Any

import numpy as np

from bvf.arrays import FloatArray
from bvf.plot.labels import key_label, legend, name_axis, name_rows
from bvf.plot.lettering import Lettering, lettering
from bvf.plot.style import GREY, INK, Columns, axes_of, colours_of, plain_axes, rows_of, rule_between_ends
from bvf.views.distributions import Distributions

if TYPE_CHECKING:
    from matplotlib.axes import Axes

AXIS = 1.0
"""Inches of a name in the text below the axis."""
PITCH, PITCH_OF_CLASS, TALLEST = 0.21, 0.075, 0.42
"""Inches per group, the fewest inches per class of a group, and half the height of a shape, in rows."""


def draw(view: Distributions, ax: "Axes | None" = None, columns: Columns = 1) -> Any:
    """Draw how the probability of the first of two classes varies over contexts, or of each class where there are more.

    Args:
        view: What is shown.
        ax: Where; None: on a new figure.
        columns: How wide a new figure is.

    Raises:
        BvfError: A font or matplotlib is not installed.
    """
    rows = rows_of(len(view.groups), ax, max(PITCH, PITCH_OF_CLASS * len(view.classes)))
    axes: Any = axes_of(ax, columns, rows.height)
    letters = lettering(view.groups, view.classes)
    plain_axes(axes)
    two = len(view.classes) == 2
    for x in range(len(view.groups)):
        if two:
            _shape(axes, view, x)
        else:
            axes.plot(view.p_star[x], _beside(x, len(view.classes)), "|", color=GREY, markersize=4)
        _lines(axes, view, x, [0] if two else list(range(len(view.classes))))
    name_rows(axes, rows, view.groups, letters)
    rule_between_ends(axes, len(view.groups), view.of)
    axes.set_xlim(0.0, 1.0)
    what = letters.label(view.classes[0], AXIS) if two else "each class"
    name_axis(axes, f"probability of {what} over contexts", letters)
    legend(axes, letters, [] if two else _keys(view, letters), ax)
    return axes


def _shape(axes: Any, view: Distributions, x: int) -> None:
    """The shares of bins as bars around the middle of the row, and p* as a stroke through it."""
    shares, edges = view.shares[x, 0], view.edges
    heights = TALLEST * shares / shares.max()
    colour = colours_of(view.classes)[0 if view.means[x, 0] >= view.p_star[x, 0] else 1]
    middles = (edges[:-1] + edges[1:]) / 2
    axes.fill_between(middles, x - heights, x + heights, step="mid", color=colour, alpha=0.3, linewidth=0)
    axes.plot([view.p_star[x, 0]] * 2, [x - 0.5, x + 0.5], color=GREY, linewidth=0.8)


def _beside(x: int, number: int) -> FloatArray:
    """The heights at which the things in one row are drawn, one below the other."""
    places: FloatArray = x + (np.arange(number) - (number - 1) / 2) * 0.8 / number
    return places


def _lines(axes: Any, view: Distributions, x: int, shown: list[int]) -> None:
    """Nine tenths, the middle half, and the mean of classes; classes beside each other."""
    colours = colours_of(view.classes) if len(shown) > 1 else [INK]
    for number, y in enumerate(shown):
        at = _beside(x, len(shown))[number]
        low, quarter, _, three_quarters, high = view.quantiles[x, y]
        axes.plot([low, high], [at, at], color=colours[number], linewidth=0.6)
        axes.plot([quarter, three_quarters], [at, at], color=colours[number], linewidth=1.6, solid_capstyle="butt")
        axes.plot(view.means[x, y], at, "o", color=colours[number], markersize=2.4)


def _keys(view: Distributions, letters: Lettering) -> list[Any]:
    from matplotlib.lines import Line2D

    named = zip(colours_of(view.classes), view.classes, strict=True)
    return [Line2D([], [], color=colour, label=key_label(letters, name)) for colour, name in named]
