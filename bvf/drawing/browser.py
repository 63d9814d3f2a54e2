"""Draws marks with plotly: as data and layout of a figure, which are JSON. The page sets further colours."""

from functools import singledispatch
from typing import Any

import numpy as np

from bvf.drawing.interactive import ROW, apart, axis, exponent, in_rows, layout_of, plain
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
    RowNames,
    Rule,
    Shares,
    Strokes,
)  # fmt: skip
from bvf.drawing.style import BLUES, NUMBERED, TWO_SIDED
from bvf.drawing.values import Value
from bvf.interfaces.picture import Figure

SYMBOLS = {
    "o": "circle", "s": "square", "D": "diamond", "^": "triangle-up", "v": "triangle-down", "P": "cross", "X": "x",
    "*": "star", "|": "line-ns-open", "+": "cross-thin-open", "<": "triangle-left", ">": "triangle-right",
}  # fmt: skip
"""Shapes of dots, by their letters in matplotlib."""
DASHES = {"solid": "solid", "dashed": "dash", "dotted": "dot"}
PER_POINT, PER_POINT_OF_LINES = 2.3, 1.5
"""Pixels per point on paper, of the size of dots and of the width of lines."""
HEIGHT = 400
"""Pixels of a picture without rows."""
BESIDE = 90
"""Pixels at the right for texts beside rows."""
LONGEST_TEXT = 90
"""The most columns of what a browser says of a point."""
SIGNIFICANT = 6
"""Digits of a number."""


def figure_of_marks(marks: Marks) -> Figure:
    """Return data and layout for plotly."""
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
    across = marks.across.title if isinstance(marks.across, Axis) or len(marks.across.names) != 1 else ""
    title = _text(across)
    if isinstance(marks.upwards, RowNames):
        rows = marks.upwards
        names = [exponent(name) for name in apart(rows.names)]
        names = [f"<b>{name}</b>" if place in rows.headings else name for place, name in enumerate(names)]
        figure = in_rows(traces, names, title, with_legend)
        figure["layout"]["height"] += (rows.pixels - ROW) * len(names)
    else:
        layout = layout_of(HEIGHT, title, with_legend)
        figure = {"data": traces, "layout": {**layout, "yaxis": {**axis(_text(marks.upwards.title))}}}
        _set_axis(figure["layout"]["yaxis"], marks.upwards)
    below = figure["layout"]["xaxis"]
    if isinstance(marks.across, ColumnNames):
        _name_columns(figure["layout"], marks.across)
    else:
        _set_axis(below, marks.across)
    texts = [text for mark in marks.marks if isinstance(mark, Beside) for text in _beside(mark)]
    if texts:
        figure["layout"]["margin"]["r"] = BESIDE
    figure["layout"]["annotations"] = texts
    figure["layout"]["shapes"] = [_shape(mark) for mark in marks.marks if isinstance(mark, Rule)]
    return figure


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


def _set_axis(settings: Figure, side: Axis) -> None:
    if None not in side.limits:
        settings["range"] = list(side.limits)
    elif side.from_zero or side.limits[0] == 0.0:
        settings["rangemode"] = "tozero"
    if side.logarithmic:
        settings |= {"type": "log", "dtick": 1}


def _name_columns(layout: Figure, named: ColumnNames) -> None:
    bare = {"showgrid": False, "zeroline": False}
    if named.most is None:
        names = {"tickmode": "array", "tickvals": list(range(len(named.names))), "ticktext": apart(named.names)}
        layout["xaxis"] |= {**names, **bare}
        layout["yaxis"] |= {"showgrid": False}
    else:
        layout["xaxis"] |= {"showticklabels": False, **bare}


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
