"""Volatility against bias, a dot per group."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from bvf.arrays import FloatArray
from bvf.plot.labels import key_label, legend
from bvf.plot.lettering import lettering
from bvf.plot.point_names import name_points
from bvf.plot.style import FONT, Columns, axes_of, colours_of, plain_axes
from bvf.views.scatter import Scatter

if TYPE_CHECKING:
    from matplotlib.axes import Axes

HEIGHTS = {1: 3.0, 2: 4.2}
NAMED = 10
"""Groups that may have a name in the figure: those furthest out."""


def draw(view: Scatter, ax: "Axes | None" = None, columns: Columns = 1) -> Any:
    """Draw r^v against r^b; each figure is drawn alone along its axis too, and the groups furthest out have names.

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
        leading = view.leads == y
        if leading.any():
            bias, volatility = view.r_bias[leading], view.r_volatility[leading]
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
    name_points(axes, (view.r_bias, view.r_volatility), view.groups, list(_furthest(view)), letters)
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


def _furthest(view: Scatter) -> Iterator[int]:
    """Groups that are far out, taking turns: largest r^v, largest r^b, smallest r^b."""
    orders = (np.argsort(-view.r_volatility), np.argsort(-view.r_bias), np.argsort(view.r_bias))
    ways = [place for places in zip(*orders, strict=True) for place in places]
    return iter(list(dict.fromkeys(map(int, ways)))[:NAMED])
