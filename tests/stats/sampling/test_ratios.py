"""Two risks beside each other, against plain numpy."""

import numpy as np
import pytest
from helpers.sampled import CONVEX, of_unit, off_kinks, risk_of, two_classes
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

from bvf.stats.sampling.intervals import Estimate
from bvf.stats.sampling.ratios import (
    averaged,
    difference_of_independent,
    difference_of_paired,
    estimate,
    ratio_of_independent,
    ratio_of_paired,
)

LEVEL = 0.95
COUNTS = np.array([40.0, 25, 20, 15, 9, 6, 3, 1, 1])
EVENLY = np.array([0.5, 0.5])


def leans(seed, around):
    rng = np.random.default_rng(seed)
    return np.clip(around + rng.normal(0, 0.2, size=(2, len(COUNTS))), -0.99, 0.99)


def plain_R(lean, counts):
    return np.mean(np.abs(lean) @ (counts / counts.sum()))


def test_independent_intervals_add_up_as_squares():
    first, second = estimate(0.6, 0.5, 0.8), estimate(0.4, 0.3, 0.45)
    low, high = difference_of_independent(first, second)
    assert low == pytest.approx(0.2 - np.sqrt(0.1**2 + 0.05**2))
    assert high == pytest.approx(0.2 + np.sqrt(0.2**2 + 0.1**2))
    low, high = ratio_of_independent(first, second)
    assert np.log(low) == pytest.approx(np.log(1.5) - np.hypot(np.log(0.6 / 0.5), np.log(0.45 / 0.4)))
    assert np.log(high) == pytest.approx(np.log(1.5) + np.hypot(np.log(0.8 / 0.6), np.log(0.4 / 0.3)))


def test_of_estimates_that_err_to_either_side_the_higher_is_held_against_the_lower():
    first = Estimate(*map(np.asarray, (0.6, 0.4, 0.8, 0.5)))
    second = Estimate(*map(np.asarray, (0.3, 0.1, 0.35, 0.2)))
    low, high = difference_of_independent(first, second)
    assert low == pytest.approx(0.5 - 0.3 - np.hypot(0.5 - 0.4, 0.35 - 0.3))
    assert high == pytest.approx(0.6 - 0.2 + np.hypot(0.8 - 0.6, 0.2 - 0.1))
    low, high = ratio_of_independent(first, second)
    assert low == pytest.approx(0.5 / 0.3 * np.exp(-np.hypot(np.log(0.5 / 0.4), np.log(0.35 / 0.3))))
    assert high == pytest.approx(0.6 / 0.2 * np.exp(np.hypot(np.log(0.8 / 0.6), np.log(0.2 / 0.1))))


def test_an_interval_that_is_cut_at_0_reaches_as_far_below_as_above():
    """The second has 0 to .1 around .02: below it .08 as well, as it may be far too high."""
    first, second = estimate(0.6, 0.5, 0.8), estimate(0.02, 0.0, 0.1)
    low, high = difference_of_independent(first, second)
    assert low == pytest.approx(0.58 - np.hypot(0.1, 0.08))
    assert high == pytest.approx(0.58 + np.hypot(0.2, 0.08))
    assert difference_of_independent(second, first) == pytest.approx((-high, -low))


def test_beside_a_number_that_is_known_the_ends_are_those_of_the_first_alone():
    first, second = estimate(0.6, 0.5, 0.8), estimate(0.4, 0.4, 0.4)
    assert difference_of_independent(first, second) == pytest.approx((0.1, 0.4))
    assert ratio_of_independent(first, second) == pytest.approx((1.25, 2.0))


def test_a_ratio_has_no_interval_where_the_second_may_be_0_and_the_end_0_where_the_first_may():
    assert ratio_of_independent(estimate(0.6, 0.5, 0.8), estimate(0.1, 0.0, 0.2)) is None
    assert ratio_of_independent(estimate(0.0, 0.0, 0.0), estimate(0.1, 0.1, 0.2)) is None
    assert ratio_of_independent(estimate(0.6, 0.0, 0.8), estimate(0.4, 0.4, 0.4))[0] == 0.0


def pair(*leans):
    """The sampled risks of two models, and weights of contexts whose occurrences were redrawn."""
    n, sample = int(COUNTS.sum()), of_unit("occurrence", COUNTS)
    redrawn = np.random.default_rng(0).multinomial(n, COUNTS / n, size=20_000) / n
    return [risk_of(two_classes(lean), sample) for lean in leans], redrawn


def test_paired_intervals_are_those_of_a_bootstrap_of_occurrences():
    """Both hold the middle of what redrawn occurrences give, to a tenth of their width."""
    ours, theirs = leans(1, 0.5), leans(1, 0.4) + 0.05 * leans(2, 0.0)
    both, redrawn = pair(ours, theirs)
    R, others = (np.mean(np.abs(lean), axis=0) @ redrawn.T for lean in (ours, theirs))
    z = norm.ppf(0.975)
    difference = difference_of_paired(*both, EVENLY, LEVEL)
    assert np.ptp(difference) == pytest.approx(2 * z * (R - others).std(), rel=0.1)
    log_ratio = np.log(ratio_of_paired(*both, EVENLY, LEVEL))
    assert np.ptp(log_ratio) == pytest.approx(2 * z * np.log(R / others).std(), rel=0.1)
    middle = np.log(plain_R(ours, COUNTS) / plain_R(theirs, COUNTS))
    assert log_ratio.mean() == pytest.approx(middle, abs=0.1 * np.ptp(log_ratio))


def test_paired_intervals_of_means_hold_those_of_a_bootstrap_and_both_estimates():
    """Contexts change sides and means are clear of 0: the hull of both is little wider than the bootstrap's."""
    ours, theirs = leans(1, 0.2), leans(1, 0.15) + 0.05 * leans(2, 0.0)
    assert (ours < 0).any()
    assert (np.abs(ours @ COUNTS) > 0.1 * COUNTS.sum()).all()
    both, redrawn = pair(ours, theirs)
    R_bias, others = (np.abs(lean @ redrawn.T).mean(axis=0) for lean in (ours, theirs))
    low, high = np.log(ratio_of_paired(*both, EVENLY, LEVEL, "of_mean"))
    assert high - low == pytest.approx(2 * norm.ppf(0.975) * np.log(R_bias / others).std(), rel=0.25)
    brackets = [each.estimates(EVENLY, LEVEL).of_mean.bracket for each in both]
    assert all(low < np.log(one / other) < high for one, other in zip(*brackets, strict=True))
    low, high = difference_of_paired(*both, EVENLY, LEVEL, "of_mean")
    assert high - low == pytest.approx(2 * norm.ppf(0.975) * (R_bias - others).std(), rel=0.25)


def test_a_ratio_of_means_has_no_interval_where_that_of_the_second_may_be_0():
    sample = of_unit("occurrence", COUNTS)
    around_0 = leans(2, 0.0)
    around_0 += 0.001 - (around_0 @ COUNTS / COUNTS.sum())[:, np.newaxis]
    first, second = (risk_of(two_classes(lean), sample) for lean in (leans(1, 0.5), around_0))
    assert second.estimates(EVENLY, LEVEL).of_mean.low == 0.0
    assert ratio_of_paired(first, second, EVENLY, LEVEL, "of_mean") is None
    assert ratio_of_paired(second, first, EVENLY, LEVEL, "of_mean")[0] == 0.0


def test_contexts_that_move_both_risks_alike_tell_them_apart_better_than_contexts_of_their_own():
    ours = leans(1, 0.5)
    sample = of_unit("occurrence", COUNTS)
    first, second = (risk_of(two_classes(lean), sample) for lean in (ours, 0.8 * ours + 0.01 * leans(3, 0.0)))
    one, other = (averaged(each, EVENLY, LEVEL) for each in (first, second))
    assert np.ptp(difference_of_paired(first, second, EVENLY, LEVEL)) < np.ptp(difference_of_independent(one, other))
    assert np.ptp(ratio_of_paired(first, second, EVENLY, LEVEL)) < np.ptp(ratio_of_independent(one, other)) / 2


@given(st.integers(0, 10_000), st.sampled_from(CONVEX))
def test_an_interval_holds_its_figure_and_turns_round_with_the_two(seed, criterion):
    shape = np.zeros((2, len(COUNTS), 3))
    sample = of_unit("occurrence", COUNTS)
    first, second = (risk_of(off_kinks((shape, COUNTS), seed + more)[0], sample, criterion) for more in (0, 1))
    R, others = (averaged(each, EVENLY, LEVEL).value for each in (first, second))
    low, high = ratio_of_paired(first, second, EVENLY, LEVEL)
    assert low <= R / others <= high
    back = ratio_of_paired(second, first, EVENLY, LEVEL)
    assert (low, high) == pytest.approx((1 / back[1], 1 / back[0]))
    low, high = difference_of_paired(first, second, EVENLY, LEVEL)
    assert low <= R - others <= high
