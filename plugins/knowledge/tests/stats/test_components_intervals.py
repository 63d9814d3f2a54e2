"""Intervals of shares of variance: how often they hold, and where there are none."""

import numpy as np
import pytest
from bvf_knowledge.stats.intervals import component_shares

from bvf.stats.figures.components import variance_components
from bvf.stats.sampling.samples import ContextSample

GROUPS, CONTEXTS, OF_ALL = 20, 12, 2000
EVEN = np.full(GROUPS, 1.0 / GROUPS)


def shares_of(values, sample="template", level=0.95):
    contexts = values.shape[1]
    drawn = ContextSample(np.ones(contexts), sample) if sample else None
    return component_shares(values, EVEN, np.full(contexts, 1.0 / contexts), drawn, level)


def test_intervals_hold_the_shares_of_the_population():
    rng = np.random.default_rng(5)
    both = rng.normal(0.0, 0.1, (GROUPS, OF_ALL))
    population = rng.normal(0.0, 0.2, (GROUPS, 1)) + rng.normal(0.0, 0.1, OF_ALL) + both
    weights = np.full(OF_ALL, 1.0 / OF_ALL)
    truth = variance_components(population[..., None], EVEN, weights, None).shares[:3]
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


@pytest.mark.parametrize(("contexts", "sample"), [(9, "template"), (12, None)])
def test_few_contexts_and_chosen_ones_have_no_intervals(contexts, sample):
    found = shares_of(np.random.default_rng(1).random((GROUPS, contexts)), sample)
    assert {(each.low, each.high) for each in found} == {(None, None)}
