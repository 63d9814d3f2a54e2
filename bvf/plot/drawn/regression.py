"""A figure of groups against a social factor: points, a line, and its band."""

from typing import TYPE_CHECKING, Any

import numpy as np

from bvf.plot.labels import figure_label, text_style
from bvf.plot.lettering import lettering
from bvf.plot.point_names import name_points
from bvf.plot.style import FIRST, GREY, INK, Columns, axes_of, plain_axes
from bvf.views.regression import RegressionView

if TYPE_CHECKING:
    from matplotlib.axes import Axes

HEIGHTS = {1: 3.0, 2: 4.2}
AREA, SMALLEST_AREA, LARGEST_AREA = 14.0, 5.0, 320.0
"""Dot areas in square points: for a group of mean weight, for the lightest, and for the heaviest."""
AXIS = 3.0
"""Inches of what stands at an axis."""


def draw(view: RegressionView, ax: "Axes | None" = None, columns: Columns = 1) -> Any:
    """Draw a point per group, as large as its weight, the line through them, and the band of the line.

    Args:
        view: What is shown.
        ax: Where; None: on a new figure.
        columns: How wide a new figure is.

    Raises:
        BvfError: A font or matplotlib is not installed.
    """
    axes: Any = axes_of(ax, columns, HEIGHTS.get(columns, HEIGHTS[1]))
    letters = lettering([*view.groups, view.label], [view.figure])
    plain_axes(axes, grid="both")
    axes.fill_between(view.at, view.low, view.high, color=GREY, alpha=0.18, linewidth=0)
    axes.plot(view.at, view.line, color=INK, linewidth=1.2)
    areas = np.clip(AREA * view.weights * len(view.weights), SMALLEST_AREA, LARGEST_AREA)
    axes.scatter(view.x, view.y, s=areas, color=FIRST, alpha=0.55, linewidths=0)
    what = " ".join(filter(None, (view.label, f"({view.year})" if view.year else "")))
    axes.set_xlabel(letters.label(f"{what}, {view.unit}" if view.unit else what, AXIS), **text_style(letters))
    axes.set_ylabel(figure_label(letters, view.figure, AXIS), **text_style(letters))
    spread = np.concatenate([view.y, [view.line.min(), view.line.max()]])
    margin = 0.08 * float(np.ptp(spread) or 1.0)
    axes.set_ylim(float(spread.min()) - margin, float(spread.max()) + margin)
    name_points(axes, (view.x, view.y), view.groups, view.named, letters, np.sqrt(areas / np.pi))
    return axes
