"""Pictures over context sets, of explanations and of regressions have the figures of their result."""

import numpy as np
import pytest
import statsmodels.api as sm
from bvf_insights.contexts import ContextComparison, ContextSetPair, ContextSetRisk, ModelOrder
from bvf_insights.explain.result import Explanation, FigureReliability, FrameDifference, PlaceboShare, Varying
from bvf_insights.pictures import FrameEffects, OverContexts, RegressionLine, Variance, frame_effects, variance
from bvf_insights.stats.weighted_line import weighted_line
from bvf_report.plot import regression as drawn
from helpers.made_pictures import marks, plotted
from scipy.stats import t as student

import bvf
from bvf import BvfError

R = np.array([[0.2, 0.3, 0.5], [0.25, 0.2, 0.4]])


def over(R, volatility=0.05):
    """Models over two sets, by their R, shape (S, M)."""
    names, sets = tuple("abcdefghijk"[: R.shape[1]]), ("books", "talk")
    risks = [
        ContextSetRisk.model_construct(
            contexts=sets[s], model=names[m], R=value, R_bias=value - volatility, R_volatility=volatility
        )
        for (s, m), value in np.ndenumerate(R)
    ]
    pair = {"first": "books", "second": "talk", "model": names[0], "total_variation": 0.75}
    pairs = [ContextSetPair.model_construct(**pair, kendall=kendall) for kendall in (0.5, 0.9)]
    orders = [ModelOrder(first="books", second="talk", figure="R", spearman=0.5, p_value=1.0)]
    of = {"topic": "gender", "criterion": "linf", "scale": "unit", "groups": 12, "models": names}
    return OverContexts(ContextComparison(**of, sets=risks, pairs=pairs, orders=orders))


def test_every_model_has_a_line_over_the_sets_and_every_set_its_distance():
    view = over(R)
    axes = view.draw()
    lines = [line for line in axes.lines if len(line.get_xdata()) == 2]
    assert [line.get_xdata().tolist() for line in lines] == R.T.tolist()
    assert len({line.get_marker() for line in lines}) == len({line.get_color() for line in lines}) == 3
    assert [text.get_text() for text in axes.texts] == ["0.00", "0.75", "distance"]
    data, layout = plotted(view)
    assert [(trace["name"], trace["x"]) for trace in data] == list(zip("abc", R.T.tolist(), strict=True))
    assert len({trace["marker"]["symbol"] for trace in data}) == 3
    assert layout["yaxis"]["ticktext"] == ["books", "talk"]
    assert [each["text"] for each in layout["annotations"]] == ["0.00", "0.75", "distance"]
    said = view.caption()
    assert "any two are 0.75 to 0.75 apart" in said
    assert "Kendall's correlation of r of groups between two sets is +0.50 to +0.90." in said
    assert "R: a 0.200 to 0.250, b 0.200 to 0.300, c 0.400 to 0.500." in said
    assert said.endswith("The order of models by R: rank correlation +0.50, p 1.0000.")


def test_a_single_model_has_all_three_figures():
    view = over(np.array([[0.2], [0.3]]), volatility=0.1)
    shown = {line.get_marker(): line.get_xdata().tolist() for line in view.draw().lines}
    assert shown == {"o": [0.2, 0.3], "D": pytest.approx([0.1, 0.2]), "^": [0.1, 0.1]}
    assert [trace["x"] for trace in plotted(view)[0]] == [pytest.approx(each) for each in shown.values()]


def test_more_models_than_signs_have_another_line():
    many = over(np.random.default_rng(0).uniform(size=(2, 11)))
    lines = [line for line in many.draw().lines if len(line.get_xdata()) == 2]
    assert len({(line.get_marker(), line.get_linestyle()) for line in lines}) == 11


OF = {"model": "made", "topic": "gender", "criterion": "lk:0.5", "level": 0.9}
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


def frames(*figures):
    """Differences between two levels of a frame, by frame, figure, difference, and what was tested of it."""
    levels = {"year": ("1990", "2030"), "place": ("Texas", "Kenya")}
    differences = [
        FrameDifference(
            frame=frame, first=levels[frame][0], second=levels[frame][1], figure=figure, templates=30, in_first=0.1,
            in_second=0.1 + value, difference=value, adjusted_p=None,
            **dict(zip(("low", "high", "decision"), tested or [None] * 3, strict=True)),
        )
        for frame, figure, value, *tested in figures
    ]  # fmt: skip
    return FrameEffects(Explanation.model_construct(**OF, frames=differences))


def test_differences_of_frames_are_dots_and_the_caption_says_what_is_told_apart():
    view = frames(
        ("year", "R", 0.1, 0.0, 0.2, "higher"),
        ("year", "R_bias", 0.05, -0.1, 0.2, "tied"),
        ("year", "R_volatility", 0.05),
        ("place", "R", -0.1),
        ("place", "R_bias", -0.2),
        ("place", "R_volatility", 0.1),
    )
    by_sign = marks(view.draw())
    assert by_sign["o"] == [(0.1, -0.25), (-0.1, 0.75)]
    assert by_sign["D"] == [(0.05, 0.0), (-0.2, 1.0)]
    assert by_sign["^"] == [(0.05, 0.25), (0.1, 1.25)]
    caption = view.caption()
    assert "in the same 30 templates" in caption
    assert "Significant by p adjusted with Holm: R of year: 2030 less 1990 (higher)." in caption
    assert "90% intervals" in caption


def test_only_figures_of_risk_are_drawn():
    view = frames(*(("year", figure, 0.2) for figure in ("male", "R", "R_bias")))
    assert [(name, list(figures)) for name, figures in view.rows.items()] == [("year: 2030 less 1990", ["R", "R_bias"])]
    assert marks(view.draw())["o"] == [(0.2, -0.25)]
    assert frame_effects(view.explanation) == view
    with pytest.raises(BvfError, match=r"the criterion lk:0\.5 is neither convex nor concave"):
        frame_effects(frames(("year", "male", 0.2)).explanation)


@pytest.fixture(scope="module")
def regressed(run_of):
    return bvf.regress([run_of(limit_groups=40)], against="wages", of="r_bias", weights="employment")


@pytest.fixture
def view(regressed):
    return RegressionLine(regressed, regressed.regressions[0])


@pytest.fixture
def points(view):
    """x, y and weights of the groups."""
    return [np.array([getattr(group, field) for group in view.regression.groups]) for field in ("x", "y", "weight")]


def test_the_line_and_its_band_are_those_of_statsmodels(view, points):
    (x, y, weights), (band, line, *_) = points, view.marks().marks
    theirs = sm.WLS(y, sm.add_constant(x), weights=weights).fit().get_robustcov_results("HC2")
    there = theirs.get_prediction(sm.add_constant(line.x))
    assert line.y == pytest.approx(there.predicted_mean)
    reach = band.high - line.y
    assert reach == pytest.approx(weighted_line(x, y, weights).reach_at(line.x, 0.95))
    assert (reach / there.se_mean > student.ppf(0.975, len(x) - 2)).all(), "as of groups of equal weight"
    assert line.y - band.low == pytest.approx(reach)


def test_points_are_as_large_as_their_weights_and_the_axes_say_what_they_are(regressed, view, points):
    axes, (x, y, weights) = drawn(regressed), points
    one = view.regression.model_copy(update={"decision": "rises"})
    (dots,) = (each for each in axes.collections if len(each.get_offsets()) == len(x))
    assert view.marks().marks[2].texts == [f"{each.group}, weight {each.weight:.2%}" for each in one.groups]
    assert np.asarray(dots.get_offsets()) == pytest.approx(np.column_stack([x, y]))
    sizes = dots.get_sizes()[np.argsort(weights)]
    assert (np.diff(sizes) >= 0).all()
    assert len(set(sizes)) >= 10
    assert axes.get_xlabel() == "weekly wage (2024), 1,000 $".replace("$", r"\$")
    assert axes.get_ylabel() == "r$^b$"
    said, ends = RegressionLine(regressed, one).caption(), f"{one.low:.4g} to {one.high:.4g}"
    assert f"The r^b of {len(x)} groups of gender against weekly wage (2024), for toy:hash" in said
    assert f"Slope per 1,000 $ {one.slope:.4g} (95% for other groups of the kind: {ends}): it rises" in said
    with pytest.raises(BvfError, match="there is no regression 1"):
        drawn(regressed, number=1)
