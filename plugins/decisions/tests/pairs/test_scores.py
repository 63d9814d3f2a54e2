"""Estimates and what is made of them, beside plain computations."""

import numpy as np
import pytest
from bvf_decisions.pairs.scores import Design, Estimate, correlated, spread
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t as student
from scipy.stats import ttest_1samp, ttest_ind

from bvf.stats import ContextSample

ORDERED = np.array([0, 0, 1, 1, 2, 2]), np.array([1, 2, 0, 2, 0, 1])


def estimate(values, **kind):
    weights = np.full(values.shape[1], 1.0 / values.shape[1])
    return Estimate.mean(values, weights, ContextSample(weights, "template"), **kind)


def test_a_mean_has_the_interval_and_the_p_of_a_t_test():
    values = np.random.default_rng(1).normal(0.3, 1.0, size=(1, 12))
    found, plain = estimate(values), ttest_1samp(values[0], 0.0)
    assert [float(each[0]) for each in found.ends(0.9)] == pytest.approx(list(plain.confidence_interval(0.9)))
    assert found.p_values()[0] == pytest.approx(plain.pvalue)


def test_the_difference_of_two_arms_has_the_error_of_two_means():
    values, of_first = np.random.default_rng(2).normal(size=(1, 16)), np.arange(16) % 2 == 0
    found = estimate(values, arms=[of_first, ~of_first])
    one, two = values[0, of_first], values[0, ~of_first]
    assert found.values[0] == pytest.approx(one.mean() - two.mean())
    error = np.sqrt((one.var() + two.var()) / 8 * 16 / 15)  # both arms share the correction for a small sample
    assert found.ends(0.95)[1][0] - found.values[0] == pytest.approx(student.ppf(0.975, 15) * error)


def test_samples_of_two_runs_are_independent():
    rng = np.random.default_rng(3)
    one, two = rng.normal(size=(1, 20)), rng.normal(1.0, 2.0, size=(1, 11))
    apart, plain = estimate(one).minus(estimate(two)), ttest_ind(one[0], two[0], equal_var=False)
    assert [float(each[0]) for each in apart.ends(0.95)] == pytest.approx(list(plain.confidence_interval(0.95)))
    assert apart.p_values()[0] == pytest.approx(plain.pvalue)


def test_contexts_that_are_no_sample_leave_no_error():
    values = np.arange(6.0).reshape(2, 3)
    known = estimate(values)
    for each in (Estimate.mean(values, np.full(3, 1 / 3), None), known.minus(Estimate.mean(values, np.ones(3), None))):
        assert np.isnan(each.ends(0.95)).all()
        assert np.isnan(each.p_values()).all()


@given(effects=st.lists(st.floats(-3, 3), min_size=6, max_size=6), place=st.floats(-2, 2))
def test_effects_of_both_places_are_found_again(effects, place):
    first, second = (np.array(each) - np.mean(each) for each in (effects[:3], effects[3:]))
    odds = place + first[ORDERED[0]] + second[ORDERED[1]]
    found = Design.of(*ORDERED, who=False)
    assert found.first @ odds == pytest.approx(first, abs=1e-9)
    assert found.second @ odds == pytest.approx(second, abs=1e-9)


def test_two_people_or_two_pairs_do_not_tell_the_places_apart():
    assert Design.of(np.array([0, 1]), np.array([1, 0]), who=False) is None
    assert Design.of(np.array([0, 1, 2, 3]), np.array([1, 0, 3, 2]), who=False) is None


def test_a_correlation_by_contexts_is_as_a_jackknife_says():
    rng, true = np.random.default_rng(4), np.array([-1.0, 0.0, 0.5, 1.0])
    one, two = (true[:, np.newaxis] + 0.4 * rng.normal(size=(4, 60)) for _ in range(2))
    r, low, high = correlated(estimate(one), estimate(two), 0.95)
    assert r == pytest.approx(np.corrcoef(one.mean(axis=1), two.mean(axis=1))[0, 1])
    left_out = (
        [np.arctanh(np.corrcoef(np.delete(one, c, 1).mean(1), two.mean(1))[0, 1]) for c in range(60)],
        [np.arctanh(np.corrcoef(one.mean(1), np.delete(two, c, 1).mean(1))[0, 1]) for c in range(60)],
    )
    error = np.sqrt(sum(59**2 / 60 * np.var(each, ddof=1) for each in left_out))
    assert np.arctanh(high) - np.arctanh(r) == pytest.approx(1.99 * error, rel=0.05)
    assert np.arctanh(r) - np.arctanh(low) == pytest.approx(np.arctanh(high) - np.arctanh(r))
    assert np.isnan(correlated(estimate(np.ones((3, 4))), estimate(two[:3]), 0.95)).all()


def test_the_slope_of_a_spread_is_its_derivative():
    effects = np.array([-1.0, 0.25, 0.75])
    size, slope = spread(effects)
    assert size == pytest.approx(effects.std())
    steps = [(spread(effects + 1e-6 * each)[0] - size) / 1e-6 for each in np.eye(3)]
    assert slope == pytest.approx(steps, abs=1e-5)
    assert spread(np.zeros(2))[1].tolist() == [0.0, 0.0]
