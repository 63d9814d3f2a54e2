"""The style of pictures: sizes for journals, colours for colour-blind readers, light axes, row heights."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from bvf.errors import BvfError
from bvf.interfaces.picture import Columns

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WIDTHS: dict[int, float] = {1: 3.5, 2: 7.16}
"""Width in inches of a figure of one and of two columns."""
HIGHEST = 9.1
"""Largest height of a figure in inches, so that it fits a page with a legend above."""
FONT, SMALL, SMALLEST = 7.0, 5.5, 4.6
"""Font sizes in points: of labels, of labels inside a picture, and the smallest, for very many rows."""
PITCH, EDGES, LOWEST = 0.145, 0.5, 1.4
"""Inches: per row, for the axis below the rows, and the smallest height of a figure."""
POINTS_PER_INCH, LEADING = 72.0, 0.9
INK, GREY, PALE, GRID = "#222222", "#767676", "#bbbbbb", "#e4e4e4"
FIRST, SECOND = "#b35806", "#542788"
"""Colours of two classes: orange and violet, which colour-blind readers can distinguish too."""
MISSING = "#9a9a9a"
"""The colour of what is not there, such as a prompt without an answer."""
DIVERGING, SEQUENTIAL = "PuOr_r", "Blues"
"""Colour scales on paper: from one class to another, and from little to much."""
NEUTRAL = "#f4f4f4"
TWO_SIDED = ((0.0, SECOND), (0.5, NEUTRAL), (1.0, FIRST))
BLUES = ((0.0, "#eef3fb"), (1.0, "#08306b"))
"""The same scales in a browser, by the colours at their ends."""
SEVERAL = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#8C6D31", "#555555")
"""Colours of more than two classes: the Okabe-Ito palette without yellow and black, and two others."""
OF_FIGURES = {
    "R": INK,
    "R_bias": "#0072B2",
    "R_volatility": "#D55E00",
    "context_volatility": "#CC79A7",
    "thought_volatility": "#E69F00",
    "particular_bias": "#009E73",
}
NUMBERED = 12
"""The most rows or columns of a matrix whose cells show their numbers."""
MARKERS_OF_MODELS = ("o", "s", "^", "D", "v", "P", "X", "*")
MARKERS = {"R": "o", "R_bias": "D", "R_volatility": "^", "particular_bias": "s"}


def colour_of(figure: str) -> str:
    """Return the colour of a figure of models by its field in a result, such as ``R_bias``; black for other fields."""
    return OF_FIGURES.get(figure, INK)


def marker_of(figure: str) -> str:
    """Return matplotlib's marker for a figure of models by its field in a result, such as ``R_bias``."""
    return MARKERS.get(figure, "o")


def colours_of(classes: Sequence[str]) -> list[str]:
    """Return a colour for each class: a contrasting pair for two; for more, colours that repeat if there are many."""
    return [FIRST, SECOND] if len(classes) == 2 else [SEVERAL[y % len(SEVERAL)] for y in range(len(classes))]


def axes_of(ax: "Axes | None", columns: Columns, height: float, projection: str | None = None) -> Any:
    """Return the user's axes, or the axes of a new figure, one or two columns wide and ``height`` inches high.

    Raises:
        BvfError: matplotlib is not installed, or there is no such width.
    """
    if ax is not None:
        return ax
    if columns not in WIDTHS:
        raise BvfError(f"a figure of {columns} columns", "choose 1 (3.5 inches) or 2 (7.16 inches)")
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise BvfError("figures need matplotlib, which is not installed", "pip install 'bvf[figures]'") from error
    figure = Figure(figsize=(WIDTHS[columns], height), layout="constrained")
    return figure.add_subplot(projection=projection)


def plain_axes(axes: Any, grid: Literal["x", "y", "both", ""] = "x") -> None:
    """Style axes: only the line below, small labels, and a light grid."""
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(PALE)
    axes.tick_params(labelsize=FONT, color=PALE, length=2.5, pad=2)
    axes.set_axisbelow(True)
    if grid:
        axes.grid(axis=grid, color=GRID, linewidth=0.6)


@dataclass(frozen=True)
class RowSizes:
    """The height of a picture with labelled rows, the labels' font size, and which rows have a label.

    Args:
        number: Number of rows.
        height: Height in inches of the figure, or of the user's axes.
        font: Font size of labels in points.
        step: Every ``step``-th row has a label.
    """

    number: int
    height: float
    font: float
    step: int

    @property
    def places(self) -> list[int]:
        """Indices of the rows that have a label."""
        return list(range(0, self.number, self.step))

    @property
    def said(self) -> str:
        """A phrase on how many rows have a label; empty if all rows do."""
        return "" if self.step == 1 else f"{len(self.places)} of {self.number} are named"


def rows_of(number: int, ax: "Axes | None" = None, pitch: float = PITCH, edges: float = EDGES) -> RowSizes:
    """Return the height of rows and the font size of their labels. Labels do not overlap.

    A new figure is as high as the rows need, up to a page: ``pitch`` inches per row, and ``edges`` outside the rows.
    Beyond that, labels become smaller, and then only every second or third row has one. The height of the user's axes
    is not changed.
    """
    if ax is None:
        height = float(np.clip(number * pitch + edges, LOWEST, HIGHEST))
        each = (height - edges) / max(number, 1)
    else:
        height = float(ax.get_window_extent().height) / float(ax.figure.dpi)
        each = height / max(number, 1)
    room = min(each, pitch) * POINTS_PER_INCH * LEADING
    font = float(np.clip(room, SMALLEST, FONT))
    return RowSizes(number, height, font, max(1, int(np.ceil(SMALLEST / room))))
