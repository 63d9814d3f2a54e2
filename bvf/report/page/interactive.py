"""Pictures as plotly draws them in a browser: data and layout as plain dictionaries, no library needed to make them.

Colours of paper, axes and letters are left to the page.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from bvf.analysing.formatting import NAME_WIDTH
from bvf.arrays import FloatArray
from bvf.plot.style import FIRST, GREY, OF_FIGURES, SECOND, colours_of
from bvf.views.captions import NAMED, View
from bvf.views.comparison import Compared
from bvf.views.distributions import Distributions
from bvf.views.grid import Grid
from bvf.views.leanings import Leanings
from bvf.views.names import shown_name
from bvf.views.scale import FIGURES, Place, Scale
from bvf.views.scatter import Scatter
from bvf.views.values import Value

Figure = dict[str, Any]
ROW, EDGES = 20, 110
"""Pixels per row, and of what is above and below them."""
DIGITS = 4
APART, HIGHEST_SHAPE = 0.22, 0.6
"""Between figures of one row, and how far shapes rise above theirs, in rows."""
LONGEST_TEXT = 90
SYMBOLS = {"R": "circle", "R_bias": "diamond", "R_volatility": "triangle-up", "particular_bias": "square"}
DIVERGING_STEPS = ((0.0, SECOND), (0.5, "#f4f4f4"), (1.0, FIRST))


def interactive(view: View) -> Figure | None:
    """Return data and layout of a picture; None: of this kind there is no such picture."""
    draw = _DRAWN.get(type(view))
    return None if draw is None else draw(view)


def _scale(view: Scale) -> Figure:
    places: Sequence[Place] = [*view.references, *view.models]
    traces = []
    for number, field in enumerate(FIGURES):
        values = [getattr(each, field) for each in places]
        rows, cut = _beside(len(places), number, len(FIGURES)), len(view.references)
        look = {**_look(field), "legendgroup": field}
        grey = {**look, "marker": {**look["marker"], "color": GREY}, "showlegend": False}
        traces += [{**_dots(values[:cut], rows[:cut]), **grey}, {**_dots(values[cut:], rows[cut:]), **look}]
    return _rows(traces, _apart([each.name for each in places]), "risk", legend=True)


def _leanings(view: Leanings) -> Figure:
    names, colours = _apart([each.group for each in view.groups]), colours_of(view.classes)
    traces = []
    for y, name in enumerate(view.classes):
        own = [place for place, each in enumerate(view.groups) if each.leads == y]
        if own:
            values = [view.groups[place].lean[0 if len(view.classes) == 2 else y] for place in own]
            symbols = ["circle-open" if view.groups[place].changes_sides else "circle" for place in own]
            marker = {"color": colours[y], "size": 9, "symbol": symbols}
            traces.append({**_dots(values, own), "name": _plain(name), "marker": marker})
    of = f"probability of {_plain(view.classes[0])}"
    what = of if len(view.classes) == 2 else "probability of the class that leads"
    figure = _rows(traces, names, f"mean {what} less p*", legend=True)
    figure["layout"]["xaxis"]["rangemode"] = "tozero"
    return figure


def _grid(view: Grid) -> Figure:
    most = float(np.nanmax(np.abs(view.values))) if np.isfinite(view.values).any() else 1.0
    columns = zip(view.contexts, view.in_column, strict=True)
    texts = [_plain(text, LONGEST_TEXT) if text else f"{number} contexts" for text, number in columns]
    names = _apart(view.groups)
    trace = {
        "type": "heatmap",
        "z": _numbers(view.values),
        "y": list(range(len(names))),
        "customdata": [texts] * len(names),
        "zmin": -most,
        "zmax": most,
        "colorscale": [[place, colour] for place, colour in DIVERGING_STEPS],
        "colorbar": {"title": {"text": "p - p*"}, "thickness": 10},
        "hovertemplate": "%{customdata}<br>p - p* %{z}<extra></extra>",
    }
    figure = _rows([trace], names, "contexts, by their mean lean", legend=False)
    figure["layout"]["xaxis"] |= {"showticklabels": False, "showgrid": False, "zeroline": False}
    return figure


def _distributions(view: Distributions) -> Figure:
    names, colours = _apart(view.groups), colours_of(view.classes)
    shown = range(1) if len(view.classes) == 2 else range(len(view.classes))
    traces = []
    for y in shown:
        called, rows = _plain(view.classes[y]), _beside(len(names), y, len(shown))
        lines = {"type": "scatter", "mode": "lines", "legendgroup": called, "hoverinfo": "skip", "showlegend": False}
        for first, last, width in ((0, 4, 1), (1, 3, 4)):
            ends = zip(view.quantiles[:, y, first], view.quantiles[:, y, last], strict=True)
            traces.append({**lines, **_segments(ends, rows), "line": {"color": colours[y], "width": width}})
        shape = {"line": {"color": colours[y], "width": 0}, "fill": "toself", "opacity": 0.35}
        traces.append({**lines, **_outlines(view, y, rows), **shape})
        dots = {**_dots([Value(float(mean)) for mean in view.means[:, y]], rows), "name": called}
        traces.append({**dots, "legendgroup": called, "marker": {"color": colours[y], "size": 7}})
    what = f"probability of {_plain(view.classes[0])}" if len(shown) == 1 else "probability"
    figure = _rows(traces, names, what, legend=len(shown) > 1)
    figure["layout"]["xaxis"]["range"] = [0, 1]
    figure["layout"]["height"] = ROW * 3 // 2 * len(names) + EDGES
    if len(shown) == 1 and np.ptp(view.p_star[:, 0]) == 0:
        fair = float(view.p_star[0, 0])
        line = {"type": "line", "x0": fair, "x1": fair, "yref": "paper", "y0": 0, "y1": 1, "line": {"width": 1}}
        figure["layout"]["shapes"] = [line]
    return figure


def _segments(ends: Iterable[tuple[float, float]], rows: Sequence[float]) -> Figure:
    x: list[float | None] = []
    y: list[float | None] = []
    for (low, high), row in zip(ends, rows, strict=True):
        x += [round(float(low), DIGITS), round(float(high), DIGITS), None]
        y += [row, row, None]
    return {"x": x, "y": y}


def _outlines(view: Distributions, y: int, rows: Sequence[float]) -> Figure:
    """The share of contexts in each bin, as a shape above each row; no bins beyond the first and last with any."""
    xs: list[float | None] = []
    ys: list[float | None] = []
    for x, row in enumerate(rows):
        shares = view.shares[x, y]
        there = np.flatnonzero(shares)
        first, last = int(there[0]), int(there[-1]) + 1
        tops = row - HIGHEST_SHAPE * shares[first:last] / shares.max()
        corners = np.repeat(view.edges[first : last + 1], 2)
        xs += [*np.round(corners, DIGITS).tolist(), None]
        ys += [row, *np.round(np.repeat(tops, 2), DIGITS).tolist(), row, None]
    return {"x": xs, "y": ys}


def _scatter(view: Scatter) -> Figure:
    colours = colours_of(view.classes)
    traces = []
    for y, name in enumerate(view.classes):
        own = np.flatnonzero(view.leads == y)
        if len(own):
            traces.append(
                {
                    "type": "scatter",
                    "mode": "markers",
                    "name": _plain(name),
                    "x": np.round(view.r_bias[own], DIGITS).tolist(),
                    "y": np.round(view.r_volatility[own], DIGITS).tolist(),
                    "text": [_plain(view.groups[place]) for place in own],
                    "hovertemplate": "%{text}<br>r^b %{x}, r^v %{y}<extra></extra>",
                    "marker": {"color": colours[y], "size": 8, "opacity": 0.8},
                }
            )
    return {"data": traces, "layout": {**_layout(380, "r<sup>b</sup>", legend=True), "yaxis": _axis("r<sup>v</sup>")}}


def _compared(view: Compared) -> Figure:
    figures = [field for field in NAMED if all(field in each.values for each in view.models)]
    traces = [
        {
            **_dots([each.values[field] for each in view.models], _beside(len(view.models), number, len(figures))),
            **_look(field),
        }
        for number, field in enumerate(figures)
    ]
    return _rows(traces, _apart([each.name for each in view.models]), "risk", legend=True)


def _look(field: str) -> Figure:
    return {
        "name": _html(NAMED[field]),
        "marker": {"color": OF_FIGURES[field], "size": 8, "symbol": SYMBOLS[field]},
    }


def _beside(rows: int, number: int, of: int) -> list[float]:
    """Where the dots of one of several figures lie in each row, so that none hides another."""
    return [round(row + APART * (number - (of - 1) / 2), DIGITS) for row in range(rows)]


def _dots(values: Sequence[Value], rows: Sequence[float]) -> Figure:
    """Values from left to right with their intervals, in rows from 0."""
    above = [0.0 if each.high is None else round(each.high - each.value, DIGITS) for each in values]
    below = [0.0 if each.low is None else round(each.value - each.low, DIGITS) for each in values]
    bars = {"type": "data", "symmetric": False, "array": above, "arrayminus": below, "thickness": 1.4, "width": 0}
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [round(each.value, DIGITS) for each in values],
        "y": list(rows),
        "hovertemplate": "%{x}<extra></extra>",
        "error_x": bars,
    }


def _rows(traces: list[Figure], names: Sequence[str], title: str, legend: bool = False) -> Figure:
    """Data in rows with names, the first on top."""
    ticks = {"tickmode": "array", "tickvals": list(range(len(names))), "ticktext": list(names)}
    look = {"tickfont": {"size": 11}, "automargin": True, "zeroline": False}
    rows = {**ticks, **look, "range": [len(names) - 0.4, -0.6]}
    return {"data": traces, "layout": {**_layout(ROW * len(names) + EDGES, title, legend), "yaxis": rows}}


def _layout(height: int, title: str, legend: bool) -> dict[str, Any]:
    return {
        "height": height,
        "margin": {"l": 10, "r": 10, "t": 40 if legend else 10, "b": 45},
        "xaxis": _axis(title),
        "showlegend": legend,
        "legend": {"orientation": "h", "y": 1, "yanchor": "bottom", "x": 0},
        "hovermode": "closest",
    }


def _axis(title: str) -> dict[str, Any]:
    return {"title": {"text": title}, "zeroline": True, "automargin": True}


def _apart(names: Sequence[str]) -> list[str]:
    """Names fit for a picture; where two look alike, a number tells them apart."""
    shown, seen = [], dict[str, int]()
    for name in names:
        short = _plain(name)
        seen[short] = seen.get(short, 0) + 1
        shown.append(short if seen[short] == 1 else f"{short} ({seen[short]})")
    return shown


def _plain(name: str, width: int = NAME_WIDTH) -> str:
    """A short name in which plotly finds no markup: it reads some tags and entities in labels."""
    return shown_name(name, width).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _html(called: str) -> str:
    base, _, exponent = called.partition("^")
    return f"{base}<sup>{exponent[0]}</sup>{exponent[1:]}" if exponent else base


def _numbers(values: FloatArray) -> list[list[float | None]]:
    return [[None if np.isnan(value) else round(float(value), DIGITS) for value in row] for row in values]


_DRAWN: dict[type, Callable[[Any], Figure]] = {
    Scale: _scale,
    Leanings: _leanings,
    Grid: _grid,
    Distributions: _distributions,
    Scatter: _scatter,
    Compared: _compared,
}
