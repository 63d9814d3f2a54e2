"""How r^b and r^v are distributed over groups: shares by hand, laws of the rest, and what alike contexts would do."""

from dataclasses import replace

import numpy as np
import pytest
from bvf_insights.explain.drivers import judgement_of
from bvf_insights.explain.shapes import PLACES, compared_laws, shapes_of, volatility_if_alike
from bvf_insights.explain.tables import shape_sections
from bvf_report.pictures.risk.groups import scatter
from bvf_report.pictures.risk.leanings import leanings
from bvf_report.pictures.risk.sides import sentence_on_sides
from scipy import stats

import bvf
from bvf.results import Side
from bvf.results.restore import predictions_of


@pytest.fixture(scope="module")
def many(run_of):
    """Twenty groups of the toy model, contexts that are a sample."""
    return run_of(limit_groups=20)


def with_volatility(result, values):
    groups = (each.model_copy(update={"r_volatility": v}) for each, v in zip(result.groups, values, strict=True))
    return result.model_copy(update={"groups": tuple(groups)})


def shapes_with(result, values):
    return shapes_of(with_volatility(result, values), predictions_of(result))


def told(shapes):
    return "\n".join(" ".join([*each.subtitle, *each.notes]) for each in shape_sections(shapes))


def test_groups_without_volatility_are_counted_with_the_exact_interval(many):
    shapes = shapes_with(many, [0.0] * 5 + [0.01 * each for each in range(1, 16)])
    assert (shapes.measured.zero, shapes.positive, shapes.zero_share) == (5, 15, 0.25)
    low, high = stats.beta.ppf(0.025, 5, 16), stats.beta.ppf(0.975, 6, 15)
    assert (shapes.zero_low, shapes.zero_high) == pytest.approx((low, high))
    assert "r^v is 0 in 5 of 20 groups: 25.0% (8.7% to 49.1%" in told(shapes)
    assert shapes.measured.R_volatility == pytest.approx(1.2 / 20)


def test_where_no_group_is_volatile_there_is_no_law_and_no_correlation(many):
    shapes = shapes_with(many, [0.0] * 20)
    assert (shapes.zero_share, shapes.zero_high, shapes.positive) == (1.0, 1.0, 0)
    assert shapes.zero_low == pytest.approx(0.025 ** (1 / 20))
    assert (shapes.measured.spearman, shapes.spearman_of_alike) == (None, None)
    assert shapes.to_frame().empty
    assert shapes.pairs_frame().empty
    assert len(shape_sections(shapes)) == 1


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ([0.0] * 20, "too few"),
        ([0.0] * 11 + [0.01 * each for each in range(1, 10)], "9 different values above 0"),
        ([0.02] * 20, "1 different value above 0"),
    ],
)
def test_nine_values_or_equal_ones_are_too_few_for_a_law(many, values, why):
    shapes = shapes_with(many, values)
    assert why in shapes.too_few
    assert shapes.too_few in told(shapes)
    assert (shapes.laws, shapes.pairs) == ((), ())
    assert ("every group has r^v above 0" in told(shapes)) == (0.0 not in values)


def test_ten_values_have_three_laws(many):
    ten = shapes_with(many, [0.0] * 10 + [0.01 * each for each in range(1, 11)])
    assert (ten.too_few, len(ten.laws), len(ten.pairs)) == ("", 3, 3)


@pytest.mark.parametrize("planted", ["log-normal", "Pareto"])
def test_a_planted_law_of_the_rest_is_found_beside_zeros(planted):
    rng = np.random.default_rng(8)
    values = rng.lognormal(-6.0, 1.4, 80) if planted == "log-normal" else 0.001 * (1 + rng.pareto(1.5, 80))
    _, laws, pairs = compared_laws(values, 0.05)
    assert laws[0].law == planted
    others = {"normal", "log-normal", "Pareto"} - {planted}
    assert {pair.other for pair in pairs if pair.law == planted and pair.decision == "better"} == others
    ratios = {(pair.law, pair.other): pair.log_ratio for pair in pairs}
    of = {law.law: law.log_likelihood for law in laws}
    assert all(ratio == pytest.approx(of[a] - of[b]) and ratio >= 0 for (a, b), ratio in ratios.items())
    ranked = sorted(pair.p_value for pair in pairs)
    assert sorted(pair.adjusted_p for pair in pairs)[0] == pytest.approx(min(1.0, 3 * ranked[0]))


def test_one_group_has_a_shape_of_its_own(run_of):
    shapes = bvf.explain(run_of(limit_groups=1)).shapes
    assert (shapes.groups, shapes.measured.zero + shapes.positive) == (1, 1)
    assert shapes.measured.spearman is None
    assert shapes.too_few
    assert told(shapes)


def test_ranks_of_volatility_and_bias_are_correlated_as_by_hand(many):
    """Ranks that run against each other, but for two neighbours: 1 - 6 sum(d^2) / (n (n^2 - 1))."""
    order = np.argsort([group.r_bias for group in many.groups])
    values = np.empty(20)
    values[order] = 0.2 - 0.01 * np.arange(20)
    result = with_volatility(many, values)
    shapes = shapes_of(result, predictions_of(many))
    assert shapes.measured.spearman == pytest.approx(-1.0)
    why = "Rank correlation of r^v with r^b (Spearman) -1.00: a group far from 0 changes sides less"
    assert why in told(shapes)
    assert why in scatter(result).caption()
    values[order[:2]] = values[order[1::-1]]
    swapped = shapes_of(with_volatility(many, values), predictions_of(many))
    assert swapped.measured.spearman == pytest.approx(-1.0 + 6 * 2 / (20 * 399))


def test_the_words_that_explain_the_correlation_are_for_two_classes_and_positive_parts(run_of, several):
    assert not bvf.explain(several).shapes.sides_decide
    squared = run_of(criterion="kl")
    assert not bvf.explain(squared).shapes.sides_decide
    assert "changes sides less" not in scatter(squared).caption() + told(bvf.explain(squared).shapes)


def test_moved_alike_is_what_a_plain_loop_finds(result):
    read = predictions_of(result)
    p, weights = read.probabilities[..., 0], read.context_weights
    means = p @ weights
    deviations = (p - means[:, np.newaxis]).ravel()
    order = np.argsort(deviations)
    reached = np.cumsum(np.tile(weights, len(p))[order]) / len(p)
    chosen = [deviations[order[np.argmax(reached >= (place + 0.5) / PLACES)]] for place in range(PLACES)]
    stereotypes = 2 * np.clip(means[:, np.newaxis] + chosen, 0.0, 1.0) - 1
    expected = np.abs(stereotypes).mean(axis=1) - np.abs(stereotypes.mean(axis=1))
    assert volatility_if_alike(result, read) == pytest.approx(expected, abs=1e-9)


def test_predictions_that_are_missing_count_for_nothing(silent):
    read = predictions_of(silent)
    assert np.isnan(read.probabilities).any()
    assert np.isfinite(volatility_if_alike(silent, read)).all()


def test_where_contexts_do_move_all_groups_alike_it_is_what_is_measured(many):
    read = predictions_of(many)
    first = 0.5 + 0.01 * np.arange(20)[:, np.newaxis] + np.linspace(-0.2, 0.2, len(read.contexts))
    weights = np.full(len(read.contexts), 1 / len(read.contexts))
    planted = replace(read, probabilities=np.stack([first, 1 - first], axis=2), context_weights=weights)
    judged = judgement_of(many, planted)
    measured = (judged.weights * judged.risks).sum(axis=1) - judged.of_mean
    assert measured.max() > 0.05
    assert measured.min() == pytest.approx(0.0, abs=2e-3)
    assert volatility_if_alike(many, planted) == pytest.approx(measured, abs=1e-3)


def test_groups_that_lean_are_counted_as_in_the_caption_of_the_leans(result, several, silent):
    for each in (result, several, silent):
        shapes = bvf.explain(each).shapes
        assert shapes.sides == leanings(each).result.sides
        assert sum(side.groups for side in shapes.sides) <= len(each.groups)
    assert all(side.surely is not None for side in bvf.explain(result).shapes.sides)
    assert all(side.surely is None for side in bvf.explain(several).shapes.sides)
    sides = {name: Side(name=name, groups=number, surely=None) for name, number in (("male", 1), ("female", 2))}
    assert sentence_on_sides(list(sides.items()), 4) == "1 of 4 groups leans to male; 2 of 4 groups lean to female."


def test_frames_have_a_row_per_law_and_per_pair(many):
    shapes = shapes_with(many, 0.001 * np.exp(np.linspace(-2, 2, 20)))
    frame = shapes.to_frame().set_index("law")
    assert frame["mean"]["log-normal"] == pytest.approx(np.log(0.001))
    assert frame["smallest"]["Pareto"] == pytest.approx(0.001 * np.exp(-2))
    assert np.isnan(frame["exponent"]["normal"])
    assert list(frame["log_likelihood"]) == sorted(frame["log_likelihood"], reverse=True)
    assert list(shapes.pairs_frame()["decision"].isin(["better", "tied"])) == [True] * 3
