"""Shares from what was expected in texts: by hand, against counts, and where a reader differs from the rule."""

import numpy as np
import pytest
from bvf_texts.stats.sums import vectors_of_texts
from hypothesis import given
from hypothesis import strategies as st

from bvf.stats.sampling.lean_parts import LeanParts
from bvf.stats.sampling.samples import ContextSample

EVEN = np.full(2, 0.5)


def without_reader(sums):
    """Vectors where the rule, of which nothing is drawn, is what is read."""
    nothing = np.zeros_like(sums)
    return vectors_of_texts(nothing, sums, nothing, EVEN)[:, :, :-1]


def test_shares_are_ratios_of_sums_by_hand():
    """Sums of .6 and .2, .2 and .2: of both texts .8 to .4, two thirds; the second context has a half.

    Of the group, in which the sums are .35 and .25, it is 7 / 12.
    """
    vectors = without_reader(np.array([[[[0.6, 0.2], [0.2, 0.2]], [[0.5, 0.3], [0.1, 0.3]]]]))
    assert vectors.mean(axis=2)[0] == pytest.approx(np.array([[2 / 3, 1 / 3], [0.5, 0.5]]))
    expected = [7 / 12 + (0.6 - 7 / 12 * 0.8) / 0.6, 7 / 12 + (0.2 - 7 / 12 * 0.4) / 0.6]
    assert vectors[0, 0, :, 0] == pytest.approx(expected)


def test_a_prompt_that_hardly_names_a_class_by_chance_is_read_beside_its_group():
    """The second context names a class in .1, a tenth of the first: its sums count by a fifth of the mean, .11."""
    p = without_reader(np.array([[[[0.9, 0.1]], [[0.0, 0.1]]]])).mean(axis=2)[0, :, 0]
    assert p == pytest.approx([0.9, 9 / 11 + (0.0 - 9 / 11 * 0.1) / 0.11])


def test_a_group_that_names_no_class_is_missing():
    sums = np.zeros((2, 2, 3, 2))
    sums[1] = 0.2
    assert np.isnan(without_reader(sums)[0]).all()
    assert without_reader(sums)[1] == pytest.approx(0.5)


def test_what_a_reader_reads_otherwise_is_taken_over_the_contexts_of_a_group_by_hand():
    """The first class is named in the first context alone, and there one of four texts is read as the other."""
    rule = np.array([[[[1.0, 0.0]] * 4, [[0.0, 1.0]] * 4]])
    read = rule.copy()
    read[0, 0, 1] = [0.0, 1.0]
    owed = np.array([-0.5, 0.5]) * np.ones((1, 2, 4, 2)) * (rule[..., :1] - rule[..., 1:])
    vectors = vectors_of_texts(rule, owed, read, EVEN)
    assert (rule + owed)[0, :, 0].tolist() == [[0.5, 0.5], [0.5, 0.5]]
    assert vectors[0, :, :-1].mean(axis=1) == pytest.approx(np.full((2, 2), [0.5 * 0.75, 0.5 * 0.25 + 0.5]))
    by_text = vectors[0, 0, :-1, 0]  # the difference is in the second text of all contexts
    assert by_text == pytest.approx([0.5, 0.0, 0.5, 0.5])
    assert vectors[0, :, -1] == pytest.approx(0.0)  # every text of the first context says the same of that class


def test_the_mean_of_a_group_has_the_error_of_what_all_its_contexts_share():
    """All name the first class; the reader reads it in three of four contexts: as uncertain as if it were counted."""
    rule = np.tile([1.0, 0.0], (1, 4, 2, 1))
    read = np.concatenate([rule[:, :3], 1.0 - rule[:, 3:]], axis=1)
    vectors = vectors_of_texts(rule, np.zeros_like(rule), read, np.full(4, 0.25))
    known = (np.zeros((4, 2)), np.ones(1), np.full(4, 0.25), ContextSample(np.ones(4)))
    summed = LeanParts(vectors[:, :, :-1].mean(axis=2), *known, noisy=True, apart=vectors[:, :, -1])
    counted = LeanParts(read.mean(axis=2), *known, noisy=True)
    assert summed.associations == pytest.approx(counted.associations)
    assert summed.groups == pytest.approx(counted.groups)


@given(st.integers(0, 99), st.integers(2, 4), st.integers(2, 3))
def test_vectors_sum_to_1_and_of_one_rule_are_the_counted_shares(seed, texts, classes):
    """Where nothing is owed and the reader reads as the rule, p are the shares among texts that name a class."""
    rng = np.random.default_rng(seed)
    rule = np.eye(classes + 1)[rng.integers(classes + 1, size=(2, 3, texts))][..., :classes]
    rule[:, :, 0] = np.eye(classes)[0]
    read = np.where(rng.random((2, 3, texts, 1)) < 0.7, rule, np.roll(rule, 1, axis=3))
    weights, counts = rng.dirichlet(np.ones(3)), rule.sum(axis=2)
    enough = counts.sum(axis=2) >= 0.2 * (counts.sum(axis=2) @ weights)[:, np.newaxis]
    p = vectors_of_texts(rule, np.zeros_like(rule), rule, weights)[:, :, :-1].mean(axis=2)
    assert p[enough] == pytest.approx((counts / counts.sum(axis=2, keepdims=True))[enough])
    sums = vectors_of_texts(rule, np.zeros_like(rule), read, weights).sum(axis=3)
    assert sums[:, :, :-1] == pytest.approx(1.0)
    assert sums[:, :, -1] == pytest.approx(0.0)


def test_the_means_over_contexts_are_those_of_what_is_read():
    """Where nothing is owed and all prompts name classes alike often, the mean of p is the share that was read."""
    rng = np.random.default_rng(0)
    rule = np.eye(2)[rng.integers(2, size=(3, 40, 6))]
    read = np.where(rng.random((3, 40, 6, 1)) < 0.8, rule, 0.0)
    p = vectors_of_texts(rule, np.zeros_like(rule), read, np.full(40, 1 / 40))[:, :, :-1].mean(axis=(1, 2))
    counts = read.sum(axis=(1, 2))
    assert p == pytest.approx(counts / counts.sum(axis=1, keepdims=True), abs=0.01)
