"""The bound of a mean of J by squares: by hand for one group, as a plain loop, and how often it holds."""

import numpy as np
import pytest

from bvf.stats.squares import squares_of


def made(means, covariances, freedom=1e9):
    """Squares of groups of one entry with J = |v|, whose means have these covariances."""
    root = np.linalg.cholesky(np.asarray(covariances, dtype=float))
    signs = np.array([[[-1.0], [1.0]]]).repeat(len(means), axis=0)
    return squares_of(np.asarray(means, dtype=float)[:, np.newaxis], root[:, np.newaxis], signs, freedom)


def test_the_bound_of_one_group_worked_out_by_hand():
    """d^2 is estimated as 9 - 1; T - 8 = 2 sqrt(2 + 4 T) has the larger solution 8 + 8 + sqrt(16^2 - 64 + 8)."""
    squares = made([0.6], [[0.04]])
    assert squares.slopes == pytest.approx([0.2])
    assert squares.estimates == pytest.approx([8.0])
    most = 16.0 + np.sqrt(200.0)
    assert most - 8.0 == pytest.approx(2.0 * np.sqrt(2.0 + 4.0 * most))
    assert squares.upper_end(np.ones(1), 2.0) == pytest.approx(0.2 * np.sqrt(most))


def test_groups_that_move_together_have_a_higher_bound_and_chance_correlations_none():
    means, alone = np.where(np.arange(20) % 2, 1.0, -1.0), np.eye(20)
    together = 0.5 + 0.5 * alone
    weights = np.full(20, 0.05)
    bounds = [made(means, each).upper_end(weights, 2.0) for each in (alone, together)]
    assert bounds[0] < 0.95 * bounds[1]
    slight = 0.1 + 0.9 * alone
    assert made(means, slight, freedom=50).upper_end(weights, 2.0) == pytest.approx(
        made(means, alone).upper_end(weights, 2.0), rel=0.05
    )


@pytest.mark.parametrize("shared", [0.0, 0.5])
@pytest.mark.parametrize("size", [0.0, 0.5, 1.5])
def test_the_bound_holds_in_at_least_93_of_a_hundred_samples(shared, size):
    rng = np.random.default_rng(3)
    true = size * np.where(np.arange(20) % 2, 1.0, -1.0)
    covariances = shared + (1.0 - shared) * np.eye(20)
    samples = rng.multivariate_normal(true, covariances, size=400)
    held = [made(means, covariances).upper_end(np.full(20, 0.05), 1.96) >= np.abs(true).mean() for means in samples]
    assert np.mean(held) >= 0.93


def test_the_bound_of_three_classes_is_above_the_criterion():
    """J is the largest entry; the entries of v add up to 0, so that v varies in two directions only."""
    rng = np.random.default_rng(4)
    scores = rng.normal(size=(30, 3, 50)) / np.sqrt(50)
    scores -= scores.mean(axis=1, keepdims=True)
    means = scores @ rng.normal(size=50)
    largest = np.broadcast_to(np.eye(3) - 1.0 / 3.0, (30, 3, 3))
    squares = squares_of(means, scores, largest, 1e9)
    assert squares.dimensions == pytest.approx(np.full(30, 2.0), abs=1e-6)
    roots = np.sqrt(squares.lengths) * squares.slopes
    assert (means.max(axis=1) <= roots + 1e-9).all()
