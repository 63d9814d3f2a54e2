"""Pictures of groups: the scatter of their risks, and the curve of J with one group on it."""

import numpy as np
import pytest
from bvf_report.pictures.risk.groups import curve, scatter
from helpers.made_pictures import keys, laid_out, many, plotted, risks

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
