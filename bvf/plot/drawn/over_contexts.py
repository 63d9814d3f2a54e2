"""R of models over context sets: a row per set, a line per model."""

from typing import TYPE_CHECKING, Any

from bvf.plot.labels import key_label, legend, name_axis, name_rows
from bvf.plot.lettering import lettering
from bvf.plot.style import (
    FONT,
    GREY,
    MARKERS,
    OF_FIGURES,
    SEVERAL,
    SHOWN_FIGURES,
    Columns,
    axes_of,
    plain_axes,
    rows_of,
)
from bvf.views.over_contexts import OverContexts

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PITCH, EDGES = 0.24, 0.6
OF_MODELS = ("o", "s", "^", "D", "v", "P", "X", "*")
LINES = ("-", "--", ":")
"""Line styles of the first eight models, of the next eight, and so on."""


def draw(view: OverContexts, ax: "Axes | None" = None, columns: Columns = 1) -> Any:
    """Draw R of each model over the sets, or R, R^b and R^v of a single one; right of them how far sets are apart.

    Args:
        view: What is shown.
        ax: Where; None: on a new figure.
        columns: How wide a new figure is.

    Raises:
        BvfError: A font or matplotlib is not installed.
    """
    rows = rows_of(len(view.sets), ax, PITCH, edges=EDGES)
    axes: Any = axes_of(ax, columns, rows.height)
    letters = lettering(view.sets, view.models, [view.criterion])
    plain_axes(axes)
    places = range(len(view.sets))
    if len(view.models) == 1:
        for figure, values in view.figures.items():
            look: dict[str, Any] = {
                "color": OF_FIGURES[figure],
                "marker": MARKERS[figure],
                "label": SHOWN_FIGURES[figure],
            }
            look |= {"markersize": 5.4, "alpha": 0.45} if figure == "R" else {"markersize": 3.4}  # R^b often lies on it
            axes.plot(values[:, 0], places, linewidth=0.6, clip_on=False, **look)
        axes.set_xlim(left=min(0.0, axes.get_xlim()[0]))
    else:
        for m, name in enumerate(view.models):
            number = len(OF_MODELS)
            style: dict[str, Any] = {"marker": OF_MODELS[m % number], "linestyle": LINES[m // number % len(LINES)]}
            style |= {"color": SEVERAL[m % len(SEVERAL)], "label": key_label(letters, name)}
            axes.plot(view.figures["R"][:, m], places, markersize=3.6, linewidth=0.8, clip_on=False, **style)
    name_rows(axes, rows, view.sets, letters)
    beside = {"transform": axes.get_yaxis_transform(), "va": "center", "fontsize": rows.font}
    for place in rows.places:
        axes.text(1.02, place, f"{view.distances[0, place]:.2f}", **beside)
    axes.text(1.02, -0.72, "distance", **{**beside, "fontsize": FONT}, color=GREY)
    what = "risk" if len(view.models) == 1 else "R"
    name_axis(axes, letters.label(f"{what} ({view.criterion}, {view.scale} scale)"), letters)
    legend(axes, letters, axes.get_legend_handles_labels()[0], ax)
    return axes
