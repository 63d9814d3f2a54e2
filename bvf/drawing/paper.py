"""Draws marks with matplotlib."""

from collections.abc import Sequence
from functools import singledispatch
from typing import TYPE_CHECKING, Any

import numpy as np

from bvf.arrays import FloatArray
from bvf.drawing.fonts import Lettering, lettering
from bvf.drawing.labels import RAISED, colour_bar, draw_legend, figure_label, name_points, name_rows, text_style
from bvf.drawing.marks import (
    Axis,
    Band,
    Beside,
    Box,
    ColumnNames,
    Dots,
    Line,
    Marks,
    Matrix,
    PointNames,
    Rings,
    RowNames,
    Rule,
    Shares,
    Strokes,
    Value,
)  # fmt: skip
from bvf.drawing.style import (
    DIVERGING,
    FONT,
    GREY,
    INK,
    MISSING,
    NUMBERED,
    PALE,
    SEQUENTIAL,
    SMALL,
    RowSizes,
    axes_of,
    plain_axes,
    rows_of,
)  # fmt: skip
from bvf.interfaces.picture import Columns

if TYPE_CHECKING:
    from matplotlib.axes import Axes

DASHES: dict[str, Any] = {"solid": "-", "dashed": (0, (3, 3)), "dashdot": "-.", "dotted": (0, (2, 2))}
ASIDE = 1.02
"""Where texts beside rows begin, as a share of the width."""
HEADING_AT = 0.72
"""Rows between the first row and the heading of texts beside rows."""
COLUMN, SHARE = 0.12, 0.7
"""The smallest width of a column with a name in inches, and the width of all columns as a share of the figure."""
INNERMOST, RING, NAME_IN_RING = 0.45, 0.42, 0.15
"""Where the first ring begins, from one ring to the next, and space for a name in a ring, as a share of the axes."""
NAMED_SECTOR = 4.0
"""The fewest degrees of a sector that shows its name."""


def draw_marks(marks: Marks, ax: "Axes | None", columns: Columns) -> Any:
    """Draw marks on axes, or in a new figure, one or two columns wide. The arguments are those of `Picture.draw`.

    Raises:
        BvfError: A font or matplotlib is not installed.
    """
    named = marks.across if isinstance(marks.across, ColumnNames) else None
    with_names = named is not None and (named.most is None or (columns == 2 and len(named.names) <= named.most))
    rows, height = _size(marks, named if with_names else None, ax, columns)
    of_rings = any(isinstance(mark, Rings) for mark in marks.marks)
    axes: Any = axes_of(ax, columns, height, "polar" if of_rings else None)
    letters = lettering(*(text.split(" ") for text in marks.texts()))
    if of_rings:
        axes.set_axis_off()
    else:
        plain_axes(axes, marks.grid)
    for mark in marks.marks:
        paint(mark, axes, letters)
    if isinstance(marks.upwards, Axis) or rows is None:
        _set_axis(axes, "y", marks.upwards, letters)
    else:
        _name_rows(axes, marks.upwards, rows, letters, of_cells=named is not None)
        _write_beside(axes, marks, rows, letters)
    if named is not None:
        _name_columns(axes, named, letters, with_names=with_names)
    else:
        _set_axis(axes, "x", marks.across, letters, loc="center" if rows is None else "right")
    if marks.rug:
        _draw_rug(axes, marks)
    draw_legend(axes, letters, _keys(marks, letters) if marks.legend else [], ax)
    for names in (mark for mark in marks.marks if isinstance(mark, PointNames)):  # the axes do not change any more
        name_points(axes, (names.x, names.y), names.names, names.order, letters, names.radii)
    return axes


def _size(
    marks: Marks, named: ColumnNames | None, ax: "Axes | None", columns: Columns
) -> tuple[RowSizes | None, float]:
    """The sizes of rows, if there are some, and the height of a new figure. ``named`` are the columns with names."""
    if not isinstance(marks.upwards, RowNames):
        return None, marks.heights[columns == 2]
    edges = named.below if named is not None and named.below else marks.upwards.edges
    rows = rows_of(len(marks.upwards.names), ax, marks.upwards.pitch, edges)
    lowest = marks.across.lowest + edges if isinstance(marks.across, ColumnNames) and marks.across.lowest else 0.0
    return rows, max(rows.height, lowest)


def _whole(letters: Lettering, text: str) -> str:
    """Return a text for matplotlib that is not cut, such as the title of an axis."""
    return RAISED.sub(r"\1$^\2$", letters.written(text))


@singledispatch
def paint(mark: Any, axes: Any, letters: Lettering) -> None:
    """Draw one mark on axes."""


@paint.register
def _(mark: Dots, axes: Any, letters: Lettering) -> None:
    x, y = _middles(mark.x), _middles(mark.y)
    for values, others, upright in ((mark.x, y, False), (mark.y, x, True)):
        ends, at = _ends(values, others)
        if ends:
            width, alpha = mark.bar
            axes.plot(*((at, ends) if upright else (ends, at)), color=mark.colour, linewidth=width, alpha=alpha)
    if mark.areas is not None:
        axes.scatter(x, y, s=mark.areas, color=mark.colour, alpha=mark.alpha, linewidths=0)
        return
    hollow = np.array(mark.hollow if len(mark.hollow) == len(x) else [False] * len(x), dtype=bool)
    for there, face in ((~hollow, mark.colour), (hollow, "white")):
        if there.any():
            axes.plot(x[there], y[there], **{**_dot_style(mark), "markerfacecolor": face}, clip_on=False)


@paint.register
def _(mark: Line, axes: Any, letters: Lettering) -> None:
    if len(mark.x):
        drawn: dict[str, Any] = {"drawstyle": "steps-pre"} if mark.stepped else {"solid_capstyle": "butt"}
        axes.plot(_middles(mark.x), _middles(mark.y), **_line_style(mark), alpha=mark.alpha, **drawn)


@paint.register
def _(mark: Band, axes: Any, letters: Lettering) -> None:
    if len(mark.x):
        step = "mid" if mark.stepped else None
        axes.fill_between(mark.x, mark.low, mark.high, step=step, color=mark.colour, alpha=mark.alpha, linewidth=0)


@paint.register
def _(mark: Strokes, axes: Any, letters: Lettering) -> None:
    if len(mark.x):
        style = {"color": mark.colour, "linewidth": mark.width, "alpha": mark.alpha}
        axes.vlines(mark.x, mark.low, mark.high, **style)


@paint.register
def _(mark: Rule, axes: Any, letters: Lettering) -> None:
    if mark.x is not None:
        axes.axvline(mark.x, **_line_style(mark))
    if mark.y is not None:
        axes.axhline(mark.y, **_line_style(mark))


@paint.register
def _(mark: Shares, axes: Any, letters: Lettering) -> None:
    axes.barh(mark.y, mark.x, height=0.55, color=mark.colour)
    for share, place in zip(mark.x, mark.y, strict=True):
        text = {"textcoords": "offset points", "va": "center", "fontsize": FONT}
        axes.annotate(f"{share:.0%}", (share, place), (3, 0), **text)


@paint.register
def _(mark: Box, axes: Any, letters: Lettering) -> None:
    low, median, high = mark.quartiles
    bottom, top = mark.y - mark.high / 2, mark.y + mark.high / 2
    axes.vlines(mark.x, bottom, top, color=mark.stroke_colours, linewidth=0.6, alpha=0.6)
    axes.plot([low, high, high, low, low], [bottom, bottom, top, top, bottom], color=mark.colour, linewidth=0.8)
    axes.plot([median, median], [bottom, top], color=mark.colour, linewidth=1.8)


@paint.register
def _(mark: Matrix, axes: Any, letters: Lettering) -> None:
    from matplotlib import colormaps

    axes.spines["bottom"].set_visible(not mark.diverging)
    cells: dict[str, Any] = {"aspect": "auto", "interpolation": "nearest"}
    if mark.colours is not None:
        axes.imshow(mark.colours, **cells)
        return
    low, high = mark.limits
    scale = colormaps[DIVERGING if mark.diverging else SEQUENTIAL].with_extremes(bad=mark.missing)
    image = axes.imshow(mark.values, cmap=scale, vmin=low, vmax=high, **cells)
    colour_bar(axes, image, _whole(letters, mark.title), letters, aspect=30 if mark.diverging else 20)
    if mark.digits and max(mark.values.shape) <= NUMBERED:
        for (row, column), value in np.ndenumerate(mark.values):
            if np.isfinite(value):
                style = {"color": "white" if value > 0.6 * high else INK, "fontsize": SMALL}
                axes.text(column, row, format(value, mark.digits), ha="center", va="center", **style)


@paint.register
def _(mark: Rings, axes: Any, letters: Lettering) -> None:
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize

    box = axes.get_window_extent()
    room = NAME_IN_RING * min(float(box.width), float(box.height)) / float(axes.figure.dpi)
    scale: Any = ScalarMappable(Normalize(-mark.most, mark.most), cmap=DIVERGING)
    for name, value, start, width, ring in zip(mark.names, mark.values, *mark.places(), strict=True):
        colour = (1.0, 1.0, 1.0) if np.isnan(value) else scale.to_rgba(value)[:3]
        bottom, middle = INNERMOST + RING * ring, start + width / 2
        look = {"color": colour, "edgecolor": GREY, "linewidth": 0.4, "align": "edge"}
        axes.bar(2 * np.pi * start, RING - 0.02, 2 * np.pi * width, bottom, **look)
        if 360 * width >= NAMED_SECTOR:
            turned = 360 * middle + 180 * (0.25 < middle < 0.75)
            ink = INK if np.dot(colour, (0.299, 0.587, 0.114)) > 0.5 else "white"
            style = {"rotation": turned, "ha": "center", "va": "center", **text_style(letters, SMALL)}
            at = 2 * np.pi * middle, bottom + RING / 2 - 0.01
            axes.text(*at, letters.label(name, room, SMALL), color=ink, **style)
    colour_bar(axes, scale, _whole(letters, mark.title), letters, shrink=0.7)


def _write_beside(axes: Any, marks: Marks, rows: RowSizes, letters: Lettering) -> None:
    """Write texts beside rows. Rows without a name have none."""
    unnamed = set(range(rows.number)) - set(rows.places)
    for mark in (mark for mark in marks.marks if isinstance(mark, Beside)):
        font = mark.font or rows.font
        style = {"transform": axes.get_yaxis_transform(), **text_style(letters, font)}
        for place, text in mark.texts:
            if place not in unnamed:
                shown = letters.label(text, mark.widest, font)
                axes.text(ASIDE, place, shown, va="center_baseline", color=mark.colour, **style)
        if mark.heading and mark.texts:
            axes.text(ASIDE, -HEADING_AT, mark.heading, color=GREY, **{**style, "fontsize": FONT})


def _draw_rug(axes: Any, marks: Marks) -> None:
    """Draw a stroke per dot along each axis."""
    for mark in (mark for mark in marks.marks if isinstance(mark, Dots)):
        style: dict[str, Any] = dict(linestyle="", color=mark.colour, markersize=3, markeredgewidth=0.5, clip_on=False)
        outside = np.full(len(mark.x), -0.02)
        axes.plot(_middles(mark.x), outside, marker="|", transform=axes.get_xaxis_transform(), **style)
        axes.plot(outside, _middles(mark.y), marker="_", transform=axes.get_yaxis_transform(), **style)
    axes.tick_params(pad=5)


def _middles(values: Any) -> FloatArray:
    """Positions as an array; None is NaN."""
    return np.array([each.value if isinstance(each, Value) else each for each in values], dtype=np.float64)


def _ends(values: Any, others: FloatArray) -> tuple[list[float | None], list[float | None]]:
    """The ends of intervals, and the other coordinates of these, with None between two intervals."""
    known = [(each, at) for each, at in zip(values, others, strict=True) if isinstance(each, Value)]
    bounded = [(each, float(at)) for each, at in known if each.low is not None]
    ends = [end for each, _ in bounded for end in (each.low, each.high, np.nan)]
    return ends, [height for _, at in bounded for height in (at, at, np.nan)]


def _dot_style(mark: Dots) -> dict[str, Any]:
    style: dict[str, Any] = {"color": mark.colour, "marker": mark.marker, "markersize": mark.size, "alpha": mark.alpha}
    style |= {"linestyle": DASHES[mark.dash], "linewidth": mark.joined} if mark.joined else {"linestyle": ""}
    style |= {"markeredgecolor": mark.edge, "markeredgewidth": 0.6} if mark.edge else {}
    return style | ({"markeredgewidth": 0.9} if mark.hollow else {})


def _line_style(mark: Line | Rule) -> dict[str, Any]:
    return {"color": mark.colour, "linewidth": mark.width, "linestyle": DASHES[mark.dash]}


def _name_rows(axes: Any, named: RowNames, rows: Any, letters: Lettering, *, of_cells: bool) -> None:
    names = ["" if place in named.headings else name for place, name in enumerate(named.names)]
    name_rows(axes, rows, names, letters, exponents=True)
    if of_cells:
        axes.set_ylim(len(names) - 0.5, -0.5)
    if len(names) < named.of:
        between = len(names) - len(names) // 2 - 0.5
        axes.axhline(between, color=INK if of_cells else PALE, linewidth=0.8, linestyle=DASHES["dashed"])
    if named.title:
        said = f"{named.title} ({rows.said})" if rows.said else named.title
        axes.set_ylabel(_whole(letters, said), **text_style(letters))
    for place in named.headings:
        style = {"va": "center", "fontsize": FONT, "color": GREY}
        axes.text(0.02, place, named.names[place], transform=axes.get_yaxis_transform(), **style)


def _name_columns(axes: Any, named: ColumnNames, letters: Lettering, *, with_names: bool) -> None:
    if not with_names:
        axes.set_xticks([])
        axes.set_xlabel(named.title, fontsize=FONT)
        return
    number, width = len(named.names), SHARE * axes.get_figure(root=True).get_figwidth()
    places = range(0, number, 1 if named.most else max(1, int(np.ceil(number * COLUMN / width))))
    labels = [letters.label(named.names[place], named.widest, named.font) for place in places]
    axes.set_xticks(places, labels, **_slanted(letters, named.slant, named.font))
    if named.most is None and named.title:
        said = "" if len(places) == number else f" ({len(places)} of {number} are named)"
        axes.set_xlabel(_whole(letters, named.title) + said, **text_style(letters))


def _slanted(letters: Lettering, degrees: int, font: float) -> dict[str, Any]:
    return {"rotation": degrees, "ha": "right", "rotation_mode": "anchor", **text_style(letters, font)}


def _set_axis(axes: Any, which: str, axis: Any, letters: Lettering, loc: str = "center") -> None:
    """Set the limits, ticks and title of the axis ``x`` or ``y``."""
    title = {"loc": loc} if which == "x" else {}
    getattr(axes, f"set_{which}label")(_whole(letters, axis.title), **title, **text_style(letters))
    if axis.logarithmic:
        getattr(axes, f"set_{which}scale")("log")
    limits = getattr(axes, f"set_{which}lim")
    limits(*axis.limits)
    low, high = getattr(axes, f"get_{which}lim")()
    if axis.from_zero:
        limits(min(0.0, low), high)
    if axis.at_most is not None:
        limits(min(0.0, low) if axis.from_zero else low, min(high, axis.at_most))
    if axis.ticks:
        places, texts = zip(*axis.ticks, strict=True)
        labels = [letters.written(text) for text in texts]
        axes.set_xticks(places, labels, **_slanted(letters, 30, SMALL))
        axes.minorticks_off()


def _keys(marks: Marks, letters: Lettering) -> Sequence[Any]:
    """The entries of the legend: a mark of each name, in their order."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    keys: dict[str, Any] = {}
    for mark in marks.marks:
        name = getattr(mark, "name", "")
        if name and name not in keys:
            look: dict[str, Any] = {**_key_style(mark), "label": figure_label(letters, name, marks.widest_key)}
            keys[name] = Patch(**look) if isinstance(mark, Band) else Line2D([], [], **look)
    return list(keys.values())


def _key_style(mark: Any) -> dict[str, Any]:
    """The looks of a mark in the legend."""
    if isinstance(mark, Band):
        alpha = min(1.0, mark.alpha + 0.15)
        edge = MISSING if mark.colour == "white" else mark.colour
        return {"facecolor": mark.colour, "edgecolor": edge, "alpha": alpha}
    if isinstance(mark, Dots):
        hollow = {"markerfacecolor": "white"} if mark.hollow and all(mark.hollow) else {}
        areas = {"markersize": 3.4, "markeredgewidth": 0.0} if mark.areas is not None else {}
        return {**_dot_style(mark), **hollow, **areas}
    if isinstance(mark, Strokes):
        look = {"marker": "|", "linestyle": "", "markeredgewidth": mark.width, "alpha": max(mark.alpha, 0.5)}
        return {"color": mark.colour, **look}
    return _line_style(mark) if isinstance(mark, Line | Rule) else {"color": mark.colour}
