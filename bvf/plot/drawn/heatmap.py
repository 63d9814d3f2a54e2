"""Groups by contexts as cells."""

from typing import TYPE_CHECKING, Any

import numpy as np

from bvf.arrays import FloatArray
from bvf.plot.labels import key_label, legend, name_rows, text_style
from bvf.plot.lettering import Lettering, lettering
from bvf.plot.style import (
    DIVERGING,
    FONT,
    INK,
    SMALL,
    Columns,
    axes_of,
    colours_of,
    plain_axes,
    rows_of,
    rule_between_ends,
)
from bvf.views.grid import Grid

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MISSING = "#9a9a9a"
NAMED_COLUMNS = 24
BELOW, NAMES_BELOW = 0.35, 1.5
"""Inches below the cells, without names of columns and with them."""
NAME_OF_COLUMN = 1.7
LOWEST = 2.6
"""Inches of cells in a new figure, as the scale of colours needs room for its text."""


def draw(view: Grid, ax: "Axes | None" = None, columns: Columns = 2) -> Any:
    """Draw how far each group leans in each context: by colour to which class, by its depth how far.

    Args:
        view: What is shown.
        ax: Where; None: on a new figure.
        columns: How wide a new figure is.

    Raises:
        BvfError: A font or matplotlib is not installed.
    """
    named = columns == 2 and len(view.contexts) <= NAMED_COLUMNS and not view.is_binned
    below = NAMES_BELOW if named else BELOW
    rows = rows_of(len(view.groups), ax, edges=below)
    axes: Any = axes_of(ax, columns, max(rows.height, LOWEST + below))
    letters = lettering(view.groups, view.classes, view.contexts if named else ())
    plain_axes(axes, grid="")
    axes.spines["bottom"].set_visible(False)
    most = float(np.nanmax(np.abs(view.values), initial=0.0)) or 1.0
    two = len(view.classes) == 2
    if two:
        _scale(axes, _cells_of_two(axes, view.values, most), view, letters)
    else:
        axes.imshow(_colours(view, most), aspect="auto", interpolation="nearest")
    name_rows(axes, rows, view.groups, letters)
    axes.set_ylim(len(view.groups) - 0.5, -0.5)
    rule_between_ends(axes, len(view.groups), view.of_groups, INK)
    _name_columns(axes, view, letters, named)
    legend(axes, letters, _keys(view, letters, most, two), ax)
    return axes


def _cells_of_two(axes: Any, values: FloatArray, most: float) -> Any:
    from matplotlib import colormaps

    colours = colormaps[DIVERGING].with_extremes(bad=MISSING)
    return axes.imshow(values, cmap=colours, vmin=-most, vmax=most, aspect="auto", interpolation="nearest")


def _colours(view: Grid, most: float) -> FloatArray:
    """Red, green and blue of each cell, shape (X, K, 3): white at p*, deeper further away from it."""
    from matplotlib.colors import to_rgb

    full = np.array([to_rgb(colour) for colour in colours_of(view.classes)])[np.maximum(view.leads, 0)]
    depth = np.clip(np.nan_to_num(view.values) / most, 0.0, 1.0)[..., np.newaxis]
    missing = (view.leads < 0)[..., np.newaxis]
    cells: FloatArray = np.where(missing, np.array(to_rgb(MISSING)), 1.0 - depth * (1.0 - full))
    return cells


def _scale(axes: Any, image: Any, view: Grid, letters: Lettering) -> None:
    first, second = (letters.label(name, 0.7) for name in view.classes)
    bar = axes.get_figure().colorbar(image, ax=axes, fraction=0.05, pad=0.015, aspect=30)
    bar.outline.set_visible(False)
    bar.ax.tick_params(labelsize=SMALL, length=2)
    label = f"probability of {first}, less p* (below 0: {second})"
    bar.set_label(label, **text_style(letters))


def _name_columns(axes: Any, view: Grid, letters: Lettering, named: bool) -> None:
    if named:
        labels = [letters.label(text, NAME_OF_COLUMN, SMALL) for text in view.contexts]
        axes.set_xticks(
            range(len(labels)), labels, rotation=45, ha="right", rotation_mode="anchor",
            **text_style(letters, SMALL),
        )  # fmt: skip
        return
    axes.set_xticks([])
    each = f" in {len(view.contexts)} columns" if view.is_binned else ""
    axes.set_xlabel(f"{view.of} contexts{each}, by the mean of groups", fontsize=FONT)


def _keys(view: Grid, letters: Lettering, most: float, two: bool) -> list[Any]:
    from matplotlib.patches import Patch

    led = [] if two else [y for y in range(len(view.classes)) if (view.leads == y).any()]
    colours = colours_of(view.classes)
    keys = [Patch(color=colours[y], label=key_label(letters, view.classes[y])) for y in led]
    if not two:
        keys.append(Patch(facecolor="white", edgecolor=MISSING, label=f"white: p*, full: {most:.2f} above"))
    if view.missing:
        keys.append(Patch(color=MISSING, label="no answer"))
    return keys
