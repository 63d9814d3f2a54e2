"""The heat map has every lean, and what it bins and lacks; distributions are those over contexts."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from bvf_report.pictures.risk import contexts
from bvf_report.pictures.risk.contexts import distributions, grid
from helpers.leans import long
from helpers.made_pictures import cells, keys

from bvf import BvfError


@pytest.mark.parametrize("which", ["result", "silent"])
def test_a_grid_has_every_lean_in_the_order_of_their_means(which, request):
    result = request.getfixturevalue(which)
    frame, view = long(result), grid(result)
    first = frame[frame["attribute"] == view.classes[0]].pivot(index="group", columns="context", values="lean")
    assert not view.is_binned
    assert view.values == pytest.approx(first.loc[list(view.groups), list(view.contexts)].to_numpy(), nan_ok=True)
    assert view.missing == result.missing == np.isnan(view.values).sum()
    assert ((view.leads == 0) == (view.values > 0)).all()
    means = first.loc[:, list(view.contexts)].mean(axis=0).to_numpy()
    assert (np.diff(means) <= 1e-12).all()
    assert view.weights.sum() == pytest.approx(1.0)


def test_neighbours_share_a_column_where_there_are_many(result, monkeypatch):
    whole = grid(result)
    monkeypatch.setattr(contexts, "MOST_COLUMNS", 4)
    binned = grid(result)
    assert "Each of the 4 columns is the weighted mean of" in binned.caption()
    assert binned.is_binned
    assert binned.in_column.sum() == binned.of == len(whole.contexts)
    assert binned.contexts == ("",) * 4
    in_first = slice(0, binned.in_column[0])
    expected = np.average(whole.values[:, in_first], axis=1, weights=whole.weights[in_first])
    assert binned.values[:, 0] == pytest.approx(expected)
    assert binned.values @ binned.weights == pytest.approx(whole.values @ whole.weights)


def test_a_grid_of_several_classes_shows_the_class_that_leads(several):
    frame, view = long(several), grid(several)
    for x, group in enumerate(view.groups):
        for c, context in enumerate(view.contexts):
            by_class = frame[(frame["group"] == group) & (frame["context"] == context)].set_index("attribute")
            name = by_class["stereotype"].idxmax()
            assert view.classes[view.leads[x, c]] == name
            assert view.values[x, c] == pytest.approx(by_class.loc[name, "lean"])


def test_a_heat_map_has_the_leans_and_a_colour_for_what_is_missing_and_for_each_of_more_classes():
    view = cells()
    axes = view.draw(columns=2)
    shown = axes.images[0].get_array()
    assert shown.filled(9.0) == pytest.approx(np.nan_to_num(view.values, nan=9.0))
    low, high = axes.images[0].get_clim()
    assert low == -high == -0.4
    assert [label.get_text() for label in axes.get_xticklabels()] == list(view.contexts)
    assert "no answer" in keys(axes)
    leads, values = np.array([[0, 1, 2], [2, -1, 1]]), np.array([[0.4, 0.1, 0.2], [0.0, np.nan, 0.4]])
    axes = replace(view, classes=("one", "two", "three"), leads=leads, values=values).draw()
    shown = np.asarray(axes.images[0].get_array())
    assert shown[1, 0] == pytest.approx([1, 1, 1])  # white at the reference
    assert len(np.unique(shown[[0, 1, 0], [0, 2, 2]], axis=0)) == 3
    assert keys(axes)[:3] == ["one", "two", "three"]


def test_the_caption_of_cells_says_what_is_missing(run_of):
    silent = run_of(model="toy:silent-nurse", limit_groups=90, sample_contexts=0, limit_contexts=3)
    assert silent.missing == 1
    assert grid(silent).caption().endswith("1 prompt without an answer.")


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
            inside = [weights[(p >= a) & (p < b)].sum() for a, b in pairwise(contexts.EDGES)]
            assert view.shares[x, y] == pytest.approx(inside)
            assert view.shares[x, y].sum() == pytest.approx(1.0)


def test_a_distribution_is_drawn_with_its_quantiles_and_means(result):
    view = distributions(result, [group.group for group in result.groups[:2]])
    axes = view.draw()
    (thick,) = (line.get_xdata() for line in axes.lines if line.get_linewidth() == 1.6)
    assert thick[~np.isnan(thick)].tolist() == view.quantiles[:, 0, [1, 3]].ravel().tolist()
    assert [line.get_xdata().tolist() for line in axes.lines if line.get_marker() == "o"] == [view.means[:, 0].tolist()]


def test_groups_of_a_picture_have_the_values_that_they_have_alone(result):
    whole, names = distributions(result), [result.groups[-1].group, result.groups[0].group]
    of_names = (whole.with_groups(names), distributions(result, names))
    of_ends = (whole.with_ends(2), distributions(result, show=2))
    for part, alone in (of_names, of_ends):
        assert (part.groups, part.of, part.caption()) == (alone.groups, alone.of, alone.caption())
        for field in ("quantiles", "means", "p_star", "shares"):
            assert getattr(part, field) == pytest.approx(getattr(alone, field), abs=0.0)
    with pytest.raises(BvfError, match="no group") as refused:
        distributions(result, [names[0][:-1]])
    assert names[0] in refused.value.hint
