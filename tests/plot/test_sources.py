"""Pictures of where figures come from have the numbers of their views, drawn and in a browser."""

import xml.etree.ElementTree as ET
from dataclasses import replace

import numpy as np
import plotly.graph_objects
import pytest
from hostile_texts import HOSTILE

import bvf
from bvf import BvfError
from bvf.analyses.contexts.analysis import compare_contexts
from bvf.plot.drawing import draw, save
from bvf.report.page.interactive import interactive
from bvf.study.config import AnalysisConfig
from bvf.views.captions import caption
from bvf.views.controls import Beside, Controls, controls
from bvf.views.over_contexts import OverContexts, over_contexts
from bvf.views.values import Value
from bvf.views.variance import Swap, Variance, variance

VARIANCE = Variance(
    model="made",
    topic="gender",
    contexts=20,
    parts=(("groups", 0.6), ("contexts", 0.3), ("both together", 0.1)),
    swaps=(Swap("all swaps", Value(0.25, 0.1, 0.4), Value(0.5), 0.45), Swap("stop", None, None, 0.5)),
    templates=8,
    reliabilities=(("r^b", Value(0.9, 0.8, 0.95)), ("lean to male", Value(-0.2, -0.3, 0.1))),
    level=0.9,
)


R = np.array([[0.2, 0.3, 0.5], [0.25, 0.2, 0.4]])
SETS = OverContexts(
    topic="gender",
    criterion="linf",
    scale="unit",
    groups=12,
    models=("a", "b", "c"),
    sets=("books", "talk"),
    templates=(10, 20),
    figures={"R": R, "R_bias": R - 0.05, "R_volatility": np.full((2, 3), 0.05)},
    distances=np.array([[0.0, 0.75], [0.75, 0.0]]),
    kendall=(0.5, 0.9),
    orders=("the order of models by R: rank correlation +0.50, p 1.0000",),
)


CONTROLS = Controls(
    model="made",
    topics=(
        Beside(
            "gender",
            {"R": Value(0.5, 0.4, 0.6), "apart": Value(0.1)},
            {"R": np.array([0.2, 0.8]), "apart": np.array([0.05, 0.15])},
        ),
        Beside("weekday", {"R": Value(0.4)}, {"R": np.array([0.3, 0.5])}),
    ),
    groups=2,
    criterion="linf",
    scale="unit",
    level=0.95,
    undefined={"weekday": "the contexts were written"},
    said=("R of gender is above that of the control weekday, by 0.1",),
)


def plotted(view):
    """Traces and layout of a picture that plotly has checked."""
    figure = interactive(view)
    plotly.graph_objects.Figure(figure)
    return figure["data"], figure["layout"]


def marks(axes):
    """Every mark by its sign: where it stands."""
    lines = [line for line in axes.lines if line.get_linestyle() == "None"]
    return {sign: [(line.get_xdata()[0], line.get_ydata()[0]) for line in lines if line.get_marker() == sign]
            for sign in {line.get_marker() for line in lines}}  # fmt: skip


def test_bars_dots_and_strokes_are_the_shares():
    axes = draw(VARIANCE)
    bars = [(round(bar.get_width(), 9), round(bar.get_y() + bar.get_height() / 2, 9)) for bar in axes.patches]
    assert bars == [(0.6, 1), (0.3, 2), (0.1, 3)]
    by_sign = marks(axes)
    assert by_sign["o"] == [(0.25, 4.8), (0.9, 8), (-0.2, 9)]
    assert by_sign["^"] == [(0.5, 5.2)]
    strokes = [line.get_xdata()[0] for line in axes.lines if line.get_linewidth() == 1.6]
    assert strokes == [0.45, 0.5]
    assert [label.get_text() for label in axes.get_yticklabels()][8:] == ["r$^b$", "lean to male"]
    low, high = axes.get_xlim()
    assert (low < -0.3, high > 1) == (True, True)


def test_in_a_browser_the_same_shares_stand_in_the_same_rows():
    (bars, chances, of_variance, of_volatility, halves), layout = plotted(VARIANCE)
    assert list(zip(bars["x"], bars["y"], strict=True)) == [(0.6, 1), (0.3, 2), (0.1, 3)]
    assert list(zip(chances["x"], chances["y"], strict=True)) == [(0.45, 5), (0.5, 6)]
    assert (of_variance["x"], of_volatility["x"], halves["x"]) == ([0.25], [0.5], [0.9, -0.2])
    assert (of_variance["error_x"]["arrayminus"], of_variance["error_x"]["array"]) == ([0.15], [0.15])
    names = layout["yaxis"]["ticktext"]
    assert [names[row] for row in halves["y"]] == ["r<sup>b</sup>", "lean to male"]
    assert layout["xaxis"]["range"][0] < -0.3


def test_of_a_run_without_swaps_the_picture_has_its_parts_and_reliabilities(result):
    explanation = bvf.explain(result)
    view = variance(explanation)
    assert [share for _, share in view.parts] == [each.share for each in explanation.varying]
    assert dict(view.reliabilities)["r^b"].value == explanation.reliability[1].reliability
    assert view.swaps == ()
    said = caption(view)
    assert f"groups {explanation.varying[0].share:.0%}" in said
    assert said.endswith("Bars: the middle 95% of splits.")
    assert "swaps" not in said


def test_where_nothing_varies_there_is_no_picture(run_of):
    with pytest.raises(BvfError, match="no picture of the variance: nothing varies"):
        variance(bvf.explain(run_of(model="baseline:unbiased")))


def test_every_model_has_a_line_over_the_sets_and_every_set_its_distance():
    axes = draw(SETS)
    lines = [line for line in axes.lines if len(line.get_xdata()) == 2]
    assert [line.get_xdata().tolist() for line in lines] == R.T.tolist()
    assert len({line.get_marker() for line in lines}) == len({line.get_color() for line in lines}) == 3
    assert [text.get_text() for text in axes.texts] == ["0.00", "0.75", "distance"]
    data, layout = plotted(SETS)
    assert [(trace["name"], trace["x"]) for trace in data] == list(zip("abc", R.T.tolist(), strict=True))
    assert len({trace["marker"]["symbol"] for trace in data}) == 3
    assert layout["yaxis"]["ticktext"] == ["books (0.00)", "talk (0.75)"]
    said = caption(SETS)
    assert "R: a 0.200 to 0.250, b 0.200 to 0.300, c 0.400 to 0.500." in said
    assert said.endswith("The order of models by R: rank correlation +0.50, p 1.0000.")


def test_a_single_model_has_all_three_figures():
    one = {name: np.array(values) for name, values in (("R", [[0.2], [0.3]]), ("R_bias", [[0.1], [0.2]]))}
    one["R_volatility"] = np.array([[0.1], [0.1]])
    view = replace(SETS, models=("a",), figures=one, orders=())
    shown = {line.get_marker(): line.get_xdata().tolist() for line in draw(view).lines}
    assert shown == {"o": [0.2, 0.3], "D": [0.1, 0.2], "^": [0.1, 0.1]}
    assert [trace["x"] for trace in plotted(view)[0]] == list(shown.values())


def test_more_models_than_signs_have_another_line():
    many = replace(
        SETS, models=tuple(map(str, range(11))), figures={"R": np.random.default_rng(0).uniform(size=(2, 11))}
    )
    lines = [line for line in draw(many).lines if len(line.get_xdata()) == 2]
    assert len({(line.get_marker(), line.get_linestyle()) for line in lines}) == 11


def test_a_picture_over_context_sets_has_what_was_compared(run_of):
    runs = [run_of(contexts=name, sample_contexts=0) for name in ("gender", "gender-table8")]
    compared = compare_contexts([each.folder for each in runs], AnalysisConfig())
    view = over_contexts(compared)
    assert view.figures["R_bias"].ravel() == pytest.approx([each.R_bias for each in runs])
    assert view.distances[0, 1] == view.distances[1, 0] == compared.pairs[0].total_variation
    assert view.kendall == (compared.pairs[0].kendall,) * 2


def test_a_topic_and_its_controls_have_a_dot_for_each_figure_and_a_stroke_per_group():
    axes = draw(CONTROLS)
    by_sign = marks(axes)
    assert by_sign["o"] == [(0.5, -0.2), (0.4, 0.8)]
    assert by_sign["s"] == [(0.1, 0.22)]
    strokes = [segment[0][0] for each in axes.collections for segment in each.get_segments()]
    assert strokes == [0.2, 0.8, 0.05, 0.15, 0.3, 0.5]
    assert [tuple(line.get_xdata()) for line in axes.lines if line.get_linewidth() == 1.4] == [(0.4, 0.6)]
    (r_of_groups, R, apart_of_groups, apart), layout = plotted(CONTROLS)
    assert (r_of_groups["x"], R["x"]) == ([0.2, 0.8, 0.3, 0.5], [0.5, 0.4])
    assert (apart_of_groups["x"], apart["x"]) == ([0.05, 0.15], [0.1])
    assert layout["yaxis"]["ticktext"] == ["gender", "weekday"]
    said = caption(CONTROLS)
    assert "of gender beside 1 control, for made. A dot is the figure, a stroke one of 2 groups." in said
    assert said.endswith("Bars: intervals of 95%. None of weekday: the contexts were written.")


def test_a_run_without_controls_has_no_such_picture(result):
    with pytest.raises(BvfError, match="this run has no controls"):
        controls(result)


def hostile(kind):
    """A view in which every name means harm."""
    value = Value(0.4, 0.3, 0.5)
    swaps = tuple(Swap(name, value, value, 0.5) for name in HOSTILE)
    return {
        "variance": replace(VARIANCE, model=HOSTILE[3], swaps=swaps, reliabilities=tuple((n, value) for n in HOSTILE)),
        "controls": replace(
            CONTROLS,
            model=HOSTILE[3],
            topics=tuple(replace(CONTROLS.topics[0], name=name) for name in HOSTILE),
            said=tuple(f"R of {name} is above" for name in HOSTILE),
            undefined={HOSTILE[3]: "written"},
        ),
        "contexts": replace(
            SETS,
            topic=HOSTILE[3],
            sets=tuple(HOSTILE),
            models=tuple(HOSTILE[:8]),
            distances=np.zeros((15, 15)),
            figures={"R": np.random.default_rng(0).uniform(size=(15, 8))},
            orders=(),
        ),
    }[kind]


@pytest.mark.parametrize("kind", ["variance", "contexts", "controls"])
def test_names_of_strangers_break_no_picture(kind, tmp_path):
    view = hostile(kind)
    axes, file = draw(view), tmp_path / "f.svg"
    save(axes, file, "a title", caption(view))
    ET.parse(file)
    box = axes.get_figure(root=True).get_tightbbox()
    assert (box.x0 >= -0.05, box.x1 <= 3.55) == (True, True)
    assert caption(view).isprintable()
    _, layout = plotted(view)
    written = [*layout["yaxis"].get("ticktext", ()), layout["xaxis"]["title"]["text"]]
    assert not any(tag in text for text in written for tag in ("<script", "<i>", "\n", "\u202e"))
