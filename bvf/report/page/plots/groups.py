"""Pictures of the groups of one result: leanings, contexts, distributions, r^v against r^b."""

from collections.abc import Iterable, Sequence

import numpy as np

from bvf.plot.style import colours_of
from bvf.report.page.plots.frame import (
    DIGITS,
    DIVERGING,
    EDGES,
    ROW,
    Figure,
    apart,
    axis,
    beside,
    dots,
    layout_of,
    numbers,
    plain,
    rows_of,
)
from bvf.views.distributions import Distributions
from bvf.views.grid import Grid
from bvf.views.leanings import Leanings
from bvf.views.scatter import Scatter
from bvf.views.values import Value

HIGHEST_SHAPE = 0.6
"""How far shapes rise above their rows, in rows."""
LONGEST_TEXT = 90


def draw_leanings(view: Leanings) -> Figure:
    """Return how far each group leans, and to which class."""
    names, colours = apart([each.group for each in view.groups]), colours_of(view.classes)
    traces = []
    for y, name in enumerate(view.classes):
        places = [place for place, each in enumerate(view.groups) if each.leads == y]
        if places:
            values = [view.groups[place].lean[0 if len(view.classes) == 2 else y] for place in places]
            symbols = ["circle-open" if view.groups[place].changes_sides else "circle" for place in places]
            marker = {"color": colours[y], "size": 9, "symbol": symbols}
            traces.append({**dots(values, places), "name": plain(name), "marker": marker})
    of = f"probability of {plain(view.classes[0])}"
    what = of if len(view.classes) == 2 else "probability of the class that leads"
    figure = rows_of(traces, names, f"mean {what} less p*", legend=True)
    figure["layout"]["xaxis"]["rangemode"] = "tozero"
    return figure


def draw_grid(view: Grid) -> Figure:
    """Return how far each group leans in each context, as cells."""
    most = float(np.nanmax(np.abs(view.values))) if np.isfinite(view.values).any() else 1.0
    columns = zip(view.contexts, view.in_column, strict=True)
    texts = [plain(text, LONGEST_TEXT) if text else f"{number} contexts" for text, number in columns]
    names = apart(view.groups)
    trace = {
        "type": "heatmap",
        "z": numbers(view.values),
        "y": list(range(len(names))),
        "customdata": [texts] * len(names),
        "zmin": -most,
        "zmax": most,
        "colorscale": DIVERGING,
        "colorbar": {"title": {"text": "p - p*"}, "thickness": 10},
        "hovertemplate": "%{customdata}<br>p - p* %{z}<extra></extra>",
    }
    figure = rows_of([trace], names, "contexts, by their mean lean", legend=False)
    figure["layout"]["xaxis"] |= {"showticklabels": False, "showgrid": False, "zeroline": False}
    return figure


def draw_distributions(view: Distributions) -> Figure:
    """Return how probabilities vary over contexts, group by group."""
    names, colours = apart(view.groups), colours_of(view.classes)
    shown = range(1) if len(view.classes) == 2 else range(len(view.classes))
    traces = []
    for y in shown:
        called, rows = plain(view.classes[y]), beside(len(names), y, len(shown))
        lines = {"type": "scatter", "mode": "lines", "legendgroup": called, "hoverinfo": "skip", "showlegend": False}
        for first, last, width in ((0, 4, 1), (1, 3, 4)):
            ends = zip(view.quantiles[:, y, first], view.quantiles[:, y, last], strict=True)
            traces.append({**lines, **_segments(ends, rows), "line": {"color": colours[y], "width": width}})
        shape = {"line": {"color": colours[y], "width": 0}, "fill": "toself", "opacity": 0.35}
        traces.append({**lines, **_outlines(view, y, rows), **shape})
        means = {**dots([Value(float(mean)) for mean in view.means[:, y]], rows), "name": called}
        traces.append({**means, "legendgroup": called, "marker": {"color": colours[y], "size": 7}})
    what = f"probability of {plain(view.classes[0])}" if len(shown) == 1 else "probability"
    figure = rows_of(traces, names, what, legend=len(shown) > 1)
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
    """The share of contexts in each bin, as a shape above each row; empty bins at both ends are left out."""
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


def draw_scatter(view: Scatter) -> Figure:
    """Return r^v against r^b of each group."""
    colours = colours_of(view.classes)
    traces = []
    for y, name in enumerate(view.classes):
        leading = np.flatnonzero(view.leads == y)
        if len(leading):
            traces.append(
                {
                    "type": "scatter",
                    "mode": "markers",
                    "name": plain(name),
                    "x": np.round(view.r_bias[leading], DIGITS).tolist(),
                    "y": np.round(view.r_volatility[leading], DIGITS).tolist(),
                    "text": [plain(view.groups[place]) for place in leading],
                    "hovertemplate": "%{text}<br>r^b %{x}, r^v %{y}<extra></extra>",
                    "marker": {"color": colours[y], "size": 8, "opacity": 0.8},
                }
            )
    return {"data": traces, "layout": {**layout_of(380, "r<sup>b</sup>", legend=True), "yaxis": axis("r<sup>v</sup>")}}
