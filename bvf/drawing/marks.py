"""The marks of which pictures are made: dots with bars, lines, bands, strokes, boxes, matrices, rings, and texts.

A picture says what is where, in which colour, and what it is called. `bvf.drawing.paper` draws it with matplotlib, and
`bvf.drawing.browser` with plotly. Sizes are in points on paper. A mark without points is an entry of the legend alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from bvf.arrays import FloatArray
from bvf.drawing.style import EDGES, GREY, INK, MARKERS_OF_MODELS, PALE, PITCH, SEVERAL, SMALL, colour_of, marker_of
from bvf.tables.quantities import symbol


@dataclass(frozen=True)
class Value:
    """A number and the ends of its interval. Both ends are None if there is no interval."""

    value: float
    low: float | None = None
    high: float | None = None


Numbers = Sequence[Value] | Sequence[float] | Sequence[float | None] | Sequence[Value | float] | FloatArray
Dash = Literal["solid", "dashed", "dashdot", "dotted"]
CROSS = (0.8, 0.35)
"""Width and opacity of intervals of points in a plane."""


@dataclass(frozen=True)
class Dots:
    """Points, and the intervals of those of their coordinates that are `Value` objects with ends.

    Args:
        x: Positions from left to right, N.
        y: Positions upwards, or indices of rows, N.
        colour: Their colour.
        marker: Their shape, by its letter in matplotlib.
        name: Name in the legend; empty: none.
        size: Diameter in points.
        areas: Areas in square points, (N,), in place of ``size``.
        hollow: Which are hollow, N; empty: none.
        edge: Colour of a thin edge; empty: none.
        alpha: Opacity.
        joined: Width of a line that joins them; 0: none.
        dash: Style of that line.
        bar: Width and opacity of intervals.
        texts: What a browser says of each; empty: its value.
        hover: Template of plotly of what a browser says, with ``%{text}``, ``%{x}`` and ``%{y}``.
    """

    x: Numbers = ()
    y: Numbers = ()
    colour: str = INK
    marker: str = "o"
    name: str = ""
    size: float = 3.4
    areas: FloatArray | None = None
    hollow: Sequence[bool] = ()
    edge: str = ""
    alpha: float = 1.0
    joined: float = 0.0
    dash: Dash = "solid"
    bar: tuple[float, float] = (1.1, 0.7)
    texts: Sequence[str] = ()
    hover: str = "%{x}"


@dataclass(frozen=True)
class Line:
    """A line through points, N. Where a coordinate is None, it is interrupted. ``stepped``: a stair, first upright."""

    x: Numbers = ()
    y: Numbers = ()
    colour: str = INK
    width: float = 1.0
    dash: Dash = "solid"
    name: str = ""
    alpha: float = 1.0
    stepped: bool = False
    hover: str = ""


@dataclass(frozen=True)
class Band:
    """An area between two lines over ``x``, N: a confidence band, or a density above its row."""

    x: FloatArray | Sequence[float] = ()
    low: FloatArray | Sequence[float] = ()
    high: FloatArray | Sequence[float] = ()
    colour: str = GREY
    alpha: float = 0.3
    name: str = ""
    stepped: bool = False


@dataclass(frozen=True)
class Strokes:
    """Short vertical strokes at ``x``, N, from ``low`` to ``high``; ``pixels`` is their height in a browser."""

    x: FloatArray | Sequence[float] = ()
    low: float | Sequence[float] | FloatArray = 0.0
    high: float | Sequence[float] | FloatArray = 0.0
    colour: str = INK
    width: float = 0.7
    alpha: float = 1.0
    name: str = ""
    pixels: int = 12
    texts: Sequence[str] = ()
    hover: str = "%{x}"


@dataclass(frozen=True)
class Rule:
    """A line across the whole picture: upright at ``x``, or level at ``y``."""

    x: float | None = None
    y: float | None = None
    colour: str = GREY
    width: float = 0.8
    dash: Dash = "solid"
    name: str = ""


@dataclass(frozen=True)
class Shares:
    """Bars from 0 to ``x``, one per row, with their percentages."""

    x: Sequence[float]
    y: Sequence[float]
    colour: str = PALE
    name: str = ""


@dataclass(frozen=True)
class Box:
    """A box plot that lies at the height ``y``, ``high`` rows high: a stroke per value, and the quartiles."""

    x: FloatArray
    y: float
    high: float
    colour: str
    stroke_colours: Sequence[str]
    quartiles: tuple[float, float, float]
    texts: Sequence[str]
    name: str = ""


@dataclass(frozen=True)
class Matrix:
    """Cells coloured by their values, (R, C). NaN is a missing value.

    Args:
        values: The values.
        limits: The values at the ends of the colour scale.
        title: What the values are, for the colour bar.
        diverging: Whether the scale has two colours, with white between them.
        colours: Red, green and blue of each cell on paper, (R, C, 3), in place of the scale.
        missing: Colour of missing values on paper.
        digits: Format of the numbers in cells, such as ``.3f``; empty: there are none.
        texts: What a browser says of each cell before its value, R by C.
        hover: Template of plotly of what a browser says, with ``%{customdata}`` and ``%{z}``.
    """

    values: FloatArray
    limits: tuple[float, float]
    title: str
    diverging: bool = False
    colours: FloatArray | None = None
    missing: str = "white"
    digits: str = ""
    texts: Sequence[Sequence[str]] = ()
    hover: str = "%{z}"


@dataclass(frozen=True)
class Rings:
    """Sectors in rings around the whole: a tree. A sector lies outside the one of which it is a part.

    Args:
        names: Their names, N.
        within: The index of the sector of which each is a part, N; -1: of the whole. It is smaller than its own index.
        sizes: How large each is, N. The parts of one fill it.
        values: The values by which they are coloured, (N,). NaN is a missing value, and white.
        most: The value at one end of the colour scale, and the negative of the other end.
        title: What the values are, for the colour bar.
        texts: What a browser says of the whole and of each, N + 1.
        hover: Template of plotly of what a browser says, with ``%{label}``, ``%{value}`` and ``%{customdata}``.
    """

    names: Sequence[str]
    within: Sequence[int]
    sizes: Sequence[int]
    values: FloatArray
    most: float
    title: str
    texts: Sequence[str]
    hover: str

    def places(self) -> tuple[FloatArray, FloatArray, list[int]]:
        """Return the start and width of each sector as shares of the circle, (N,) each, and its ring, from 0."""
        sizes, parents = np.asarray(self.sizes, dtype=np.float64), np.asarray(self.within)
        start, width, ring = np.zeros(len(sizes)), np.ones(len(sizes)), [0] * len(sizes)
        for parent in dict.fromkeys(self.within):
            inside = np.flatnonzero(parents == parent)
            first, whole = (0.0, 1.0) if parent < 0 else (start[parent], width[parent])
            width[inside] = whole * sizes[inside] / max(sizes[inside].sum(), 1.0)
            start[inside] = first + np.cumsum(width[inside]) - width[inside]
            for each in inside:
                ring[each] = 0 if parent < 0 else ring[parent] + 1
        return start, width, ring


@dataclass(frozen=True)
class Beside:
    """Texts at the right of rows, by the height of each, on paper alone."""

    texts: Sequence[tuple[float, str]]
    heading: str = ""
    colour: str = INK
    font: float | None = None  # None: that of the rows' names
    widest: float = np.inf  # in inches


@dataclass(frozen=True)
class PointNames:
    """Names beside points on paper, where there is room: those of the places in ``order``, the most important first."""

    x: FloatArray
    y: FloatArray
    names: Sequence[str]
    order: Sequence[int]
    radii: FloatArray | None = None


Mark = Dots | Line | Band | Strokes | Rule | Shares | Box | Matrix | Rings | Beside | PointNames


@dataclass(frozen=True)
class Axis:
    """An axis.

    Args:
        title: Its title.
        limits: Its ends; None: what the marks need.
        from_zero: It begins at 0, or below.
        at_most: It ends there, or before.
        logarithmic: Whether its scale is logarithmic.
        ticks: Positions and texts of its ticks, slanted on paper; empty: numbers.
    """

    title: str = ""
    limits: tuple[float | None, float | None] = (None, None)
    from_zero: bool = False
    at_most: float | None = None
    logarithmic: bool = False
    ticks: Sequence[tuple[float, str]] = ()


@dataclass(frozen=True)
class RowNames:
    """Named rows, the first on top, in place of a vertical axis.

    Args:
        names: Their names.
        of: The number of all rows, of which these are from both ends; a dashed line is where others are left out.
        pitch: Inches per row.
        edges: Inches outside the rows.
        pixels: Pixels per row in a browser.
        headings: Rows that are no rows but headings of those below.
        title: What the rows are, beside their names.
    """

    names: Sequence[str]
    of: int = 0
    pitch: float = PITCH
    edges: float = EDGES
    pixels: int = 20
    headings: Sequence[int] = ()
    title: str = ""


@dataclass(frozen=True)
class ColumnNames:
    """The columns of a matrix: names, slanted below them, or one title where there are too many.

    Args:
        names: Their names.
        widest: Largest width of a name in inches.
        title: The title of the axis; with ``most``, in place of names.
        most: The most columns that have names, which they have in a figure of two columns; None: as many as fit.
        below: Inches below the cells if columns have names; 0: the edges of the rows.
        lowest: Least height of the cells in inches; 0: that of any picture.
        slant: Degrees by which names are turned.
        font: Size of names in points.
    """

    names: Sequence[str]
    widest: float
    title: str = ""
    most: int | None = None
    below: float = 0.0
    lowest: float = 0.0
    slant: int = 45
    font: float = SMALL


@dataclass(frozen=True)
class Marks:
    """A picture: its marks from back to front, its axes, and its size.

    Args:
        marks: The marks.
        across: The horizontal axis, or the columns of a matrix.
        upwards: The vertical axis, or rows.
        heights: Height in inches of a figure of one and of two columns, if it has no rows.
        grid: Which lines of a grid are drawn: ``x``, ``y``, ``both``; empty: none.
        widest_key: Largest width in inches of a text of the legend.
        legend: Whether there is a legend, if marks have names.
        rug: Whether each dot has a stroke along each axis, on paper alone.
    """

    marks: Sequence[Mark]
    across: Axis | ColumnNames
    upwards: Axis | RowNames
    heights: tuple[float, float] = (3.0, 4.2)
    grid: Literal["x", "y", "both", ""] = "x"
    widest_key: float = 1.3
    legend: bool = True
    rug: bool = False

    def texts(self) -> list[str]:
        """Return everything that is written in the picture."""
        names = [getattr(mark, "name", "") for mark in self.marks]
        for mark in self.marks:
            if isinstance(mark, Beside):
                names += [text for _, text in mark.texts]
            elif isinstance(mark, PointNames | Rings):
                names += mark.names
            names.append(getattr(mark, "title", ""))
        for side in (self.across, self.upwards):
            names += [side.title, *((text for _, text in side.ticks) if isinstance(side, Axis) else side.names)]
        return names


def figure_dots(field: str, x: Numbers, y: Numbers, **choices: Any) -> Dots:
    """Return dots of a figure of models, such as ``R_bias``, in its colour and shape.

    ``choices`` are further fields of `Dots`.
    """
    return Dots(x, y, **{"colour": colour_of(field), "marker": marker_of(field), "name": symbol(field), **choices})


def looks(number: int) -> list[tuple[str, str]]:
    """Return a colour and a shape of dots for each of several models."""
    return [(SEVERAL[m % len(SEVERAL)], MARKERS_OF_MODELS[m % len(MARKERS_OF_MODELS)]) for m in range(number)]


def side_by_side(rows: int, number: int, of: int, distance: float) -> list[float]:
    """Return the height in each of ``rows`` rows of dot ``number`` (from 0) of ``of`` dots, ``distance`` rows apart."""
    return [row + distance * (number - (of - 1) / 2) for row in range(rows)]


def segments(
    low: Sequence[float] | FloatArray, high: Sequence[float] | FloatArray, y: Sequence[float]
) -> tuple[list[float | None], list[float | None]]:
    """Return x and y of a `Line` of level pieces, each from ``low`` to ``high`` at the height ``y``."""
    ends: list[float | None] = [end for a, b in zip(low, high, strict=True) for end in (float(a), float(b), None)]
    return ends, [height for at in y for height in (at, at, None)]
