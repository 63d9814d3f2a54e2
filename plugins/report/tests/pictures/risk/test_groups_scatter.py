"""The scatter has the risks of groups."""

import numpy as np
import pytest
from bvf_report.pictures.risk.groups import scatter
from helpers.made_pictures import laid_out, many, risks


def test_a_scatter_has_the_risks_of_groups(result):
    view, frame = scatter(result), result.to_frame()
    assert view.groups == tuple(frame["group"])
    assert view.r_bias.tolist() == frame["r_bias"].tolist()
    assert view.r_volatility.tolist() == frame["r_volatility"].tolist()
    first = view.classes[0]
    assert [k == 0 for k in view.leads] == (frame[f"lean_{first}"] > 0).tolist()


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
