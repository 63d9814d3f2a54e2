"""Distractors and consistency."""

import itertools

import numpy as np
import pytest
from bvf_knowledge.stats.candidates import draw_candidates
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from bvf.errors import BvfError
from bvf.stats.figures import knowledge as knowing
from bvf.stats.figures.knowledge import among_candidates


@given(st.integers(1, 7), st.integers(0, 99), st.permutations(["a", "b", "c", "d"]))
def test_a_draw_has_the_truth_and_depends_on_subject_and_seed_alone(distractors, seed, subjects):
    truth = np.eye(9, dtype=bool)[[ord(name) - ord("a") for name in subjects]]
    truth[0, 8] = True  # its second true answer
    mask = draw_candidates(subjects, truth, distractors, seed)
    assert mask.sum(axis=1).tolist() == [distractors + 2, *[distractors + 1] * 3]
    assert mask[truth].all()
    alone = draw_candidates(subjects[1:2], truth[1:2], distractors, seed)
    assert (alone[0] == mask[1]).all()


def test_another_seed_draws_other_answers():
    drawn = {draw_candidates(["France"], np.eye(50, dtype=bool)[:1], 5, seed).tobytes() for seed in range(10)}
    assert len(drawn) == 10


def test_more_distractors_than_there_are():
    with pytest.raises(BvfError, match="of 4 answers, 3 are wrong for France"):
        draw_candidates(["France"], np.eye(4, dtype=bool)[:1], 4, 0)


def test_shares_among_candidates_by_hand():
    p = np.array([[[0.5, 0.3, 0.2], [0.0, 1.0, 0.0]]])
    shares = among_candidates(p, np.array([[True, False, True]]))
    assert shares[0, 0] == pytest.approx([0.5 / 0.7, 0.0, 0.2 / 0.7])
    assert np.isnan(shares[0, 1]).all()


PROBABILITIES = arrays(np.float64, (3, 5, 4), elements=st.floats(0.01, 1.0)).map(
    lambda p: p / p.sum(axis=2, keepdims=True)
)


@given(PROBABILITIES)
def test_consistency_against_a_plain_loop(p):
    for x, consistency in enumerate(knowing.consistency(p)):
        tops = [[y for y in range(4) if row[y] == row.max()] for row in p[x]]
        pairs = list(itertools.combinations(tops, 2))
        agreeing = [one == other and len(one) == 1 for one, other in pairs]
        assert consistency == pytest.approx(sum(agreeing) / len(pairs))


def test_contexts_that_are_missing_are_no_pairs():
    p = np.array([[[1.0, 0.0], [np.nan, np.nan], [1.0, 0.0]], [[1.0, 0.0], [np.nan, np.nan], [np.nan, np.nan]]])
    consistency = knowing.consistency(p)
    assert consistency[0] == 1.0
    assert np.isnan(consistency[1])
