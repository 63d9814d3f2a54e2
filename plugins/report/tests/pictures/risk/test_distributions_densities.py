"""Densities of r^b and r^v over groups, by model."""

import numpy as np
import pytest
from bvf_report.pictures.risk.distributions import densities, density
from helpers.made_pictures import keys, named, plotted
from matplotlib.collections import LineCollection


@pytest.fixture(scope="module")
def models(result, run_of):
    return [result, run_of(model="baseline:stereotyped")]


def test_a_shape_is_the_density_of_the_risks_of_groups_and_a_stroke_is_a_group(models):
    view = densities(models)
    assert [name for name, _ in view.models] == ["toy:hash", "baseline:stereotyped"]
    frame, spread = models[0].to_frame(), view.models[0][1]["r_bias"]
    assert spread.values.tolist() == frame["r_bias"].tolist()
    axes = view.draw()
    assert named(axes) == ["toy:hash", "baseline:stereotyped"]
    assert keys(axes) == ["r$^b$", "r$^v$", "normal"]
    at, curve = density(spread.values, spread.weights)
    shape = next(line for line in axes.lines if len(line.get_xdata()) == len(at))
    assert shape.get_xdata().tolist() == at.tolist()
    assert -0.05 - shape.get_ydata() == pytest.approx(0.38 * curve / curve.max())
    strokes = next(each for each in axes.collections if isinstance(each, LineCollection)).get_segments()
    assert [segment[0][0] for segment in strokes] == spread.values.tolist()


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
