"""Draws marks with plotly: as data and layout of a figure, which are JSON. The page sets further colours."""

from collections.abc import Sequence
from functools import singledispatch
from typing import Any

import numpy as np

from bvf.drawing.fonts import shown_name
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
    Rings,
    RowNames,
    Rule,
    Shares,
    Strokes,
    Value,
)  # fmt: skip
from bvf.drawing.style import BLUES, FIRST, GRID, NEUTRAL, NUMBERED, SECOND, TWO_SIDED
from bvf.interfaces.picture import Figure
from bvf.tables.words import NAME_WIDTH

SYMBOLS = {
    "o": "circle", "s": "square", "D": "diamond", "^": "triangle-up", "v": "triangle-down", "P": "cross", "X": "x",
    "*": "star", "|": "line-ns-open", "+": "cross-thin-open", "x": "x-thin-open", "<": "triangle-left",
    ">": "triangle-right",
}  # fmt: skip
"""Shapes of dots, by their letters in matplotlib."""
DASHES = {"solid": "solid", "dashed": "dash", "dashdot": "dashdot", "dotted": "dot"}
PER_POINT, PER_POINT_OF_LINES = 2.3, 1.5
"""Pixels per point on paper, of the size of dots and of the width of lines."""
HEIGHT, EDGES = 400, 110
"""Pixels of a picture without rows; above and below all rows."""
BESIDE = 90
"""Pixels at the right for texts beside rows."""
LONGEST_TEXT = 90
"""The most columns of what a browser says of a point."""
SIGNIFICANT = 6
"""Digits of a number."""
RINGS, SMALLEST = 560, 8
"""Pixels of a picture of rings, and the smallest size of a name in points there; smaller names are left out."""


def figure_of_marks(marks: Marks) -> Figure:
    """Return data and layout for plotly."""
    for rings in (mark for mark in marks.marks if isinstance(mark, Rings)):
        return _of_rings(rings)
    traces = [
        trace for trace in map(trace_of, marks.marks) if trace is not None and (trace["name"] or trace.get("x", True))
    ]
    of_cells = any(isinstance(mark, Matrix) for mark in marks.marks)  # their colour bar is the legend
    shown = set[str]()
    for trace in traces:
        if trace.get("x") == []:  # an entry of the legend alone
            trace |= {"x": [None], "y": [None]}
        name = trace.get("name", "")
        trace["showlegend"] = marks.legend and not of_cells and bool(name) and name not in shown
        trace |= {"legendgroup": name} if name else {}
        shown.add(name)
    with_legend = any(trace["showlegend"] for trace in traces)
    if isinstance(marks.upwards, RowNames):
        height, upwards = EDGES + marks.upwards.pixels * len(marks.upwards.names), _rows(marks.upwards)
    else:
        height, upwards = HEIGHT, _axis(marks.upwards)
    upwards |= {"showgrid": False} if of_cells else {}
    texts = [text for mark in marks.marks if isinstance(mark, Beside) for text in _beside(mark)]
    layout = {
        "height": height,
        "margin": {"l": 10, "r": BESIDE if texts else 10, "t": 40 if with_legend else 28, "b": 45},
        "xaxis": _axis(marks.across) if isinstance(marks.across, Axis) else _columns(marks.across),
        "yaxis": upwards,
        "showlegend": with_legend,
        "legend": {"orientation": "h", "y": 1, "yanchor": "bottom", "x": 0},
        "hovermode": "closest",
        "annotations": texts,
        "shapes": [_shape(mark) for mark in marks.marks if isinstance(mark, Rule)],
    }
    return {"data": traces, "layout": layout}


@singledispatch
def trace_of(mark: Any) -> Figure | None:
    """Return the trace of a mark for plotly. None: it has none, as it is drawn otherwise, or on paper alone."""
    return None


@trace_of.register
def _(mark: Dots) -> Figure | None:
    size = PER_POINT * (mark.size if mark.areas is None else np.sqrt(mark.areas))
    symbol = SYMBOLS[mark.marker]
    marker: Figure = {"color": mark.colour, "size": rounded(size), "symbol": symbol, "opacity": mark.alpha}
    if any(mark.hollow):
        marker["symbol"] = [f"{symbol}-open" if hollow else symbol for hollow in mark.hollow]
    trace = {**_points(mark, "lines+markers" if mark.joined else "markers"), "marker": marker}
    for side, values in (("error_x", mark.x), ("error_y", mark.y)):
        if any(isinstance(each, Value) and each.low is not None for each in values):
            trace[side] = _bars(values)
    return trace | ({"line": {"color": mark.colour, "width": 1, "dash": DASHES[mark.dash]}} if mark.joined else {})


@trace_of.register
def _(mark: Line) -> Figure | None:
    line = {"color": mark.colour, "width": PER_POINT_OF_LINES * mark.width, "dash": DASHES[mark.dash]}
    line |= {"shape": "vh"} if mark.stepped else {}
    look = {"mode": "lines", "line": line, "name": _text(mark.name), "opacity": mark.alpha}
    hover = {"hovertemplate": f"{mark.hover}<extra></extra>"} if mark.hover else {"hoverinfo": "skip"}
    return {"type": "scatter", "x": rounded(mark.x), "y": rounded(mark.y), **look, **hover}


@trace_of.register
def _(mark: Band) -> Figure | None:
    x = [*rounded(mark.x), *rounded(mark.x)[::-1]]
    line = {"width": 0, "color": mark.colour, **({"shape": "hvh"} if mark.stepped else {})}
    look = {"mode": "lines", "fill": "toself", "line": line, "opacity": mark.alpha}
    y = [*rounded(mark.high), *rounded(mark.low)[::-1]]
    return {"type": "scatter", "x": x, "y": y, **look, "name": _text(mark.name), "hoverinfo": "skip"}


@trace_of.register
def _(mark: Strokes) -> Figure | None:
    middle = np.broadcast_to((np.asarray(mark.low) + np.asarray(mark.high)) / 2, len(mark.x))
    look = {"symbol": "line-ns", "size": mark.pixels, "line": {"color": mark.colour, "width": max(1.0, 2 * mark.width)}}
    return {**_points(mark, "markers", middle), "marker": look, "opacity": mark.alpha}


@trace_of.register
def _(mark: Shares) -> Figure:
    look = {"marker": {"color": mark.colour}, "width": 0.55, "hovertemplate": "%{x:.1%}<extra></extra>"}
    return {
        "type": "bar",
        "orientation": "h",
        "x": rounded(mark.x),
        "y": list(mark.y),
        **look,
        "name": _text(mark.name),
    }


@trace_of.register
def _(mark: Box) -> Figure:
    points = {"boxpoints": "all", "pointpos": 0, "marker": {"color": mark.colour, "size": 4, "opacity": 0.6}}
    return {
        "type": "box", "orientation": "h", "x": rounded(mark.x), "y": [*rounded([mark.y] * len(mark.x))],
        "width": rounded(mark.high), **points, **_said(mark), "name": _text(mark.name),
    }  # fmt: skip


@trace_of.register
def _(mark: Matrix) -> Figure:
    low, high = mark.limits
    digits = f"%{{z:{mark.digits}}}" if mark.digits and max(mark.values.shape) <= NUMBERED else ""
    return {
        "type": "heatmap",
        "name": "",
        "z": [rounded(row) for row in mark.values],
        "y": list(range(len(mark.values))),
        "customdata": [[plain(text, LONGEST_TEXT) for text in row] for row in mark.texts],
        "zmin": rounded(low),
        "zmax": rounded(high),
        "colorscale": TWO_SIDED if mark.diverging else BLUES,
        "colorbar": {"title": {"text": _text(mark.title), "side": "right"}, "thickness": 10},
        "hovertemplate": f"{mark.hover}<extra></extra>",
        **({"texttemplate": digits, "xgap": 1, "ygap": 1} if digits else {}),
    }


def rounded(values: Any) -> Any:
    """Return a number, or a list of numbers, with few digits. The number of a `Value` is its middle; NaN is None."""
    if isinstance(values, int):
        return values
    if isinstance(values, float):
        return None if np.isnan(values) else float(f"{values:.{SIGNIFICANT}g}")
    if values is None:
        return None
    return rounded(values.value) if isinstance(values, Value) else [rounded(each) for each in values]


def _points(mark: Dots | Strokes, mode: str, y: Any = None) -> Figure:
    at = {"x": rounded(mark.x), "y": rounded(mark.y if isinstance(mark, Dots) else y)}
    return {"type": "scatter", "mode": mode, **at, "name": _text(mark.name), **_said(mark, mark.hover)}


def _said(mark: Dots | Strokes | Box, hover: str = "%{text}: %{x}") -> Figure:
    """What a browser says of each point."""
    texts = {"text": [plain(text, LONGEST_TEXT) for text in mark.texts]} if len(mark.texts) else {}
    return {**texts, "hovertemplate": f"{hover}<extra></extra>"}


def _bars(values: Any) -> Figure:
    """Intervals as error bars; a value without one has a bar of length 0."""
    above = [0.0 if each.high is None else each.high - each.value for each in values]
    below = [0.0 if each.low is None else each.value - each.low for each in values]
    return {
        "type": "data",
        "symmetric": False,
        "array": rounded(above),
        "arrayminus": rounded(below),
        "thickness": 1.4,
        "width": 0,
    }


def _text(text: str) -> str:
    return exponent(plain(text, LONGEST_TEXT))


def _axis(side: Axis) -> Figure:
    settings = {"title": {"text": _text(side.title)}, "zeroline": True, "automargin": True}
    if None not in side.limits:
        settings["range"] = list(side.limits)
    elif side.from_zero or side.limits[0] == 0.0:
        settings["rangemode"] = "tozero"
    return settings | ({"type": "log", "dtick": 1} if side.logarithmic else {})


def _rows(named: RowNames) -> Figure:
    names = [exponent(name) for name in apart(named.names)]
    names = [f"<b>{name}</b>" if place in named.headings else name for place, name in enumerate(names)]
    look = {"tickfont": {"size": 11}, "automargin": True, "zeroline": False, "range": [len(names) - 0.4, -0.6]}
    return {**_ticks(names), **look, "title": {"text": _text(named.title)}}


def _columns(named: ColumnNames) -> Figure:
    bare = {"title": {"text": _text(named.title)}, "automargin": True, "showgrid": False, "zeroline": False}
    return {**bare, **(_ticks(apart(named.names)) if named.most is None else {"showticklabels": False})}


def _ticks(names: Sequence[str]) -> Figure:
    return {"tickmode": "array", "tickvals": list(range(len(names))), "ticktext": names}


def apart(names: Sequence[str]) -> list[str]:
    """Return names shortened, escaped for plotly, and distinct: a name that occurred before gets a number."""
    shown, seen = [], dict[str, int]()
    for name in names:
        short = plain(name)
        seen[short] = seen.get(short, 0) + 1
        shown.append(short if seen[short] == 1 else f"{short} ({seen[short]})")
    return shown


def plain(name: str, width: int = NAME_WIDTH) -> str:
    """Return a shortened name in which characters that plotly would read as HTML are escaped."""
    return shown_name(name, width).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def exponent(called: str) -> str:
    """Return a symbol such as R^b for plotly, with ``^b`` and ``^v`` as superscripts.

    >>> exponent("r^b")
    'r<sup>b</sup>'
    """
    base, _, raised = called.partition("^")
    known = raised[:1] in {"b", "v"} and base.split(" ")[-1] in {"r", "R"}
    return f"{base}<sup>{raised[0]}</sup>{raised[1:]}" if known else called


def _of_rings(mark: Rings) -> Figure:
    """Rings around the whole, and their colour scale, that of an invisible point: a missing value is not on it."""
    ids = [str(place) for place in range(len(mark.names))]
    trace = {
        "type": "sunburst",
        "ids": ["all", *ids],
        "parents": ["", *("all" if parent < 0 else ids[parent] for parent in mark.within)],
        "labels": ["all", *(plain(name) for name in mark.names)],
        "values": [sum(size for size, at in zip(mark.sizes, mark.within, strict=True) if at < 0), *mark.sizes],
        "branchvalues": "total",
        "sort": False,
        "marker": {
            "colors": [NEUTRAL, *(_between(float(value) / mark.most) for value in mark.values)],
            "line": {"width": 1, "color": GRID},
        },
        "customdata": list(mark.texts),
        "hovertemplate": f"{mark.hover}<extra></extra>",
        "insidetextorientation": "radial",
        "leaf": {"opacity": 1},
    }
    below = {"orientation": "h", "y": 0, "yanchor": "top", "len": 0.7, "thickness": 10}
    bar = {**below, "title": {"text": _text(mark.title), "side": "top"}}
    colours = {"colorscale": TWO_SIDED, "cmin": -mark.most, "cmax": mark.most, "showscale": True, "colorbar": bar}
    scale = {"type": "scatter", "x": [None], "y": [None], "marker": {"color": [0], **colours}}
    edges, hidden = {"l": 5, "r": 5, "t": 28, "b": 5}, {"visible": False}
    names = {"minsize": SMALLEST, "mode": "hide"}
    layout = {"height": RINGS, "margin": edges, "uniformtext": names, "xaxis": hidden, "yaxis": hidden}
    return {"data": [trace, scale], "layout": layout}


def _between(share: float) -> str:
    """The colour at a place on the scale of two sides, from -1 to 1; white for a missing value."""
    if np.isnan(share):
        return "#ffffff"
    ends = zip(bytes.fromhex(NEUTRAL[1:]), bytes.fromhex((FIRST if share > 0 else SECOND)[1:]), strict=True)
    return "#" + bytes(round(near + abs(share) * (end - near)) for near, end in ends).hex()


def _beside(mark: Beside) -> list[Figure]:
    """Annotations at the right of rows, and above them."""
    look = {"xref": "paper", "x": 1.0, "xanchor": "left", "showarrow": False, "font": {"size": 11}}
    texts = [{**look, "y": place, "text": plain(text)} for place, text in mark.texts if text]
    heading = {**look, "yref": "paper", "y": 1.0, "yanchor": "bottom", "text": plain(mark.heading)}
    return [*texts, *([heading] if mark.heading and texts else [])]


def _shape(mark: Rule) -> Figure:
    line = {"color": mark.colour, "width": 1, "dash": DASHES[mark.dash]}
    if mark.x is not None:
        return {"type": "line", "x0": mark.x, "x1": mark.x, "yref": "paper", "y0": 0, "y1": 1, "line": line}
    return {"type": "line", "y0": mark.y, "y1": mark.y, "xref": "paper", "x0": 0, "x1": 1, "line": line}
