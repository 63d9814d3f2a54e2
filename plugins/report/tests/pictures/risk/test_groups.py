"""Pictures of groups: the scatter of their risks, and the curve of J with one group on it."""

import numpy as np
import pytest
from bvf_report.pictures.risk.groups import curve, densities, density, mean_and_deviation, normal, scatter, spread_of
from helpers.made_pictures import keys, laid_out, many, named, plotted, risks
from matplotlib.collections import LineCollection
from scipy.stats import norm

import bvf
from bvf import BvfError


def test_a_scatter_has_the_risks_of_groups(result):
    view, frame = scatter(result), result.to_frame()
    assert [each.tolist() for each in view.risks] == [frame[name].tolist() for name in ("r_bias", "r_volatility")]
    leaning = {trace["name"]: trace["text"] for trace in plotted(view)[0] if "text" in trace}
    assert list(leaning["male"]) == frame["group"][frame["lean_male"] > 0].tolist()


def test_a_scatter_has_a_dot_per_group_and_names_that_do_not_touch():
    view = risks(many(40))
    axes = view.draw()
    dots = np.concatenate([np.asarray(each.get_offsets()) for each in axes.collections])
    expected = np.column_stack(view.risks)
    assert dots[dots[:, 0].argsort()] == pytest.approx(expected[expected[:, 0].argsort()])
    laid_out(axes)
    names = [text.get_window_extent() for text in axes.texts]
    assert 3 <= len(names) <= 10
    assert not any(one.overlaps(other) for x, one in enumerate(names) for other in names[:x])


@pytest.mark.parametrize("criterion", ["linf", "lk:2", "js", "released:b"])
def test_the_means_of_the_dots_are_the_risks_of_the_group(result, criterion):
    judged = bvf.analyse(result.folder, criterion=criterion, scale="raw" if criterion == "released:b" else "unit")
    for group in judged.groups:
        view = curve(judged, group.group)
        assert view.weights @ view.risks == pytest.approx(group.r)
        assert view.mean == pytest.approx(group.mean_probabilities["male"])
        assert np.interp(view.mean, view.at, view.J) == pytest.approx(group.r_bias, abs=0.01)
        assert np.interp(view.p, view.at, view.J) == pytest.approx(view.risks, abs=0.03)


def test_without_a_name_it_is_the_group_with_the_largest_volatility(result):
    view = curve(result)
    most = max(result.groups, key=lambda group: group.r_volatility)
    assert view.group == most
    axes = view.draw()
    bar = next(line for line in axes.lines if line.get_linewidth() == 2.0)
    assert list(bar.get_xdata()) == [view.mean, view.mean]
    assert list(bar.get_ydata()) == [most.r_bias, most.r]
    assert keys(axes) == [f"r {most.r:.3f}", f"r$^b$ {most.r_bias:.3f}", f"r$^v$ {most.r_volatility:.3f}", "p*"]
    assert plotted(view)[0][1]["y"] == pytest.approx(view.risks, abs=1e-4)


def test_what_has_no_curve_is_refused(result, several):
    with pytest.raises(BvfError, match="7 classes, and J is a curve for two"):
        curve(several)
    with pytest.raises(BvfError, match='the result has no group "captian"'):
        curve(result, "captian")
    with pytest.raises(BvfError, match=r"p\* changes with the context"):
        curve(result.model_copy(update={"reference_in_contexts": True}))


def test_a_shape_is_the_density_of_the_risks_of_groups_a_stroke_is_a_group_and_the_caption_has_their_mean(models):
    view = densities(models)
    frame, (values, weights) = models[0].to_frame(), spread_of(models[0], "r_bias")
    assert values.tolist() == frame["r_bias"].tolist()
    axes = view.draw()
    assert named(axes) == ["toy:hash", "baseline:stereotyped"]
    assert keys(axes) == ["r$^b$", "r$^v$", "normal"]
    at, curve = density(values, weights)
    shape = next(line for line in axes.lines if len(line.get_xdata()) == len(at))
    assert shape.get_xdata().tolist() == at.tolist()
    assert -0.05 - shape.get_ydata() == pytest.approx(0.38 * curve / curve.max())
    strokes = next(each for each in axes.collections if isinstance(each, LineCollection)).get_segments()
    assert [segment[0][0] for segment in strokes] == values.tolist()
    said = view.caption()
    bias = f"r^b {frame['r_bias'].mean():.3f} (standard deviation {np.std(frame['r_bias']):.3f})"
    assert f"toy:hash: {bias}, r^v {frame['r_volatility'].mean():.3f} (" in said
    assert said.startswith("Bias risk r^b and volatility risk r^v of 6 groups of gender, by the criterion linf on the")


def test_equal_risks_have_strokes_alone(models):
    traces, _ = plotted(densities(models[1:]))
    strokes = [trace["x"] for trace in traces if trace["mode"] == "markers"]
    assert [len(values) for values in strokes] == [6, 6]
    assert strokes[0] == [1.0] * 6


def test_far_from_0_it_is_the_mean_of_kernels_of_silvermans_bandwidth():
    values = np.random.default_rng(0).normal(50.0, 2.0, 40)
    weights = np.random.default_rng(1).uniform(1.0, 3.0, 40)
    at, curve = density(values, weights)
    worth = weights.sum() ** 2 / (weights**2).sum()
    deviation = np.sqrt(np.cov(values, aweights=weights, ddof=0))
    quarter, three_quarters = np.percentile(values, [25, 75])
    bandwidth = 0.9 * min(deviation, (three_quarters - quarter) / 1.34) * worth**-0.2
    assert curve == pytest.approx([np.average(norm.pdf(each, values, bandwidth), weights=weights) for each in at])


def test_nothing_is_lost_below_0():
    values = np.abs(np.random.default_rng(2).normal(size=200))
    at, curve = density(values, np.ones(200))
    assert at[0] == 0.0
    assert np.trapezoid(curve, at) == pytest.approx(1.0, abs=0.005)


def test_equal_numbers_have_no_density_and_many_equal_ones_have_one():
    assert density(np.full(5, 0.3), np.ones(5)) is None
    at, curve = density(np.array([0.0] * 9 + [0.4]), np.ones(10))
    assert np.isfinite(curve).all()
    assert at[curve.argmax()] == 0.0


def test_mean_and_deviation_are_weighted():
    mean, deviation = mean_and_deviation(np.array([0.0, 1.0]), np.array([3.0, 1.0]))
    assert (mean, deviation) == pytest.approx((0.25, np.sqrt(0.1875)))
    assert normal(np.array([0.3]), 0.2, 0.1) == pytest.approx(norm.pdf(0.3, 0.2, 0.1))
