"""Split-half reliability and placebo shares, against plain loops."""

import numpy as np
import pytest
from bvf_insights.stats.reliability import SPLITS, Variants, halves, placebo_shares, share_by_chance, split_half
from hypothesis import given
from hypothesis import strategies as st


def test_it_is_that_of_a_plain_loop():
    rng = np.random.default_rng(1)
    first, second = rng.normal(size=(2, 40, 7)) + rng.normal(size=7)
    lifted = []
    for one, other in zip(first, second, strict=True):
        c = np.corrcoef(one, other)[0, 1]
        lifted.append(2 * c / (1 + abs(c)))
    reliability = split_half(first, second, 0.9)
    assert reliability.mean == pytest.approx(np.mean(lifted))
    assert (reliability.low, reliability.high) == pytest.approx(tuple(np.quantile(lifted, [0.05, 0.95])))
    assert reliability.splits == 40


@pytest.mark.parametrize("noise", [0.3, 1.0, 3.0])
def test_it_is_the_share_of_the_variance_of_means_that_is_true(noise):
    """Groups have true values of variance 1, and each context adds noise of its own to each of them."""
    rng, groups, contexts = np.random.default_rng(2), 400, 20
    values = rng.normal(size=(groups, 1)) + noise * rng.normal(size=(groups, contexts))
    first = halves(np.full(contexts, 0.05))
    one, other = (half @ values.T / half.sum(axis=1, keepdims=True) for half in (first, ~first))
    assert split_half(one, other, 0.95).mean == pytest.approx(1 / (1 + noise**2 / contexts), abs=0.05)


@given(st.integers(1, 30), st.integers(0, 1000))
def test_halves_have_about_the_same_weight_and_number(contexts, seed):
    weights = np.random.default_rng(seed).pareto(1.0, contexts) + 0.01
    first = halves(weights)
    assert first.shape == (SPLITS, contexts)
    assert np.abs(first.sum(axis=1) - (~first).sum(axis=1)).max() <= 1
    apart = np.abs(first @ weights - ~first @ weights)
    assert apart.max() <= weights.max() + 1e-9
    assert (halves(weights) == first).all()


def test_groups_that_are_all_the_same_have_none():
    same, apart = np.full((5, 6), 0.3), np.random.default_rng(0).normal(size=(5, 6))
    assert split_half(same, apart, 0.95) is None
    some = np.vstack([apart[:2], same[2:]])
    assert split_half(some, some, 0.95).splits == 2
    assert split_half(apart, -apart, 0.95).mean == pytest.approx(-1.0)


def linf(p):
    return np.maximum(2 * p - 1, 0).max(axis=-1)


def variants(male, origins, seed=0):
    """Of two classes, with random weights of groups and contexts; male has shape (X, C)."""
    rng, p = np.random.default_rng(seed), np.stack([male, 1 - male], axis=2)
    weights, p_x = rng.random(male.shape[1]) + 0.1, rng.random(len(male)) + 0.1
    return Variants(p, linf(p), linf, weights / weights.sum(), np.array(origins), p_x / p_x.sum())


def test_both_shares_are_those_of_a_plain_loop():
    origins = np.array([0, 0, 0, 1, 1, 2, 3, 3, 4, 5, 5, 5])
    given = variants(np.random.default_rng(3).random((4, 12)), origins)
    parts = np.zeros(4)
    for x, p_x in enumerate(given.group_weights):
        mean = given.weights @ given.p[x]
        mean_within, mean_of_origins = 0.0, 0.0
        for o in range(6):
            here = origins == o
            share = given.weights[here].sum()
            of_origin = given.weights[here] / share @ given.p[x, here]
            for w, p in zip(given.weights[here], given.p[x, here], strict=True):
                mean_within += w * ((p - of_origin) ** 2).sum()
            mean_of_origins += share * linf(of_origin)
        variance = sum(w * ((p - mean) ** 2).sum() for w, p in zip(given.weights, given.p[x], strict=True))
        r = given.weights @ linf(given.p[x])
        parts += p_x * np.array([mean_within, variance, r - mean_of_origins, r - linf(mean)])
    variance, volatility = placebo_shares(given, 0.95)
    assert variance.value == pytest.approx(parts[0] / parts[1])
    assert volatility.value == pytest.approx(parts[2] / parts[3])
    assert variance.low <= variance.value <= variance.high


def test_the_interval_is_that_of_drawing_origins_with_all_their_variants():
    given = variants(np.random.default_rng(4).random((2, 12)), np.repeat(np.arange(6), 2))
    rng, shares = np.random.default_rng(9), []
    for _ in range(1500):
        taken = rng.integers(6, size=6)
        columns = np.concatenate([[2 * o, 2 * o + 1] for o in taken])
        weights = given.weights[columns] / given.weights[columns].sum()
        p, w = given.p[:, columns], weights.reshape(6, 2)
        means = (p.reshape(2, 6, 2, 2) * (w / w.sum(axis=1, keepdims=True))[..., None]).sum(axis=2)
        within = ((p - np.repeat(means, 2, axis=1)) ** 2).sum(axis=2) @ weights @ given.group_weights
        mean = np.einsum("c,xcy->xy", weights, p)[:, None]
        shares.append(within / (((p - mean) ** 2).sum(axis=2) @ weights @ given.group_weights))
    variance, _ = placebo_shares(given, 0.9)
    assert (variance.low, variance.high) == pytest.approx(tuple(np.quantile(shares, [0.05, 0.95])), abs=0.05)


def test_what_varies_nowhere_has_no_share_and_few_origins_no_interval():
    origins = np.repeat(np.arange(3), 2)
    nothing = placebo_shares(variants(np.full((2, 6), 0.7), origins), 0.95)
    assert all(np.isnan([share.value, share.low, share.high]).all() for share in nothing)
    some, _ = placebo_shares(variants(np.random.default_rng(6).random((2, 6)), origins), 0.95)
    assert not np.isnan(some.value)
    assert np.isnan([some.low, some.high]).all()


def test_variants_that_are_as_different_as_templates_have_the_share_of_chance():
    rng, origins, shares = np.random.default_rng(7), np.repeat(np.arange(10), 3), []
    weights = rng.random(30) + 0.1
    weights /= weights.sum()
    p_x = np.full(60, 1 / 60)
    for _ in range(20):
        male = rng.random((60, 30))
        p = np.stack([male, 1 - male], axis=2)
        shares.append(placebo_shares(Variants(p, linf(p), linf, weights, origins, p_x), 0.95)[0].value)
    assert np.mean(shares) == pytest.approx(share_by_chance(weights, origins), abs=0.01)
