"""The pictures of the variance and of frames have the figures of their explanation, drawn and in a browser."""

import pytest
from bvf_insights.explain.pictures import FrameEffects, Variance, variance
from bvf_insights.explain.result import Explanation, FigureReliability, FrameDifference, PlaceboShare, Varying
from helpers.made_pictures import marks

import bvf
from bvf import BvfError

OF = {"model": "made", "topic": "gender", "level": 0.9}
SHARES = {"variance": 0.25, "variance_low": 0.1, "variance_high": 0.4, "volatility": 0.5}
VARIANCE = Variance(
    Explanation.model_construct(
        **OF,
        group="",
        contexts=20,
        varying=[
            Varying(what=what, deviation=0.1, share=share)
            for what, share in (("group", 0.6), ("context", 0.3), ("both", 0.1))
        ],
        placebo=[
            PlaceboShare(swap="", origins=8, contexts=20, by_chance=0.45, **SHARES),
            PlaceboShare(swap="stop", origins=8, contexts=20, by_chance=0.5),
        ],
        reliability=[
            FigureReliability(figure="r_bias", reliability=0.9, low=0.8, high=0.95, splits=9, of=9),
            FigureReliability(figure="male", reliability=-0.2, low=-0.3, high=0.1, splits=9, of=9),
        ],
    )
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
    assert view.swaps == []
    said = view.caption()
    assert f"groups {explanation.varying[0].share:.0%}" in said
    assert said.endswith("Bars: the middle 95% of splits.")
    assert "swaps" not in said


def test_where_nothing_varies_there_is_no_picture(run_of):
    with pytest.raises(BvfError, match="no picture of the variance: nothing varies"):
        variance(bvf.explain(run_of(model="baseline:unbiased")))


def difference(frame, figure, value, low=None, high=None, decision=None):
    first, second = {"year": ("1990", "2030"), "place": ("Texas", "Kenya")}[frame]
    return FrameDifference(
        frame=frame, first=first, second=second, figure=figure, templates=30, in_first=0.1, in_second=0.1 + value,
        difference=value, low=low, high=high, adjusted_p=None, decision=decision,
    )  # fmt: skip


def effects(*frames):
    return FrameEffects(Explanation.model_construct(**OF, frames=frames))


EFFECTS = effects(
    difference("year", "R", 0.1, 0.0, 0.2, "higher"),
    difference("year", "R_bias", 0.05, -0.1, 0.2, "tied"),
    difference("year", "R_volatility", 0.05),
    *map(difference, ["place"] * 3, ("R", "R_bias", "R_volatility"), (-0.1, -0.2, 0.1)),
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
    view = effects(*(difference("year", figure, 0.2) for figure in ("male", "R", "R_bias")))
    assert [(name, list(figures)) for name, figures in view.rows.items()] == [("year: 2030 less 1990", ["R", "R_bias"])]
    assert marks(view.draw())["o"] == [(0.2, -0.25)]
