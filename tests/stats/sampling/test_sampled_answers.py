"""Samples of answers: independent halves, their variance, answers drawn again, and possible risks."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from bvf.builtin.criteria import Linf
from bvf.stats.sampling.noisy import possible, possible_risks
from bvf.stats.sampling.sampled_answers import Answers, halved
from bvf.stats.sampling.sampled_risk import sampled_risk
from bvf.stats.sampling.samples import ContextSample


def drawn(p, samples, groups, contexts, seed=1):
    return np.random.default_rng(seed).multinomial(samples, p, size=(groups, contexts))


def answers(counts, p_star=(0.5, 0.5)):
    counts = np.asarray(counts)
    return Answers(counts, np.broadcast_to(np.asarray(p_star), (len(counts), 1, len(p_star))))


@given(st.lists(st.lists(st.integers(0, 20), min_size=3, max_size=3), min_size=1, max_size=5), st.integers(0, 9))
def test_halves_are_of_the_samples_that_there_are(rows, seed):
    counts = np.array(rows)
    half = halved(counts, np.random.default_rng(seed))
    assert ((half >= 0) & (half <= counts)).all()
    assert (half.sum(axis=1) == counts.sum(axis=1) // 2).all()


def test_halves_by_hand():
    """All samples of one class agree; one of each is split in two certainties; a missing prompt stays missing.

    A single sample is in one half: its distance from p*, .5, counts twice there, and the other half is at p*.
    """
    split = answers([[[4, 0], [1, 1], [1, 0], [0, 0]]]).halves
    for one, other in split:
        assert one[0, 0].tolist() == other[0, 0].tolist() == [1.0, 0.0]
        assert sorted([one[0, 1, 0], other[0, 1, 0]]) == [0.0, 1.0]
        assert sorted([one[0, 2, 0], other[0, 2, 0]]) == [0.5, 1.5]
        assert np.isnan(one[0, 3]).all()
        assert np.isnan(other[0, 3]).all()
    assert len({one[0, 2, 0] for one, _ in split}) == 2


@pytest.mark.parametrize("samples", [1, 3, 8])
def test_halves_are_unbiased_and_independent(samples):
    p = (0.7, 0.3)
    one, other = answers(drawn(p, samples, 200, 100)).halves[0]
    error = np.sqrt(0.21 / max(samples // 2, 1) / 20_000)
    assert one[..., 0].mean() == pytest.approx(0.7, abs=5 * error)
    assert other[..., 0].mean() == pytest.approx(0.7, abs=5 * error)
    if samples > 1:  # a single sample is in one half, so that the halves are not independent
        assert np.corrcoef(one[..., 0].ravel(), other[..., 0].ravel())[0, 1] == pytest.approx(0.0, abs=0.035)


@pytest.mark.parametrize("samples", [2, 5, 20])
def test_the_variance_of_a_share_is_unbiased(samples):
    """By the plain formula p (1 - p) / h with the true p; and by hand: shares of 3 of 4 have 3/16 / 3."""
    p = np.array([0.5, 0.3, 0.2])
    variances = Answers(drawn(p, samples, 100, 200), np.full((100, 1, 3), 1 / 3)).variances
    assert variances.mean(axis=(0, 1)) == pytest.approx(p * (1 - p) / samples, rel=0.05)
    assert answers([[[3, 1]]]).variances[0, 0] == pytest.approx([3 / 16 / 3] * 2)


def test_a_single_sample_has_the_usual_variance_of_others():
    """By hand: 3 of 4 say 1/4 of one sample; where no prompt has two samples, 1/4 is the most."""
    assert answers([[[3, 1], [1, 0], [0, 0]]]).variances[0].tolist() == [[0.0625] * 2, [0.25] * 2, [0.0] * 2]
    assert answers([[[1, 0]]]).variances[0, 0].tolist() == [0.25, 0.25]


def test_answers_that_are_drawn_again_are_of_the_same_number_and_share():
    again = np.array([each.counts for each in answers(np.tile([9, 3], (4, 30, 1))).drawn_again()])
    assert (again.sum(axis=3) == 12).all()
    assert again[..., 0].mean() / 12 == pytest.approx(9.5 / 13, abs=0.01)


@given(st.lists(st.tuples(st.floats(-2, 2), st.floats(0, 2), st.floats(0.1, 1)), min_size=2, max_size=5))
def test_possible_values_are_the_nearest_ones_of_that_mean(rows):
    """Beside a general solver of the same problem."""
    estimates, most, weights = np.array(rows).T
    weights = weights / weights.sum()
    found = possible(estimates, most, weights)
    assert ((found >= 0) & (found <= most)).all()
    mean = min(max(weights @ estimates, 0.0), weights @ most)
    assert weights @ found == pytest.approx(mean, abs=1e-9)
    by_scipy = minimize(
        lambda v: weights @ (v - estimates) ** 2,
        most / 2,
        jac=lambda v: 2 * weights * (v - estimates),
        bounds=[(0.0, each) for each in most],
        constraints={"type": "eq", "fun": lambda v: weights @ v - mean, "jac": lambda v: weights},
        method="SLSQP",
        options={"ftol": 1e-12},
    )
    assert weights @ (found - estimates) ** 2 <= weights @ (by_scipy.x - estimates) ** 2 + 1e-6


def test_possible_values_by_hand_and_a_risk_is_no_less_than_its_bias_over_all_groups():
    """Estimates of r of .1 and 0 are below those of r^b; those of .5 and 0 are not, but the second one is."""
    without_a_largest = possible(np.array([-0.1, 0.3, 0.4]), np.full(3, np.inf), np.full(3, 1 / 3))
    assert without_a_largest == pytest.approx([0.0, 0.25, 0.35])
    half = np.full(2, 0.5)
    r, r_bias = possible_risks(np.array([0.1, 0.0]), np.array([0.3, 0.0]), half)
    assert (r, r_bias) == (pytest.approx([0.3, 0.0]), pytest.approx([0.3, 0.0]))
    r, r_bias = possible_risks(np.array([0.5, 0.0]), np.array([0.3, 0.1]), half)
    assert (r, r_bias) == (pytest.approx([0.5, 0.0]), pytest.approx([0.4, 0.0]))


def with_vectors(p, noise, texts, apart=0.0):
    """Answers of which vectors are known: p and normal noise of this deviation, in 200 prompts of each of 20 groups.

    Every context is ``apart`` from what is estimated of all together, or as much to the other side.
    """
    moved = np.random.default_rng(1).normal(0.0, noise, (20, 200, texts))
    added = apart * np.where(np.arange(200) % 2, 1.0, -1.0) * np.ones((20, 1))
    vectors, further = np.stack([p + moved, 1.0 - p - moved], axis=3), np.stack([added, -added], axis=2)
    each = np.concatenate([vectors, further[:, :, np.newaxis]], axis=2)
    return Answers(np.full((20, 200, 2), texts // 2), np.full((20, 1, 2), 0.5), each=each)


def test_vectors_stand_in_for_counts():
    """Their mean is p, its variance is that of vectors over their number, and halves are independent of each other."""
    found = with_vectors(0.7, 0.1, 4)
    assert found.shares == pytest.approx(found.each[:, :, :-1].mean(axis=2))
    assert found.variances.mean() == pytest.approx(0.01 / 4, rel=0.05)
    one, other = found.halves[0]
    assert (one + other) / 2 == pytest.approx(found.shares)
    assert np.corrcoef(one[..., 0].ravel(), other[..., 0].ravel())[0, 1] == pytest.approx(0.0, abs=0.06)
    again = next(iter(found.drawn_again()))
    assert (again.shares - found.shares)[..., 0].std() == pytest.approx(0.1 / 2, rel=0.05)
    assert found.in_contexts(np.arange(200) < 3).shares == pytest.approx(found.shares[:, :3])


def test_vectors_are_corrected_for_errors_of_reading_as_shares_are():
    """Read wrongly in a tenth, .66 of a class are .7 of it."""
    found = with_vectors(0.66, 0.0, 2)
    matrix = np.array([[0.9, 0.1], [0.1, 0.9]])
    assert Answers(found.counts, found.p_star, matrix=matrix, each=found.each).shares[0, 0] == pytest.approx([0.7, 0.3])


def test_the_noise_of_vectors_is_taken_out_of_a_risk():
    """Of a model without lean |noise| is .08 on average; the risk by vectors and its lower end are near 0."""
    sample = ContextSample(np.ones(200))
    risk = sampled_risk(with_vectors(0.5, 0.1, 4), Linf(), sample).risk
    p_x = np.full(20, 0.05)
    assert risk.by_shares(p_x)[0] == pytest.approx(2 * 0.1 / 2 * np.sqrt(2 / np.pi), rel=0.1)
    assert risk.values(p_x)[0] == pytest.approx(0.0, abs=0.01)
    assert risk.estimates(p_x, 0.95).total.low == pytest.approx(0.0, abs=0.002)


def test_what_is_estimated_from_all_contexts_together_widens_intervals():
    """Of 200 contexts that are .2 apart, the error of p is .0141, and that of R .0283, the same in all groups."""
    sample, p_x = ContextSample(np.ones(200)), np.full(20, 0.05)
    risk = sampled_risk(with_vectors(0.8, 0.01, 4, apart=0.2), Linf(), sample).risk
    assert [float(each) for each in risk.noise(p_x)] == pytest.approx([0.0283, 0.0283, 0.0], abs=1e-4)
    assert risk.noise(np.eye(20)[:1])[0] == pytest.approx(0.0283, abs=1e-4)
    total = risk.estimates(p_x, 0.95).total
    assert (total.high - total.low) / 2 == pytest.approx(1.97 * 0.0283, rel=0.02)
