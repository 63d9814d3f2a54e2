"""How often a risk is above a threshold: the exact binomial interval, and what is not a binomial sample."""

import numpy as np
import pytest
from bvf_insights.stats.laws import exceeding
from scipy.stats import binomtest

from bvf.stats.sampling.samples import ContextSample


@pytest.mark.parametrize("level", [0.8, 0.95])
def test_for_occurrences_it_is_the_exact_binomial_interval(level):
    counts = np.array([5.0, 2.0, 7.0, 6.0])
    above = np.array([[True, False, False, True], [False] * 4, [True] * 4])
    shares = exceeding(above, np.ones((3, 4), bool), ContextSample(counts), level)
    assert shares.share == pytest.approx([11 / 20, 0.0, 1.0])
    for x, k in ((1, 0), (2, 20)):
        exact = binomtest(k, 20).proportion_ci(level, method="exact")
        assert (shares.low[x], shares.high[x]) == pytest.approx((exact.low, exact.high))
    near = binomtest(11, 20).proportion_ci(level, method="exact")  # one unit fewer is lost in the standard error
    assert (shares.low[0], shares.high[0]) == pytest.approx((near.low, near.high), abs=0.01)


def test_documents_that_repeat_themselves_are_fewer_units():
    rng = np.random.default_rng(0)
    above, there = np.arange(40)[None] < 12, np.ones((1, 40), bool)
    alone = exceeding(above, there, ContextSample(np.full(40, 5.0)), 0.95)
    replicates = (5 * rng.poisson(1.0, (40, 200))).astype(np.uint16)
    documents = ContextSample(np.full(40, 5.0), "document", replicates, 40)
    together = exceeding(above, there, documents, 0.95)
    exact = binomtest(12, 40).proportion_ci(0.95, method="exact")
    assert together.share == alone.share
    assert (together.low[0], together.high[0]) == pytest.approx((exact.low, exact.high), abs=0.03)
    assert together.high[0] - together.low[0] > 1.8 * (alone.high[0] - alone.low[0])


def test_contexts_without_an_answer_do_not_count():
    above, there = np.array([[True, False, False]]), np.array([[True, True, False]])
    shares = exceeding(above & there, there, ContextSample(np.array([2.0, 2.0, 96.0])), 0.95)
    exact = binomtest(2, 4).proportion_ci(0.95, method="exact")
    assert shares.share[0] == 0.5
    assert shares.low[0] == pytest.approx(exact.low, abs=0.05)
    assert shares.high[0] == pytest.approx(exact.high, abs=0.05)
