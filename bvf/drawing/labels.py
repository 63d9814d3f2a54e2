"""Draws labels of rows and points, legends above axes, axis titles and colour bars. Labels are cut to their place."""

import re
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from bvf.arrays import FloatArray
from bvf.drawing.fonts import Lettering
from bvf.drawing.style import FONT, GREY, POINTS_PER_INCH, SMALL, RowSizes

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
    axes.set_yticks(rows.places, labels, **text_style(letters, rows.font))
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


WIDEST, NAME_FONT = 1.1, 5.5
"""The largest width of a name in inches, and its font size in points."""
SIDES = ((1, 0, "left"), (-1, 0, "right"), (0, 1, "center"), (0, -1, "center"))
"""Positions of a name relative to its dot: right, left, above, below."""
BESIDE, ABOVE = 2.0, 4.5
"""Points between a dot and its name."""
RADIUS = 2.0


def name_points(
    axes: Any,
    at: tuple[FloatArray, FloatArray],
    names: Sequence[str],
    order: Sequence[int],
    letters: Lettering,
    radii: FloatArray | None = None,
) -> None:
    """Write names beside points, each name once. A name that would cover another one or a point is left out.

    Args:
        axes: Axes whose limits do not change any more.
        at: x and y of every point, shape (N,) each.
        names: The name of every point.
        order: Indices of the points that may get a name, the most important first.
        letters: The fonts of the names.
        radii: Radius of each dot in points, shape (N,); None: all are small.
    """
    figure, box = axes.get_figure(root=True), axes.get_position()
    inches = np.array([box.width * figure.get_figwidth(), box.height * figure.get_figheight()])
    low, high = np.array([axes.get_xlim(), axes.get_ylim()]).T
    dots = (np.column_stack(at) - low) / (high - low) * inches * POINTS_PER_INCH
    sizes = np.full(len(dots), RADIUS) if radii is None else radii
    taken = [(x - size, y - size, x + size, y + size) for (x, y), size in zip(dots, sizes, strict=True)]
    written = set[str]()
    for place in order:
        if names[place] in written:
            continue
        text = letters.label(names[place], WIDEST, NAME_FONT)
        width = letters.inches(text, NAME_FONT) * POINTS_PER_INCH + 2
        for across, upwards, side in SIDES:
            right, up = across * (sizes[place] + BESIDE), upwards * (sizes[place] + ABOVE)
            x = dots[place, 0] + right - {"left": 0.0, "right": width, "center": width / 2}[side]
            y = dots[place, 1] + up - NAME_FONT * 0.7
            here = (x, y, x + width, y + 1.4 * NAME_FONT)
            inside = x >= 0 and y >= 0 and (here[2:] <= inches * POINTS_PER_INCH).all()
            if inside and not any(_meet(here, other) for other in taken):
                axes.annotate(
                    text, (at[0][place], at[1][place]), (right, up), textcoords="offset points",
                    ha=side, va="center", **text_style(letters, NAME_FONT),
                )  # fmt: skip
                taken.append(here)
                written.add(names[place])
                break


def _meet(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
