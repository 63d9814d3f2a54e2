"""Intervals over wordings and over subjects, of shares of variance, and effects of rows: against plain computations."""

import numpy as np
import pytest
from bvf_knowledge.stats.intervals import (
    accuracy_ends,
    component_shares,
    consistency_ends,
    effects_of_rows,
    ends_over_subjects,
)
from scipy.stats import ttest_1samp

from bvf.stats.figures.components import variance_components
from bvf.stats.sampling.samples import ContextSample


def sample(number):
    return ContextSample(np.ones(number), "template")


def even(number):
    return np.full(number, 1.0 / number)


def certain(answers, number=3):
    """p of subjects that give these answers, one row of answers per subject."""
    return np.eye(number)[np.array(answers)]


def accuracy_of(p, truth):
    return accuracy_ends(p, truth, even(len(p)), sample(12), 0.95)


def test_who_is_right_in_every_wording_is_right_in_others():
    assert accuracy_of(certain([[0] * 12, [1] * 12]), certain([0, 2]) > 0) == (0.5, 0.5)
    either = np.array([[True, True, False]])  # now one true answer, now another
    assert accuracy_of(certain([[0] * 7 + [1] * 5]), either) == (1.0, 1.0)
    p = certain([[0] * 11 + [1]])
    p[0, 11] = np.nan
    assert accuracy_of(p, certain([0]) > 0) == (1.0, 1.0), "a missing wording counts for nothing"


def test_a_subject_between_two_answers_may_be_right_or_wrong_and_the_others_are_not_in_doubt():
    between = [2] + [0] * 5 + [1] * 6  # the other answer is on top, by one wording
    p = certain([between, [0] * 12, [0] * 12, [1] * 12])
    low, high = accuracy_of(p, certain([0] * 4) > 0)
    assert low <= 0.5
    assert high >= 0.75
    assert accuracy_of(p[1:], certain([0] * 3) > 0) == pytest.approx((2 / 3, 2 / 3))


def consistency_of(answers, wordings=None):
    return consistency_ends(certain([answers]), np.ones(1), wordings or sample(12), 0.95)


def test_consistency_has_the_jackknife_interval():
    """Leaving out each wording in turn gives the error of the share of pairs, by hand."""
    answers = np.array([0] * 7 + [1] * 3 + [2] * 2)

    def share(kept):
        same = kept[:, None] == kept
        return (same.sum() - len(kept)) / (len(kept) * (len(kept) - 1))

    n = len(answers)
    without = np.array([share(np.delete(answers, c)) for c in range(n)])
    error = np.sqrt((n - 1) / n * ((without - without.mean()) ** 2).sum())
    t = ttest_1samp(np.arange(n), 0).confidence_interval(0.95)
    reach = (t.high - t.low) / 2 / (np.std(np.arange(n), ddof=1) / np.sqrt(n)) * error
    assert consistency_of(answers) == pytest.approx((share(answers) - reach, share(answers) + reach))


def test_wordings_that_all_agree_leave_room_for_others_and_must_count_alike():
    unseen = 1 - 0.05 ** (1 / 12)
    assert consistency_of([1] * 12) == pytest.approx(((1 - unseen) ** 2, 1.0))
    assert consistency_of([1] * 12, ContextSample(np.arange(1.0, 13.0), "template")) is None


def test_over_subjects_a_symmetric_mean_has_students_interval_and_equal_subjects_leave_room_for_others():
    values = np.array([0.2, 0.3, 0.4, 0.5, 0.6] * 5)
    interval = ttest_1samp(values, 0).confidence_interval(0.95)
    assert ends_over_subjects(values, even(25), 0.95) == pytest.approx((interval.low, interval.high))
    assert ends_over_subjects(np.full(25, 1.0), even(25), 0.95) == pytest.approx((0.05 ** (1 / 25), 1.0))


@pytest.mark.parametrize("weights", [even(23), np.array([0.9, *[0.1 / 39] * 39])])
def test_few_subjects_in_effect_have_no_interval(weights):
    assert ends_over_subjects(np.linspace(0, 1, len(weights)), weights, 0.95) is None


GROUPS, CONTEXTS, OF_ALL = 20, 12, 2000


def shares_of(values, is_sample=True):
    contexts = values.shape[1]
    return component_shares(values, even(GROUPS), even(contexts), sample(contexts) if is_sample else None, 0.95)


def test_intervals_hold_the_shares_of_the_population():
    rng = np.random.default_rng(5)
    both = rng.normal(0.0, 0.1, (GROUPS, OF_ALL))
    population = rng.normal(0.0, 0.2, (GROUPS, 1)) + rng.normal(0.0, 0.1, OF_ALL) + both
    truth = variance_components(population[..., None], even(GROUPS), even(OF_ALL), None).shares[:3]
    held = [
        [each.low <= true <= each.high for each, true in zip(shares_of(drawn), truth, strict=True)]
        for drawn in (population[:, rng.choice(OF_ALL, CONTEXTS, replace=False)] for _ in range(100))
    ]
    assert np.mean(held, axis=0) == pytest.approx(0.95, abs=0.06)


def test_where_contexts_do_nothing_groups_are_all_of_it():
    of_groups, of_contexts, of_both = shares_of(np.linspace(0.1, 0.9, GROUPS)[:, None] * np.ones(CONTEXTS))
    assert (of_groups.share, of_groups.high) == pytest.approx((1.0, 1.0))
    assert (of_contexts.share, of_contexts.low, of_both.share) == pytest.approx((0.0, 0.0, 0.0))
    assert of_groups.deviation == pytest.approx(np.linspace(0.1, 0.9, GROUPS).std())


@pytest.mark.parametrize(("contexts", "is_sample"), [(9, True), (12, False)])
def test_few_contexts_and_chosen_ones_have_no_intervals(contexts, is_sample):
    found = shares_of(np.random.default_rng(1).random((GROUPS, contexts)), is_sample)
    assert {(each.low, each.high) for each in found} == {(None, None)}


COLUMNS = 30


def effects_of(values):
    return effects_of_rows(values, np.ones(len(values)), even(COLUMNS), sample(COLUMNS), 0.95)


def test_a_row_that_differs_symmetrically_has_students_interval_and_p():
    values = np.stack([0.5 + np.linspace(-0.1, 0.1, COLUMNS), *np.full((3, COLUMNS), 0.4)])
    found = effects_of(values)
    by_hand = ttest_1samp(values[0] - 0.4, 0.0)
    assert found.differences[0] == pytest.approx(0.1)
    assert (found.low[0], found.high[0]) == pytest.approx(by_hand.confidence_interval(0.95))
    assert found.adjusted_p[0] == pytest.approx(4 * by_hand.pvalue)
    assert effects_of(values[1:]).adjusted_p == pytest.approx(np.ones(3)), "rows that are alike do not differ"


def test_what_columns_have_in_common_cancels():
    difficulty = np.linspace(0.0, 0.8, COLUMNS)
    found = effects_of(np.stack([difficulty + 0.1, difficulty, difficulty]))
    assert found.differences == pytest.approx([0.1, -0.05, -0.05])
    assert found.low == pytest.approx(found.differences)
    assert found.adjusted_p == pytest.approx(np.zeros(3))


def test_the_mean_of_the_others_is_weighted():
    values = np.array([[1.0], [0.0], [0.5]]) * np.ones(COLUMNS)
    found = effects_of_rows(values, np.array([2.0, 1.0, 3.0]), even(COLUMNS), None, 0.95)
    assert found.differences == pytest.approx([1.0 - 1.5 / 4, -3.5 / 5, 0.5 - 2 / 3])
    assert (found.low, found.adjusted_p) == (None, None)
