"""Shares from what was expected in texts: by hand, against counts, and where a reader differs from the rule."""

import numpy as np
import pytest
from bvf_texts.stats.sums import vectors_of_texts
from hypothesis import given
from hypothesis import strategies as st

EVEN = np.full(2, 0.5)


def test_shares_are_ratios_of_sums_by_hand():
    """Sums of .6 and .2, .2 and .2: of both texts .8 to .4, two thirds; the second context has a half.

    Of the group, in which the sums are .35 and .25, it is 7 / 12.
    """
    sums = np.array([[[[0.6, 0.2], [0.2, 0.2]], [[0.5, 0.3], [0.1, 0.3]]]])
    vectors = vectors_of_texts(sums, np.zeros_like(sums), EVEN)
    assert vectors[:, :, :-1].mean(axis=2)[0] == pytest.approx(np.array([[2 / 3, 1 / 3], [0.5, 0.5]]))
    assert vectors[0, 0, :-1, 0] == pytest.approx(
        [7 / 12 + (0.6 - 7 / 12 * 0.8) / 0.6, 7 / 12 + (0.2 - 7 / 12 * 0.4) / 0.6]
    )


def test_what_a_reader_adds_is_taken_over_the_contexts_of_a_group_by_hand():
    """In one of eight texts the reader reads nothing where the rule says the first class, which is named in .5."""
    sums, added = np.full((1, 2, 4, 2), 0.5), np.zeros((1, 2, 4, 2))
    added[0, 0, 1, 0] = -1.0
    p = vectors_of_texts(sums, added, EVEN)[:, :, :-1].mean(axis=2)
    assert p[0] == pytest.approx(np.array([[0.375, 0.5], [0.375, 0.5]]) / 0.875)
    errors = vectors_of_texts(sums, added, EVEN)[0, :, -1, 0]  # one context adds -.25, the other nothing
    assert errors == pytest.approx([-0.0625 * 0.5 / 0.875, 0.0625 * 0.5 / 0.875])


def test_a_prompt_that_hardly_names_a_class_by_chance_is_read_beside_its_group():
    """The second context names a class in .1, a tenth of the first: its sums count by half of the mean, .275."""
    sums = np.array([[[[0.9, 0.1]], [[0.0, 0.1]]]])
    p = vectors_of_texts(sums, np.zeros_like(sums), EVEN)[:, :, :-1].mean(axis=2)[0, :, 0]
    assert p == pytest.approx([0.9, 9 / 11 + (0.0 - 9 / 11 * 0.1) / 0.275])


def test_a_group_that_names_no_class_is_missing():
    sums = np.zeros((2, 2, 3, 2))
    sums[1] = 0.2
    vectors = vectors_of_texts(sums, np.zeros_like(sums), EVEN)
    assert np.isnan(vectors[0]).all()
    assert vectors[1, :, :-1] == pytest.approx(0.5)


@given(st.integers(0, 99), st.integers(2, 4), st.integers(2, 3))
def test_vectors_sum_to_1_and_of_one_rule_are_the_counted_shares(seed, texts, classes):
    """Where nothing is owed and the reader reads as the rule, p are the shares among texts that name a class."""
    rng = np.random.default_rng(seed)
    rule = np.eye(classes + 1)[rng.integers(classes + 1, size=(2, 3, texts))][..., :classes]
    rule[:, :, 0] = np.eye(classes)[0]
    read = np.eye(classes + 1)[rng.integers(classes + 1, size=(2, 3, texts))][..., :classes]
    weights = rng.dirichlet(np.ones(3))
    counts = rule.sum(axis=2)
    enough = counts.sum(axis=2) >= 0.5 * (counts.sum(axis=2) @ weights)[:, np.newaxis]
    p = vectors_of_texts(rule, np.zeros_like(rule), weights)[:, :, :-1].mean(axis=2)
    assert p[enough] == pytest.approx((counts / counts.sum(axis=2, keepdims=True))[enough])
    if read.any(axis=(1, 2, 3)).all():
        sums = vectors_of_texts(rule, read - rule, weights).sum(axis=3)
        assert sums[:, :, :-1] == pytest.approx(1.0)
        assert sums[:, :, -1] == pytest.approx(0.0)
