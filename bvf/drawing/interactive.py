"""Makes parts of plotly figures (JSON-like dicts): rows with names, dots with intervals, escaped names.

The page sets the colours of background, axes and text.
"""

from collections.abc import Sequence

import numpy as np

from bvf.arrays import FloatArray
from bvf.drawing.names import shown_name
from bvf.drawing.values import Value
from bvf.interfaces.picture import Figure
from bvf.tables.words import NAME_WIDTH

ROW, EDGES = 20, 110
"""Pixels per row, and above and below all rows."""
DIGITS = 4


def in_rows(traces: list[Figure], names: Sequence[str], title: str, legend: bool = False) -> Figure:
    """Return a plotly figure with named rows, the first on top. In a trace, y is the index of a point's row.

    ``names`` must be escaped (`plain`); ``title`` is that of the horizontal axis; ``legend`` leaves space for one.
    """
    ticks = {"tickmode": "array", "tickvals": list(range(len(names))), "ticktext": list(names)}
    look = {"tickfont": {"size": 11}, "automargin": True, "zeroline": False}
    rows = {**ticks, **look, "range": [len(names) - 0.4, -0.6]}
    return {"data": traces, "layout": {**layout_of(ROW * len(names) + EDGES, title, legend), "yaxis": rows}}


def layout_of(height: int, title: str, legend: bool) -> Figure:
    """Return a plotly layout: height in pixels, axis title below, and space for a legend above if ``legend``."""
    return {
        "height": height,
        "margin": {"l": 10, "r": 10, "t": 40 if legend else 28, "b": 45},
        "xaxis": axis(title),
        "showlegend": legend,
        "legend": {"orientation": "h", "y": 1, "yanchor": "bottom", "x": 0},
        "hovermode": "closest",
    }


def axis(title: str) -> Figure:
    """Return the settings of a plotly axis: its title, and a line at 0."""
    return {"title": {"text": title}, "zeroline": True, "automargin": True}


def dots(values: Sequence[Value], rows: Sequence[float]) -> Figure:
    """Return a plotly trace with a dot and an interval for each value, at the vertical positions ``rows``."""
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [round(each.value, DIGITS) for each in values],
        "y": list(rows),
        "hovertemplate": "%{x}<extra></extra>",
        "error_x": bars(values),
    }


def bars(values: Sequence[Value]) -> Figure:
    """Return the intervals of values as error bars of a plotly trace; a value without one has a bar of length 0."""
    above = [0.0 if each.high is None else round(each.high - each.value, DIGITS) for each in values]
    below = [0.0 if each.low is None else round(each.value - each.low, DIGITS) for each in values]
    return {"type": "data", "symmetric": False, "array": above, "arrayminus": below, "thickness": 1.4, "width": 0}


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


def numbers(values: FloatArray) -> list[list[float | None]]:
    """Return the rows of an array as lists of rounded numbers for JSON. NaN becomes None."""
    return [[None if np.isnan(value) else round(float(value), DIGITS) for value in row] for row in values]


def exponent(called: str) -> str:
    """Return a symbol such as R^b for plotly, with ``^b`` and ``^v`` as superscripts.

    >>> exponent("r^b")
    'r<sup>b</sup>'
    """
    base, _, raised = called.partition("^")
    known = raised[:1] in {"b", "v"} and base.split(" ")[-1] in {"r", "R"}
    return f"{base}<sup>{raised[0]}</sup>{raised[1:]}" if known else called
