"""Correlations over groups beside plain computations, and Kendall's W beside its formula and a permutation test."""

from itertools import permutations, product

import numpy as np
import pytest
from bvf_insights.stats.agreement import DRAWS, SEED, concordance, correlated, noise_factor
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import friedmanchisquare, norm, pearsonr, rankdata, spearmanr, t

from bvf import BvfError


def test_a_correlation_and_its_interval_are_those_of_a_plain_loop():
    rng = np.random.default_rng(3)
    x = rng.standard_normal(12)
    y = x + rng.standard_normal(12)
    found = correlated(x, y, 0.9)
    assert found.value == pytest.approx(pearsonr(x, y).statistic)
    assert found.ranks == pytest.approx(spearmanr(x, y).statistic)
    places = np.random.default_rng(SEED).integers(12, size=(DRAWS, 12))
    drawn = sorted(pearsonr(x[each], y[each]).statistic for each in places)
    tail = norm.cdf(-((12 / 11) ** 0.5) * t.ppf(0.95, 11))
    assert (found.low, found.high) == pytest.approx(tuple(np.quantile(drawn, [tail, 1 - tail])))


def test_a_constant_has_no_correlation():
    assert correlated(np.ones(6), np.arange(6.0), 0.95) is None


@pytest.mark.parametrize(
    ("first", "second", "factor"),
    [(1.0, 0.25, 2.0), (0.5, 0.5, 2.0), (0.0, 1.0, None), (-0.5, -0.5, None), (None, 1.0, None)],
)
def test_noise_is_taken_out_where_both_reliabilities_are_above_0(first, second, factor):
    assert noise_factor(first, second) == factor


def plain_W(values):
    """12 S / (m^2 (n^3 - n)) of the textbooks, for ranks without ties."""
    m, n = values.shape
    sums = np.array([rankdata(order) for order in values]).sum(axis=0)
    return 12 * ((sums - sums.mean()) ** 2).sum() / (m**2 * (n**3 - n))


@given(st.integers(0, 10_000), st.integers(2, 4), st.integers(3, 5))
def test_W_is_that_of_the_textbooks_of_friedman_and_of_the_mean_correlation(seed, orders, things):
    values = np.random.default_rng(seed).normal(size=(orders, things))
    agreement = concordance(values)
    assert pytest.approx(plain_W(values)) == agreement.W
    assert friedmanchisquare(*values.T).statistic == pytest.approx(orders * (things - 1) * agreement.W)
    pairs = [spearmanr(values[i], values[j]).statistic for i in range(orders) for j in range(i)]
    assert pytest.approx((1 + (orders - 1) * np.mean(pairs)) / orders) == agreement.W
    assert 0 < agreement.smallest_p <= agreement.p_value <= 1


def test_p_counts_the_combinations_that_agree_as_much():
    values = np.array([[1.0, 2.0, 3.0], [1.0, 3.0, 2.0], [2.0, 1.0, 3.0]])
    every = [plain_W(np.array(all_)) for all_ in product(permutations([1.0, 2.0, 3.0]), repeat=3)]
    agreement = concordance(values)
    assert agreement.exact
    assert agreement.p_value == pytest.approx(np.mean(np.array(every) >= plain_W(values) - 1e-9))
    assert agreement.smallest_p == pytest.approx(1 / 36)


def test_of_very_many_combinations_some_are_drawn():
    values = np.random.default_rng(1).normal(size=(4, 12))
    agreement = concordance(values)
    by_chi_square = friedmanchisquare(*values.T).pvalue
    assert not agreement.exact
    assert agreement == concordance(values)
    assert agreement.p_value == pytest.approx(by_chi_square, abs=0.05)


@pytest.mark.parametrize("values", [[[1.0, 2.0]] * 3, [[1.0, 2.0, 3.0]], [[1.0, 2.0, 3.0], [1.0, 1.0, 1.0]]])
def test_of_too_few_nothing_is_said(values):
    with pytest.raises(BvfError, match="cannot be tested"):
        concordance(np.array(values))
