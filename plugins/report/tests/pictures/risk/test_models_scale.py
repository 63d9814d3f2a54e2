"""The scale has the figures of its results."""

from dataclasses import replace

import pytest
from bvf_report.pictures.risk.models import Place, scale
from helpers import made_pictures
from helpers.made_pictures import named

import bvf
from bvf import BvfError
from bvf.drawing.values import Value


def test_a_scale_has_the_figures_and_intervals_of_results(result, several):
    view = scale([result, several])
    assert [each.name for each in view.models] == ["toy:hash, gender", "toy:hash, weekday"]
    one = view.models[0].R_bias
    interval = result.uncertainty.intervals["R_bias"]
    assert (one.value, one.low, one.high) == (result.R_bias, interval.low, interval.high)
    assert view.models[1].R.low is None
    assert "written, not sampled" in view.undefined["toy:hash, weekday"]
    assert [each.name for each in view.references] == ["ideally unbiased", "stereotyped", "randomly stereotyped"]
    assert view.references[1].R.value == pytest.approx(1.0)


def test_results_of_two_criteria_are_on_no_scale(result):
    other = bvf.analyse(result.folder, criterion="tv")
    with pytest.raises(BvfError, match=r"has the criterion tv and .* linf"):
        scale([other, result])


def test_a_control_has_a_row_below_its_model_and_the_caption_says_whose_it_is():
    long = "A-Model-Whose-Name-Takes-All-The-Room"
    value = Value(0.5)
    control = Place("control weekday", value, value, value, of=long)
    view = made_pictures.scale([long])
    view = replace(view, models=(*view.models, control))
    assert "control weekday" in named(view.draw())
    assert f"control weekday, {long}: R 0.500" in view.caption()


def test_the_caption_of_a_scale_has_its_figures(result, several):
    said = scale([result, several]).caption()
    assert f"toy:hash, gender: R {result.R:.3f}, R^b {result.R_bias:.3f}, R^v {result.R_volatility:.3f};" in said
    assert "No interval for toy:hash, weekday: the contexts were written, not sampled." in said
