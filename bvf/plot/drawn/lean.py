"""Leans of groups as dots with intervals, the first on top."""

from typing import TYPE_CHECKING, Any

from bvf.plot.labels import key_label, legend, name_axis, name_rows
from bvf.plot.lettering import Lettering, lettering
from bvf.plot.style import GREY, INK, Columns, axes_of, colours_of, plain_axes, rows_of, rule_between_ends
from bvf.views.leanings import Leanings

if TYPE_CHECKING:
    from matplotlib.axes import Axes

AXIS = 1.0
"""Inches of a name in the text below the axis."""


def draw(view: Leanings, ax: "Axes | None" = None, columns: Columns = 1) -> Any:
    """Draw how far each group leans: to which side of 0 for two classes, to which colour for more.

    Args:
        view: What is shown.
        ax: Where; None: on a new figure.
        columns: How wide a new figure is.

    Raises:
        BvfError: A font or matplotlib is not installed.
    """
    rows = rows_of(len(view.groups), ax)
    axes: Any = axes_of(ax, columns, rows.height)
    names = [f"{each.group} {each.gloss}".strip() for each in view.groups]
    letters = lettering(names, view.classes)
    colours, two = colours_of(view.classes), len(view.classes) == 2
    plain_axes(axes)
    axes.axvline(0.0, color=INK, linewidth=0.7)
    for place, each in enumerate(view.groups):
        value = each.lean[0 if two else each.leads]
        colour = colours[each.leads]
        if value.low is not None:
            axes.plot([value.low, value.high], [place, place], color=colour, linewidth=1.1, alpha=0.6)
        face = "white" if each.changes_sides else colour
        axes.plot(value.value, place, "o", color=colour, markerfacecolor=face, markersize=3.2, markeredgewidth=0.9)
    name_rows(axes, rows, names, letters)
    rule_between_ends(axes, len(view.groups), view.of)
    first = letters.label(view.classes[0], AXIS) if two else "the class"
    name_axis(axes, f"mean probability of {first}, less p*", letters)
    legend(axes, letters, _keys(view, letters, colours), ax)
    return axes


def _keys(view: Leanings, letters: Lettering, colours: list[str]) -> list[Any]:
    from matplotlib.lines import Line2D

    led = [y for y in range(len(view.classes)) if any(each.leads == y for each in view.groups)]
    dot: dict[str, Any] = dict(linestyle="", marker="o", markersize=3.2)
    keys = [Line2D([], [], color=colours[y], label=key_label(letters, view.classes[y]), **dot) for y in led]
    if any(each.changes_sides for each in view.groups):
        keys.append(Line2D([], [], color=GREY, markerfacecolor="white", label="changes with the context", **dot))
    return keys
