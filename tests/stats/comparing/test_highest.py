"""Which groups may be highest: paired tests against the highest one, for as many pairs as there are."""

import numpy as np
import pytest
from scipy.stats import ttest_1samp

from bvf.builtin.criteria import Linf
from bvf.stats.comparing.highest import may_be_highest
from bvf.stats.sampling.sampled_risk import sampled_risk
from bvf.stats.sampling.samples import ContextSample

LEVEL = 0.95


def risks(lean):
    """The sampled risk of groups whose p - (1 - p) in each context is ``lean``, (X, C); contexts weigh the same."""
    p = (1.0 + np.asarray(lean)) / 2.0
    return sampled_risk(np.stack([p, 1.0 - p], axis=2), Linf(), ContextSample(np.ones(p.shape[1])))


def masks(sampled, groups):
    return [mask.tolist() for mask in may_be_highest(sampled, sampled.estimates(np.eye(groups), LEVEL), LEVEL)]


def test_groups_are_as_a_plain_paired_t_test_of_scipy_adjusted_for_all_pairs_says():
    rng, groups, n = np.random.default_rng(0), 12, 60
    common = rng.normal(0.0, 0.1, n)
    means = np.linspace(0.45, 0.55, groups)
    lean = means[:, np.newaxis] + common + rng.normal(0.0, 0.06, (groups, n))  # no group changes sides: r is the mean
    first = lean.mean(axis=1).argmax()
    p = np.array([1.0 if x == first else ttest_1samp(lean[first] - lean[x], 0.0).pvalue for x in range(groups)])
    by_hand = (p * groups * (groups - 1) / 2 >= 1 - LEVEL).tolist()
    assert 1 < sum(by_hand) < groups
    assert masks(risks(lean).risk, groups) == [by_hand, by_hand]


def test_what_all_contexts_share_hides_no_difference():
    rng = np.random.default_rng(1)
    common = np.clip(rng.normal(0.0, 0.2, 50), -0.4, 0.3)
    lean = np.array([[0.60], [0.57], [0.54]]) + common + rng.normal(0.0, 0.01, (3, 50))
    sampled = risks(lean).risk
    each = sampled.estimates(np.eye(3), LEVEL).total
    assert each.low[0] < each.high[2]  # the intervals overlap
    assert masks(sampled, 3)[0] == [True, False, False]


def test_groups_that_are_equal_everywhere_may_all_be_highest_and_one_that_is_lower_everywhere_may_not():
    assert masks(risks(np.array([[0.5] * 40, [0.5] * 40, [0.1] * 40])).risk, 3) == [[True, True, False]] * 2


def test_a_difference_of_fair_groups_must_also_be_found_by_cross_fitting():
    """All groups are fair: their r^b differ by chance of the signs, which Student's t alone takes for a difference."""
    rng, wrong = np.random.default_rng(2), 0
    for _ in range(60):
        sampled = risks(rng.choice([-0.5, 0.5], size=(15, 40))).risk
        wrong += not all(masks(sampled, 15)[1])
    assert wrong <= 3


@pytest.mark.parametrize(("scale", "most"), [(0.0, 6), (3.0, 6)])
def test_equal_groups_are_seldom_told_apart(scale, most):
    """At most 5 % of 60 samples, and chance: 6 or fewer of 60 have a probability of .97 at 5 %."""
    rng, wrong = np.random.default_rng(3), 0
    for _ in range(60):
        lean = np.tanh(1.0 + scale + rng.normal(0.0, 0.5 * (1.0 + scale), size=(20, 60)))
        wrong += not all(masks(risks(lean).risk, 20)[0])
    assert wrong <= most
