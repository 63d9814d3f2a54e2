"""Risks of sampled answers: their noise is not read as risk, and intervals allow for it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bvf.builtin.criteria import Direction, Linf, Lk, TotalVariation
from bvf.stats.comparing.comparison import differences, may_be_highest
from bvf.stats.sampling.sampled_answers import Answers
from bvf.stats.sampling.sampled_risk import sampled_risk
from bvf.stats.sampling.samples import ContextSample, DrawnFrom

SUBLINEAR = [Linf(), Lk("2"), Direction("1", 1), TotalVariation()]
PARTS = ("risk", "shared", "particular")


def drawn(p, samples, groups, contexts, seed=1):
    return np.random.default_rng(seed).multinomial(samples, p, size=(groups, contexts))


def asked(counts, criterion=None, p_star=None, sample=None):
    counts = np.asarray(counts)
    groups, contexts, classes = counts.shape
    p_star = np.broadcast_to(np.full(classes, 1 / classes) if p_star is None else p_star, (groups, 1, classes))
    sample = sample or ContextSample(np.ones(contexts))
    return sampled_risk(Answers(counts, p_star), criterion or Linf(), sample, scale="raw")


@pytest.mark.parametrize("criterion", SUBLINEAR, ids=lambda J: type(J).__name__)
@pytest.mark.parametrize("p_star", [(0.5, 0.5), (0.5, 0.3, 0.2)], ids=str)
def test_a_model_that_says_p_star_has_no_risk_but_by_sampling(criterion, p_star):
    risk = asked(drawn(p_star, 12, 40, 100), criterion, p_star).risk
    totals, each = risk.cross_fit_totals, np.eye(40)
    error = totals.std() / np.sqrt(40)
    assert abs(totals.mean()) < 4 * error
    assert risk.by_shares(each)[0].mean() > 20 * error


@pytest.mark.parametrize("part", PARTS)
def test_neither_what_groups_share_nor_what_sets_them_apart(part):
    """Cross-fit estimates of a fair model are 0 on average over 30 runs; those by shares are far above."""
    found = [getattr(asked(drawn((0.5, 0.5), 6, 8, 20, seed)), part) for seed in range(30)]
    weights = np.full(8, 1 / 8)
    totals = np.array([weights @ each.cross_fit_totals for each in found])
    means = np.array([weights @ each.cross_fit_of_means for each in found])
    shares = np.array([weights @ each.by_shares(np.eye(8))[0] for each in found])
    for estimate in (totals, means):
        assert abs(estimate.mean()) < 4 * estimate.std() / np.sqrt(30)
    assert shares.mean() > 10 * totals.std() / np.sqrt(30)


def test_far_from_a_kink_all_estimates_are_right():
    risk = asked(drawn((0.9, 0.1), 64, 20, 100)).risk
    for estimate in (risk.cross_fit_totals, risk.cross_fit_of_means, risk.by_shares(np.eye(20))[0]):
        assert estimate.mean() == pytest.approx(0.8, abs=0.01)


@given(st.integers(0, 99), st.integers(1, 9), st.sampled_from(SUBLINEAR))
def test_estimates_err_to_both_sides_and_printed_figures_are_possible(seed, most, criterion):
    rng = np.random.default_rng(seed)
    found = asked(rng.integers(0, most, size=(2, 3, 3)) + np.eye(3, dtype=int), criterion, (0.5, 0.3, 0.2))
    for each in (getattr(found, part) for part in PARTS):
        assert (each.cross_fit_totals <= each.by_shares(np.eye(2))[0] + 1e-9).all()
        assert (each.cross_fit_of_means <= each.by_shares(np.eye(2))[1] + 1e-9).all()
        total, of_mean, rest = each.values(np.full(2, 0.5))
        assert 0.0 <= of_mean <= total + 1e-9
        assert rest == pytest.approx(total - of_mean)
        estimates = each.estimates(np.full(2, 0.5), 0.95)
        for estimate, value in zip((estimates.total, estimates.of_mean), (total, of_mean), strict=True):
            assert estimate.low - 1e-9 <= value <= estimate.high + 1e-9


def test_by_hand():
    """All samples are of one class: halves agree. One of each: halves are two certainties that contradict each other.

    A single sample has no other half: it counts as nothing.
    """
    assert asked([[[4, 0]], [[1, 1]], [[1, 0]]]).risk.crossed[:, 0] == pytest.approx([1.0, -1.0, 0.0])


def plain_cross_fit(counts):
    """E_c[J(s)] of two classes by another formula: of two samples that are drawn at random, the product of their signs.

    |s| >= sign(s_A) s_B; with one sample in each half that is +1 if both are of one class, else -1. Of h samples with
    k of the first class, the mean over all pairs is ((2 k - h)^2 - h) / (h (h - 1)).
    """
    k, h = counts[..., 0], counts.sum(axis=-1)
    return ((2 * k - h) ** 2 - h) / (h * (h - 1))


def test_two_samples_are_the_unbiased_square():
    """Of two samples, the cross-fit of |2 p - 1| is the unbiased estimate of (2 p - 1)^2."""
    counts = drawn((0.8, 0.2), 2, 30, 40)
    found = asked(counts).risk.crossed
    assert found == pytest.approx(plain_cross_fit(counts))
    assert found.mean() == pytest.approx(0.36, abs=0.08)


def test_noise_of_contexts_that_were_drawn_repeatedly_is_added():
    """By hand: p is the same in 5 contexts, each drawn 4 times; 12 samples each.

    The variance of R^b = |2 p - 1| is 4 p (1 - p) / 12 / 5, of which draws that count as independent show a quarter.
    """
    counts = drawn((0.8, 0.2), 12, 400, 5)
    risk = asked(counts, sample=ContextSample(np.full(5, 4.0))).risk
    shown = risk.sample.standard_errors(risk.influences[1]) ** 2
    added = risk.repeated_noise(np.eye(400))[1] ** 2
    truth = 4 * 0.8 * 0.2 / 12 / 5
    assert shown.mean() == pytest.approx(truth * 4 / 19, rel=0.15)
    assert (shown + added).mean() == pytest.approx(truth, rel=0.1)
    assert not asked(counts).risk.repeated_noise(np.eye(400))[1].any()


@pytest.mark.parametrize("unit", ["occurrence", "document", "template"])
def test_what_one_context_adds_to_a_variance_is_known(unit):
    """Beside the standard error of a statistic that one context alone moves."""
    rng = np.random.default_rng(3)
    counts = np.array([1.0, 2.0, 5.0, 1.0])
    replicates = rng.poisson(counts[:, np.newaxis], (4, 50)) if unit == "document" else None
    samples = [ContextSample(counts, unit, replicates, 9)]
    if unit == "occurrence":
        samples.append(ContextSample(counts, unit, drawn_from=DrawnFrom(30.0, np.array([3.0, 4.0, 9.0, 1.0]))))
    for sample in samples:
        assert sample.own_variances == pytest.approx(sample.standard_errors(np.eye(4)) ** 2)


def test_halves_of_a_context_in_both_parts_have_other_answers():
    """Templates that were drawn four times each are in both halves of the contexts, and a fair model has no bias."""
    sample = ContextSample(np.full(6, 4.0))
    risks = [asked(drawn((0.5, 0.5), 10, 10, 6, seed), sample=sample).risk for seed in range(40)]
    estimates = [each.estimates(np.full(10, 0.1), 0.95) for each in risks]
    crossed = np.array([float(each.of_mean.cross_fit) for each in estimates])
    assert crossed.mean() < 4 * crossed.std() / np.sqrt(40)
    assert np.mean([each.of_mean.low > 0.0 for each in estimates]) <= 0.1


def test_equal_models_are_not_found_different_and_others_are():
    rng, weights, found = np.random.default_rng(7), np.full(6, 1 / 6), []
    lean = rng.uniform(0.05, 0.95, (6, 30))
    p, more = (np.stack([each, 1 - each], axis=-1) for each in (lean, np.full((6, 30), 0.95)))
    for _ in range(30):
        one, same, other = (asked(rng.multinomial(10, each)).risk for each in (p, p, more))
        equal, apart = differences(one, same, weights, 0.95), differences(other, one, weights, 0.95)
        exact = differences(one, sampled_risk(p, Linf(), one.sample, scale="raw").risk, weights, 0.95)
        found.append([equal.total.p_value, exact.total.p_value, apart.total.p_value, apart.of_mean.p_value])
        for each in (equal, exact):
            assert each.total.low <= each.total.value <= each.total.high
    equal, exact, of_total, of_mean = (np.array(found) < 0.05).mean(axis=0)
    assert equal <= 0.05
    assert exact <= 0.1
    assert min(of_total, of_mean) > 0.9


def test_groups_of_a_fair_model_are_not_told_apart_by_noise_and_risks_without_a_context_are_possible_ones():
    risk = asked(drawn((0.5, 0.5), 5, 30, 20)).risk
    for mask in may_be_highest(risk, risk.estimates(np.eye(30), 0.95), 0.95):
        assert mask.all()
    risk = asked(drawn((0.7, 0.3), 6, 4, 12)).risk
    totals, of_means = risk.leaving_each_out(np.full(4, 0.25))
    assert (totals >= of_means).all()
    assert (of_means >= 0.0).all()
    assert np.abs(totals - risk.values(np.full(4, 0.25))[0]).max() < 0.1
