"""Pictures made by hand, and what is looked up in their drawings."""

import xml.etree.ElementTree as ET
from dataclasses import replace

import numpy as np
import plotly.graph_objects
from bvf_report.pictures.compare.pairs import Pair, Pairs
from bvf_report.pictures.compare.trend import Compared, Ranked, Rise, Trend
from bvf_report.pictures.risk.distributions import Distributions
from bvf_report.pictures.risk.grid import Grid
from bvf_report.pictures.risk.groups import Scatter
from bvf_report.pictures.risk.leanings import Leaning, Leanings
from bvf_report.pictures.risk.models import Place, Scale
from matplotlib.backends.backend_agg import FigureCanvasAgg

from bvf.drawing.files import save
from bvf.drawing.marks import Value


def leaning(name, lean, classes=2, leads=None, added=()):
    values = [lean, -lean] + [0.01] * (classes - 2)
    leads = (0 if lean >= 0 else 1) if leads is None else leads
    figure = Value(abs(lean))
    return Leaning(
        group=name,
        gloss="",
        lean=tuple(Value(value, value - 0.02, value + 0.03) for value in values),
        leads=leads,
        p_star=(1 / classes,) * classes,
        r=figure,
        r_bias=figure,
        r_volatility=Value(0.0),
        particular=None,
        spread=0.0,
        added=tuple(Value(value, value - 0.02, value + 0.03) for value in added),
    )


def leans(names, **fields):
    """Leans from 0.4 to -0.4, of names."""
    ends = np.linspace(0.4, -0.4, len(names)) if len(names) > 1 else [0.3]
    groups = tuple(leaning(name, float(lean)) for name, lean in zip(names, ends, strict=True))
    view = Leanings("made", "made", ("male", "female"), groups, len(groups), 10, 0.95, "")
    return replace(view, **fields)


def cells():
    """A grid of two classes, with one prompt that was not answered."""
    values = np.array([[0.4, 0.1, -0.2], [0.0, np.nan, -0.3]])
    leads = np.where(np.isnan(values), -1, values < 0).astype(np.intp)
    contexts = ("The [X] said [Y]", "The [X] ran as [Y]", "The [X] was [Y]")
    return Grid(
        "made", ("male", "female"), ("captain", "nurse"), values, leads, contexts, np.full(3, 1 / 3),
        np.ones(3, np.intp), 3, 2, 1,
    )  # fmt: skip


def distributions(groups, classes):
    shape = (len(groups), len(classes))
    quantiles = np.sort(np.random.default_rng(0).uniform(size=(*shape, 5)), axis=2)
    shares = np.full((*shape, 40), 1 / 40)
    means, p_star = quantiles[..., 2], np.full(shape, 1 / len(classes))
    return Distributions(
        "made", classes, tuple(groups), quantiles, means, p_star, shares, np.linspace(0, 1, 41), 9, len(groups)
    )


def risks(groups):
    bias, volatility = np.random.default_rng(1).uniform(size=(2, len(groups)))
    leads = np.arange(len(groups)) % 2
    return Scatter("made", ("male", "female"), tuple(groups), bias, volatility, leads, 9)


def scale(names):
    value = Value(0.4, 0.3, 0.6)
    places = tuple(Place(name, value, Value(0.3), Value(0.1)) for name in names)
    reference = Place("stereotyped", Value(1.0), Value(1.0), Value(0.0))
    return Scale(places, (reference,), "linf", "unit", (10,) * len(names), 0.95, {})


def compared(names):
    values = {"R": Value(0.4, 0.3, 0.6), "R_bias": Value(0.3), "R_volatility": Value(0.1)}
    models = tuple(Ranked(name, values, {"R": (1, 2)}) for name in names)
    return Compared("made", models, 10, 4, 0.95, "")


def trend(names):
    values = tuple(Value(0.1 * x, 0.1 * x - 0.02, 0.1 * x + 0.02) for x in range(len(names)))
    figures = dict.fromkeys(("R", "R_bias", "R_volatility"), values)
    at = 1e6 * 10.0 ** np.arange(len(names))
    return Trend("made", "parameters", tuple(names), at, figures, {"R": Rise(1.0, 0.3)}, 0.95, 10, "")


def pairs(names):
    values = {field: (Value(0.4), Value(0.2)) for field in ("R", "R_bias", "R_volatility")}
    made = tuple(Pair(f"{name} before", name, values, {"R": "lower", "R_bias": "tied"}) for name in names)
    return Pairs("made", "tuned", ("no", "chat"), made, (), 10, "")


def named(axes):
    return [label.get_text() for label in axes.get_yticklabels()]


def laid_out(axes):
    FigureCanvasAgg(axes.get_figure(root=True)).draw()


def boxes(axes):
    laid_out(axes)
    return [label.get_window_extent() for label in axes.get_yticklabels() if label.get_text()]


def keys(axes):
    (legend,) = axes.get_figure(root=True).legends
    return [text.get_text() for text in legend.get_texts()]


def many(number):
    return [f"occupation number {x}" for x in range(number)]


def plotted(view):
    """Traces and layout of a picture that plotly has checked."""
    figure = view.interactive()
    plotly.graph_objects.Figure(figure)
    return figure["data"], figure["layout"]


def marks(axes):
    """Every dot by its sign: where it stands."""
    lines = [line for line in axes.lines if line.get_linestyle() == "None"]
    at = {sign: [line.get_xydata().tolist() for line in lines if line.get_marker() == sign]
          for sign in {line.get_marker() for line in lines}}  # fmt: skip
    return {
        sign: [(round(x, 9), round(y, 9)) for of_line in of_sign for x, y in of_line] for sign, of_sign in at.items()
    }


def drawn_of_strangers(view, file):
    """Write the drawing of a picture in which every name means harm, and look at it, its caption and its data."""
    axes = view.draw()
    save(axes, file, "a title", view.caption())
    ET.parse(file)
    box = axes.get_figure(root=True).get_tightbbox()
    assert (box.x0 >= -0.05, box.x1 <= 3.55) == (True, True)
    assert view.caption().isprintable()
    _, layout = plotted(view)
    written = [*layout["yaxis"].get("ticktext", ()), layout["xaxis"]["title"]["text"]]
    assert not any(tag in text for text in written for tag in ("<script", "<i>", "\n", "\u202e"))
