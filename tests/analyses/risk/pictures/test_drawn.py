"""Drawings show the numbers of their pictures."""

from dataclasses import replace

import numpy as np
import pytest
from helpers.made_pictures import cells, distributions, keys, laid_out, leans, many, named, risks, scale

from bvf.analyses.risk.pictures.scale import Place
from bvf.drawing.values import Value


def test_dots_and_intervals_are_the_leans():
    view = leans(["captain", "judge", "nurse"])
    axes = view.draw()
    assert named(axes) == ["captain", "judge", "nurse"]
    dots = {line.get_ydata()[0]: line for line in axes.lines if line.get_marker() == "o"}
    for place, each in enumerate(view.groups):
        assert dots[place].get_xdata()[0] == each.lean[0].value
    hollow = [place for place, dot in dots.items() if dot.get_markerfacecolor() == "white"]
    assert hollow == [0]
    spans = [tuple(line.get_xdata()) for line in axes.lines if len(line.get_xdata()) == 2 and line.get_alpha()]
    assert spans == [(each.lean[0].low, each.lean[0].high) for each in view.groups]
    top, bottom = axes.transData.transform([(0, 0), (0, 2)])[:, 1]
    assert top > bottom


def test_a_heat_map_has_the_leans_and_a_colour_for_what_is_missing():
    view = cells()
    axes = view.draw(columns=2)
    shown = axes.images[0].get_array()
    assert shown.filled(9.0) == pytest.approx(np.nan_to_num(view.values, nan=9.0))
    low, high = axes.images[0].get_clim()
    assert low == -high == -0.4
    assert [label.get_text() for label in axes.get_xticklabels()] == list(view.contexts)
    assert "no answer" in keys(axes)


def test_more_classes_have_a_colour_each_and_white_at_the_reference():
    view = cells()
    leads = np.array([[0, 1, 2], [2, -1, 1]])
    values = np.array([[0.4, 0.1, 0.2], [0.0, np.nan, 0.4]])
    axes = replace(view, classes=("one", "two", "three"), leads=leads, values=values).draw()
    shown = np.asarray(axes.images[0].get_array())
    assert shown[1, 0] == pytest.approx([1, 1, 1])
    assert len(np.unique(shown[[0, 1, 0], [0, 2, 2]], axis=0)) == 3
    assert keys(axes)[:3] == ["one", "two", "three"]


def test_a_distribution_has_its_quantiles_and_means():
    view = distributions(["captain", "nurse"], ("male", "female"))
    axes = view.draw()
    thick = [tuple(line.get_xdata()) for line in axes.lines if line.get_linewidth() == 1.6]
    assert thick == [(view.quantiles[x, 0, 1], view.quantiles[x, 0, 3]) for x in range(2)]
    assert [line.get_xdata()[0] for line in axes.lines if line.get_marker() == "o"] == view.means[:, 0].tolist()


def test_a_scatter_has_a_dot_per_group_and_names_that_do_not_touch():
    view = risks(many(40))
    axes = view.draw()
    dots = np.concatenate([np.asarray(each.get_offsets()) for each in axes.collections])
    expected = np.column_stack([view.r_bias, view.r_volatility])
    assert dots[dots[:, 0].argsort()] == pytest.approx(expected[expected[:, 0].argsort()])
    laid_out(axes)
    names = [text.get_window_extent() for text in axes.texts]
    assert 3 <= len(names) <= 10
    assert not any(one.overlaps(other) for x, one in enumerate(names) for other in names[:x])


def test_a_control_has_a_row_below_its_model_and_the_caption_says_whose_it_is():
    long = "A-Model-Whose-Name-Takes-All-The-Room"
    value = Value(0.5)
    control = Place("control weekday", "weekday", value, value, value, of=long)
    view = scale([long])
    view = replace(view, models=(*view.models, control))
    assert "control weekday" in named(view.draw())
    assert f"control weekday, {long}: R 0.500" in view.caption()
