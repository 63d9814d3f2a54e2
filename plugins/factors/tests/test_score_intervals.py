"""Intervals of scores and of their differences: worked by hand, and against scipy, statsmodels and plain loops."""

import math
from collections import Counter

import numpy as np
import pytest
from bvf_bias_benchmarks.stereoset import StereoSet
from bvf_factors.benchmarks.intervals import difference_of, estimated, mcnemar, mean_of
from scipy.stats import beta, binomtest, t
from statsmodels.stats.contingency_tables import mcnemar as mcnemar_of_statsmodels
from statsmodels.stats.power import NormalIndPower

from bvf.interfaces.benchmark import Answer, Item


def share(sums):
    return sums[..., 0] / sums[..., 1]


def estimate(flags, clusters, formulas=(share,), highest=1.0):
    numbers = np.column_stack([flags, np.ones(len(flags))]).astype(float)
    return estimated(numbers, np.asarray(clusters), formulas, (0.0, highest), 1 + max(clusters))


def test_twelve_of_twenty_pairs_are_clopper_and_pearson_and_need_as_many_as_a_power_of_80_percent_takes():
    made = estimate([1] * 12 + [0] * 8, range(20), (lambda sums: 100.0 * share(sums),), 100.0)
    exact = binomtest(12, 20)
    low, high = exact.proportion_ci(0.95, method="exact")
    assert made.interval(0.95) == pytest.approx((100 * low, 100 * high), abs=1e-9)
    assert made.interval(0.95) == pytest.approx((36.0543, 80.8810), abs=1e-4)
    assert made.p_value(50.0) == pytest.approx(exact.pvalue, abs=1e-9)
    by_hand = 0.24 * ((1.959964 + 0.841621) / 0.1) ** 2
    plain = NormalIndPower().solve_power(0.1 / math.sqrt(0.24), alpha=0.05, power=0.8, ratio=0)
    assert (made.needed(50.0, 0.95), math.ceil(by_hand), math.ceil(plain)) == (189, 189, 189)
    assert made.needed(60.0, 0.95) is None, "such a score is never told from itself"


def test_a_share_by_cluster_worked_by_hand():
    """Templates with 2 of 2, 1 of 2 and 0 of 4: 3/8 less 1/6, 2/6 and 3/4 without one of them."""
    made = estimate([1, 1, 1, 0, 0, 0, 0, 0], [0, 0, 1, 1, 2, 2, 2, 2])
    moves = np.array([3 / 8 - 1 / 6, 3 / 8 - 2 / 6, 3 / 8 - 3 / 4])
    variance = 2 / 3 * sum((moves - moves.mean()) ** 2)
    independent = 1 + 3 / 8 * 5 / 8 / variance
    freedoms = [max(independent - 1, 1), (2 + 2 + 4) ** 2 / (4 + 4 + 16) - 1]
    independent *= min(t.ppf(0.975, freedoms[0]) / t.ppf(0.975, freedoms[1]), 1) ** 2
    deviating = 3 / 8 * independent
    low = beta.ppf(0.025, deviating, independent - deviating + 1)
    high = beta.ppf(0.975, deviating + 1, independent - deviating)
    assert made.interval(0.95) == pytest.approx((low, high), abs=1e-9)
    assert variance == pytest.approx(13 / 108)


def test_a_cluster_with_most_answers_leaves_the_whole_scale_and_no_difference():
    """9 of 12 answers are of one cluster: 12^2 / (81 + 1 + 1 + 1) = 1.71 clusters, which tell no variance."""
    clusters = [0] * 9 + [1, 2, 3]
    mostly, other = estimate([1, 0, 1] * 4, clusters), estimate([1, 1, 0] * 4, clusters)
    assert mostly.effective == pytest.approx(144 / 84)
    assert mostly.interval(0.95)[0] < 0.01
    assert mostly.interval(0.95)[1] > 0.99
    assert difference_of(mostly, other, 0.95).low is None
    assert estimate([1, 0] * 4, range(8)).effective == 8


def test_clusters_of_equal_answers_are_as_many_answers():
    one_each = estimate([1] * 6 + [0] * 4, range(10))
    ten_each = estimate([1] * 60 + [0] * 40, np.repeat(np.arange(10), 10))
    assert ten_each.interval(0.95) == pytest.approx(one_each.interval(0.95), abs=1e-9)
    alike = estimate([1] * 60, np.repeat(np.arange(20), 3))
    assert alike.interval(0.95) == pytest.approx((0.025 ** (1 / 20), 1.0), abs=1e-9)


def test_a_p_value_is_that_of_the_interval_that_ends_at_the_ideal():
    generator = np.random.default_rng(4)
    made = estimate(generator.random(120) < 0.65, np.repeat(np.arange(30), 4))
    p_value = made.p_value(0.5)
    assert 0.0 < p_value < 0.2
    assert made.interval(1.0 - p_value)[0] == pytest.approx(0.5, abs=1e-9)


def test_one_cluster_has_no_interval_and_a_score_that_rests_on_one_has_none():
    assert estimate([1, 0, 1], [0, 0, 0]) is None
    only_first = np.array([[1.0, 1.0], [0.0, 0.0], [0.0, 0.0]])
    assert estimated(only_first, np.arange(3), (share,), (0.0, 1.0), 3) is None


def test_the_interval_of_icat_has_the_lowest_ends_of_both_sides_of_its_kink():
    values = [{"task": "x", "domain": "y", "target": str(n // 2)} for n in range(80)]
    scores = [(2.0, 1.0, 0.0) if n % 4 < 2 else (1.0, 2.0, 0.0) for n in range(80)]
    answers = [Answer(Item(str(n), ("a", "b", "c"), values=values[n]), scores[n]) for n in range(80)]
    sums = next(score.sums for score in StereoSet().scores(answers) if score.name == "icat")
    made = estimated(sums.numbers, np.arange(80) // 2, sums.formulas, (0.0, 100.0), 40, sums.reach)
    low, high = made.interval(0.95)
    assert sums.value() == 100.0
    below, above = (estimated(sums.numbers, np.arange(80) // 2, (each,), (0.0, 200.0), 40) for each in sums.formulas)
    assert low == pytest.approx(min(below.interval(0.95)[0], above.interval(0.95)[0]))
    assert high == 100.0
    assert low < 70.0, "twenty terms of either kind: ss is 50 give or take 16"


@pytest.mark.parametrize(("one", "other", "both"), [(7, 0, 5), (9, 3, 4), (4, 4, 1), (0, 0, 6)])
def test_mcnemar_is_exact_as_in_statsmodels_and_scipy(one, other, both):
    first = np.array([True] * (one + both) + [False] * (other + 4))
    second = np.array([False] * one + [True] * (both + other) + [False] * 4)
    made = mcnemar(first, second, 0.95)
    table = [[both, one], [other, 4]]
    assert made.p_value == pytest.approx(float(mcnemar_of_statsmodels(table, exact=True).pvalue))
    assert made.value == pytest.approx((one - other) / len(first))
    if one + other:
        assert made.p_value == pytest.approx(binomtest(one, one + other).pvalue)


def test_the_interval_of_bonett_and_price_worked_by_hand():
    """Of 20 pairs 7 differ, all one way: 8/22 and 1/22, with an error of 0.118293."""
    made = mcnemar(np.arange(20) < 12, np.arange(20) < 5, 0.95, 100.0)
    assert (made.value, made.low, made.high) == pytest.approx((35.0, 8.6332, 55.0032), abs=1e-4)
    assert made.p_value == 2 / 2**7


def test_a_difference_by_cluster_is_paired():
    generator = np.random.default_rng(2)
    clusters = np.repeat(np.arange(12), 5)
    first = generator.random(60) < np.repeat(generator.random(12), 5)
    second = first ^ (generator.random(60) < 0.2)
    made = difference_of(estimate(first, clusters), estimate(second, clusters), 0.9)
    apart = first.mean() - second.mean()
    moves = [apart - (first[clusters != g].mean() - second[clusters != g].mean()) for g in range(12)]
    error = math.sqrt(11 / 12 * sum((each - np.mean(moves)) ** 2 for each in moves))
    reach = t.ppf(0.95, 11) * error
    assert (made.low, made.high) == pytest.approx((apart - reach, apart + reach), abs=1e-12)
    assert made.p_value == pytest.approx(2 * t.sf(abs(apart) / error, 11), abs=1e-12)


def test_a_difference_is_between_those_that_can_be_and_equal_answers_have_none():
    made = difference_of(estimate([1, 1, 1, 0], [0, 0, 1, 1]), estimate([0, 0, 1, 0], [0, 0, 1, 1]), 0.95)
    assert (made.value, made.low, made.high) == (0.5, -1.0, 1.0)
    same = estimate([1, 0, 1, 1, 0, 0], [0, 0, 1, 1, 2, 2])
    made = difference_of(same, same, 0.95)
    assert (made.value, made.low, made.high, made.p_value, made.method) == (0.0, None, None, None, "")


def test_the_mean_over_wordings_moves_as_the_wordings_do_on_average():
    clusters = [0, 0, 1, 1, 2, 2, 3, 3]
    one, other = estimate([1, 1, 0, 1, 0, 0, 1, 0], clusters), estimate([1, 0, 0, 1, 1, 0, 1, 1], clusters)
    made, both = mean_of([one, other]), estimate([1, 1, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0, 1, 1], clusters * 2)
    assert made.value == (one.value + other.value) / 2
    assert made.interval(0.95) == pytest.approx(both.interval(0.95), abs=1e-9)
    assert Counter(made.answers.tolist()) == {4: 4}
