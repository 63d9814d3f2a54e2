"""Weighted least squares: the same as statsmodels, each point left out in turn, planted and shuffled slopes."""

import numpy as np
import pytest
import statsmodels.api as sm
from bvf_insights.stats.weighted_line import weighted_line
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t as student


def points(seed, number=12, spread=1.0):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=number)
    return x, 0.3 * x + rng.normal(size=number), np.exp(spread * rng.normal(size=number))


def freedom(x, weights, wanted):
    """Bell and McCaffrey's, from dense matrices: of y' B y, (trace B)^2 / trace B B for y of equal variances."""
    columns, w = np.column_stack([np.ones(len(x)), x]), np.diag(weights)
    solved = np.linalg.inv(columns.T @ w @ columns) @ columns.T @ w
    hat = columns @ solved
    half = np.diag(np.array(wanted) @ solved / np.sqrt(1 - np.diag(hat))) @ (np.eye(len(x)) - hat)
    return np.trace(half @ half.T) ** 2 / np.trace(half @ half.T @ half @ half.T)


def test_degrees_of_freedom_worked_by_hand():
    """Of 0, 1, 2 the slope is half of the third y less the first, and the middle one has no pull.

    Outer residuals are (1, -2, 1) / 6 times y, so both squares are one and the same normal number squared. Of two
    times two points the two residuals at either x are each other's opposite: two normal numbers.
    """
    y = np.array([1.0, 2.0, 5.0])
    line = weighted_line(np.array([0.0, 1.0, 2.0]), y, np.ones(3))
    assert line.error == pytest.approx(np.sqrt(2 * 0.5**2 * (2 / 6) ** 2 / (1 - 5 / 6)))
    assert line.freedom == pytest.approx(1.0)
    assert weighted_line(np.array([0.0, 0.0, 1.0, 1.0]), np.array([0.0, 1.0, 2.0, 5.0]), np.ones(4)).freedom == 2.0


@given(seed=st.integers(0, 10_000), number=st.integers(4, 40), spread=st.floats(0.0, 2.0))
def test_slope_errors_and_r_squared_are_those_of_statsmodels(seed, number, spread):
    x, y, weights = points(seed, number, spread)
    line, theirs = weighted_line(x, y, weights), sm.WLS(y, sm.add_constant(x), weights=weights).fit()
    assert [line.at(np.zeros(1))[0], line.slope] == pytest.approx(list(theirs.params))
    assert line.classical_error == pytest.approx(theirs.bse[1])
    robust = theirs.get_robustcov_results("HC2")
    assert line.error == pytest.approx(robust.bse[1])
    at = np.array([-2.0, 0.0, 1.5])
    there = robust.get_prediction(sm.add_constant(at))
    assert line.at(at) == pytest.approx(there.predicted_mean)
    reaches = [student.ppf(0.95, freedom(x, weights, [1.0, each])) for each in at] * there.se_mean
    assert line.reach_at(at, 0.9) == pytest.approx(reaches)
    assert line.freedom == pytest.approx(freedom(x, weights, [0.0, 1.0]))
    assert line.r_squared == pytest.approx(theirs.rsquared)
    assert line.pull @ y == pytest.approx(line.slope)


def test_the_slope_without_a_point_is_that_of_the_others():
    x, y, weights = points(3)
    line = weighted_line(x, y, weights)
    for n in range(len(x)):
        kept = np.arange(len(x)) != n
        assert line.without[n] == pytest.approx(weighted_line(x[kept], y[kept], weights[kept]).slope)


@given(factor=st.floats(1e-3, 1e3))
def test_only_shares_of_weights_matter(factor):
    x, y, weights = points(5)
    one, other = weighted_line(x, y, weights), weighted_line(x, y, factor * weights)
    assert (other.slope, other.error, other.effective) == pytest.approx((one.slope, one.error, one.effective))


@pytest.mark.parametrize("x", [[2.0] * 5, [0.0, 0.0, 0.0, 0.0, 3.0], [1e6] * 5])
def test_points_that_leave_no_slope_are_refused(x):
    with pytest.raises(ValueError, match="the same x"):
        weighted_line(np.array(x), np.arange(5.0), np.ones(5))


@pytest.mark.parametrize("how", ["equal variances", "the larger x, the noisier", "the heavier, the quieter"])
def test_a_shuffled_slope_is_found_in_one_case_in_twenty_at_most_and_a_planted_one_is(how):
    rng = np.random.default_rng(11)
    x, weights = rng.uniform(0.5, 3.5, 60), np.exp(1.4 * rng.normal(size=60))
    noise = {"equal variances": np.ones(60), "the larger x, the noisier": x, "the heavier, the quieter": weights**-0.5}
    detected = {0.0: 0, 1.5: 0}
    for _ in range(400):
        drawn = noise[how] * rng.normal(size=60)
        for slope in detected:
            line = weighted_line(x, slope * x + drawn, weights)
            detected[slope] += abs(line.slope) > student.ppf(0.975, line.freedom) * line.error
    assert detected[0.0] <= 0.05 * 400 + 2 * (0.05 * 0.95 * 400) ** 0.5  # two standard errors of the count
    assert detected[1.5] >= 0.5 * 400
