"""Risks of sampled answers: the noise of sampling is not read as volatility."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from bvf.builtin.criteria import Direction, Linf, Lk
from bvf.builtin.divergences import TotalVariation
from bvf.stats.sampled_answers import SampledAnswers, halved, possible, possible_risks

SUBLINEAR = [Linf(), Lk("2"), Direction("1", 1), TotalVariation()]


def answers(counts, criterion=None, p_star=None, seed=0):
    counts = np.asarray(counts)
    groups, contexts, classes = counts.shape
    p_star = np.full(classes, 1 / classes) if p_star is None else np.asarray(p_star)
    p_star = np.broadcast_to(p_star, (groups, 1, classes))
    J = (criterion or Linf()).for_reference(p_star)
    return SampledAnswers(counts, J, p_star, np.full((groups, contexts), 1 / contexts), 1.0, seed)


def drawn(p, samples, groups, contexts, seed=1):
    return np.random.default_rng(seed).multinomial(samples, p, size=(groups, contexts))


def plug_in(sampled):
    shares = sampled.counts / sampled.counts.sum(axis=2, keepdims=True)
    return (sampled.J(shares / sampled.p_star - 1.0) * sampled.weights).sum(axis=1)


@pytest.mark.parametrize("criterion", SUBLINEAR, ids=lambda J: type(J).__name__)
@pytest.mark.parametrize("p_star", [(0.5, 0.5), (0.5, 0.3, 0.2)], ids=str)
def test_a_model_that_says_p_star_has_no_risk_but_by_sampling(criterion, p_star):
    sampled = answers(drawn(p_star, 12, 40, 100), criterion, p_star)
    risk, naive = sampled.cross_fit()[0].mean(), plug_in(sampled).mean()
    error = sampled.cross_fit()[0].std() / np.sqrt(40)
    assert abs(risk) < 4 * error
    assert naive > 20 * error


def test_the_mean_over_contexts_of_such_a_model_has_none_either():
    sampled = answers(drawn((0.5, 0.5), 12, 200, 10))
    s = 2 * sampled.counts[..., 0] / 12 - 1
    naive, bias = np.abs(s.mean(axis=1)).mean(), sampled.cross_fit()[1]
    assert abs(bias.mean()) < 4 * bias.std() / np.sqrt(200) < 0.5 * naive


def test_far_from_a_kink_both_estimates_are_right():
    sampled = answers(drawn((0.9, 0.1), 64, 20, 100))
    for estimate in sampled.cross_fit():
        assert estimate.mean() == pytest.approx(0.8, abs=0.01)
    assert plug_in(sampled).mean() == pytest.approx(0.8, abs=0.01)


@given(st.integers(0, 99), st.integers(1, 9), st.sampled_from(SUBLINEAR))
def test_the_estimate_is_never_above_the_one_by_shares(seed, most, criterion):
    rng = np.random.default_rng(seed)
    sampled = answers(rng.integers(0, most, size=(2, 3, 3)) + np.eye(3, dtype=int), criterion, (0.5, 0.3, 0.2), seed)
    assert (sampled.cross_fit()[0] <= plug_in(sampled) + 1e-9).all()


def test_by_hand():
    """All samples are of one class: halves agree. One of each: halves are two certainties that contradict each other.

    A single sample has no other half: it counts as nothing. A missing prompt has no weight.
    """
    counts = np.array([[[4, 0]], [[1, 1]], [[1, 0]]])
    assert answers(counts).cross_fit()[0].tolist() == [1.0, -1.0, 0.0]


@given(st.lists(st.lists(st.integers(0, 20), min_size=3, max_size=3), min_size=1, max_size=5), st.integers(0, 9))
def test_halves_are_of_the_samples_that_there_are(rows, seed):
    counts = np.array(rows)
    half = halved(counts, np.random.default_rng(seed))
    assert ((half >= 0) & (half <= counts)).all()
    assert (half.sum(axis=1) == counts.sum(axis=1) // 2).all()


def test_standard_errors_are_those_of_samples_drawn_again():
    """Of many sets of samples of one model, in the same contexts: on a plain lean and where the model is undecided."""
    p = np.array([[0.8, 0.2], [0.6, 0.4]] * 10)
    rng = np.random.default_rng(2)
    sampled = [answers(rng.multinomial(24, p, size=(3, len(p)))) for _ in range(120)]
    again = np.array([each.cross_fit()[0] for each in sampled])
    told = np.mean([each.noise().errors(np.eye(3))[0] for each in sampled[:15]], axis=0)
    assert told == pytest.approx(again.std(axis=0), rel=0.35)
    together = np.mean([each.noise().errors(np.full(3, 1 / 3))[0] for each in sampled[:15]])
    assert together == pytest.approx(again.mean(axis=1).std(), rel=0.35)


def test_samples_that_all_agree_are_not_taken_for_certainty():
    certain = answers(np.tile([6, 0], (1, 5, 1)))
    assert certain.noise().errors(np.eye(1))[0] > 0.01


@given(
    st.lists(st.tuples(st.floats(-2, 2), st.floats(0, 2), st.floats(0.1, 1)), min_size=2, max_size=5),
)
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


def test_possible_values_without_a_largest_one():
    assert possible(np.array([-0.1, 0.3, 0.4]), np.full(3, np.inf), np.full(3, 1 / 3)) == pytest.approx(
        [0.0, 0.25, 0.35]
    )


def test_a_risk_is_no_less_than_its_bias_over_all_groups():
    """By hand: estimates of r of .1 and 0 are below those of r^b; those of .5 and 0 are not, but the second one is."""
    half = np.full(2, 0.5)
    r, r_bias = possible_risks(np.array([0.1, 0.0]), np.array([0.3, 0.0]), half)
    assert (r, r_bias) == (pytest.approx([0.3, 0.0]), pytest.approx([0.3, 0.0]))
    r, r_bias = possible_risks(np.array([0.5, 0.0]), np.array([0.3, 0.1]), half)
    assert (r, r_bias) == (pytest.approx([0.5, 0.0]), pytest.approx([0.4, 0.0]))
