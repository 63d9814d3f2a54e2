"""The picture of frames has the differences of its explanation, drawn and in a browser."""

from bvf_insights.explain.pictures import FrameEffects, frame_effects
from bvf_insights.explain.result import Explanation, FrameDifference
from helpers.made_pictures import marks

from bvf.drawing.values import Value

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
