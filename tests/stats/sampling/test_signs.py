"""Errors over the signs that influences of doubtful groups may have."""

import numpy as np
import pytest

from bvf.stats.sampling.samples import ContextSample
from bvf.stats.sampling.signs import OF_PARTS, Signs

CONTEXTS = 40
WEIGHTS = np.array([0.5, 0.25, 0.25])


def signs(shared):
    """One clear and two doubtful groups; the doubtful ones have opposite signs in the sample."""
    rng = np.random.default_rng(1)
    common, own = rng.normal(size=CONTEXTS), rng.normal(size=(3, CONTEXTS))
    moves = shared * common + (1.0 - shared) * own
    moves -= moves.mean(axis=1, keepdims=True)
    on_mean = moves * [[1.0], [1.0], [-1.0]]
    return Signs(ContextSample(np.ones(CONTEXTS)), 0.0 * moves, on_mean, np.array([False, True, True]), [moves, -moves])


def error(influence):
    return float(influence.std(ddof=1) / np.sqrt(CONTEXTS))


def test_doubtful_groups_that_share_what_moves_them_do_not_cancel():
    shared = signs(1.0)
    whole = error(shared.together[0][0])
    assert shared.of_mean(WEIGHTS) == pytest.approx(whole)
    assert shared.of_doubtful_together(WEIGHTS) == pytest.approx(whole / 2.0)
    assert shared.of_rest(WEIGHTS) == pytest.approx(whole / 2.0)


def test_errors_are_the_larger_one_of_both_directions():
    made = signs(0.3)
    clear, doubtful = 0.5 * made.on_mean[0], 0.25 * (made.on_mean[1] + made.on_mean[2])
    for found, factor in ((made.of_rest(WEIGHTS), 1.0), (made.of_mean_by_parts(WEIGHTS), OF_PARTS)):
        assert found == pytest.approx(max(error(clear + factor * doubtful), error(clear - factor * doubtful)))
    by_signs = [clear + 1.5 * doubtful, clear - 1.5 * doubtful]
    by_signs += [clear + 1.5 * 0.25 * (each[1] + each[2]) for each in made.together]
    assert made.of_rest_by_signs(WEIGHTS, 1.5) == pytest.approx(max(map(error, by_signs)))
    assert made.of_rest_by_parts(WEIGHTS) == pytest.approx(made.of_mean_by_parts(WEIGHTS))


def test_the_error_of_each_group_is_its_own():
    made = signs(0.3)
    assert made.of_mean(np.eye(3)) == pytest.approx([error(each) for each in made.on_mean])
