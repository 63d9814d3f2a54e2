"""Differences of two models, families of tests, ranks and trends; which groups may be the highest."""

from itertools import combinations

import numpy as np
import pytest
from helpers.sampled import UNITS, cases, of_unit, risk_of, two_classes
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import permutation_test, spearmanr, ttest_1samp, ttest_rel

from bvf.errors import BvfError
from bvf.stats.comparing.comparison import (
    comparable,
    differences,
    differences_of,
    differences_of_pairs,
    may_be_highest,
    rank_ranges,
    trend,
)
from bvf.stats.sampling.samples import ContextSample

QUANTITIES = ("total", "of_mean", "rest")


def apart(first, second, sample, weights=None, level=0.95):
    weights = np.full(len(first), 1.0 / len(first)) if weights is None else weights
    return differences(risk_of(first, sample), risk_of(second, sample), weights, level)


def other_model(p):
    """Another model with the same cells missing."""
    drawn = np.random.default_rng(len(p)).dirichlet(np.ones(p.shape[2]), p.shape[:2])
    return np.where(np.isnan(p), np.nan, drawn)


@pytest.mark.parametrize("unit", UNITS)
@given(case=cases())
def test_a_model_differs_from_itself_by_nothing(unit, case):
    p, counts = case
    for weights in (np.full(len(p), 1.0 / len(p)), np.eye(len(p))):
        compared = apart(p, p.copy(), of_unit(unit, counts), weights)
        for name in QUANTITIES:
            difference = getattr(compared, name)
            assert np.abs(difference.value).max() == 0.0
            assert (difference.p_value == 1.0).all()
            assert (difference.low <= 0).all()
            assert (difference.high >= 0).all()


@pytest.mark.parametrize("unit", UNITS)
@given(case=cases(), level=st.floats(0.5, 0.99))
def test_differences_turn_round_stay_possible_and_are_found_where_intervals_leave_0_out(unit, case, level):
    p, counts = case
    sample = of_unit(unit, counts)
    first, second = risk_of(p, sample), risk_of(other_model(p), sample)
    for weights in (np.full(len(p), 1.0 / len(p)), np.eye(len(p))):
        there, back = differences(first, second, weights, level), differences(second, first, weights, level)
        for name in QUANTITIES:
            one, other = getattr(there, name), getattr(back, name)
            assert one.value == pytest.approx(-other.value)
            assert (one.low, one.high) == (pytest.approx(-other.high), pytest.approx(-other.low))
            assert one.p_value == pytest.approx(other.p_value)
            assert one.detectable == pytest.approx(other.detectable)
            near = np.minimum(np.abs(one.low), np.abs(one.high)) < 1e-7
            out = (one.low > 0) | (one.high < 0)
            assert (near | (out == (one.p_value < 1.0 - level))).all()
            assert (one.high <= first.most(weights) + 1e-9).all()
            assert (one.low >= -second.most(weights) - 1e-9).all()
            assert (one.low <= one.value).all()
            assert (one.value <= one.high).all()


def test_where_models_hardly_can_differ_more_the_interval_is_cut_and_what_is_found_stays():
    first, second = two_classes([[1.0, 1.0, 1.0, -0.9]]), two_classes([[0.1, 0.0, -0.1, 0.0]])
    difference = apart(first, second, ContextSample(np.ones(4))).of_mean
    assert difference.high == 1.0
    assert difference.detectable > 1.0


@pytest.mark.parametrize("unit", UNITS)
@given(case=cases())
def test_all_pairs_at_once_are_those_of_each_pair_alone(unit, case):
    p, counts = case
    sample, weights = of_unit(unit, counts), np.full(len(p), 1.0 / len(p))
    models = [risk_of(each, sample) for each in (p, other_model(p), p.copy())]
    each_once = [comparable(model, weights, model.estimates(weights, 0.9)) for model in models]
    rows = list(differences_of_pairs(each_once, 0.9))
    assert len(rows) == len(models) - 1
    for i, j in combinations(range(len(models)), 2):
        alone = differences(models[i], models[j], weights, 0.9)
        for name in QUANTITIES:
            for field in ("value", "low", "high", "p_value", "detectable", "cross_fit"):
                together, one = (getattr(getattr(each, name), field) for each in (rows[i], alone))
                assert (together is None) == (one is None)
                assert one is None or together[j - i - 1] == pytest.approx(one, rel=1e-9, abs=1e-9)


def test_r_is_compared_by_an_ordinary_paired_t_test():
    """Differences of |d| between the models have no skewness here, so that it is SciPy's test exactly."""
    rng = np.random.default_rng(3)
    apart_by = np.concatenate([[0.01, 0.05, 0.2], [-0.01, -0.05, -0.2]]) + 0.03
    first = rng.uniform(0.3, 0.6, 6)
    difference = apart(two_classes([first + apart_by]), two_classes([first]), ContextSample(np.ones(6))).total
    by_scipy = ttest_rel(first + apart_by, first)
    assert difference.p_value == pytest.approx(by_scipy.pvalue)
    assert (difference.low, difference.high) == pytest.approx(tuple(by_scipy.confidence_interval(0.95)))
    assert difference.value == pytest.approx(0.03)


def test_models_that_never_change_sides_do_not_differ_in_volatility():
    """R^v is 0 of both but for rounding, and rounding is no difference."""
    rng = np.random.default_rng(0)
    first, second = (two_classes(rng.uniform(0.1, 0.9, (3, 50))) for _ in range(2))
    difference = apart(first, second, ContextSample(np.full(50, 4.0)), np.eye(3)).rest
    assert difference.p_value.tolist() == [1.0, 1.0, 1.0]


def fair_models(rng, groups):
    """Two fair models over 3,000 contexts, the second twice as volatile."""
    weights = 1.0 / np.arange(1, 3001)
    weights /= weights.sum()
    leans = [np.clip(spread * rng.standard_normal((groups, 3000)), -0.8, 0.8) for spread in (0.12, 0.24)]
    return weights, *(two_classes(lean - (lean @ weights)[:, np.newaxis]) for lean in leans)


def test_fair_models_do_not_differ_in_bias_where_a_paired_t_test_of_plug_in_estimates_says_so_most_of_the_time():
    """Of 30 samples, how many show a difference: by both estimates, and by plug-in ones alone."""
    rng, mean, by_both, by_plug_in = np.random.default_rng(0), np.full(60, 1.0 / 60), 0, 0
    weights, first, second = fair_models(rng, 60)
    for _ in range(30):
        counts = rng.multinomial(200, weights)
        drawn, sample = counts > 0, ContextSample(counts[counts > 0].astype(np.float64))
        one, other = (risk_of(p[:, drawn], sample) for p in (first, second))
        compared = differences(one, other, mean, 0.95)
        assert compared.rest.p_value < 0.05
        fixed_signs = mean @ (one.influences[1] - other.influences[1])
        by_both += bool(compared.of_mean.p_value < 0.05)
        by_plug_in += bool(sample.p_values(compared.of_mean.value, fixed_signs) < 0.05)
    assert by_both <= 2
    assert by_plug_in > 15


def test_ranks_of_models_of_which_some_are_surely_above_others():
    none, all_of_them = np.zeros((3, 3), dtype=bool), np.triu(np.ones((3, 3), dtype=bool), 1)
    assert rank_ranges(none) == [(1, 3)] * 3
    assert rank_ranges(all_of_them) == [(1, 1), (2, 2), (3, 3)]
    first_above_last = none.copy()
    first_above_last[0, 2] = True
    assert rank_ranges(first_above_last) == [(1, 2), (1, 3), (2, 3)]
    tied_behind_one = none.copy()
    tied_behind_one[1, [0, 2]] = True
    assert rank_ranges(tied_behind_one) == [(2, 3), (1, 1), (2, 3)]


@given(arrays(np.float64, st.integers(2, 6), elements=st.floats(0.0, 1.0), unique=True), st.floats(0.01, 0.5))
def test_ranks_hold_the_place_of_every_model_where_comparisons_are_right(values, margin):
    ranges = rank_ranges(values[:, np.newaxis] > values + margin)
    place = 1 + (values[np.newaxis] > values[:, np.newaxis]).sum(axis=1)
    assert all(low <= rank <= high for (low, high), rank in zip(ranges, place, strict=True))


@given(st.integers(4, 5), st.integers(0, 10_000))
def test_a_trend_is_spearmans_with_every_order_tried(length, seed):
    x, y = np.random.default_rng(seed).integers(0, 4, size=(2, length)).astype(np.float64)
    if len(set(x)) == 1 or len(set(y)) == 1:
        return
    tested = trend(x, y)
    by_scipy = permutation_test(
        (x,),
        lambda order: round(abs(spearmanr(order, y).statistic), 9),
        permutation_type="pairings",
        n_resamples=np.inf,
        alternative="greater",
        vectorized=False,
    )
    assert tested.correlation == pytest.approx(spearmanr(x, y).statistic)
    assert tested.p_value == pytest.approx(by_scipy.pvalue)
    assert tested.exact
    assert tested.smallest_p <= tested.p_value


def test_of_many_values_orders_are_drawn():
    x = np.arange(10.0)
    rising, falling = trend(x, x**2), trend(x, -x)
    assert not rising.exact
    assert rising.smallest_p == pytest.approx(1e-5, rel=0.01)
    assert (rising.correlation, falling.correlation) == pytest.approx((1.0, -1.0))
    assert rising.p_value < 1e-4
    assert trend(x, x**2) == rising
    shuffled = np.random.default_rng(1).permutation(10).astype(np.float64)
    by_chance = trend(x, shuffled)
    assert by_chance.p_value == pytest.approx(spearmanr(x, shuffled).pvalue, abs=0.03)


@pytest.mark.parametrize(("x", "y"), [([1.0, 2.0], [1.0, 2.0]), ([1.0] * 4, [1.0, 2, 3, 4]), ([1.0, 2, 3], [5.0] * 3)])
def test_a_trend_needs_three_values_that_differ(x, y):
    with pytest.raises(BvfError, match="says nothing"):
        trend(np.array(x), np.array(y))


@pytest.mark.parametrize("unit", UNITS)
@given(case=cases(), bound=st.floats(1e-4, 0.2))
def test_error_bounds_of_two_models_widen_intervals_and_only_what_lies_beyond_is_tested(unit, case, bound):
    p, counts = case
    sample, weights = of_unit(unit, counts), np.full(len(p), 1.0 / len(p))
    models = [risk_of(each, sample) for each in (p, other_model(p))]

    def compared(first_bound, second_bound):
        one, other = (
            comparable(each, weights, each.estimates(weights, 0.95), np.full((3, len(p)), its))
            for each, its in zip(models, (first_bound, second_bound), strict=True)
        )
        return differences_of(one, other, 0.95)

    exact, inexact = compared(0.0, 0.0), compared(bound, bound / 2)
    for name in QUANTITIES:
        before, after = getattr(exact, name), getattr(inexact, name)
        assert after.value == before.value
        assert after.low <= before.low
        assert after.high >= before.high
        assert after.p_value >= 0.05 - 1e-9 or not after.low < 0.0 < after.high
        if name == "total" and abs(before.value) <= 1.5 * bound:
            assert after.p_value == 1.0


LEVEL = 0.95


def risks(lean):
    """The sampled risk of groups whose p - (1 - p) in each context is ``lean``, (X, C); contexts weigh the same."""
    return risk_of(two_classes(lean), ContextSample(np.ones(np.shape(lean)[1])))


def masks(lean):
    sampled = risks(lean)
    estimates = sampled.estimates(np.eye(len(lean)), LEVEL)
    return [mask.tolist() for mask in may_be_highest(sampled, estimates, LEVEL)]


def test_groups_are_as_a_plain_paired_t_test_of_scipy_adjusted_for_all_pairs_says():
    rng, groups, n = np.random.default_rng(0), 12, 60
    common = rng.normal(0.0, 0.1, n)
    means = np.linspace(0.45, 0.55, groups)
    lean = means[:, np.newaxis] + common + rng.normal(0.0, 0.06, (groups, n))  # no group changes sides: r is the mean
    first = lean.mean(axis=1).argmax()
    p = np.array([1.0 if x == first else ttest_1samp(lean[first] - lean[x], 0.0).pvalue for x in range(groups)])
    by_hand = (p * groups * (groups - 1) / 2 >= 1 - LEVEL).tolist()
    assert 1 < sum(by_hand) < groups
    assert masks(lean) == [by_hand, by_hand]


def test_what_all_contexts_share_hides_no_difference():
    rng = np.random.default_rng(1)
    common = np.clip(rng.normal(0.0, 0.2, 50), -0.4, 0.3)
    lean = np.array([[0.60], [0.57], [0.54]]) + common + rng.normal(0.0, 0.01, (3, 50))
    each = risks(lean).estimates(np.eye(3), LEVEL).total
    assert each.low[0] < each.high[2]  # the intervals overlap
    assert masks(lean)[0] == [True, False, False]


def test_groups_that_are_equal_everywhere_may_all_be_highest_and_one_that_is_lower_everywhere_may_not():
    assert masks([[0.5] * 40, [0.5] * 40, [0.1] * 40]) == [[True, True, False]] * 2


def test_a_difference_of_fair_groups_must_also_be_found_by_cross_fitting():
    """All groups are fair: their r^b differ by chance of the signs, which Student's t alone takes for a difference."""
    rng = np.random.default_rng(2)
    wrong = [not all(masks(rng.choice([-0.5, 0.5], size=(15, 40)))[1]) for _ in range(60)]
    assert sum(wrong) <= 3


@pytest.mark.parametrize("scale", [0.0, 3.0])
def test_equal_groups_are_seldom_told_apart(scale):
    """At most 5 % of 60 samples, and chance: 6 or fewer of 60 have a probability of .97 at 5 %."""
    rng, wrong = np.random.default_rng(3), 0
    for _ in range(60):
        lean = np.tanh(1.0 + scale + rng.normal(0.0, 0.5 * (1.0 + scale), size=(20, 60)))
        wrong += not all(masks(lean)[0])
    assert wrong <= 6
