"""R, R^b and R^v of models, a row each."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from bvf.plot.labels import legend, name_axis, name_rows
from bvf.plot.lettering import lettering
from bvf.plot.style import (
    FONT,
    GREY,
    MARKERS,
    OF_FIGURES,
    PALE,
    SHOWN_FIGURES,
    Columns,
    Rows,
    axes_of,
    plain_axes,
    rows_of,
)
from bvf.views.comparison import Compared
from bvf.views.scale import FIGURES, Place, Scale
from bvf.views.values import Value

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PITCH = 0.27
"""Inches per model, which has three figures."""
OFFSETS = {"R": -0.24, "R_bias": 0.0, "R_volatility": 0.24}


def draw(view: Scale, ax: "Axes | None" = None, columns: Columns = 1) -> Any:
    """Draw models below the reference models, which are grey.

    Args:
        view: What is shown.
        ax: Where; None: on a new figure.
        columns: How wide a new figure is.

    Raises:
        BvfError: A font or matplotlib is not installed.
    """
    rows = rows_of(len(view.references) + len(view.models), ax, PITCH, edges=0.45)
    named = [(each.name, _values(each)) for each in (*view.references, *view.models)]
    axes: Any = axes_of(ax, columns, rows.height)
    return _drawn(axes, named, len(view.references), rows, f"risk ({view.criterion}, {view.scale} scale)", ax)


def draw_compared(view: Compared, ax: "Axes | None" = None, columns: Columns = 1) -> Any:
    """Draw models, that of the highest R first, with the ranks that they may have by R.

    Args:
        view: What is shown.
        ax: Where; None: on a new figure.
        columns: How wide a new figure is.

    Raises:
        BvfError: A font or matplotlib is not installed.
    """
    rows = rows_of(len(view.models), ax, PITCH, edges=0.45)
    axes: Any = axes_of(ax, columns, rows.height)
    _drawn(axes, [(each.name, each.values) for each in view.models], 0, rows, "risk in the contexts that all share", ax)
    ranked = [(place, each.ranks["R"]) for place, each in enumerate(view.models) if "R" in each.ranks]
    for place, (first, last) in ranked:
        rank = f"{first}" if first == last else f"{first} to {last}"
        axes.text(1.02, place, rank, transform=axes.get_yaxis_transform(), va="center", fontsize=FONT)
    if ranked:
        axes.text(1.02, -0.72, "rank", transform=axes.get_yaxis_transform(), fontsize=FONT, color=GREY)
    return axes


def _drawn(
    axes: Any,
    named: Sequence[tuple[str, Mapping[str, Value]]],
    references: int,
    rows: Rows,
    below: str,
    ax: "Axes | None",
) -> Any:
    names = [name for name, _ in named]
    letters = lettering(names, [below])
    plain_axes(axes)
    for place, (_, values) in enumerate(named):
        for figure in FIGURES:
            _dot(axes, place + OFFSETS[figure], values[figure], figure, grey=place < references)
    if references:
        axes.axhline(references - 0.5, color=PALE, linewidth=0.7)
    name_rows(axes, rows, names, letters)
    axes.set_xlim(left=min(0.0, axes.get_xlim()[0]))
    name_axis(axes, letters.label(below), letters)
    legend(axes, letters, _keys(), ax)
    return axes


def _dot(axes: Any, at: float, value: Value, figure: str, *, grey: bool) -> None:
    colour = GREY if grey else OF_FIGURES[figure]
    if value.low is not None:
        axes.plot([value.low, value.high], [at, at], color=colour, linewidth=1.1, alpha=0.7)
    axes.plot(value.value, at, MARKERS[figure], color=colour, markersize=3.4, linestyle="", clip_on=False)


def _keys() -> list[Any]:
    from matplotlib.lines import Line2D

    dot: dict[str, Any] = dict(linestyle="", markersize=3.4)
    return [
        Line2D([], [], marker=MARKERS[each], color=OF_FIGURES[each], label=SHOWN_FIGURES[each], **dot)
        for each in FIGURES
    ]


def _values(place: Place) -> dict[str, Value]:
    return dict(zip(FIGURES, (place.R, place.R_bias, place.R_volatility), strict=True))
