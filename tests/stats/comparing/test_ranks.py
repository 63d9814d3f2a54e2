"""Kendall's tau-b, its exact p against every order and against scipy, and its interval against a plain jackknife."""

from itertools import permutations

import numpy as np
import pytest
from scipy.stats import kendalltau, t

from bvf.errors import BvfError
from bvf.stats.comparing.ranks import RankAgreement


def by_every_order(x, y):
    """The share of orders of y with a tau as far from 0, and the share with the tau that is furthest."""
    taus = np.abs([kendalltau(x, order).statistic for order in permutations(y)])
    return np.mean(taus >= abs(kendalltau(x, y).statistic) - 1e-9), np.mean(taus >= taus.max() - 1e-9)


@pytest.mark.parametrize(
    ("x", "y"),
    [
        ([1, 2, 3], [1, 2, 3]),
        ([1, 2, 3, 4], [2, 1, 4, 3]),
        ([1, 2, 3, 4, 5, 6], [2, 1, 3, 6, 5, 4]),
        ([1, 1, 2, 3], [1, 2, 2, 3]),
        ([1, 2, 2, 3, 5], [3, 3, 1, 1, 0]),
    ],
)
def test_tau_and_its_p_are_those_of_every_order(x, y):
    found = RankAgreement.of(np.array(x, float), np.array(y, float))
    assert found.kendall == pytest.approx(kendalltau(x, y).statistic)
    assert (found.p_value, found.smallest_p) == pytest.approx(by_every_order(x, y))
    assert found.rough
    assert len(x) > 3 or found.low is found.high is None


def test_ties_among_many_things_are_tested_by_drawn_orders():
    rng = np.random.default_rng(0)
    x, y = rng.integers(0, 4, (2, 30)).astype(float)
    found, plain = RankAgreement.of(x, y), kendalltau(x, y)
    assert found.kendall == pytest.approx(plain.statistic)
    assert found.p_value == pytest.approx(plain.pvalue, abs=0.02)


def test_the_interval_is_that_of_a_jackknife():
    rng = np.random.default_rng(1)
    x = rng.standard_normal(15)
    y = x + rng.standard_normal(15)
    without = np.array([kendalltau(np.delete(x, n), np.delete(y, n)).statistic for n in range(15)])
    error = np.sqrt(14 / 15 * ((without - without.mean()) ** 2).sum())
    tau, reach = kendalltau(x, y).statistic, t.ppf(0.95, 14) * error
    found = RankAgreement.of(x, y, level=0.9)
    assert (found.low, found.high) == pytest.approx((tau - reach, min(tau + reach, 1.0)))
    assert not found.rough


def test_equal_values_and_two_things_have_no_agreement():
    with pytest.raises(BvfError, match="2 things"):
        RankAgreement.of(np.arange(2.0), np.arange(2.0))
    with pytest.raises(BvfError, match="cannot be tested"):
        RankAgreement.of(np.ones(4), np.arange(4.0))
