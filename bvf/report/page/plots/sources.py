"""Pictures of where figures come from: what varies, social factors."""

import numpy as np

from bvf.plot.drawn.variance import EDGE, HEADINGS
from bvf.plot.style import FIRST, GREY, INK, OF_FIGURES, PALE
from bvf.report.page.plots.frame import (
    APART,
    DIGITS,
    Figure,
    apart,
    axis,
    dots,
    layout_of,
    plain,
    rows_of,
)
from bvf.report.page.plots.models import SYMBOLS, exponent
from bvf.views.controls import Controls
from bvf.views.regression import RegressionView
from bvf.views.values import Value
from bvf.views.variance import Variance

HEIGHT, TALLER = 460, 20
"""Pixels of a regression, and extra pixels of a row with two figures."""
ASIDE = 0.2
CALLED = {"R": "R", "apart": "particular_bias"}
"""The figures whose markers the figures of controls have."""
LIGHTEST, HEAVIEST, MEAN = 5.0, 44.0, 11.0
"""Pixels across the dot of the lightest group, of the heaviest, and of one of mean weight."""


def draw_variance(view: Variance) -> Figure:
    """Return bars for the parts of the variance, and dots with intervals for swaps and for reliabilities."""
    names, first = list[str](), list[int]()
    blocks = (
        [name for name, _ in view.parts],
        apart([each.name for each in view.swaps]),
        [exponent(plain(name)) for name, _ in view.reliabilities],
    )
    for heading, block in zip(HEADINGS, blocks, strict=True):
        names += [f"<b>{heading}</b>", *block] if block else []
        first.append(len(names) - len(block))
    places = [list(range(start, start + len(block))) for start, block in zip(first, blocks, strict=True)]
    traces = [_bars(view, places[0]), *_swaps(view, places[1])]
    if view.reliabilities:
        look = {"showlegend": False, "marker": {"color": INK, "size": 8}}
        traces.append({**dots([value for _, value in view.reliabilities], places[2]), **look})
    figure = rows_of(traces, names, "share, or reliability", legend=bool(view.swaps))
    least = min(0.0, *(_low(value) for _, value in view.reliabilities), 0.0)
    figure["layout"]["xaxis"]["range"] = [least - EDGE, 1.0 + EDGE]
    return figure


def _bars(view: Variance, rows: list[int]) -> Figure:
    return {
        "type": "bar",
        "orientation": "h",
        "showlegend": False,
        "x": [round(share, DIGITS) for _, share in view.parts],
        "y": rows,
        "width": 0.55,
        "marker": {"color": PALE},
        "hovertemplate": "%{x:.1%}<extra></extra>",
    }


def _swaps(view: Variance, rows: list[int]) -> list[Figure]:
    traces = list[Figure]()
    if rows:
        chances = dots([Value(each.by_chance) for each in view.swaps], rows)
        look = {"symbol": "line-ns", "size": 14, "line": {"color": GREY, "width": 3}}
        traces.append({**chances, "name": "by chance", "marker": look})
    for field, called, aside in (("variance", "of the variance", -APART), ("R_volatility", exponent("of R^v"), APART)):
        pairs = zip(rows, view.swaps, strict=True)
        known = [(row, each.variance if field == "variance" else each.volatility) for row, each in pairs]
        there = [(row, value) for row, value in known if value is not None]
        if there:
            look = {"color": OF_FIGURES.get(field, INK), "size": 8, "symbol": SYMBOLS.get(field, "circle")}
            placed = dots([value for _, value in there], [row + aside for row, _ in there])
            traces.append({**placed, "name": called, "marker": look})
    return traces


def draw_controls(view: Controls) -> Figure:
    """Return R of each topic and what sets groups apart, with a stroke per group."""
    traces = list[Figure]()
    for figure, called in CALLED.items():
        there = [place for place, each in enumerate(view.topics) if figure in each.figures]
        topics = [view.topics[place] for place in there]
        rows = [place + (ASIDE if figure == "apart" else -ASIDE) for place in there]
        values = [Value(float(value)) for each in topics for value in each.of_groups[figure]]
        at = [row for row, each in zip(rows, topics, strict=True) for _ in each.of_groups[figure]]
        stroke = {"symbol": "line-ns", "size": 12, "line": {"color": OF_FIGURES[called], "width": 1}}
        traces.append({**dots(values, at), "marker": stroke, "opacity": 0.35, "showlegend": False})
        look = {"color": OF_FIGURES[called], "size": 10, "symbol": SYMBOLS[called]}
        traces.append({**dots([each.figures[figure] for each in topics], rows), "name": figure, "marker": look})
    drawn = rows_of(traces, apart([each.name for each in view.topics]), "R; total variation", legend=True)
    drawn["layout"]["height"] += TALLER * len(view.topics)
    return drawn


def draw_regression(view: RegressionView) -> Figure:
    """Return a dot per group, as large as its weight, the line through them, and its band."""
    sizes = np.clip(MEAN * np.sqrt(view.weights * len(view.weights)), LIGHTEST, HEAVIEST)
    at, low, high, line = (_digits(values) for values in (view.at, view.low, view.high, view.line))
    lines = {"type": "scatter", "mode": "lines", "hoverinfo": "skip"}
    edge = {"fill": "toself", "fillcolor": GREY, "opacity": 0.25, "line": {"width": 0}}
    dot = {"color": FIRST, "size": _digits(sizes), "opacity": 0.6}
    traces = [
        {**lines, "x": at + at[::-1], "y": high + low[::-1], **edge, "name": f"{view.level:.0%} of the line"},
        {**lines, "x": at, "y": line, "line": {"color": GREY, "width": 2}, "name": "line"},
        {
            "type": "scatter",
            "mode": "markers",
            "name": "groups",
            "x": _digits(view.x),
            "y": _digits(view.y),
            "text": [plain(group) for group in view.groups],
            "customdata": [f"{share:.2%}" for share in view.weights],
            "hovertemplate": "%{text}<br>%{x}, %{y}<br>weight %{customdata}<extra></extra>",
            "marker": dot,
        },
    ]
    what = plain(" ".join(filter(None, (view.label, f"({view.year})" if view.year else ""))))
    layout = layout_of(HEIGHT, f"{what}, {plain(view.unit)}" if view.unit else what, legend=True)
    layout["xaxis"]["zeroline"] = False
    return {"data": traces, "layout": {**layout, "yaxis": {**axis(exponent(plain(view.figure))), "zeroline": False}}}


def _low(value: Value) -> float:
    return value.value if value.low is None else value.low


def _digits(values: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> list[float]:
    """Numbers with six significant digits, as wages are large and leans are small."""
    return [float(f"{value:.6g}") for value in values]
