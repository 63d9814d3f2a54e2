"""What varies over crossed contexts is split as by an analysis of variance."""

import numpy as np
import pytest
from bvf_insights.stats.effects import are_crossed, main_effects
from hypothesis import given
from hypothesis import strategies as st

SIZES = st.lists(st.integers(2, 4), min_size=2, max_size=3)


def crossed(sizes, rng):
    """Weights of each level of each factor, the level of each context, in some order, and the weights of contexts."""
    weights = [rng.dirichlet(np.ones(size)) for size in sizes]
    order = rng.permutation(int(np.prod(sizes)))
    levels = [each.ravel()[order] for each in np.indices(sizes)]
    return weights, levels, np.prod([w[level] for w, level in zip(weights, levels, strict=True)], axis=0)


def test_two_by_two_by_hand():
    """Means of rows are 2 and 4, of columns 1 and 5, and 1 is left everywhere: variances of 1, 4 and 1."""
    lean = np.array([[[1.0], [3.0], [1.0], [7.0]]])
    rows, columns = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
    shares = main_effects(lean, np.ones(1), np.full(4, 0.25), [rows, columns])
    assert shares == pytest.approx([1 / 6, 4 / 6, 1 / 6])


@given(SIZES, st.integers(0, 1000))
def test_shares_are_those_of_means_and_what_is_left(sizes, seed):
    rng = np.random.default_rng(seed)
    weights, levels, p_c = crossed(sizes, rng)
    p_x, lean = rng.dirichlet(np.ones(3)), rng.normal(size=(3, len(p_c), 2))
    shares = main_effects(lean, p_x, p_c, levels)
    assert are_crossed(p_c, levels)
    assert shares.sum() == pytest.approx(1.0)
    mean = (lean * p_c[:, None]).sum(axis=1)
    total = (p_x * ((lean - mean[:, None]) ** 2 * p_c[:, None]).sum(axis=(1, 2))).sum()
    for f, (w, level) in enumerate(zip(weights, levels, strict=True)):
        of_levels = [(lean * p_c[:, None])[:, level == k].sum(axis=1) / w[k] - mean for k in range(len(w))]
        between = sum(w[k] * (p_x * (of_levels[k] ** 2).sum(axis=1)).sum() for k in range(len(w)))
        assert shares[f] == pytest.approx(between / total)


@given(SIZES, st.integers(0, 1000))
def test_nothing_is_left_where_effects_add_up(sizes, seed):
    rng = np.random.default_rng(seed)
    _, levels, p_c = crossed(sizes, rng)
    lean = sum(rng.normal(size=(2, size, 2))[:, level] for size, level in zip(sizes, levels, strict=True))
    assert main_effects(lean, np.full(2, 0.5), p_c, levels)[-1] == pytest.approx(0.0, abs=1e-9)


def test_contexts_that_lack_a_combination_or_weigh_it_otherwise_are_not_crossed():
    rows, columns = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
    assert are_crossed(np.array([0.1, 0.3, 0.15, 0.45]), [rows, columns])
    assert not are_crossed(np.array([0.1, 0.4, 0.4, 0.1]), [rows, columns])
    assert not are_crossed(np.full(3, 1 / 3), [rows[:3], columns[:3]])
    assert not are_crossed(np.full(4, 0.25), [rows, np.array([0, 1, 0, 0])])
