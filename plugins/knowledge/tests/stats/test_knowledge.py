"""Distractors, the prior of answers, consistency, and the parts of mastery with intervals from 0 to 1."""

import itertools

import numpy as np
import pytest
from bvf_knowledge.decompose import decompose_knowledge
from bvf_knowledge.stats import knowledge as knowing
from bvf_knowledge.stats.candidates import FEWEST_SUBJECTS, draw_candidates, without_prior
from bvf_knowledge.stats.knowledge import sampled_knowledge
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from bvf.builtin.criteria import knowledge
from bvf.errors import BvfError
from bvf.stats.sampling.samples import ContextSample


@given(st.integers(1, 7), st.integers(0, 99), st.permutations(["a", "b", "c", "d"]))
def test_a_draw_has_the_truth_and_depends_on_subject_and_seed_alone(distractors, seed, subjects):
    truth = np.eye(9, dtype=bool)[[ord(name) - ord("a") for name in subjects]]
    truth[0, 8] = True  # its second true answer
    mask = draw_candidates(subjects, truth, distractors, seed)
    assert mask.sum(axis=1).tolist() == [distractors + 2, *[distractors + 1] * 3]
    assert mask[truth].all()
    alone = draw_candidates(subjects[1:2], truth[1:2], distractors, seed)
    assert (alone[0] == mask[1]).all()


def test_another_seed_draws_other_answers_and_there_must_be_enough():
    drawn = {draw_candidates(["France"], np.eye(50, dtype=bool)[:1], 5, seed).tobytes() for seed in range(10)}
    assert len(drawn) == 10
    with pytest.raises(BvfError, match="of 4 answers, 3 are wrong for France"):
        draw_candidates(["France"], np.eye(4, dtype=bool)[:1], 4, 0)


SUBJECTS, ANSWERS = 12, 5
TRUE = np.arange(SUBJECTS) % ANSWERS
TRUTH = np.eye(ANSWERS, dtype=bool)[TRUE]


def softmax(logits):
    p = np.exp(logits)
    return p / p.sum(axis=-1, keepdims=True)


def logits_of(knows):
    """Logits of a model that adds to the true answer what it knows of each subject."""
    logits = np.zeros((SUBJECTS, 3, ANSWERS))
    logits[np.arange(SUBJECTS), :, TRUE] += np.asarray(knows, dtype=float)[:, np.newaxis]
    return logits


@pytest.mark.parametrize("knows", [np.zeros(SUBJECTS), np.full(SUBJECTS, 3.0), np.arange(SUBJECTS) - 4.0])
def test_a_preference_for_answers_that_differs_by_wording_is_taken_out_and_knowledge_stays(knows):
    preference = np.random.default_rng(1).normal(0.0, 2.0, (1, 3, ANSWERS))
    corrected = without_prior(softmax(logits_of(knows) + preference), TRUTH)
    assert corrected == pytest.approx(softmax(logits_of(knows)), abs=2e-4)


def test_one_answer_for_every_subject_is_no_answer_but_one_true_answer_each_is_knowledge():
    """The mean over subjects would take what is known for a preference."""
    always = np.zeros((SUBJECTS, 3, ANSWERS))
    always[..., 2] = 1.0
    assert without_prior(always, TRUTH) == pytest.approx(np.full(always.shape, 1.0 / ANSWERS), abs=1e-5)
    knower = np.repeat(np.eye(SUBJECTS)[:, np.newaxis], 3, axis=1)
    assert without_prior(knower, np.eye(SUBJECTS, dtype=bool)) == pytest.approx(knower, abs=1e-5)


def test_a_missing_prompt_stays_missing_and_moves_no_other_wording():
    p = softmax(np.random.default_rng(2).normal(size=(SUBJECTS, 3, ANSWERS)))
    whole = without_prior(p, TRUTH)
    p[4, 1] = np.nan
    corrected = without_prior(p, TRUTH)
    assert np.isnan(corrected[4, 1]).all()
    assert np.isfinite(np.delete(corrected[:, 1], 4, axis=0)).all()
    assert corrected[:, [0, 2]] == pytest.approx(whole[:, [0, 2]])


@pytest.mark.parametrize(
    ("subjects", "answers", "truth"),
    [
        (FEWEST_SUBJECTS - 1, 5, range(FEWEST_SUBJECTS - 1)),
        (20, 2, range(20)),
        (20, 5, [3] * 20),
        (20, 5, [3] * 19 + [1]),
    ],
)
def test_it_is_undefined_for_few_subjects_two_answers_or_one_that_is_true_for_all_others(subjects, answers, truth):
    p = np.full((subjects, 2, answers), 1.0 / answers)
    assert without_prior(p, np.eye(answers, dtype=bool)[np.array(truth) % answers]) is None


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


WORDINGS = 5
SCORES = ("sqrt", "log", "power=0.1", "power=1")


def estimated(true_p, function, counts, unit="template"):
    """The three estimates over all subjects, whose true answers have such probabilities, shape (X, C)."""
    p = np.stack([true_p, 1.0 - np.asarray(true_p)], axis=2)
    sampled = sampled_knowledge(p, [0] * len(p), knowledge(function), ContextSample(np.array(counts), unit))
    found = sampled.estimates(np.full(len(p), 1.0 / len(p)), 0.95)
    return found.total, found.of_mean, found.rest


@pytest.mark.parametrize("function", SCORES)
def test_who_was_never_seen_to_know_may_know_in_wordings_that_were_not_seen(function):
    """Scores are steep at 0, but a wording that has a share of u adds no more than u to what one expects."""
    expected, mastery, gap = estimated([[0.0] * 13], function, [1.0] * 13)
    assert (expected.low, expected.high) == pytest.approx((0.0, 1.0 - 0.05 ** (1 / 13)))
    assert (mastery.low, gap.low) == (0.0, 0.0)
    assert expected.high <= mastery.high + 1e-12
    assert max(mastery.high, gap.high) <= 1.0


@given(
    st.sampled_from(SCORES),
    arrays(np.float64, (3, WORDINGS), elements=st.sampled_from([0.0, 0.3, 1.0]))
    | arrays(np.float64, (3, WORDINGS), elements=st.sampled_from([1e-9, 1e-3]) | st.floats(1e-9, 1.0)),
    st.lists(st.integers(1, 40), min_size=WORDINGS, max_size=WORDINGS),
    st.sampled_from(["template", "occurrence"]),
)
def test_ends_are_scores_and_hold_the_estimate(function, true_p, counts, unit):
    for each in estimated(true_p, function, [float(count) for count in counts], unit):
        assert 0.0 <= each.low <= each.value + 1e-9
        assert each.value - 1e-9 <= each.high <= 1.0 + 1e-9


@pytest.mark.parametrize("function", ["sqrt", "log", "power=0.3", "power=1"])
def test_knowledge_of_a_model_that_always_or_never_knows_or_in_half_of_the_wordings(function):
    criterion = knowledge(function)
    for truth, known in ((0, 1.0), (1, 0.0)):
        found = decompose_knowledge([[[1.0, 0.0]] * 3], [truth], criterion)
        assert (found.mastery, found.expected_score) == pytest.approx((known, known))
    half = decompose_knowledge([[[1.0, 0.0], [0.0, 1.0]]], [0], knowledge("sqrt"))
    figures = (half.mastery, half.expected_score, half.confidence_gap)
    assert figures == pytest.approx((np.sqrt(0.5), 0.5, np.sqrt(0.5) - 0.5))


@given(
    arrays(float, array_shapes(min_dims=3, max_dims=3, min_side=2), elements=st.floats(0.001, 1)), st.integers(0, 14)
)
def test_confidence_gap_is_never_negative(p, smaller):
    p = np.concatenate([p[..., :1] / 10**smaller, p[..., 1:]], axis=2)
    p /= p.sum(axis=2, keepdims=True)
    for function in ("sqrt", "log", "power=0.5"):
        known = decompose_knowledge(p, np.zeros(len(p), dtype=int), knowledge(function))
        assert (known.x_confidence_gap >= 0).all()


@pytest.mark.parametrize("truth", [[2], [-1], [0, 1], [[0]], [0.5], 0])
def test_a_truth_that_is_no_answer_is_refused(truth):
    with pytest.raises(BvfError, match="the truth"):
        decompose_knowledge([[[0.5, 0.5]]], truth, knowledge("sqrt"))


def test_a_criterion_of_knowledge_goes_by_its_name_or_as_an_object():
    p = [[[0.5, 0.5], [0.2, 0.8]], [[0.9, 0.1], [0.4, 0.6]]]
    named = decompose_knowledge(p, [0, 1], "knowledge:log")
    made = decompose_knowledge(p, np.array([0, 1]), knowledge("log"))
    assert named.mastery == made.mastery
    with pytest.raises(BvfError, match="linf scores risk"):
        decompose_knowledge(p, [0, 1], "linf")
    with pytest.raises(BvfError, match="the criterion is 3"):
        decompose_knowledge(p, [0, 1], 3)
