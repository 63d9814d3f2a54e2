"""Draws labels of rows, legends above axes, axis titles and colour bars. Labels are cut to the available width."""

import re
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from bvf.drawing.fonts import Lettering
from bvf.drawing.style import FONT, GREY, SMALL, RowSizes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SHARE = 0.55
"""The largest width of row labels, as a share of the width of the axes."""
KEY, KEY_LINE = 0.34, 0.16
"""Inches: the width of a legend entry without its text, and the height of a line of the legend."""
RAISED = re.compile(r"\b([rR])\^([bv])\b")
MARGIN = 0.1


def name_rows(axes: Any, rows: RowSizes, names: Sequence[str], letters: Lettering, *, exponents: bool = False) -> None:
    """Label the rows, the first on top. If only some rows have a label, the title of the axis says how many.

    ``names`` has the name of every row, ``letters`` the fonts; ``exponents`` writes ``r^b`` with a superscript.
    """
    room = SHARE * float(axes.get_window_extent().width) / float(axes.figure.dpi)
    shown = [names[place] for place in rows.places]
    label = partial(figure_label, letters) if exponents else letters.label
    labels = [label(name, room, rows.font) for name in shown]
    axes.set_yticks(rows.places, labels, fontsize=rows.font, fontfamily=list(letters.families))
    axes.tick_params(axis="y", length=0)
    axes.set_ylim(rows.number - 0.4, -0.6)
    if rows.said:
        axes.set_ylabel(rows.said, fontsize=FONT, color=GREY)


def draw_legend(axes: Any, letters: Lettering, handles: Sequence[Any], ax: "Axes | None") -> None:
    """Put a legend of ``handles`` above axes, in as many lines as needed; without handles, nothing is drawn.

    ``ax`` are the axes that the user gave; None: the figure is new, and grows by these lines.
    """
    if not handles:
        return
    figure = axes.get_figure(root=True)
    width = float(figure.get_figwidth() if ax is None else axes.get_window_extent().width / axes.figure.dpi)
    widths = [KEY + letters.inches(str(each.get_label())) for each in handles]
    columns = _columns(widths, width - MARGIN)
    style: dict[str, Any] = dict(
        handles=list(handles),
        ncols=columns,
        frameon=False,
        prop={"size": FONT, "family": list(letters.families)},
        borderaxespad=0.2,
        handletextpad=0.3,
        columnspacing=1.0,
        handlelength=1.2,
        labelspacing=0.3,
    )
    if ax is not None:
        axes.legend(loc="lower left", bbox_to_anchor=(0.0, 1.0), **style)
        return
    figure.set_figheight(figure.get_figheight() + KEY_LINE * -(-len(handles) // columns))
    figure.legend(loc="outside upper center", **style)


def _columns(widths: Sequence[float], room: float) -> int:
    """The largest number of legend columns that fit the width ``room``. Entries fill columns downwards."""
    fitting = (
        columns
        for columns in range(len(widths), 1, -1)
        if sum(map(max, np.array_split(np.array(widths), columns))) <= room
    )
    return next(fitting, 1)


def figure_label(letters: Lettering, name: str, inches: float = np.inf, font: float = FONT) -> str:
    """Return a label for matplotlib: ``r^b`` with a superscript; another name escaped and cut to ``inches``.

    ``font`` is its size in points.
    """
    return RAISED.sub(r"\1$^\2$", letters.label(name, inches, font))


def text_style(letters: Lettering, font: float = FONT) -> dict[str, Any]:
    """Return keyword arguments of matplotlib for a text that contains names: font size (points) and families."""
    return {"fontsize": font, "fontfamily": list(letters.families)}


def colour_bar(axes: Any, image: Any, label: str, letters: Lettering, shrink: float = 1.0, aspect: int = 20) -> None:
    """Put the colour bar of an image beside axes, titled ``label`` and ``shrink`` times as high as the axes.

    ``letters`` are the fonts of the title; ``aspect`` is its height by its width.
    """
    bar = axes.get_figure().colorbar(image, ax=axes, shrink=shrink, fraction=0.05, pad=0.02, aspect=aspect)
    bar.outline.set_visible(False)
    bar.ax.tick_params(labelsize=SMALL, length=2)
    bar.set_label(label, **text_style(letters))
