"""Pictures of several models: on one scale, in the same contexts, over a label, topic by topic."""

from collections.abc import Sequence

import numpy as np

from bvf.arrays import FloatArray
from bvf.plot.style import GREY, OF_FIGURES, SEVERAL
from bvf.report.page.plots.frame import (
    BLUES,
    DIGITS,
    NUMBERED,
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
from bvf.views.captions import NAMED
from bvf.views.comparison import Compared, TopicMatrix, Trend
from bvf.views.over_contexts import OverContexts
from bvf.views.scale import FIGURES, Place, Scale
from bvf.views.values import Value

HEIGHT = 380
"""Pixels of a trend."""
SYMBOLS = {"R": "circle", "R_bias": "diamond", "R_volatility": "triangle-up", "particular_bias": "square"}


def draw_scale(view: Scale) -> Figure:
    """Return models and reference models on one scale."""
    places: Sequence[Place] = [*view.references, *view.models]
    traces = []
    for number, field in enumerate(FIGURES):
        values = [getattr(each, field) for each in places]
        rows, cut = beside(len(places), number, len(FIGURES)), len(view.references)
        look = {**_look(field), "legendgroup": field}
        grey = {**look, "marker": {**look["marker"], "color": GREY}, "showlegend": False}
        traces += [{**dots(values[:cut], rows[:cut]), **grey}, {**dots(values[cut:], rows[cut:]), **look}]
    return rows_of(traces, apart([each.whole_name for each in places]), "risk", legend=True)


def draw_compared(view: Compared) -> Figure:
    """Return models in the contexts that all share."""
    figures = [field for field in NAMED if all(field in each.values for each in view.models)]
    traces = [
        {
            **dots([each.values[field] for each in view.models], beside(len(view.models), number, len(figures))),
            **_look(field),
        }
        for number, field in enumerate(figures)
    ]
    return rows_of(traces, apart([each.name for each in view.models]), "risk", legend=True)


def draw_trend(view: Trend) -> Figure:
    """Return the figures of models over a label."""
    names = apart(view.names)
    traces = []
    for field, values in view.values.items():
        upright = _upright(values, view.at)
        line = {"color": OF_FIGURES[field], "width": 1}
        told = {"text": names, "hovertemplate": "%{text}<br>%{x}: %{y}<extra></extra>"}
        traces.append({**upright, **_look(field), **told, "mode": "lines+markers", "line": line})
    layout = layout_of(HEIGHT, plain(view.label), legend=True)
    if view.is_logarithmic:
        layout["xaxis"] |= {"type": "log", "dtick": 1}
    return {"data": traces, "layout": {**layout, "yaxis": {**axis("risk"), "rangemode": "tozero"}}}


def draw_topics(view: TopicMatrix) -> Figure:
    """Return R of models by topics as cells, with their numbers where there are few."""
    told = [
        [_interval(low, high) for low, high in zip(*ends, strict=True)]
        for ends in zip(view.low, view.high, strict=True)
    ]
    cells = {
        "type": "heatmap",
        "z": numbers(view.R),
        "zmin": 0,
        "zmax": round(float(np.nanmax(view.R)), DIGITS) or 1,
        "colorscale": BLUES,
        "colorbar": {"title": {"text": "R"}, "thickness": 10},
        "customdata": told,
        "hovertemplate": "R %{z}%{customdata}<extra></extra>",
        "xgap": 1,
        "ygap": 1,
        **({"texttemplate": "%{z:.3f}"} if max(view.R.shape) <= NUMBERED else {}),
    }
    figure = rows_of([cells], apart(view.models), "topic")
    names = {"tickmode": "array", "tickvals": list(range(len(view.topics))), "ticktext": apart(view.topics)}
    figure["layout"]["xaxis"] |= {**names, "showgrid": False, "zeroline": False}
    figure["layout"]["yaxis"] |= {"showgrid": False}
    return figure


def draw_over_contexts(view: OverContexts) -> Figure:
    """Return R of each model over the sets, or R, R^b and R^v of a single one."""
    places = list(range(len(view.sets)))
    named = [
        f"{name} ({distance:.2f})" for name, distance in zip(apart(view.sets), view.distances[0].tolist(), strict=True)
    ]
    traces = []
    if len(view.models) == 1:
        looks = [(_look(field), values[:, 0]) for field, values in view.figures.items()]
    else:
        symbols = [*SYMBOLS.values(), "x", "cross", "star", "hexagon"]
        looks = [
            ({"name": name, "marker": {"color": colour, "size": 9, "symbol": symbols[m % len(symbols)]}}, values)
            for m, (name, values) in enumerate(zip(apart(view.models), view.figures["R"].T, strict=True))
            for colour in [SEVERAL[m % len(SEVERAL)]]
        ]
    for look, values in looks:
        line = {"mode": "lines+markers", "line": {"color": look["marker"]["color"], "width": 1}}
        traces.append({**dots([Value(float(value)) for value in values], places), **look, **line})
    return rows_of(traces, named, "risk" if len(view.models) == 1 else "R", legend=True)


def _interval(low: float, high: float) -> str:
    return "" if np.isnan(low) else f" [{low:.3f}, {high:.3f}]"


def _upright(values: Sequence[Value], at: FloatArray) -> Figure:
    """Values with vertical intervals, at places from left to right."""
    lying = dots(values, [round(float(each), DIGITS) for each in at])
    return {**lying, "x": lying["y"], "y": lying["x"], "error_y": lying.pop("error_x")}


def _look(field: str) -> Figure:
    return {
        "name": exponent(NAMED[field]),
        "marker": {"color": OF_FIGURES[field], "size": 8, "symbol": SYMBOLS[field]},
    }


def exponent(called: str) -> str:
    """Return the name of a figure for plotly, without markup except for the exponent of ``r^b``."""
    base, _, exponent = called.partition("^")
    known = exponent[:1] in {"b", "v"} and base.split(" ")[-1] in {"r", "R"}
    return f"{base}<sup>{exponent[0]}</sup>{exponent[1:]}" if known else called
