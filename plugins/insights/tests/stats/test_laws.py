"""Laws of positive values as scipy fits them and by hand, and how often a risk is above a threshold."""

import numpy as np
import pytest
from bvf_insights.stats.laws import exceeding, fitted_laws, vuong
from scipy import stats
from scipy.stats import binomtest

from bvf.stats.sampling.samples import ContextSample


def planted(name, n=200, seed=3):
    rng = np.random.default_rng(seed)
    if name == "normal":
        return np.abs(rng.normal(4.0, 1.0, n))
    return rng.lognormal(-6.0, 1.2, n) if name == "log-normal" else 0.002 * (1.0 + rng.pareto(1.5, n))


@pytest.mark.parametrize("drawn", ["normal", "log-normal", "Pareto"])
def test_each_fit_has_the_likelihood_of_the_fit_of_scipy(drawn):
    values = planted(drawn)
    fits = {
        "normal": (stats.norm, stats.norm.fit(values)),
        "log-normal": (stats.lognorm, stats.lognorm.fit(values, floc=0.0)),
        "Pareto": (stats.pareto, stats.pareto.fit(values, floc=0.0, fscale=values.min())),
    }
    for law in fitted_laws(values):
        family, parameters = fits[law.name]
        assert law.log_likelihood == pytest.approx(family.logpdf(values, *parameters).sum(), rel=1e-6)


def test_vuong_by_hand():
    first, _, last = fitted_laws(planted("log-normal", n=30))
    apart = [a - b for a, b in zip(first.log_likelihoods, last.log_likelihoods, strict=True)]
    mean = sum(apart) / 30
    deviation = (sum((each - mean) ** 2 for each in apart) / 30) ** 0.5
    z, p_value = vuong(first, last)
    assert z == pytest.approx(30**0.5 * mean / deviation)
    assert p_value == pytest.approx(2 * stats.norm.sf(abs(z)))
    assert vuong(last, first) == pytest.approx((-z, p_value))


@pytest.mark.parametrize("level", [0.8, 0.95])
def test_for_occurrences_it_is_the_exact_binomial_interval(level):
    counts = np.array([5.0, 2.0, 7.0, 6.0])
    above = np.array([[True, False, False, True], [False] * 4, [True] * 4])
    shares, low, high = exceeding(above, np.ones((3, 4), bool), ContextSample(counts), level)
    assert shares == pytest.approx([11 / 20, 0.0, 1.0])
    for x, k in ((1, 0), (2, 20)):
        exact = binomtest(k, 20).proportion_ci(level, method="exact")
        assert (low[x], high[x]) == pytest.approx((exact.low, exact.high))
    near = binomtest(11, 20).proportion_ci(level, method="exact")  # one unit fewer is lost in the standard error
    assert (low[0], high[0]) == pytest.approx((near.low, near.high), abs=0.01)


def test_documents_that_repeat_themselves_are_fewer_units():
    rng = np.random.default_rng(0)
    above, there = np.arange(40)[None] < 12, np.ones((1, 40), bool)
    alone = exceeding(above, there, ContextSample(np.full(40, 5.0)), 0.95)
    replicates = (5 * rng.poisson(1.0, (40, 200))).astype(np.uint16)
    documents = ContextSample(np.full(40, 5.0), "document", replicates, 40)
    together = exceeding(above, there, documents, 0.95)
    exact = binomtest(12, 40).proportion_ci(0.95, method="exact")
    (share, (low,), (high,)), (share_alone, (low_alone,), (high_alone,)) = together, alone
    assert share == share_alone
    assert (low, high) == pytest.approx((exact.low, exact.high), abs=0.03)
    assert high - low > 1.8 * (high_alone - low_alone)


def test_contexts_without_an_answer_do_not_count():
    above, there = np.array([[True, False, False]]), np.array([[True, True, False]])
    (share,), (low,), (high,) = exceeding(above & there, there, ContextSample(np.array([2.0, 2.0, 96.0])), 0.95)
    exact = binomtest(2, 4).proportion_ci(0.95, method="exact")
    assert share == 0.5
    assert (low, high) == pytest.approx((exact.low, exact.high), abs=0.05)
