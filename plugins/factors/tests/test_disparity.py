"""Log disparity and the distance of rates: worked numbers, and results of scipy."""

import numpy as np
import pytest
from bvf_factors.rates.spread import distance_to, log_disparity
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import wasserstein_distance
from scipy.stats.contingency import odds_ratio

from bvf import BvfError

COUNTS = st.integers(1, 60)


@given(COUNTS, COUNTS, COUNTS, COUNTS)
def test_it_is_the_log_odds_ratio_and_turns_with_the_sides(a, b, c, d):
    disparity, turned = log_disparity(a, a + b, c, c + d), log_disparity(c, c + d, a, a + b)
    table = odds_ratio([[a, b], [c, d]], kind="sample")
    assert disparity.value == pytest.approx(np.log(table.statistic))
    low, high = table.confidence_interval(0.9)
    assert disparity.interval(0.9) == (pytest.approx(np.log(low)), pytest.approx(np.log(high)))
    assert turned.value == pytest.approx(-disparity.value)


def test_many_subgroups_at_once_are_each_by_itself():
    together = log_disparity([8, 0], [20, 20], [10, 10], [80, 80])
    assert together.value.tolist() == [log_disparity(k, 20, 10, 80).value for k in (8, 0)]
    assert together.corrected.tolist() == [False, True]
    assert together.value[1] == pytest.approx(-1.809335, abs=1e-6)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20), st.floats(0, 1))
def test_the_distance_is_that_of_wasserstein(rates, target):
    assert distance_to(rates, target) == pytest.approx(wasserstein_distance(rates, [target]), abs=1e-12)


@pytest.mark.parametrize("counts", [(5, 4, 1, 2), (-1, 4, 1, 2), (0, 0, 1, 2), (1, 2, 0, 0)])
def test_counts_that_cannot_be_are_one_line(counts):
    with pytest.raises(BvfError, match="deviations are below 0 or more than the prompts"):
        log_disparity(*counts)


def test_no_subgroup_has_no_distance():
    with pytest.raises(BvfError, match="there is no subgroup"):
        distance_to([])
