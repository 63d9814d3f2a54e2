"""Factors: how many prompts, two rings, a forest, distribution functions."""

from typing import TYPE_CHECKING, Any

import numpy as np

from bvf.plot.labels import key_label, legend, name_rows, text_style
from bvf.plot.lettering import Lettering, lettering
from bvf.plot.style import (
    DIVERGING,
    FIRST,
    FONT,
    GREY,
    INK,
    SECOND,
    SEQUENTIAL,
    SMALL,
    Columns,
    axes_of,
    plain_axes,
    rows_of,
)
from bvf.views.coverage import Coverage
from bvf.views.ecdf import Ecdf
from bvf.views.forest import Forest
from bvf.views.sunburst import Sector, Sunburst

if TYPE_CHECKING:
    from matplotlib.axes import Axes

AXIS, THICKNESS = 1.5, 0.15
"""Inches of a name along an axis; of a ring, as a share of the axes."""
BELOW = 1.0
"""Inches below cells for names that stand aslant."""
LABELLED = 4.0
"""The fewest degrees of a sector that shows its name."""
RINGS = ((0.45, 0.4), (0.87, 0.4))
"""Where the inner and the outer ring begin, and how thick they are."""
OF_SIDES = {"more": FIRST, "less": SECOND, "neither": GREY}
LINES = ("-", "--", "-.", ":")
NUMBERED = 12


def draw_coverage(view: Coverage, ax: "Axes | None" = None, columns: Columns = 2) -> Any:
    """Draw the number of prompts of each pair of levels; pairs without any are white and crossed out.

    Args:
        view: What is shown.
        ax: Where; None: on a new figure.
        columns: How wide a new figure is.

    Raises:
        BvfError: A font or matplotlib is not installed.
    """
    rows = rows_of(len(view.rows), ax, pitch=0.2, edges=BELOW + 0.3)
    axes: Any = axes_of(ax, columns, rows.height)
    letters = lettering(view.rows, view.columns, [view.first, view.second])
    plain_axes(axes, grid="")
    values = view.counts.astype(np.float64)
    image = axes.imshow(np.where(values > 0, values, np.nan), cmap=SEQUENTIAL, aspect="auto", vmin=0)
    at_rows, at_columns = np.nonzero(values == 0)
    axes.scatter(at_columns, at_rows, marker="x", color=GREY, s=12, linewidths=0.8)
    if max(view.counts.shape) <= NUMBERED:
        _numbers(axes, view)
    step = max(1, int(np.ceil(len(view.columns) * 0.12 / (axes.get_figure(root=True).get_figwidth() * 0.7))))
    places = list(range(0, len(view.columns), step))
    axes.set_xticks(
        places, [letters.label(view.columns[place], BELOW) for place in places], rotation=45, ha="right",
        rotation_mode="anchor", **text_style(letters),
    )  # fmt: skip
    name_rows(axes, rows, view.rows, letters)
    axes.set_ylim(len(view.rows) - 0.5, -0.5)
    of_columns = "" if step == 1 else f" ({len(places)} of {len(view.columns)} are named)"
    axes.set_xlabel(letters.label(view.second, AXIS) + of_columns, **text_style(letters))
    of_rows = f" ({rows.said})" if rows.said else ""
    axes.set_ylabel(letters.label(view.first, AXIS) + of_rows, **text_style(letters))
    _bar(axes, image, "prompts (x: none)")
    return axes


def draw_sunburst(view: Sunburst, ax: "Axes | None" = None, columns: Columns = 1) -> Any:
    """Draw two rings of sectors, coloured by log disparity.

    Args:
        view: What is shown.
        ax: Where, polar axes; None: on a new figure.
        columns: How wide a new figure is.

    Raises:
        BvfError: A font or matplotlib is not installed.
    """
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize

    axes: Any = axes_of(ax, columns, {1: 3.1, 2: 5.8}.get(columns, 3.1), projection="polar")
    letters = lettering([each.level for each in (*view.inner, *view.outer)])
    box = axes.get_window_extent()
    room = THICKNESS * min(float(box.width), float(box.height)) / float(axes.figure.dpi)
    most = view.furthest or 1.0
    colours: Any = ScalarMappable(Normalize(-most, most), cmap=DIVERGING)
    for sectors, (bottom, height) in zip((view.inner, view.outer), RINGS, strict=True):
        for each in sectors:
            name = letters.label(each.level, room, SMALL)
            _sector(axes, each, (bottom, height), colours.to_rgba(each.disparity or 0.0), name, letters)
    axes.set_axis_off()
    _bar(axes, colours, "log disparity (above 0: more deviations)", shrink=0.7)
    return axes


def draw_forest(view: Forest, ax: "Axes | None" = None, columns: Columns = 1) -> Any:
    """Draw the coefficients of levels with their intervals, the largest on top.

    Args:
        view: What is shown.
        ax: Where; None: on a new figure.
        columns: How wide a new figure is.

    Raises:
        BvfError: A font or matplotlib is not installed.
    """
    rows = rows_of(len(view.effects), ax, edges=0.45)
    axes: Any = axes_of(ax, columns, rows.height)
    names = [f"{each.term}={each.level}" for each in view.effects]
    letters = lettering(names)
    plain_axes(axes)
    for place, each in enumerate(view.effects):
        if each.value.low is not None:
            axes.plot([each.value.low, each.value.high], [place, place], color=OF_SIDES[each.side], linewidth=1.2)
        axes.plot(each.value.value, place, "o", color=OF_SIDES[each.side], markersize=3.4)
    axes.axvline(0.0, color=INK, linewidth=0.7)
    name_rows(axes, rows, names, letters)
    axes.set_xlabel(
        f"coefficient, {view.level:.0%} interval\n(coloured: p < {1 - view.level:.2g} by Holm)", fontsize=FONT
    )
    return axes


def draw_ecdf(view: Ecdf, ax: "Axes | None" = None, columns: Columns = 1) -> Any:
    """Draw distribution functions as steps; the area between one and the target is its mean distance.

    Args:
        view: What is shown.
        ax: Where; None: on a new figure.
        columns: How wide a new figure is.

    Raises:
        BvfError: A font or matplotlib is not installed.
    """
    axes: Any = axes_of(ax, columns, 2.6)
    letters = lettering([each.name for each in view.steps])
    plain_axes(axes, grid="both")
    for number, each in enumerate(view.steps):
        steps: dict[str, Any] = {"where": "post", "linestyle": LINES[number % len(LINES)], "linewidth": 1.2}
        axes.step([0.0, *each.rates, 1.0], [0.0, *each.heights, 1.0], label=key_label(letters, each.name), **steps)
    axes.axvline(view.target, color=INK, linewidth=0.7)
    if view.line is not None:
        axes.axvline(view.line, color=GREY, linewidth=0.8, linestyle=":")
    axes.set_xlabel("rate of deviations in a subgroup", fontsize=FONT)
    axes.set_ylabel("share of subgroups", fontsize=FONT)
    axes.set_ylim(0, 1.02)
    legend(axes, letters, axes.get_legend_handles_labels()[0] if len(view.steps) > 1 else [], ax)
    return axes


def _numbers(axes: Any, view: Coverage) -> None:
    most = view.counts.max()
    for (row, column), count in np.ndenumerate(view.counts):
        if count:
            colour = "white" if count > 0.6 * most else INK
            axes.text(column, row, f"{count:,}", ha="center", va="center", fontsize=SMALL, color=colour)


def _bar(axes: Any, image: Any, label: str, shrink: float = 1.0) -> None:
    bar = axes.get_figure().colorbar(image, ax=axes, shrink=shrink, fraction=0.05, pad=0.02)
    bar.outline.set_visible(False)
    bar.ax.tick_params(labelsize=SMALL, length=2)
    bar.set_label(label, fontsize=FONT)


def _sector(axes: Any, each: Sector, ring: tuple[float, float], tint: Any, name: str, letters: Lettering) -> None:
    start, width = 2 * np.pi * each.start, 2 * np.pi * each.width
    bottom, height = ring
    colour = "white" if each.disparity is None else tint
    axes.bar(start, height, width=width, bottom=bottom, align="edge", color=colour, edgecolor=GREY, linewidth=0.4)
    if np.degrees(width) < LABELLED:
        return
    angle = float(np.degrees(start + width / 2))
    style = {"rotation": angle + 180 if 90 < angle < 270 else angle, "ha": "center", "va": "center"}
    middle = (start + width / 2, bottom + height / 2)
    axes.text(*middle, name, color=_ink(colour), **style, **text_style(letters, SMALL))


def _ink(colour: Any) -> str:
    from matplotlib.colors import to_rgb

    red, green, blue = to_rgb(colour)
    return INK if 0.299 * red + 0.587 * green + 0.114 * blue > 0.5 else "white"
