"""A density of weighted numbers of 0 or more."""

import numpy as np
import pytest
from bvf_report.pictures.risk.distributions import density, mean_and_deviation, normal
from scipy.stats import norm


def test_far_from_0_it_is_the_mean_of_kernels_of_silvermans_bandwidth():
    values = np.random.default_rng(0).normal(50.0, 2.0, 40)
    weights = np.random.default_rng(1).uniform(1.0, 3.0, 40)
    at, curve = density(values, weights)
    worth = weights.sum() ** 2 / (weights**2).sum()
    deviation = np.sqrt(np.cov(values, aweights=weights, ddof=0))
    quarter, three_quarters = np.percentile(values, [25, 75])
    bandwidth = 0.9 * min(deviation, (three_quarters - quarter) / 1.34) * worth**-0.2
    assert curve == pytest.approx([np.average(norm.pdf(each, values, bandwidth), weights=weights) for each in at])


def test_nothing_is_lost_below_0():
    values = np.abs(np.random.default_rng(2).normal(size=200))
    at, curve = density(values, np.ones(200))
    assert at[0] == 0.0
    assert np.trapezoid(curve, at) == pytest.approx(1.0, abs=0.005)


def test_equal_numbers_have_no_density_and_many_equal_ones_have_one():
    assert density(np.full(5, 0.3), np.ones(5)) is None
    at, curve = density(np.array([0.0] * 9 + [0.4]), np.ones(10))
    assert np.isfinite(curve).all()
    assert at[curve.argmax()] == 0.0


def test_mean_and_deviation_are_weighted():
    mean, deviation = mean_and_deviation(np.array([0.0, 1.0]), np.array([3.0, 1.0]))
    assert (mean, deviation) == pytest.approx((0.25, np.sqrt(0.1875)))
    assert normal(np.array([0.3]), 0.2, 0.1) == pytest.approx(norm.pdf(0.3, 0.2, 0.1))
