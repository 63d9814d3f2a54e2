"""The picture of the variance has the shares of its explanation, drawn and in a browser."""

import pytest
from bvf_insights.explain.pictures import Swap, Variance, variance
from helpers.made_pictures import marks

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
