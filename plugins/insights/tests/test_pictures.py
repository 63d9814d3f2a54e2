"""Pictures over context sets, of explanations and of regressions have the figures of their result."""

import numpy as np
import pytest
import statsmodels.api as sm
from bvf_insights.contexts import ContextComparison, ContextSetPair, ContextSetRisk, ModelOrder
from bvf_insights.explain.result import Explanation, FigureReliability, FrameDifference, PlaceboShare, Varying
from bvf_insights.pictures import FrameEffects, OverContexts, RegressionLine, Variance, variance
from bvf_insights.regress.result import Factor, RegressedGroup, Regression, Regressions
from bvf_insights.stats.weighted_line import weighted_line
from bvf_report.plot import regression as drawn
from helpers.made_pictures import marks, plotted
from scipy.stats import t as student

import bvf
from bvf import BvfError

R = np.array([[0.2, 0.3, 0.5], [0.25, 0.2, 0.4]])


def over(R, volatility=0.05, order=0.5):
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
    orders = [ModelOrder(first="books", second="talk", figure="R", spearman=order, p_value=1.0)]
    of = {"topic": "gender", "criterion": "linf", "scale": "unit", "groups": 12, "models": names}
    return OverContexts(ContextComparison(**of, sets=risks, pairs=pairs, orders=orders))


SETS = over(R)


def test_every_model_has_a_line_over_the_sets_and_every_set_its_distance():
    axes = SETS.draw()
    lines = [line for line in axes.lines if len(line.get_xdata()) == 2]
    assert [line.get_xdata().tolist() for line in lines] == R.T.tolist()
    assert len({line.get_marker() for line in lines}) == len({line.get_color() for line in lines}) == 3
    assert [text.get_text() for text in axes.texts] == ["0.00", "0.75", "distance"]
    data, layout = plotted(SETS)
    assert [(trace["name"], trace["x"]) for trace in data] == list(zip("abc", R.T.tolist(), strict=True))
    assert len({trace["marker"]["symbol"] for trace in data}) == 3
    assert layout["yaxis"]["ticktext"] == ["books", "talk"]
    assert [each["text"] for each in layout["annotations"]] == ["0.00", "0.75", "distance"]
    said = SETS.caption()
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


def made(names, **of_factor):
    rng = np.random.default_rng(2)
    x, weights = rng.uniform(1, 3, len(names)), rng.uniform(0.2, 5, len(names))
    y = 0.2 * x + 0.1 * rng.normal(size=len(names))
    line = weighted_line(x, y, weights)
    groups = tuple(
        RegressedGroup(group=name, x=x[n], y=y[n], weight=line.share[n], without=line.without[n])
        for n, name in enumerate(names)
    )
    one = Regression(
        model="made", measurement="", folder="", figure="r_bias", factor="wages", slope=line.slope, intercept=0.0,
        error=line.error, context_error=None, undefined="", low=0.1, high=0.3, freedom=line.freedom, p_value=0.01,
        adjusted_p=0.01, decision="rises", classical_error=line.classical_error, r_squared=line.r_squared,
        unweighted=0.2, spearman=0.5, spearman_p=0.1, effective=line.effective, groups=groups, unpublished=(),
        unmatched=(), without_weight=(), strangers=0,
    )  # fmt: skip
    factor = {"name": "wages", "label": "weekly wage", "unit": "$", "per": 1000, "source": "made", "year": 2024}
    return Regressions(
        topic="made", language="en", criterion="linf", scale="unit", reference="uniform", weights="employment",
        level=0.9, tests=1, factors=(Factor(**{**factor, **of_factor}),), regressions=(one,),
    )  # fmt: skip


def points_of(view):
    return (np.array([getattr(group, field) for group in view.regression.groups]) for field in ("x", "y", "weight"))


def test_the_line_and_its_band_are_those_of_statsmodels():
    regressions = made([f"group {n}" for n in range(20)])
    view = RegressionLine(regressions, regressions.regressions[0])
    (x, y, weights), (band, line, *_) = points_of(view), view.marks().marks
    theirs = sm.WLS(y, sm.add_constant(x), weights=weights).fit().get_robustcov_results("HC2")
    there = theirs.get_prediction(sm.add_constant(line.x))
    assert line.y == pytest.approx(there.predicted_mean)
    reach = band.high - line.y
    assert reach / there.se_mean == pytest.approx(weighted_line(x, y, weights).reach_at(line.x, 0.9) / there.se_mean)
    assert (reach / there.se_mean > student.ppf(0.95, 18)).all(), "as of 20 groups of equal weight"
    assert line.y - band.low == pytest.approx(reach)


def test_points_are_as_large_as_their_weights_and_the_axes_say_what_they_are():
    regressions = made([f"group {n}" for n in range(20)])
    axes, view = drawn(regressions), RegressionLine(regressions, regressions.regressions[0])
    x, y, weights = points_of(view)
    (points,) = (each for each in axes.collections if len(each.get_offsets()) == 20)
    shares = enumerate(weights)
    assert view.marks().marks[2].texts == [f"group {n}, weight {share:.2%}" for n, share in shares]
    assert np.asarray(points.get_offsets()) == pytest.approx(np.column_stack([x, y]))
    assert (np.argsort(points.get_sizes(), kind="stable") == np.argsort(weights, kind="stable")).mean() > 0.8
    assert axes.get_xlabel() == "weekly wage (2024), 1,000 $".replace("$", r"\$")
    assert axes.get_ylabel() == "r$^b$"
    said = view.caption()
    assert "The r^b of 20 groups of made against weekly wage (2024)" in said
    assert (
        f"Slope per 1,000 $ {view.regression.slope:.4g} (90% for other groups of the kind: 0.1 to 0.3): it rises"
        in said
    )
    with pytest.raises(BvfError, match="there is no regression 1"):
        drawn(regressions, number=1)
