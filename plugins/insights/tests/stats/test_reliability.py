"""Split-half reliability against a plain loop, and against the truth that figures were drawn from."""

import numpy as np
import pytest
from bvf_insights.stats.reliability import halves, split_half
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
    first = halves(weights, splits=20, seed=seed)
    assert first.shape == (20, contexts)
    assert np.abs(first.sum(axis=1) - (~first).sum(axis=1)).max() <= 1
    apart = np.abs(first @ weights - ~first @ weights)
    assert apart.max() <= weights.max() + 1e-9
    assert (halves(weights, splits=20, seed=seed) == first).all()


def test_groups_that_are_all_the_same_have_none():
    same, apart = np.full((5, 6), 0.3), np.random.default_rng(0).normal(size=(5, 6))
    assert split_half(same, apart, 0.95) is None
    some = np.vstack([apart[:2], same[2:]])
    assert split_half(some, some, 0.95).splits == 2
    assert split_half(apart, -apart, 0.95).mean == pytest.approx(-1.0)
