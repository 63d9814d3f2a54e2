"""Distributions over contexts, and densities of risks over groups."""

import numpy as np
import pytest
from bvf_report.pictures.risk.distributions import (
    densities,
    density,
    distributions,
    mean_and_deviation,
    normal,
    spread_of,
)
from helpers import made_pictures
from helpers.leans import long
from helpers.made_pictures import keys, named, plotted
from matplotlib.collections import LineCollection
from scipy.stats import norm

from bvf import BvfError


@pytest.mark.parametrize("which", ["result", "several", "silent"])
def test_distributions_are_those_over_contexts(which, request):
    result = request.getfixturevalue(which)
    names = [result.groups[0].group, "nurse" if which == "silent" else result.groups[-1].group]
    frame, view = long(result), distributions(result, names)
    assert view.groups == tuple(names)
    for x, group in enumerate(view.groups):
        for y, name in enumerate(view.classes):
            rows = frame[(frame["group"] == group) & (frame["attribute"] == name)].dropna()
            p, weights = rows["probability"].to_numpy(), (rows["weight"] / rows["weight"].sum()).to_numpy()
            assert view.means[x, y] == pytest.approx(p @ weights)
            for level, quantile in zip((0.05, 0.25, 0.5, 0.75, 0.95), view.quantiles[x, y], strict=True):
                assert weights[p <= quantile].sum() >= level - 1e-9
                assert weights[p < quantile].sum() < level
            inside = [weights[(p >= a) & (p < b)].sum() for a, b in zip(view.edges[:-1], view.edges[1:], strict=True)]
            assert view.shares[x, y] == pytest.approx(inside)
            assert view.shares[x, y].sum() == pytest.approx(1.0)


def test_groups_of_a_picture_have_the_values_that_they_have_alone(result):
    whole, names = distributions(result), [result.groups[-1].group, result.groups[0].group]
    for part, alone in (
        (whole.with_groups(names), distributions(result, names)),
        (whole.with_ends(2), distributions(result, show=2)),
    ):
        assert (part.groups, part.of, part.caption()) == (alone.groups, alone.of, alone.caption())
        for field in ("quantiles", "means", "p_star", "shares"):
            assert getattr(part, field) == pytest.approx(getattr(alone, field), abs=0.0)


def test_a_group_that_is_not_there_is_named_with_its_nearest(result):
    name = result.groups[0].group
    with pytest.raises(BvfError, match="no group") as refused:
        distributions(result, [name[:-1]])
    assert name in refused.value.hint


def test_a_distribution_has_its_quantiles_and_means():
    view = made_pictures.distributions(["captain", "nurse"], ("male", "female"))
    axes = view.draw()
    (thick,) = (line.get_xdata() for line in axes.lines if line.get_linewidth() == 1.6)
    assert thick[~np.isnan(thick)].tolist() == view.quantiles[:, 0, [1, 3]].ravel().tolist()
    assert [line.get_xdata().tolist() for line in axes.lines if line.get_marker() == "o"] == [view.means[:, 0].tolist()]


@pytest.fixture(scope="module")
def models(result, run_of):
    return [result, run_of(model="baseline:stereotyped")]


def test_a_shape_is_the_density_of_the_risks_of_groups_and_a_stroke_is_a_group(models):
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


def test_equal_risks_have_strokes_alone(models):
    traces, _ = plotted(densities(models[1:]))
    strokes = [trace["x"] for trace in traces if trace["mode"] == "markers"]
    assert [len(values) for values in strokes] == [6, 6]
    assert strokes[0] == [1.0] * 6


def test_the_caption_has_mean_and_deviation_of_each_model(models):
    frame = models[0].to_frame()
    said = densities(models).caption()
    bias = f"r^b {frame['r_bias'].mean():.3f} (standard deviation {np.std(frame['r_bias']):.3f})"
    assert f"toy:hash: {bias}, r^v {frame['r_volatility'].mean():.3f} (" in said
    assert said.startswith("Bias risk r^b and volatility risk r^v of 6 groups of gender, by the criterion linf on the")


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
