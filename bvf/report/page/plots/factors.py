"""Pictures of factors: how many prompts, two rings, coefficients, distribution functions."""

from collections.abc import Iterable

import numpy as np

from bvf.arrays import FloatArray
from bvf.plot.style import FIRST, GREY, GRID, INK, SECOND, SEVERAL
from bvf.report.page.plots.frame import (
    BLUES,
    DIGITS,
    DIVERGING,
    NEUTRAL,
    NUMBERED,
    Figure,
    apart,
    axis,
    dots,
    layout_of,
    numbers,
    plain,
    rows_of,
)
from bvf.views.coverage import Coverage
from bvf.views.ecdf import Ecdf
from bvf.views.forest import Forest
from bvf.views.sunburst import Sector, Sunburst

MOST_CELLS, MOST_SECTORS = 4_000, 1_000
"""The most cells and sectors that a browser draws quickly."""
BELOW = {"orientation": "h", "y": 0, "yanchor": "top", "len": 0.7, "thickness": 10}
RINGS, STEPS = 560, 320
"""Pixels of height."""
SMALLEST = 8
"""The smallest size in points of a name in a sector; smaller ones are left out."""
SIDES = {"more": ("deviates more", FIRST), "less": ("deviates less", SECOND), "neither": ("cannot tell", GREY)}
LINES = ("solid", "dash", "dashdot", "dot")


def draw_coverage(view: Coverage) -> Figure | None:
    """Return the number of prompts of each pair of levels; None: there are very many pairs."""
    if view.counts.size > MOST_CELLS:
        return None
    cells = {
        "type": "heatmap",
        "z": numbers(np.where(view.counts > 0, view.counts, np.nan)),
        "zmin": 0,
        "zmax": int(view.counts.max()),
        "colorscale": BLUES,
        "colorbar": {"title": {"text": "prompts"}, "thickness": 10},
        "hovertemplate": "%{z} prompts<extra></extra>",
        "xgap": 1,
        "ygap": 1,
        **({"texttemplate": "%{z}"} if max(view.counts.shape) <= NUMBERED else {}),
    }
    figure = rows_of([cells, _crosses(view)], apart(view.rows), plain(view.second))
    number = len(view.columns)
    names = {"tickmode": "array", "tickvals": list(range(number)), "ticktext": apart(view.columns)}
    figure["layout"]["xaxis"] |= {**names, "showgrid": False, "zeroline": False, "range": [-0.5, number - 0.5]}
    figure["layout"]["yaxis"] |= {"showgrid": False, "title": {"text": plain(view.first)}}
    return figure


def _crosses(view: Coverage) -> Figure:
    rows, columns = np.nonzero(view.counts == 0)
    marker = {"symbol": "x-thin", "size": 8, "line": {"color": GREY, "width": 1}}
    where = {"x": columns.tolist(), "y": rows.tolist(), "hovertemplate": "none<extra></extra>"}
    return {"type": "scatter", "mode": "markers", "marker": marker, **where}


def draw_sunburst(view: Sunburst) -> Figure | None:
    """Return two rings of sectors around all prompts, coloured by log disparity; None: there are very many."""
    if len(view.inner) + len(view.outer) > MOST_SECTORS:
        return None
    within = [_parent(each, view.inner) for each in view.outer]
    sectors = [*view.inner, *view.outer]
    most = view.furthest or 1.0
    rows = sum(each.rows for each in view.inner)
    inner = [f"i{place}" for place in range(len(view.inner))]
    trace = {
        "type": "sunburst",
        "ids": ["all", *inner, *(f"o{place}" for place in range(len(view.outer)))],
        "parents": ["", *["all"] * len(inner), *(inner[place] for place in within)],
        "labels": ["all", *(plain(each.level) for each in sectors)],
        "values": [rows, *(each.rows for each in sectors)],
        "branchvalues": "total",
        "sort": False,
        "marker": {
            "colors": [NEUTRAL, *(_colour(each, most) for each in sectors)],
            "line": {"width": 1, "color": GRID},
        },
        "customdata": [f"rate {view.rate:.3f}", *map(_told, sectors)],
        "hovertemplate": "%{label}: %{value} prompts<br>%{customdata}<extra></extra>",
        "insidetextorientation": "radial",
        "leaf": {"opacity": 1},
    }
    small, hidden = {"minsize": SMALLEST, "mode": "hide"}, {"visible": False}
    edges = {"l": 5, "r": 5, "t": 28, "b": 5}
    layout = {"height": RINGS, "margin": edges, "uniformtext": small, "xaxis": hidden, "yaxis": hidden}
    return {"data": [trace, _bar(most)], "layout": layout}


def _colour(each: Sector, most: float) -> str:
    """The colour of a disparity, between two of a scale; white where the disparity is not known."""
    if each.disparity is None:
        return "#ffffff"
    far, share = FIRST if each.disparity > 0 else SECOND, abs(each.disparity) / most
    ends = zip(bytes.fromhex(NEUTRAL[1:]), bytes.fromhex(far[1:]), strict=True)
    return "#" + bytes(round(near + share * (end - near)) for near, end in ends).hex()


def _bar(most: float) -> Figure:
    """The scale of colours, drawn by invisible dots: rings have no scale where some sectors are white."""
    title = {"text": "log disparity (above 0: more deviations)", "side": "top"}
    scale = {"colorscale": DIVERGING, "cmin": -most, "cmax": most, "colorbar": {**BELOW, "title": title}}
    return {"type": "scatter", "x": [None], "y": [None], "marker": {"color": [0], "showscale": True, **scale}}


def _parent(each: Sector, inner: tuple[Sector, ...]) -> int:
    """The sector of the inner ring within which the middle of an outer one lies."""
    middle = each.start + each.width / 2
    return next(place for place, sector in enumerate(inner) if sector.start <= middle < sector.start + sector.width)


def _told(each: Sector) -> str:
    known = "too few prompts to tell" if each.disparity is None else f"log disparity {each.disparity:+.2f}"
    return f"rate {each.rate:.3f}, {known}"


def draw_forest(view: Forest) -> Figure:
    """Return the coefficients of levels with their intervals, the largest on top."""
    traces = []
    for side, (called, colour) in SIDES.items():
        places = [place for place, each in enumerate(view.effects) if each.side == side]
        if places:
            placed = dots([view.effects[place].value for place in places], places)
            traces.append({**placed, "name": called, "marker": {"color": colour, "size": 8}})
    names = apart([f"{each.term}={each.level}" for each in view.effects])
    return rows_of(traces, names, f"coefficient, {view.level:.0%} interval", legend=True)


def draw_ecdf(view: Ecdf) -> Figure:
    """Return distribution functions as steps, with the rate that is wanted."""
    traces = [
        {
            "type": "scatter",
            "mode": "lines",
            "name": plain(each.name),
            "x": _digits([0.0, *each.rates, 1.0]),
            "y": _digits([0.0, *each.heights, 1.0]),
            "line": {"shape": "hv", "color": SEVERAL[number % len(SEVERAL)], "dash": LINES[number % len(LINES)]},
            "hovertemplate": "%{y:.0%} of subgroups have a rate of at most %{x:.3f}<extra></extra>",
        }
        for number, each in enumerate(view.steps)
    ]
    layout = layout_of(STEPS, "rate of deviations in a subgroup", legend=len(traces) > 1)
    lines = [(view.target, "solid", INK), *([] if view.line is None else [(view.line, "dot", GREY)])]
    shapes = [
        {"type": "line", "x0": at, "x1": at, "yref": "paper", "y0": 0, "y1": 1, "line": {"dash": dash, "color": colour}}
        for at, dash, colour in lines
    ]
    shares = {**axis("share of subgroups"), "range": [0, 1.02]}
    return {"data": traces, "layout": {**layout, "yaxis": shares, "shapes": shapes}}


def _digits(values: Iterable[float] | FloatArray) -> list[float]:
    return [round(float(each), DIGITS) for each in values]
