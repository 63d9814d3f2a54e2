"""Draws a picture with a row per model, and dots in it for figures: R, R^b (bias) and R^v (volatility)."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from bvf.drawing.labels import legend, name_axis, name_rows
from bvf.drawing.lettering import lettering
from bvf.drawing.style import GREY, PALE, axes_of, colour_of, marker_of, plain_axes, rows_of
from bvf.drawing.values import Value, draw_values
from bvf.interfaces.picture import Columns
from bvf.tables.symbols import drawn_symbol

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FIGURES = ("R", "R_bias", "R_volatility")
PITCH, EDGES = 0.27, 0.45
"""Inches per model, and outside the rows."""
APART = 0.24
"""Distance between the dots of one model, in rows."""


def draw_models(
    named: Sequence[tuple[str, Mapping[str, Value]]],
    below: str,
    ax: "Axes | None" = None,
    columns: Columns = 1,
    references: int = 0,
) -> Any:
    """Draw a row per model, the first on top, with a dot for each figure that `figures_of` finds in the first model.

    Args:
        named: For each model its name, and its figures by field of the result (``R``, ``R_bias``, ...).
        below: Title of the horizontal axis.
        ax: Axes to draw on; None: those of a new figure.
        columns: Width of a new figure: 1 (3.5 inches) or 2 (7.16 inches).
        references: The number of reference models, the first ones in ``named``, which are drawn in grey.

    Raises:
        BvfError: A font or matplotlib is not installed.
    """
    rows = rows_of(len(named), ax, PITCH, EDGES)
    axes: Any = axes_of(ax, columns, rows.height)
    names, figures = [name for name, _ in named], figures_of(named[0][1])
    letters = lettering(names, [below])
    plain_axes(axes)
    for number, figure in enumerate(figures):
        aside, values = APART * (number - (len(figures) - 1) / 2), [each[figure] for _, each in named]
        for start, stop, colour in ((0, references, GREY), (references, len(named), colour_of(figure))):
            rows_of_figure = [place + aside for place in range(start, stop)]
            draw_values(axes, rows_of_figure, values[start:stop], marker_of(figure), colour)
    if references:
        axes.axhline(references - 0.5, color=PALE, linewidth=0.7)
    name_rows(axes, rows, names, letters)
    axes.set_xlim(left=min(0.0, axes.get_xlim()[0]))
    name_axis(axes, letters.label(below), letters)
    legend(axes, letters, _keys(figures), ax)
    return axes


def figures_of(values: Mapping[str, Value]) -> list[str]:
    """Return the fields to draw of a model's figures: ``R``, ``R_bias`` and ``R_volatility``; without these, all."""
    return [figure for figure in FIGURES if figure in values] or list(values)


def _keys(figures: Sequence[str]) -> list[Any]:
    from matplotlib.lines import Line2D

    dot: dict[str, Any] = dict(linestyle="", markersize=3.4)
    return [
        Line2D([], [], marker=marker_of(each), color=colour_of(each), label=drawn_symbol(each), **dot)
        for each in figures
    ]
