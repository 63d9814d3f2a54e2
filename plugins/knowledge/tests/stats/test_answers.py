"""Intervals of accuracy and consistency over wordings, and of means over subjects, against plain computations."""

import numpy as np
import pytest
from bvf_knowledge.stats.intervals import accuracy_ends, consistency_ends, ends_over_subjects
from scipy.stats import ttest_1samp

from bvf.stats.sampling.samples import ContextSample

EVEN = ContextSample(np.ones(12), "template")
ONE = np.ones(1)


def certain(answers, number=3):
    """p of subjects that give these answers, one row of answers per subject."""
    return np.eye(number)[np.array(answers)]


def test_who_is_right_in_every_wording_is_right_in_others():
    p = certain([[0] * 12, [1] * 12])
    assert accuracy_ends(p, certain([0, 2]) > 0, np.full(2, 0.5), EVEN, 0.95) == (0.5, 0.5)
    either = np.array([[True, True, False]])  # now one true answer, now another
    assert accuracy_ends(certain([[0] * 7 + [1] * 5]), either, ONE, EVEN, 0.95) == (1.0, 1.0)


def test_a_subject_between_two_answers_may_be_right_or_wrong_and_the_others_are_not_in_doubt():
    between = [0] * 6 + [1] * 6
    between[0] = 2  # so that the other answer is on top, by one wording
    p = certain([between, [0] * 12, [0] * 12, [1] * 12])
    low, high = accuracy_ends(p, certain([0] * 4) > 0, np.full(4, 0.25), EVEN, 0.95)
    assert low <= 0.5
    assert high >= 0.75
    clear, without = p[1:], np.full(3, 1 / 3)
    assert accuracy_ends(clear, certain([0] * 3) > 0, without, EVEN, 0.95) == pytest.approx((2 / 3, 2 / 3))


def test_a_missing_wording_counts_for_nothing():
    p = certain([[0] * 11 + [1]])
    p[0, 11] = np.nan
    assert accuracy_ends(p, certain([0]) > 0, ONE, EVEN, 0.95) == (1.0, 1.0)


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
    found = consistency_ends(certain([answers]), ONE, EVEN, 0.95)
    assert found == pytest.approx((share(answers) - reach, share(answers) + reach))


def test_wordings_that_all_agree_leave_room_for_those_that_were_not_seen():
    unseen = 1 - 0.05 ** (1 / 12)
    assert consistency_ends(certain([[1] * 12]), ONE, EVEN, 0.95) == pytest.approx(((1 - unseen) ** 2, 1.0))


def test_wordings_that_do_not_count_alike_have_no_interval_of_consistency():
    assert consistency_ends(certain([[1] * 12]), ONE, ContextSample(np.arange(1.0, 13.0), "template"), 0.95) is None


def test_over_subjects_a_symmetric_mean_has_students_interval():
    values = np.array([0.2, 0.3, 0.4, 0.5, 0.6] * 5)
    interval = ttest_1samp(values, 0).confidence_interval(0.95)
    assert ends_over_subjects(values, np.full(25, 0.04), 0.95) == pytest.approx((interval.low, interval.high))


@pytest.mark.parametrize("weights", [np.full(23, 1 / 23), np.array([0.9, *[0.1 / 39] * 39])])
def test_few_subjects_in_effect_have_no_interval(weights):
    assert ends_over_subjects(np.linspace(0, 1, len(weights)), weights, 0.95) is None


def test_subjects_that_are_all_alike_leave_room_for_those_that_were_not_asked():
    low, high = ends_over_subjects(np.full(25, 1.0), np.full(25, 0.04), 0.95)
    assert (low, high) == pytest.approx((0.05 ** (1 / 25), 1.0))
