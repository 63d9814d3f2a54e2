"""The prior of answers, fitted to wrong ones, against models whose preference is known."""

import numpy as np
import pytest
from bvf_knowledge.stats.candidates import FEWEST_SUBJECTS, without_prior

SUBJECTS, WORDINGS, ANSWERS = 12, 3, 5
TRUE = np.arange(SUBJECTS) % ANSWERS
TRUTH = np.eye(ANSWERS, dtype=bool)[TRUE]


def softmax(logits):
    p = np.exp(logits)
    return p / p.sum(axis=-1, keepdims=True)


def logits_of(knows):
    """Logits of a model that adds to the true answer what it knows of each subject."""
    logits = np.zeros((SUBJECTS, WORDINGS, ANSWERS))
    logits[np.arange(SUBJECTS), :, TRUE] += np.asarray(knows, dtype=float)[:, np.newaxis]
    return logits


@pytest.mark.parametrize("knows", [np.zeros(SUBJECTS), np.full(SUBJECTS, 3.0), np.arange(SUBJECTS) - 4.0])
def test_a_preference_for_answers_that_differs_by_wording_is_taken_out_and_knowledge_stays(knows):
    preference = np.random.default_rng(1).normal(0.0, 2.0, (1, WORDINGS, ANSWERS))
    corrected = without_prior(softmax(logits_of(knows) + preference), TRUTH)
    assert corrected == pytest.approx(softmax(logits_of(knows)), abs=2e-4)


def test_one_answer_for_every_subject_is_no_answer_but_one_true_answer_each_is_knowledge():
    """The mean over subjects would take what is known for a preference."""
    always = np.zeros((SUBJECTS, WORDINGS, ANSWERS))
    always[..., 2] = 1.0
    assert without_prior(always, TRUTH) == pytest.approx(np.full(always.shape, 1.0 / ANSWERS), abs=1e-5)
    knower = np.repeat(np.eye(SUBJECTS)[:, np.newaxis], WORDINGS, axis=1)
    assert without_prior(knower, np.eye(SUBJECTS, dtype=bool)) == pytest.approx(knower, abs=1e-5)


def test_a_missing_prompt_stays_missing_and_moves_no_other_wording():
    p = softmax(np.random.default_rng(2).normal(size=(SUBJECTS, WORDINGS, ANSWERS)))
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
