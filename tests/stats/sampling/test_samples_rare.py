"""Means that rare contexts may decide: against the distribution by simulation, exact bounds."""

import numpy as np
import pytest
from helpers.sampled import two_classes
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from bvf.builtin.criteria import Linf
from bvf.stats.comparing.comparison import differences
from bvf.stats.sampling.sampled_risk import sampled_risk
from bvf.stats.sampling.samples import ContextSample, WithOneMore, with_one_more


def of_values(values, extreme):
    """Units of these values, each seen once, with one more."""
    values = np.asarray(values, dtype=np.float64)
    sample = ContextSample(np.ones(len(values)))
    return with_one_more(sample, values.mean(), values - values.mean(), extreme - values.mean())


@pytest.mark.parametrize("n", [30, 100, 577, 3076])
def test_where_no_unit_differs_it_is_the_binomial_bound(n):
    bound = of_values(np.zeros(n), 1.0).quantile(0.95)
    assert bound == pytest.approx(1 - 0.05 ** (1 / n), rel=0.01)


@pytest.mark.parametrize(
    ("values", "extreme"),
    [([0.0] * 97 + [1.0, 0.5, 0.2], 2.0), (np.linspace(0, 1, 50), 1.0), ([0.0] * 38 + [-0.3, 0.4], -1.0)],
)
def test_it_is_the_mean_under_random_weights(values, extreme):
    weights = np.random.default_rng(0).dirichlet(np.ones(len(values) + 1), 100_000)
    means = weights @ np.append(values, extreme)
    law = of_values(values, extreme)
    for level in (0.5, 0.95, 0.975) if extreme > 0 else (0.025, 0.05, 0.5):
        assert law.quantile(level) == pytest.approx(np.quantile(means, level), abs=0.12 * means.std())


def test_units_that_hang_together_are_fewer():
    counts = np.full(40, 2.0)
    in_pairs = ContextSample(counts, "document", replicates=2 * np.random.default_rng(1).poisson(1.0, (40, 4000)))
    values = np.linspace(0, 1, 40)
    law = with_one_more(in_pairs, values.mean(), values - values.mean(), np.float64(1.0))
    assert law.units == pytest.approx(40, rel=0.1)
    assert in_pairs.size == 80


@given(st.floats(0, 1), st.floats(0.02, 0.98), st.integers(10, 500))
def test_a_quantile_is_where_so_much_is_below(share, level, units):
    law = WithOneMore(*map(np.float64, (share, share * (1 - share), 0.0, 1.0 - share / 2, units)))
    assert law.below(law.quantile(level)) == pytest.approx(level, abs=1e-6)


def volatility(lean, weights=None):
    """The estimate of R^v of groups with such leans in contexts that were seen once each."""
    contexts = np.shape(lean)[1]
    sampled = sampled_risk(two_classes(lean), Linf(), ContextSample(np.ones(contexts)))
    return sampled.risk.estimates(sampled.group_weights if weights is None else weights, 0.95).rest


@pytest.mark.parametrize("changes", [1, 2, 4])
def test_an_upper_end_is_no_lower_than_the_exact_bound_of_the_share_of_contexts_that_turn_a_group_around(changes):
    lean = np.full((1, 100), 0.5)
    lean[0, :changes] = -0.5
    exact = binomtest(changes, 100).proportion_ci(0.9, method="exact").high  # 95 % to one side
    assert 0.97 * exact < volatility(lean).high < 2.2 * exact


def test_a_context_that_was_not_seen_may_do_what_any_that_was_seen_does():
    lean = np.full((3, 200), 0.4)
    lean[:2, :20] = -0.4
    estimate = volatility(lean)
    values = np.append(np.repeat([2 * 0.8 / 3, 0.0], [20, 180]), 2 * 0.8 / 3)
    means = np.random.default_rng(5).dirichlet(np.ones(201), 100_000) @ values
    assert estimate.high >= np.quantile(means, 0.95) - 0.001


def test_where_no_group_ever_changes_a_context_may_do_all_that_it_can():
    assert volatility(np.full((2, 577), 0.4)).high == pytest.approx((1 - 0.05 ** (1 / 577)) * 2.0, rel=0.02)


@given(st.integers(0, 2**32 - 1), st.integers(20, 200))
def test_a_difference_is_found_where_its_interval_does_not_hold_0(seed, contexts):
    rng = np.random.default_rng(seed)
    leans = [
        np.where(rng.random((4, contexts)) < rng.uniform(0, 0.3), -1, 1) * rng.uniform(0, 1, (4, 1)) for _ in range(2)
    ]
    sample = ContextSample(np.ones(contexts))
    models = [sampled_risk(two_classes(lean), Linf(), sample).risk for lean in leans]
    apart = differences(*models, np.full(4, 0.25), 0.95).rest
    if abs(apart.p_value - 0.05) > 1e-6:
        assert (apart.p_value < 0.05) == (apart.low > 0 or apart.high < 0)


def certain_but_rarely(seed, n=12):
    """r of a group that says one class nearly always (logits 7 +- 3), in n contexts, and in the source."""
    rng = np.random.default_rng(seed)
    lean = np.tanh(rng.normal(7.0, 3.0, size=(1, n)) / 2.0)
    truth = np.abs(np.tanh(np.random.default_rng(0).normal(7.0, 3.0, 200_000) / 2.0)).mean()
    return sampled_risk(two_classes(lean), Linf(), ContextSample(np.ones(n))), truth


def by_student(risk):
    """The lower end of E_c[J] by the sample alone."""
    influence = risk.influences[0][0]
    below, _ = risk.sample.margins(influence, 0.95)
    return risk.values(np.ones(1))[0] - below * risk.sample.standard_errors(influence)


def test_a_group_that_is_nearly_certain_may_not_be_so_in_contexts_that_were_not_seen():
    """Of 12 contexts often all are certain: without allowing for others, far more than 2.5 % of ends are too high."""
    held, held_by_student = [], []
    for seed in range(150):
        asked, truth = certain_but_rarely(seed)
        held.append(asked.risk.estimates(np.ones(1), 0.95).total.low <= truth)
        held_by_student.append(by_student(asked.risk) <= truth)
    assert np.mean(held) > 0.95
    assert np.mean(held_by_student) < 0.9


def test_the_lower_end_of_a_certain_group_is_that_of_one_context_of_no_risk_more():
    """Unless contexts that were seen move it further."""
    decided = 0
    for seed in range(8):
        risk = certain_but_rarely(seed)[0].risk
        values = np.append(np.abs(risk.vectors[0, :, 0]), 0.0)
        with_one_more = np.quantile(np.random.default_rng(5).dirichlet(np.ones(13), 100_000) @ values, 0.025)
        low = risk.estimates(np.ones(1), 0.95).total.low
        assert low == pytest.approx(min(by_student(risk), with_one_more), abs=0.02)
        decided += with_one_more < by_student(risk)
    assert decided > 2


def test_contexts_that_agree_by_half_are_not_certain():
    lean = 0.5 + 0.1 * np.random.default_rng(0).standard_normal((1, 12))
    risk = sampled_risk(two_classes(lean), Linf(), ContextSample(np.ones(12))).risk
    assert risk.estimates(np.ones(1), 0.95).total.low == pytest.approx(by_student(risk))
