"""Scale, leanings, grid, distributions and scatter show what the predictions themselves give."""

import numpy as np
import pytest
from scipy.stats import t as student
from statsmodels.stats.multitest import multipletests

import bvf
from bvf import BvfError
from bvf.analyses.risk.pictures.distributions import distributions
from bvf.analyses.risk.pictures.grid import grid
from bvf.analyses.risk.pictures.leanings import leanings, ordered
from bvf.analyses.risk.pictures.scale import scale
from bvf.analyses.risk.pictures.scatter import scatter
from bvf.results.again import predictions_of
from bvf.results.names import names_of

SHOWN_AS_ZERO = 5e-5  # with four decimals


def long(result):
    """p by group, context and class, and P(c)."""
    frame = result.stereotypes()
    frame["lean"] = frame["probability"] - frame["probability"] / (1 + frame["stereotype"])
    return frame


def mean_of(rows, column="lean"):
    there = rows[rows[column].notna()]
    return np.average(there[column], weights=there["weight"])


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
    with pytest.raises(BvfError, match="criterion linf on the unit scale"):
        scale([other, result])


def test_results_of_one_model_are_told_apart_by_what_differs(result, several):
    assert names_of([result]) == ("toy:hash",)
    assert names_of([result, several]) == ("toy:hash, gender", "toy:hash, weekday")
    assert names_of([result, result]) == (f"toy:hash, {result.folder}",) * 2
    ours = result.model_copy(update={"wording": "chat-assistant"})
    assert names_of([result, ours]) == ("toy:hash, bare", "toy:hash, chat, assistant's turn")
    elsewhere = result.model_copy(update={"contexts": "other.csv"})
    assert names_of([result, elsewhere, several])[1] == "toy:hash, gender, other"


@pytest.mark.parametrize("which", ["result", "several", "silent"])
def test_leans_are_means_over_contexts(which, request):
    result = request.getfixturevalue(which)
    frame, view = long(result), leanings(result)
    assert view.of == len(view.groups) == len(result.groups)
    for each in view.groups:
        of_group = frame[frame["group"] == each.group]
        for name, lean in zip(view.classes, each.lean, strict=True):
            assert lean.value == pytest.approx(mean_of(of_group[of_group["attribute"] == name]))
        excess = [mean_of(of_group[of_group["attribute"] == name], "stereotype") for name in view.classes]
        assert each.leads == int(np.argmax(excess))


def test_two_classes_stand_from_the_first_to_the_second(result):
    leans = [each.lean[0].value for each in leanings(result).groups]
    assert leans == sorted(leans, reverse=True)
    shown = leanings(result, show=3).groups
    assert [each.lean[0].value for each in shown] == [*leans[:2], leans[-1]]


def test_several_classes_stand_together(several):
    groups = leanings(several).groups
    assert [each.leads for each in groups] == sorted(each.leads for each in groups)


def test_groups_stand_by_any_figure(result):
    for rank, field in [
        ("risk", "r"),
        ("bias", "r_bias"),
        ("volatility", "r_volatility"),
        ("particular", "particular"),
    ]:
        figures = [getattr(result.groups[x], field) for x in ordered(result, rank)]
        assert figures == sorted(figures, reverse=True)
    with pytest.raises(BvfError, match='no order "risks"') as refused:
        ordered(result, "risks")
    assert "did you mean risk" in refused.value.hint


def test_the_interval_of_a_lean_is_that_of_a_mean_of_draws(result):
    """A plain t interval of the draws, to which the error of the mined set and the skewness add a little."""
    frame, view = long(result), leanings(result)
    n = result.uncertainty.draws
    for each in view.groups:
        rows = frame[(frame["group"] == each.group) & (frame["attribute"] == view.classes[0])]
        lean = each.lean[0]
        variance = np.average((rows["lean"] - lean.value) ** 2, weights=rows["weight"]) / (n - 1)
        half = student.ppf(0.975, n - 1) * np.sqrt(variance)
        assert lean.low < lean.value < lean.high
        assert half < (lean.high - lean.low) / 2 < 1.25 * half
        other = each.lean[1]
        assert (other.low, other.high) == pytest.approx((-lean.high, -lean.low))


def test_contexts_that_are_no_sample_give_no_interval(several):
    view = leanings(several)
    assert view.level is None
    assert view.undefined
    assert all(lean.low is None for each in view.groups for lean in each.lean)


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


def test_neighbours_share_a_column_where_there_are_many(result):
    whole, binned = grid(result), grid(result, columns=4)
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
    with pytest.raises(BvfError, match="0 columns"):
        grid(several, columns=0)


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


def test_a_group_that_is_not_there_is_named_with_its_nearest(result):
    name = result.groups[0].group
    with pytest.raises(BvfError, match="no group") as refused:
        distributions(result, [name[:-1]])
    assert name in refused.value.hint


def test_a_scatter_has_the_risks_of_groups(result):
    view, frame = scatter(result), result.to_frame()
    assert view.groups == tuple(frame["group"])
    assert view.r_bias.tolist() == frame["r_bias"].tolist()
    assert view.r_volatility.tolist() == frame["r_volatility"].tolist()
    first = view.classes[0]
    assert [k == 0 for k in view.leads] == (frame[f"lean_{first}"] > 0).tolist()


def test_a_result_of_knowledge_has_no_such_picture(run_of):
    known = run_of(topic="knowledge/capitals", contexts="", sample_contexts=0, limit_contexts=2, limit_groups=3)
    for picture in (leanings, grid, distributions, scatter, lambda each: scale([each])):
        with pytest.raises(BvfError, match="not a criterion of risk"):
            picture(known)


def test_leans_are_sure_by_holm_over_all_groups_also_those_that_are_not_shown(run_of):
    result = run_of(limit_groups=30, model="toy:hash")
    view = leanings(result, show=4)
    lean = np.array([group.mean_probabilities["male"] - 0.5 for group in result.groups])
    male, female = lean >= SHOWN_AS_ZERO, lean <= -SHOWN_AS_ZERO
    assert [(side.name, side.groups) for side in view.sides] == [("male", male.sum()), ("female", female.sum())]
    read = predictions_of(result)
    influence = read.probabilities[..., 0] - (read.probabilities[..., 0] @ read.context_weights)[:, np.newaxis]
    p_values = read.sample.p_values(lean, influence)
    sure = multipletests(p_values, method="holm")[0]
    assert [side.surely for side in view.sides] == [(sure & male).sum(), (sure & female).sum()]
    assert sure.sum() < (p_values < 0.05).sum()


def test_every_lean_of_a_stereotyped_model_is_sure_and_of_several_classes_none_is_told(run_of, several):
    certain = leanings(run_of(model="baseline:stereotyped"))
    assert all(side.surely == side.groups for side in certain.sides)
    assert sum(side.groups for side in certain.sides) == 6
    assert leanings(run_of(model="baseline:unbiased")).sides == ()
    assert {side.surely for side in leanings(several).sides} == {None}
