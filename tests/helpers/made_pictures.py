"""Pictures made by hand, and what is looked up in their drawings."""

import numpy as np
import plotly.graph_objects
from bvf_report.pictures.risk.contexts import Grid
from bvf_report.pictures.risk.groups import Scatter
from bvf_report.pictures.risk.leanings import Leaning, Leanings
from matplotlib.backends.backend_agg import FigureCanvasAgg

from bvf import Result
from bvf.drawing.marks import Value
from bvf.results import GroupRisk
from bvf.study.uncertainty import Uncertainty


def leans(names):
    """Leans from 0.4 to -0.4, of names."""
    groups = []
    for name, lean in zip(names, np.linspace(0.4, -0.4, len(names)) if len(names) > 1 else [0.3], strict=True):
        p = {"male": 0.5 + lean, "female": 0.5 - lean}
        half = dict.fromkeys(p, 0.5)
        group = GroupRisk.model_construct(group=name, mean_probabilities=p, reference_probabilities=half)
        groups.append(Leaning(group, tuple(Value(value, value - 0.02, value + 0.03) for value in (lean, -lean))))
    of = {"groups": [each.group for each in groups], "number_of_contexts": 10}
    result = Result.model_construct(model="made", uncertainty=Uncertainty.model_construct(intervals={}), **of)
    return Leanings(result, tuple(groups))


def cells():
    """A grid of two classes, with one prompt that was not answered."""
    values = np.array([[0.4, 0.1, -0.2], [0.0, np.nan, -0.3]])
    leads = np.where(np.isnan(values), -1, values < 0).astype(np.intp)
    contexts = ("The [X] said [Y]", "The [X] ran as [Y]", "The [X] was [Y]")
    return Grid(
        "made", ("male", "female"), ("captain", "nurse"), values, leads, contexts, np.full(3, 1 / 3),
        np.ones(3, np.intp), 3, 2, 1,
    )  # fmt: skip


def risks(groups):
    half = {"male": 0.5, "female": 0.5}
    made = [
        GroupRisk.model_construct(
            group=name, r_bias=bias, r_volatility=volatility, reference_probabilities=half,
            mean_probabilities={"male": 0.5 + lean, "female": 0.5 - lean},
        )
        for name, bias, volatility, lean in zip(
            groups, *np.random.default_rng(1).uniform(size=(2, len(groups))), np.resize([0.1, -0.1], len(groups)),
            strict=True,
        )
    ]  # fmt: skip
    return Scatter(Result.model_construct(model="made", groups=made, number_of_contexts=9))


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
