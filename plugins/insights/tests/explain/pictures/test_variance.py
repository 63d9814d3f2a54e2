"""The picture of the variance has the shares of its explanation, drawn and in a browser."""

from dataclasses import replace

import pytest
from bvf_insights.explain.pictures.variance import Swap, Variance, variance
from helpers.hostile_texts import HOSTILE
from helpers.made_pictures import drawn_of_strangers, marks, plotted

import bvf
from bvf import BvfError
from bvf.drawing.values import Value

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


def test_bars_dots_and_strokes_are_the_shares():
    axes = VARIANCE.draw()
    bars = [(round(bar.get_width(), 9), round(bar.get_y() + bar.get_height() / 2, 9)) for bar in axes.patches]
    assert bars == [(0.6, 1), (0.3, 2), (0.1, 3)]
    by_sign = marks(axes)
    assert by_sign["o"] == [(0.25, 4.8), (0.9, 8), (-0.2, 9)]
    assert by_sign["^"] == [(0.5, 5.2)]
    (strokes,) = axes.collections
    assert [segment[0][0] for segment in strokes.get_segments()] == [0.45, 0.5]
    assert [label.get_text() for label in axes.get_yticklabels()][8:] == ["r$^b$", "lean to male"]
    low, high = axes.get_xlim()
    assert (low < -0.3, high > 1) == (True, True)


def test_in_a_browser_the_same_shares_stand_in_the_same_rows():
    (bars, of_variance, of_volatility, chances, halves), layout = plotted(VARIANCE)
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
    said = view.caption()
    assert f"groups {explanation.varying[0].share:.0%}" in said
    assert said.endswith("Bars: the middle 95% of splits.")
    assert "swaps" not in said


def test_where_nothing_varies_there_is_no_picture(run_of):
    with pytest.raises(BvfError, match="no picture of the variance: nothing varies"):
        variance(bvf.explain(run_of(model="baseline:unbiased")))


def test_names_of_strangers_break_no_picture(tmp_path):
    value = Value(0.4, 0.3, 0.5)
    swaps = tuple(Swap(name, value, value, 0.5) for name in HOSTILE)
    view = replace(VARIANCE, model=HOSTILE[3], swaps=swaps, reliabilities=tuple((n, value) for n in HOSTILE))
    drawn_of_strangers(view, tmp_path / "f.svg")
