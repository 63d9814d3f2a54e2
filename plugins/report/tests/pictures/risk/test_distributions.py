"""Distributions are those over contexts."""

import numpy as np
import pytest
from bvf_report.pictures.risk.distributions import distributions
from helpers import made_pictures
from helpers.leans import long

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
