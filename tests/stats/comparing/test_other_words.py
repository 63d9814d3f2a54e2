"""The place of a topic among sets of other words, by hand and by a plain computation."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bvf.builtin.criteria import TotalVariation
from bvf.stats.comparing.other_words import MOST_APART, InPrompts, Place, sets_of_words
from bvf.stats.sampling.sampled_risk import sampled_risk
from bvf.stats.sampling.samples import ContextSample, DrawnFrom
from bvf.study.sample import sample_of_openings

ALIKE = np.full(2, 0.5)


def drawn(seed, groups=5, contexts=9, words=6, classes=2):
    rng = np.random.default_rng(seed)
    topic = rng.dirichlet(np.ones(classes), (groups, contexts))
    others = rng.dirichlet(np.full(words, 3.0), (groups, contexts))
    sets = np.array(list(combinations(range(words), classes)))
    counts = rng.integers(1, 5, contexts).astype(float)
    prompts = InPrompts(topic, others, sets, rng.dirichlet(np.ones(groups)), counts / counts.sum(), 0.3)
    return prompts, ContextSample(counts)


def plain_distance(p, group_weights, context_weights):
    """T of one set, p of shape (X, C, Y)."""
    means = [sum(w * each for w, each in zip(context_weights, of_group, strict=True)) for of_group in p]
    mean = sum(w * each for w, each in zip(group_weights, means, strict=True))
    return sum(w * np.abs(each - mean).sum() / 2.0 for w, each in zip(group_weights, means, strict=True))


def plain_line(log_mass, values, at):
    """Values moved along the line of least squares in log mass to a point within the log masses."""
    slope = np.polyfit(log_mass, values, 1)[0]
    return values + slope * (np.clip(at, min(log_mass), max(log_mass)) - log_mass)


def test_a_worked_example():
    """Groups are .2 apart from their mean by the topic; by words 0 and 1 .1, by 0 and 2 .05, by 1 and 2 less."""
    topic = np.array([[[0.8, 0.2]], [[0.4, 0.6]]])
    others = np.array([[[0.3, 0.2, 0.5]], [[0.2, 0.3, 0.5]]])
    sets = np.array([[0, 1], [0, 2], [1, 2]])
    place = InPrompts(topic, others, sets, ALIKE, np.ones(1), 0.5).place()
    by_hand = np.array([0.1, (3 / 8 - 2 / 7) / 2, (3 / 8 - 2 / 7) / 2])
    masses = np.log([0.5, 0.75, 0.75])
    assert place.apart == pytest.approx(0.2)
    assert place.of_sets == pytest.approx(plain_line(masses, by_hand, np.log(0.5)))
    assert place.of_sets == pytest.approx([0.1, 0.1, 0.1])  # at the mass of the first, where the line has .1
    assert (place.place, place.ratio, place.place_ends) == (1.0, pytest.approx(2.0), None)
    alike = InPrompts(np.full((2, 1, 2), 0.5), np.full((2, 1, 3), 1 / 3), sets, ALIKE, np.ones(1), 0.5).place()
    assert (alike.ratio, alike.place) == (None, 0.0)


@pytest.mark.parametrize("classes", [2, 4])
def test_distances_are_those_of_a_plain_computation(classes):
    prompts, _ = drawn(3, classes=classes)
    weights = prompts.group_weights, prompts.context_weights
    masses, distances = [], []
    for each in prompts.sets:
        q = prompts.others[:, :, each]
        masses.append(np.log(np.einsum("x,xcy,c->", weights[0], q, weights[1])))
        distances.append(plain_distance(q / q.sum(axis=2, keepdims=True), *weights))
    place = prompts.place()
    assert place.apart == pytest.approx(plain_distance(prompts.topic, *weights))
    assert place.of_sets == pytest.approx(plain_line(np.array(masses), np.array(distances), np.log(prompts.mass)))
    assert place.place == np.mean(place.of_sets < place.apart)
    assert place.ratio == pytest.approx(place.apart / np.median(place.of_sets))


def test_the_distance_of_a_sample_is_cross_fit_over_its_halves():
    prompts, sample = drawn(5)
    lean = prompts.topic - np.einsum("x,xcy->cy", prompts.group_weights, prompts.topic)
    crossed = []
    for first, second in zip(*sample.halves, strict=True):
        one, other = (np.einsum("xcy,c->xy", lean, half / half.sum()) for half in (first, second))
        both = second.sum() * np.sign(one) * other + first.sum() * np.sign(other) * one
        crossed.append(prompts.group_weights @ both.sum(axis=1) / sample.counts.sum() / 2)
    found = prompts.place(sample)
    assert found.apart == pytest.approx(np.mean(crossed))
    assert found.apart < prompts.place().apart
    low, high = found.place_ends
    assert low <= found.place <= high
    assert found.ratio_ends[0] < found.ratio < found.ratio_ends[1]


def samples(rng, contexts=12):
    counts = rng.integers(1, 5, contexts).astype(float)
    replicates = rng.poisson(1.0, (contexts, 150)) + (rng.random((contexts, 150)) < counts[:, np.newaxis] / 9)
    in_turn = np.arange(contexts) % 3
    yield ContextSample(counts)
    yield ContextSample(counts / counts.sum(), "template")
    yield ContextSample(counts, drawn_from=DrawnFrom(60.0, counts + 1.0))
    yield ContextSample(counts, "document", drawn_from=DrawnFrom(60.0, counts, replicates, 40), replicates=replicates)
    yield sample_of_openings(counts.astype(int), in_turn, counts / counts.sum())


@pytest.mark.parametrize("classes", [2, 5])
def test_the_distance_is_that_of_particular_bias_by_total_variation(classes):
    """`InPrompts` computes for many sets at a time what intervals of particular R^b and controls have for one."""
    for number, sample in enumerate(samples(np.random.default_rng(classes))):
        prompts, _ = drawn(number, contexts=12, words=8, classes=classes)
        own = replace(prompts, context_weights=sample.weights)
        weights = own.group_weights
        whole = sampled_risk(own.topic, TotalVariation(), sample, group_weights=weights, scale="raw")
        of_mean = whole.particular.estimates(weights, 0.95).of_mean
        assert own.place(sample).apart == pytest.approx(of_mean.cross_fit, abs=1e-12)
        assert own.place().apart == pytest.approx(of_mean.value, abs=1e-12)


@given(st.integers(0, 1000), st.floats(0.01, 100.0))
def test_a_place_depends_on_ratios_of_words_alone(seed, times):
    prompts, sample = drawn(seed)
    scale = np.random.default_rng(seed).uniform(0.5, 2.0, (1, prompts.others.shape[1], 1))
    alike = replace(prompts, others=prompts.others * times, sets=prompts.sets[::-1], mass=prompts.mass * times)
    one, other = prompts.place(sample), alike.place(sample)
    assert other.of_sets == pytest.approx(one.of_sets[::-1])
    assert (other.place, other.place_ends) == (one.place, one.place_ends)
    assert replace(prompts, others=prompts.others * scale).place().apart == prompts.place().apart


@pytest.mark.parametrize(
    ("place", "ends", "outcome"),
    [
        (0.97, (0.95, 1.0), "further apart"),
        (0.97, (0.94, 1.0), "cannot tell"),
        (0.97, (0.8, 0.949), "not further apart"),
        (0.95, None, "further apart"),
        (0.94, None, "not further apart"),
    ],
)
def test_the_outcome_takes_the_whole_interval(place, ends, outcome):
    assert Place(0.1, np.zeros(3), place, 1.0, ends).outcome == outcome


@given(st.integers(12, 80), st.integers(2, 4), st.integers(0, 50))
def test_no_word_of_a_set_is_much_more_probable_than_another(words, classes, seed):
    shares = np.random.default_rng(seed).dirichlet(np.full(words, 0.8))
    sets = sets_of_words(shares, classes, seed)
    assert len({tuple(each) for each in sets.tolist()}) == len(sets) <= 250
    assert all(len(set(each)) == classes for each in sets.tolist())
    of_sets = shares[sets]
    assert (of_sets.max(axis=1) <= MOST_APART**2 * of_sets.min(axis=1) * (1 + 1e-9)).all()


def test_pairs_are_within_the_balance_of_three_to_seven_and_the_same_again():
    shares = np.random.default_rng(1).dirichlet(np.full(60, 0.8))
    pairs = sets_of_words(shares, 2)
    assert (pairs == sets_of_words(shares, 2)).all()
    of_pairs = shares[pairs]
    assert len(of_pairs) > 100
    assert (of_pairs.min(axis=1) / of_pairs.sum(axis=1)).min() >= 0.3 - 1e-9
