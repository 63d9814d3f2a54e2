"""The picture of a regression has its points, its line and its band; names from strangers break nothing."""

import numpy as np
import plotly.graph_objects
import pytest
import statsmodels.api as sm
from bvf_insights.regress.pictures import RegressionLine
from bvf_insights.regress.result import Factor, RegressedGroup, Regression, Regressions
from bvf_insights.stats.weighted_line import weighted_line
from bvf_report.plot import regression as drawn
from scipy.stats import t as student

from bvf import BvfError


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


def test_in_a_browser_a_regression_has_its_points_its_line_and_its_band():
    regressions = made(groups := [f"group {n}" for n in range(12)])
    view = RegressionLine(regressions, regressions.regressions[0])
    (x, y, weights), (drawn_band, drawn_line, *_) = points_of(view), view.marks().marks
    figure = view.interactive()
    plotly.graph_objects.Figure(figure)
    (band, line, points), layout = figure["data"], figure["layout"]
    assert points["x"] == pytest.approx(x, rel=1e-5)
    assert points["y"] == pytest.approx(y, rel=1e-5)
    shares = zip(groups, weights, strict=True)
    assert points["text"] == [f"{group}, weight {share:.2%}" for group, share in shares]
    assert (np.argsort(points["marker"]["size"]) == np.argsort(weights)).all()
    assert line["y"] == pytest.approx(drawn_line.y, rel=1e-5)
    assert band["y"] == pytest.approx([*drawn_band.high, *drawn_band.low[::-1]], rel=1e-5)
    assert layout["xaxis"]["title"]["text"] == "weekly wage (2024), 1,000 $"
    assert layout["yaxis"]["title"]["text"] == "r<sup>b</sup>"
