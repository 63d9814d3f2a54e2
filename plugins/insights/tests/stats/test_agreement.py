"""Correlations over groups beside plain computations of scipy, and their intervals beside a loop over resamples."""

import numpy as np
import pytest
from bvf_insights.stats.agreement import DRAWS, correlation, noise_factor
from scipy.stats import norm, pearsonr, spearmanr, t


def test_a_correlation_and_its_interval_are_those_of_a_plain_loop():
    rng = np.random.default_rng(3)
    x = rng.standard_normal(12)
    y = x + rng.standard_normal(12)
    found = correlation(x, y, 0.9, seed=5)
    assert found.value == pytest.approx(pearsonr(x, y).statistic)
    assert found.ranks == pytest.approx(spearmanr(x, y).statistic)
    places = np.random.default_rng(5).integers(12, size=(DRAWS, 12))
    drawn = sorted(pearsonr(x[each], y[each]).statistic for each in places)
    tail = norm.cdf(-((12 / 11) ** 0.5) * t.ppf(0.95, 11))
    assert (found.low, found.high) == pytest.approx(tuple(np.quantile(drawn, [tail, 1 - tail])))


def test_a_constant_has_no_correlation():
    assert correlation(np.ones(6), np.arange(6.0), 0.95) is None


@pytest.mark.parametrize(
    ("first", "second", "factor"),
    [(1.0, 0.25, 2.0), (0.5, 0.5, 2.0), (0.0, 1.0, None), (-0.5, -0.5, None), (None, 1.0, None)],
)
def test_noise_is_taken_out_where_both_reliabilities_are_above_0(first, second, factor):
    assert noise_factor(first, second) == factor
