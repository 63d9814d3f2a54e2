"""Effects of levels against the rest, and of crossed factors as by an analysis of variance."""

import numpy as np
import pytest
from bvf_insights.stats.effects import are_crossed, contrast, deviation_between, ends_within, main_effects, share_within
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import false_discovery_control, t

from bvf.study.sample import sample_of_openings


@given(st.integers(4, 12), st.integers(0, 1000))
def test_the_variance_of_a_mean_is_that_of_leaving_each_out(contexts, seed):
    rng = np.random.default_rng(seed)
    values, weights, inside = rng.normal(size=contexts), rng.random(contexts) + 0.1, np.arange(contexts) % 2 == 0
    compared = contrast(values, inside, weights, 0.95)
    variance, terms, means = 0.0, [], []
    for part in (inside, ~inside):
        v, w = values[part], weights[part]
        means.append(np.average(v, weights=w))
        left_out = [np.average(np.delete(v, i), weights=np.delete(w, i)) for i in range(len(v))]
        of_part = ((np.array(left_out) - means[-1]) ** 2).sum()
        variance, terms = variance + of_part, [*terms, of_part**2 / (w.sum() ** 2 / (w**2).sum() - 1)]
    assert (compared.inside, compared.outside, compared.difference) == pytest.approx((*means, means[0] - means[1]))
    reach = t.ppf(0.975, variance**2 / sum(terms)) * np.sqrt(variance)
    assert (compared.low, compared.high) == pytest.approx((compared.difference - reach, compared.difference + reach))


def test_the_p_value_is_that_of_the_interval_that_ends_at_0():
    rng = np.random.default_rng(1)
    values, inside, weights = rng.normal(size=40), np.arange(40) < 15, rng.random(40)
    p = contrast(values, inside, weights, 0.95).p_value
    compared = contrast(values, inside, weights, 1.0 - p)
    assert min(abs(compared.low), abs(compared.high)) == pytest.approx(0.0, abs=1e-9)


def test_contexts_that_all_say_the_same_differ_surely_or_not_at_all():
    inside, weights = np.arange(12) < 6, np.ones(12)
    assert contrast(np.where(inside, 0.3, 0.1), inside, weights, 0.95).p_value == 0.0
    assert contrast(np.full(12, 0.1), inside, weights, 0.95).p_value == 1.0


@pytest.mark.parametrize("exponent", [0.0, 1.0], ids=["equal weights", "Zipf's weights"])
def test_a_planted_level_is_found_and_shuffled_ones_are_not(exponent):
    """Of what is called different at 5 %, at most so much is wrong: a property that was dealt out by chance."""
    rng = np.random.default_rng(2)
    right, wrong, trials = 0, 0, 200
    for _ in range(trials):
        level, weights = rng.integers(4, size=90), rng.permutation(1.0 / np.arange(1, 91) ** exponent)
        noise = rng.normal(0, 0.1, 90)
        planted, shuffled = noise + 0.4 * (level == 3), noise
        for values, trial in ((planted, "planted"), (shuffled, "shuffled")):
            p = [contrast(values, level == each, weights, 0.95).p_value for each in range(4)]
            adjusted = false_discovery_control(p, method="by")
            right += trial == "planted" and adjusted[3] <= 0.05
            wrong += trial == "shuffled" and bool((adjusted <= 0.05).any())
    assert right >= 0.9 * trials
    assert wrong <= 0.05 * trials


def test_means_of_levels_are_apart_by_their_weighted_deviation():
    values, levels = np.array([0.0, 0.2, 0.6]), ["a", "a", "b"]
    assert deviation_between(values, levels, np.array([0.25, 0.25, 0.5])) == pytest.approx(0.25)
    assert deviation_between(values, ["a"] * 3, np.full(3, 1 / 3)) == pytest.approx(0.0)


def test_the_share_within_labels_is_that_of_half_the_squared_distances():
    values, labels = np.array([[0.0], [2.0], [10.0], [12.0], [20.0]]), np.array([0, 0, 1, 1, 2])
    many, each = np.tile(values, (50, 1)), np.concatenate([labels + 3 * block for block in range(50)])
    squared = [(a - b) ** 2 for i, a in enumerate(many[:, 0]) for b in many[i + 1 :, 0]]
    # a hundred pairs have one label, and are 2 apart
    assert share_within(many, np.full(250, 1 / 250), each) == pytest.approx(4.0 / np.mean(squared))
    assert share_within(many[:245], np.full(245, 1 / 245), each[:245]) is None  # 98 are too few


def test_the_interval_of_the_variance_within_labels_holds_what_was_planted():
    """8 openings of each of 10 templates, of variance 1: half the mean squared distance is the mean of variances."""
    rng, places, weights, held = np.random.default_rng(6), np.repeat(np.arange(10), 8), np.full(80, 1 / 80), []
    for _ in range(100):
        values = 3.0 * rng.normal(size=10)[places] + rng.normal(size=80)
        variance = values.reshape(10, 8).var(axis=1, ddof=1).mean()
        sample = sample_of_openings(np.ones(80, dtype=np.int64), places, weights)
        low, high = ends_within(values[:, np.newaxis], places, sample, 0.95)
        assert low < 1.0 < high
        held.append(low * variance <= 1.0 <= high * variance)
    assert 0.88 <= np.mean(held) <= 0.99


SIZES = st.lists(st.integers(2, 4), min_size=2, max_size=3)


def crossed(sizes, rng):
    """Weights of each level of each factor, the level of each context, in some order, and the weights of contexts."""
    weights = [rng.dirichlet(np.ones(size)) for size in sizes]
    order = rng.permutation(int(np.prod(sizes)))
    levels = [each.ravel()[order] for each in np.indices(sizes)]
    return weights, levels, np.prod([w[level] for w, level in zip(weights, levels, strict=True)], axis=0)


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


def test_contexts_that_lack_a_combination_or_weigh_it_otherwise_are_not_crossed():
    rows, columns = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
    assert are_crossed(np.array([0.1, 0.3, 0.15, 0.45]), [rows, columns])
    assert not are_crossed(np.array([0.1, 0.4, 0.4, 0.1]), [rows, columns])
    assert not are_crossed(np.full(3, 1 / 3), [rows[:3], columns[:3]])
    assert not are_crossed(np.full(4, 0.25), [rows, np.array([0, 1, 0, 0])])
