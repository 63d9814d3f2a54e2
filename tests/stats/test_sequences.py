"""Intervals that may be looked at whenever one likes."""

import numpy as np
import pytest
from scipy.stats import t as student

from bvf import BvfError
from bvf.stats.sequences import confidence_sequence, log_capital

RUNS, FIRST_LOOK, LAST_LOOK = 200, 50, 2000
MEAN, SD = 0.4, 0.2


@pytest.fixture(scope="module")
def runs():
    k = MEAN * (1 - MEAN) / SD**2 - 1
    return np.random.default_rng(7).beta(MEAN * k, (1 - MEAN) * k, size=(RUNS, LAST_LOOK))


def test_it_is_wrong_at_some_look_in_few_runs_and_the_ordinary_interval_in_many(runs):
    capital = np.array([log_capital(run, np.array([MEAN]), 0.95)[:, 0] for run in runs])
    assert (capital.max(axis=1) >= np.log(20)).mean() <= 0.05
    n = np.arange(1, LAST_LOOK + 1)
    means = runs.cumsum(axis=1) / n
    with np.errstate(divide="ignore", invalid="ignore"):
        error = np.sqrt(((runs**2).cumsum(axis=1) / n - means**2) / (n - 1))
    wrong = np.abs(means - MEAN) > student.ppf(0.975, n - 1) * error
    assert wrong[:, FIRST_LOOK - 1 :].any(axis=1).mean() >= 0.35  # 0.42 in 4,000 runs


def test_intervals_hold_the_mean_and_only_become_narrower(runs):
    low, high = confidence_sequence(runs[0])
    assert (low <= MEAN).all()
    assert (high >= MEAN).all()
    assert (np.diff(low) >= 0).all()
    assert (np.diff(high) <= 0).all()
    assert high[-1] - low[-1] < 0.05


@pytest.mark.parametrize("value", [0.0, 1.0])
def test_values_that_are_all_at_an_end_leave_that_end(value):
    low, high = confidence_sequence([value] * 500)
    assert low[-1] <= value <= high[-1]
    assert high[-1] - low[-1] < 0.05


@pytest.mark.parametrize("values", [[0.5, 1.1], [-0.1], [float("nan")]])
def test_what_is_not_between_0_and_1_is_refused(values):
    with pytest.raises(BvfError, match="between 0 and 1"):
        confidence_sequence(values)
