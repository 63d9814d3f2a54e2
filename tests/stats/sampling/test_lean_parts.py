"""The parts of p: by hand, their sum, what leaves them as they are, and their intervals beside a plain computation."""

import numpy as np
import pytest
from helpers.sampled import of_first
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import t as student

from bvf.stats.sampling.lean_parts import LeanParts, mean_of_groups
from bvf.stats.sampling.samples import ContextSample

SPREADS = ("spread_of_groups", "spread_of_contexts", "spread_of_rest")
FIGURES = ("default", "groups", "association", *SPREADS)


def made(p, n, w=None, counts=None, **more):
    groups, contexts, _ = p.shape
    counts = np.ones(contexts) if counts is None else np.asarray(counts, dtype=float)
    w = np.full(groups, 1.0 / groups) if w is None else w
    return LeanParts(p, n, w, counts / counts.sum(), **more)


def drawn(seed, groups=4, contexts=12, classes=2, **more):
    rng = np.random.default_rng(seed)
    p, n = (rng.dirichlet(np.ones(classes), size) for size in ((groups, contexts), contexts))
    return made(p, n, rng.dirichlet(np.ones(groups)), rng.integers(1, 5, contexts), **more)


@pytest.mark.parametrize(
    ("p", "neutral", "groups", "associations", "spreads"),
    [
        # nurse -.1 and -.2 beside the person, captain .2 and .3
        ([[0.3, 0.5], [0.6, 1.0]], [0.4, 0.7], 0.6, [-0.15, 0.25], [0.2, 0.15, 0.05]),
        # nurse -.1 and -.2 beside the mean of both, captain .1 and .2
        ([[0.3, 0.5], [0.5, 0.9]], None, 0.55, [-0.15, 0.15], [0.15, 0.15, 0.05]),
    ],
    ids=["a person", "the mean of the groups"],
)
def test_two_groups_in_two_contexts_by_hand(p, neutral, groups, associations, spreads):
    """Neutral subjects, or the mean of the groups, have .4 and .7: .55 on average, to which contexts add -.15, .15."""
    p = of_first(p)
    parts = made(p, mean_of_groups(p, np.full(2, 0.5)) if neutral is None else of_first(neutral))
    assert parts.default[0] == pytest.approx([0.55, 0.45])
    assert parts.in_context[:, 0] == pytest.approx([-0.15, 0.15])
    assert parts.associations[0] == pytest.approx(np.array([[each, -each] for each in associations]))
    assert parts.rest[..., 0] == pytest.approx(np.array([[0.05, -0.05], [-0.05, 0.05]]))
    assert (parts.groups[0, 0], parts.association[0, 0]) == pytest.approx((groups, groups - 0.55))
    assert [getattr(parts, name)[0] for name in SPREADS] == pytest.approx(spreads)
    if neutral is not None:  # variance within groups: (.01 + .04) / 2; of the rest: .0025
        assert (parts.explained, parts.slope) == pytest.approx((0.9, 1.0))
        assert all(np.isnan(getattr(parts, name)[1:]).all() for name in FIGURES)


def test_a_group_without_an_answer_is_left_out_of_the_mean_and_a_context_without_any_has_none():
    p = of_first([[0.3, np.nan, np.nan], [0.7, 0.9, np.nan]])
    mean = mean_of_groups(p, np.array([0.75, 0.25]))
    assert mean[:2] == pytest.approx(np.array([[0.4, 0.6], [0.9, 0.1]]))
    assert np.isnan(mean[2]).all()


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 4), st.integers(1, 6), st.integers(2, 4))
def test_the_parts_add_up_and_the_rest_is_0_on_average(seed, groups, contexts, classes):
    parts = drawn(seed, groups, contexts, classes)
    whole = parts.default[0] + parts.in_context + parts.associations[0][:, np.newaxis] + parts.rest
    assert whole == pytest.approx(parts.probabilities)
    assert np.einsum("xcy,c->xy", parts.rest, parts.context_weights) == pytest.approx(0.0, abs=1e-12)
    assert parts.groups[0] - parts.default[0] == pytest.approx(parts.association[0])


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6))
def test_names_and_halved_contexts_change_nothing(seed):
    whole = drawn(seed, classes=3)
    x, c, y = (np.random.default_rng(seed + 1).permutation(n) for n in whole.probabilities.shape)
    turned = LeanParts(
        whole.probabilities[x][:, c][..., y], whole.neutral[c][:, y], whole.group_weights[x], whole.context_weights[c]
    )
    twice = LeanParts(
        *(np.repeat(each, 2, axis=axis) for each, axis in ((whole.probabilities, 1), (whole.neutral, 0))),
        whole.group_weights,
        np.repeat(whole.context_weights, 2) / 2.0,
    )
    for other in (turned, twice):
        assert [getattr(other, name)[0] for name in SPREADS] == pytest.approx([getattr(whole, n)[0] for n in SPREADS])
        assert (other.explained, other.slope) == pytest.approx((whole.explained, whole.slope))
    assert turned.associations[0] == pytest.approx(whole.associations[0][x][:, y])
    same_for_all = np.random.default_rng(seed).normal(0.0, 0.1, (1, *whole.neutral.shape))
    moved = LeanParts(whole.probabilities + same_for_all, whole.neutral + same_for_all[0], *weights_of(whole))
    assert moved.associations[0] == pytest.approx(whole.associations[0])
    assert moved.rest == pytest.approx(whole.rest)


def weights_of(parts):
    return parts.group_weights, parts.context_weights


def test_a_context_without_an_answer_counts_for_nothing():
    whole = drawn(3)
    n, p = whole.neutral.copy(), whole.probabilities.copy()
    n[4], p[:, 7] = np.nan, np.nan
    kept = [c for c in range(12) if c not in (4, 7)]
    holes = LeanParts(p, n, *weights_of(whole))
    without = LeanParts(p[:, kept], n[kept], whole.group_weights, whole.context_weights[kept])
    assert holes.associations[0] == pytest.approx(without.associations[0])
    assert holes.spread_of_rest[0] == pytest.approx(without.spread_of_rest[0])
    assert holes.groups[0] == pytest.approx(without.groups[0])
    assert holes.explained == pytest.approx(without.explained)
    assert holes.spread_of_groups[0] == pytest.approx(without.spread_of_groups[0])


def test_figures_of_a_sample_are_what_a_plain_computation_gives():
    contexts, rng = 15, np.random.default_rng(5)
    p, n = of_first(rng.random((3, contexts))), of_first(rng.random(contexts))
    parts = made(p, n, sample=ContextSample(np.ones(contexts)))
    difference = (p - n).mean(axis=0)[:, 0]
    error = difference.std(ddof=1) / np.sqrt(contexts)
    value, low, high = parts.association[:, 0]
    assert value == pytest.approx(difference.mean())
    t = student.ppf(0.975, contexts - 1)
    assert (high - low) / (2.0 * t * error) == pytest.approx(1.0, abs=0.06)  # but for the correction of skewness
    of_group = p[..., 0] - p[..., 0].mean(axis=0)
    pairs = [of_group[:, c] * of_group[:, d] for c in range(contexts) for d in range(contexts) if c != d]
    assert parts.spread_of_groups[0] ** 2 == pytest.approx(max(np.mean(pairs), 0.0))  # each product without noise
    assert parts.spread_of_contexts[0] == pytest.approx(n[:, 0].std(ddof=1))
    d = p[..., 0] - n[:, 0]
    assert parts.spread_of_rest[0] == pytest.approx(np.sqrt(d.var(axis=1, ddof=1).mean()))
    p[0, :4], p[1, :3] = np.nan, np.nan  # 11 and 12 contexts with an answer
    ends = made(p, n, sample=ContextSample(np.ones(contexts))).associations[1:]
    assert np.isnan(ends).all(axis=(0, 2)).tolist() == np.isnan(ends).any(axis=(0, 2)).tolist() == [True, False, False]


def test_what_a_group_adds_to_the_mean_of_the_groups_has_the_ends_of_a_plain_bootstrap():
    rng, even = np.random.default_rng(6), np.full(4, 0.25)
    p = of_first(rng.beta(2.0, 3.0, (4, 200)) * rng.random(200))
    found = made(p, mean_of_groups(p, even), even, sample=ContextSample(np.ones(200))).associations[..., 0]
    apart = (p[..., 0] - p[..., 0].mean(axis=0))[:, rng.integers(200, size=(4000, 200))].mean(axis=2)
    ends = np.quantile(apart, [0.025, 0.975], axis=1)
    assert np.abs(found[1:] - ends).max() < 0.08 * np.ptp(ends, axis=0).min()


def test_groups_that_are_alike_have_no_spread_but_noise():
    rng, forty = np.random.default_rng(8), ContextSample(np.ones(40))
    pairs = [(of_first(rng.random((20, 40))), of_first(rng.random(40))) for _ in range(40)]
    spreads = np.array([made(p, n, sample=forty).spread_of_groups for p, n in pairs])
    plug_in = 0.29 / np.sqrt(40)  # the standard deviation of a mean of 40
    assert (spreads[:, 0] ** 2).mean() < plug_in**2 / 4.0
    assert (spreads[:, 1] == 0.0).mean() > 0.8
    assert spreads[:, 2].mean() < plug_in


def test_noise_of_sampled_answers_is_that_of_contexts_however_often_one_was_drawn():
    p, n, counts = of_first(np.random.default_rng(2).random((2, 6))), of_first(np.full(6, 0.5)), np.array([9.0] * 6)
    exact, noisy = (made(p, n, sample=ContextSample(counts), noisy=each).association[:, 0] for each in (False, True))
    assert exact[0] == noisy[0]
    assert noisy[2] - noisy[1] > 2.0 * (exact[2] - exact[1])
