"""R of models by topics as cells."""

from typing import TYPE_CHECKING, Any

import numpy as np

from bvf.plot.labels import name_rows, text_style
from bvf.plot.lettering import lettering
from bvf.plot.style import FONT, INK, SEQUENTIAL, SMALL, Columns, axes_of, plain_axes, rows_of
from bvf.views.comparison import TopicMatrix

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BELOW, NUMBERED = 1.0, 12
"""Inches for names of topics that stand aslant; rows or columns up to which cells have their numbers."""


def draw(view: TopicMatrix, ax: "Axes | None" = None, columns: Columns = 1) -> Any:
    """Draw R of each model in each topic; a cell is white where a model was not asked.

    Args:
        view: What is shown.
        ax: Where; None: on a new figure.
        columns: How wide a new figure is.

    Raises:
        BvfError: A font or matplotlib is not installed.
    """
    rows = rows_of(len(view.models), ax, pitch=0.2, edges=BELOW + 0.2)
    axes: Any = axes_of(ax, columns, rows.height)
    letters = lettering(view.models, view.topics)
    plain_axes(axes, grid="")
    most = float(np.nanmax(view.R)) or 1.0
    image = axes.imshow(view.R, cmap=SEQUENTIAL, aspect="auto", vmin=0, vmax=most)
    if max(view.R.shape) <= NUMBERED:
        for (m, t), R in np.ndenumerate(view.R):
            if np.isfinite(R):
                colour = "white" if 0.6 * most < R else INK
                axes.text(t, m, f"{R:.3f}", ha="center", va="center", fontsize=SMALL, color=colour)
    axes.set_xticks(
        range(len(view.topics)), [letters.label(name, BELOW) for name in view.topics], rotation=30, ha="right",
        rotation_mode="anchor", **text_style(letters),
    )  # fmt: skip
    name_rows(axes, rows, view.models, letters)
    axes.set_ylim(len(view.models) - 0.5, -0.5)
    bar = axes.get_figure().colorbar(image, ax=axes, fraction=0.05, pad=0.02)
    bar.outline.set_visible(False)
    bar.ax.tick_params(labelsize=SMALL, length=2)
    bar.set_label("R", fontsize=FONT)
    return axes
