"""The pictures of the variance and of frames have the figures of their explanation, drawn and in a browser."""

import pytest
from bvf_insights.explain.pictures import FrameEffects, Swap, Variance, frame_effects, variance
from bvf_insights.explain.result import Explanation, FrameDifference
from helpers.made_pictures import marks

import bvf
from bvf import BvfError
from bvf.drawing.marks import Value

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


ROWS = (
    (
        "year: 2030 less 1990",
        {"R": Value(0.1, 0.0, 0.2), "R_bias": Value(0.05, -0.1, 0.2), "R_volatility": Value(0.05)},
    ),
    ("place: Kenya less Texas", {"R": Value(-0.1), "R_bias": Value(-0.2), "R_volatility": Value(0.1)}),
)
EFFECTS = FrameEffects(
    model="made",
    topic="gender",
    templates=30,
    rows=ROWS,
    decisions={("year: 2030 less 1990", "R"): "higher", ("year: 2030 less 1990", "R_bias"): "tied"},
    level=0.9,
)


def test_dots_are_the_differences():
    by_sign = marks(EFFECTS.draw())
    assert by_sign["o"] == [(0.1, -0.25), (-0.1, 0.75)]
    assert by_sign["D"] == [(0.05, 0.0), (-0.2, 1.0)]
    assert by_sign["^"] == [(0.05, 0.25), (0.1, 1.25)]


def test_the_caption_says_what_is_told_apart():
    caption = EFFECTS.caption()
    assert "in the same 30 templates" in caption
    assert "Significant by p adjusted with Holm: R of year: 2030 less 1990 (higher)." in caption
    assert "90% intervals" in caption


def test_only_figures_of_risk_are_drawn():
    known = {"frame": "year", "first": "1990", "second": "2030", "templates": 30, "in_first": 0.1, "in_second": 0.3}
    unknown = dict.fromkeys(("low", "high", "adjusted_p", "decision"))
    frames = [FrameDifference(figure=figure, difference=0.2, **known, **unknown) for figure in ("male", "R", "R_bias")]
    (row,) = frame_effects(Explanation.model_construct(model="made", topic="gender", level=0.9, frames=frames)).rows
    assert row == ("year: 2030 less 1990", {"R": Value(0.2), "R_bias": Value(0.2)})
