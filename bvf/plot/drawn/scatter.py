"""Volatility against bias, a dot per group."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from bvf.arrays import FloatArray
from bvf.plot.labels import key_label, legend, points, text_style
from bvf.plot.lettering import Lettering, lettering
from bvf.plot.style import FONT, Columns, axes_of, colours_of, plain_axes
from bvf.views.scatter import Scatter

if TYPE_CHECKING:
    from matplotlib.axes import Axes

HEIGHTS = {1: 3.0, 2: 4.2}
NAMED = 10
"""Groups that may have a name in the figure: those furthest out."""
WIDEST, NAME_FONT = 1.1, 5.5
"""Inches and points of a name."""
SIDES = ((4, 0, "left"), (-4, 0, "right"), (0, 6, "center"), (0, -7, "center"))
"""Where a name may stand, in points from its dot."""


def draw(view: Scatter, ax: "Axes | None" = None, columns: Columns = 1) -> Any:
    """Draw r^v against r^b; along the axes stand the same figures alone, and those furthest out have names.

    Args:
        view: What is shown.
        ax: Where; None: on a new figure.
        columns: How wide a new figure is.

    Raises:
        BvfError: A font or matplotlib is not installed.
    """
    axes: Any = axes_of(ax, columns, HEIGHTS.get(columns, HEIGHTS[1]))
    letters = lettering(view.groups, view.classes)
    plain_axes(axes, grid="both")
    colours = colours_of(view.classes)
    for y, name in enumerate(view.classes):
        own = view.leads == y
        if own.any():
            bias, volatility = view.r_bias[own], view.r_volatility[own]
            axes.scatter(
                bias, volatility, s=12, color=colours[y], alpha=0.75, linewidths=0, label=key_label(letters, name)
            )
            _strips(axes, bias, volatility, colours[y])
    axes.set_xlabel("bias risk r$^b$", fontsize=FONT)
    axes.set_ylabel("volatility risk r$^v$", fontsize=FONT)
    axes.set_xlim(*_limits(view.r_bias))
    axes.set_ylim(*_limits(view.r_volatility))
    axes.tick_params(pad=5)
    legend(axes, letters, axes.get_legend_handles_labels()[0], ax)
    _name(axes, view, letters)
    return axes


def _strips(axes: Any, bias: FloatArray, volatility: FloatArray, colour: str) -> None:
    """The same figures alone, beside their axes."""
    beside_x, beside_y = axes.get_xaxis_transform(), axes.get_yaxis_transform()
    style: dict[str, Any] = dict(linestyle="", color=colour, markersize=3, markeredgewidth=0.5, clip_on=False)
    axes.plot(bias, np.full(len(bias), -0.02), marker="|", transform=beside_x, **style)
    axes.plot(np.full(len(volatility), -0.02), volatility, marker="_", transform=beside_y, **style)


def _limits(figures: Any) -> tuple[float, float]:
    most = float(figures.max()) or 1e-3
    return min(0.0, float(figures.min())) - 0.04 * most, 1.08 * most


def _name(axes: Any, view: Scatter, letters: Lettering) -> None:
    """Write the names of groups furthest out, wherever there is room beside the dot."""
    figure = axes.get_figure(root=True)
    box = axes.get_position()
    inches = np.array([box.width * figure.get_figwidth(), box.height * figure.get_figheight()])
    low, high = np.array([axes.get_xlim(), axes.get_ylim()]).T
    at = (np.column_stack([view.r_bias, view.r_volatility]) - low) / (high - low) * inches * 72.0
    taken = [(x - 2, y - 2, x + 2, y + 2) for x, y in at]
    for place in _furthest(view):
        text = letters.label(view.groups[place], WIDEST, NAME_FONT)
        width = points(letters.inches(text, NAME_FONT)) + 2
        for right, up, side in SIDES:
            x = at[place, 0] + right - {"left": 0.0, "right": width, "center": width / 2}[side]
            y = at[place, 1] + up - NAME_FONT * 0.7
            here = (x, y, x + width, y + 1.4 * NAME_FONT)
            inside = x >= 0 and y >= 0 and here[2] <= inches[0] * 72.0 and here[3] <= inches[1] * 72.0
            if inside and not any(_meet(here, other) for other in taken):
                axes.annotate(
                    text, (view.r_bias[place], view.r_volatility[place]), (right, up), textcoords="offset points",
                    ha=side, va="center", **text_style(letters, NAME_FONT),
                )  # fmt: skip
                taken.append(here)
                break


def _furthest(view: Scatter) -> Iterator[int]:
    """Groups far out to any side: one by one those of the largest r^v, the largest and the smallest r^b."""
    orders = (np.argsort(-view.r_volatility), np.argsort(-view.r_bias), np.argsort(view.r_bias))
    ways = [place for places in zip(*orders, strict=True) for place in places]
    return iter(list(dict.fromkeys(map(int, ways)))[:NAMED])


def _meet(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
