"""Bounds and errors near a kink: corrections, signs, two groups by hand, three classes, how often bounds hold."""

import numpy as np
import pytest
from scipy.stats import norm

from bvf.stats.sampling.kinks import ERROR, OF_PARTS, Kinks, Signs, correction
from bvf.stats.sampling.samples import ContextSample

Z = np.linspace(-14.0, 14.0, 5601)
TRUE = np.arange(0.0, 8.01, 0.05)
DENSITY = norm.pdf(Z - TRUE[:, np.newaxis]) * (Z[1] - Z[0])


def made(value, means, influences, gradients, across, in_doubt):
    """Kinks of groups with means (X, Y), influences (X, Y, C) on them, and subgradients (X, Y)."""
    sample = ContextSample(np.ones(influences.shape[-1]))
    on_mean = (gradients[..., np.newaxis] * influences).sum(axis=1)
    together = [influences[:, 0], -influences[:, 0]]
    signs = Signs(sample, 0.0 * on_mean, on_mean, in_doubt, together)
    return Kinks(value, sample, means[:, np.newaxis], influences[in_doubt], across[in_doubt], signs)


def two_classes(z, covariances):
    """Groups of one number with J = |v|, whose means have exactly these covariances."""
    root = np.linalg.cholesky(np.asarray(covariances, dtype=float))
    influences = root[:, np.newaxis] * np.sqrt(len(root) * (len(root) - 1.0))
    means, sides = np.asarray(z, dtype=float)[:, np.newaxis], np.where(np.asarray(z) < 0.0, -1.0, 1.0)[:, np.newaxis]
    return made(lambda v: np.abs(v)[..., 0], means, influences, sides, -2.0 * sides, np.abs(z) < 2.5)


def test_the_correction_is_on_average_at_most_what_the_plug_in_estimate_is_too_large_by():
    too_large = DENSITY @ np.abs(Z) - TRUE
    corrected = DENSITY @ correction(Z)
    assert (corrected <= too_large + 1e-9).all()
    assert corrected[0] > 0.25 * too_large[0]
    assert corrected[20] > 0.8 * too_large[20]


def test_the_error_of_a_corrected_estimate_is_at_most_the_one_that_is_allowed_for():
    estimate = np.abs(Z) - correction(Z)
    variance = DENSITY @ estimate**2 - (DENSITY @ estimate) ** 2
    assert 0.98 * ERROR**2 < variance.max() <= ERROR**2


def test_the_correction_of_groups_counts_in_so_far_as_they_move_by_themselves():
    z = np.array([0.3, -0.6, 0.1, 4.0])
    weights = np.array([0.2, 0.2, 0.2, 0.4])
    whole = 0.2 * correction(z[:3]).sum()
    assert two_classes(z, np.eye(4)).corrections(weights) == pytest.approx((1.0 - 1.0 / 3.0) * whole)
    assert two_classes(z, 0.5 + 0.5 * np.eye(4)).corrections(weights) == pytest.approx((1.0 - 2.0 / 3.0) * whole)
    assert two_classes(z, np.eye(4)).corrections(np.eye(4)) == pytest.approx(np.zeros(4))


def test_the_rise_of_two_groups_worked_out_by_hand():
    """Both lean to one class, and share half of their variance: sd of the average is sqrt(.75), each moves by that."""
    together = two_classes([0.4, 0.5], [[1.0, 0.5], [0.5, 1.0]])
    assert together.rise(np.array([0.5, 0.5]), 2.0) == pytest.approx(2.0 * np.sqrt(0.75))
    apart = two_classes([0.4, -0.5], [[1.0, 0.0], [0.0, 1.0]])
    assert apart.rise(np.array([0.5, 0.5]), 2.0) == pytest.approx(2.0 * np.sqrt(0.5))


def test_the_rise_above_a_mean_that_moves_along_is_smaller():
    kinks = two_classes([3.0, 0.5], np.eye(2))
    weights = np.array([0.5, 0.5])
    beside = weights @ kinks.signs.clear_on_mean
    assert kinks.rise(weights, 2.0, beside) == pytest.approx(2.0 * 0.5)


@pytest.mark.parametrize("gap", [0.0, 0.5, 1.0, 1.5, 2.0, 3.0])
@pytest.mark.parametrize("classes", [3, 5])
def test_a_corrected_estimate_is_hardly_too_low_with_more_classes(classes, gap):
    """J is the largest entry; one class is ahead of the others by ``gap`` standard errors of their difference."""
    rng = np.random.default_rng(5)
    true = np.zeros(classes)
    true[0] = gap * np.sqrt(2.0)
    means = true + rng.normal(size=(20000, classes))
    order = np.argsort(-means, axis=1)
    first, second = np.eye(classes)[order[:, 0]], np.eye(classes)[order[:, 1]]
    z = ((first - second) * means).sum(axis=1) / np.sqrt(2.0)
    estimates = means.max(axis=1) - correction(z) / np.sqrt(2.0)
    assert estimates.mean() >= true.max() - 0.05


SCENES = {
    "all by 0.8": np.full(100, 0.8),
    "all by 1.2": np.full(100, 1.2),
    "one by 4, others by 1.3": np.append(np.full(99, 1.3), 4.0),
    "to both sides by 1.6": 1.6 * np.where(np.arange(100) % 2, 1.0, -1.0),
}


@pytest.mark.parametrize("shared", [0.0, 0.2, 0.5])
@pytest.mark.parametrize("scene", SCENES)
def test_the_upper_end_holds_in_at_least_95_of_a_hundred_samples(scene, shared):
    rng = np.random.default_rng(3)
    true, weights = SCENES[scene], np.full(100, 0.01)
    covariances = shared + (1.0 - shared) * np.eye(100)
    held = []
    for z in rng.multivariate_normal(true, covariances, size=100):
        kinks = two_classes(z, covariances)
        corrected = 1.96 * kinks.signs.of_mean(weights, ERROR) - kinks.corrections(weights)
        high = np.abs(z).mean() + min(kinks.rise(weights, 1.96), corrected)
        held.append(max(high, np.abs(z).mean()) >= np.abs(true).mean())
    assert np.mean(held) >= 0.95


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


def test_errors_are_the_larger_one_of_both_directions_and_that_of_a_group_is_its_own():
    made = signs(0.3)
    clear, doubtful = 0.5 * made.on_mean[0], 0.25 * (made.on_mean[1] + made.on_mean[2])
    for found, factor in ((made.of_rest(WEIGHTS), 1.0), (made.of_mean_by_parts(WEIGHTS), OF_PARTS)):
        assert found == pytest.approx(max(error(clear + factor * doubtful), error(clear - factor * doubtful)))
    by_signs = [clear + 1.5 * doubtful, clear - 1.5 * doubtful]
    by_signs += [clear + 1.5 * 0.25 * (each[1] + each[2]) for each in made.together]
    assert made.of_rest_by_signs(WEIGHTS, 1.5) == pytest.approx(max(map(error, by_signs)))
    assert made.of_rest_by_parts(WEIGHTS) == pytest.approx(made.of_mean_by_parts(WEIGHTS))
    assert made.of_mean(np.eye(3)) == pytest.approx([error(each) for each in made.on_mean])
