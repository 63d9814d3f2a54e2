"""Intervals of mastery, expected score and confidence gap stay where a score can be: from 0 to 1."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from bvf.builtin.criteria import knowledge
from bvf.stats.figures.knowledge import sampled_knowledge
from bvf.stats.sampling.samples import ContextSample

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
