"""Variance components against a plain table, and against the truth that contexts were drawn from."""

import numpy as np
import pytest
from bvf_insights.explain.frames import factor_components
from hypothesis import given
from hypothesis import strategies as st

from bvf.stats.figures.components import variance_components
from bvf.stats.sampling.sampled_answers import Answers
from bvf.stats.sampling.samples import ContextSample


def test_a_table_worked_by_hand():
    """Two groups .2 and -.2 on average, two contexts +.1 and -.1 for both, and .05 of both together."""
    table = np.array([[0.35, 0.05], [-0.15, -0.25]])
    components = variance_components(table[..., None], np.full(2, 0.5), np.full(2, 0.5), None)
    assert components.group == pytest.approx(0.04)
    assert components.context == pytest.approx(0.01)
    assert components.interaction == pytest.approx(0.0025)
    assert components.shares == pytest.approx((0.04 / 0.0525, 0.01 / 0.0525, 0.0025 / 0.0525, 0.0))


@given(st.integers(1, 6), st.integers(1, 9), st.integers(2, 4), st.integers(0, 1000))
def test_the_three_add_up_to_the_variance_of_predictions(groups, contexts, classes, seed):
    rng = np.random.default_rng(seed)
    lean, p_x, p_c = rng.normal(size=(groups, contexts, classes)), rng.random(groups), rng.random(contexts)
    p_x, p_c = p_x / p_x.sum(), p_c / p_c.sum()
    both = np.outer(p_x, p_c)[..., None]
    variance = (both * (lean - (both * lean).sum(axis=(0, 1))) ** 2).sum()
    components = variance_components(lean, p_x, p_c, None)
    assert components.total == pytest.approx(variance)
    assert min(components.group, components.context, components.interaction) >= 0.0


@given(st.integers(1, 5), st.integers(2, 4), st.integers(1, 4), st.integers(0, 1000))
def test_a_factor_of_contexts_has_the_sums_of_squares_of_a_plain_analysis_of_variance(groups, levels, templates, seed):
    """A balanced table, lean of each group, format and template: cell means less row and column means."""
    table = np.random.default_rng(seed).normal(size=(groups, levels, templates))
    number, mean = table.size, table.mean()
    alike = sum(groups * templates * (table[:, level].mean() - mean) ** 2 for level in range(levels)) / number
    by_group = 0.0
    for group in range(groups):
        for level in range(levels):
            left = table[group, level].mean() - table[group].mean() - table[:, level].mean() + mean
            by_group += templates * left**2 / number
    contexts = levels * templates
    of_context = np.repeat(np.arange(levels), templates)
    p_x, p_c = np.full(groups, 1 / groups), np.full(contexts, 1 / contexts)
    found = factor_components(table.reshape(groups, contexts, 1), p_x, p_c, of_context)
    assert found == pytest.approx((alike, by_group))
    everything = variance_components(table.reshape(groups, contexts, 1), p_x, p_c, None)
    assert found[0] <= everything.context + 1e-12
    assert found[1] <= everything.interaction + 1e-12


def test_noise_of_a_factor_is_what_independent_errors_add_to_a_sum_of_squares():
    """A sum of squares is quadratic: its mean over independent errors is that of each error alone, added up."""
    rng = np.random.default_rng(5)
    p_x, p_c, levels, noise = rng.random(3), rng.random(7), np.array([0, 1, 2, 0, 1, 2, 1]), rng.random((3, 7))
    p_x, p_c, lean = p_x / p_x.sum(), p_c / p_c.sum(), rng.normal(0, 20, (3, 7, 1))
    added = np.zeros(2)
    for x, c in np.ndindex(noise.shape):
        one = np.zeros((3, 7, 1))
        one[x, c] = 1.0
        added += noise[x, c] * np.array(factor_components(one, p_x, p_c, levels))
    plain = np.array(factor_components(lean, p_x, p_c, levels))
    assert factor_components(lean, p_x, p_c, levels, noise) == pytest.approx(plain - added)


def test_nothing_that_varies_has_no_shares():
    components = variance_components(np.full((3, 4, 2), 0.1), np.full(3, 1 / 3), np.full(4, 0.25), None)
    assert components.shares == (0.0, 0.0, 0.0, 0.0)
    rounded = np.random.default_rng(0).choice([0.3, 0.1 + 0.2], (4, 20, 2))  # 4e-17 apart
    assert variance_components(rounded, np.full(4, 0.25), np.full(20, 0.05), None).shares == (0.0,) * 4


@pytest.mark.parametrize("documents", [False, True])
def test_in_a_sample_they_are_those_of_the_source(documents):
    """A table of its own sees groups differ by .0204 and what is left vary by less; the estimates see the truth."""
    rng = np.random.default_rng(3)
    group = rng.normal(size=8)
    group = 0.1 * (group - group.mean()) / group.std()
    p_x, estimates = np.full(8, 1 / 8), []
    for _ in range(300):
        size = 3 if documents else 1  # every document says the same three times
        of_context, left = rng.normal(0, 0.15, 20), rng.normal(0, 0.3, (8, 20))
        lean = (group[:, None] + of_context + left - left.mean(axis=0))[..., None]
        counts = np.full(20, float(size))
        replicates = (size * rng.poisson(1.0, (20, 200))).astype(np.uint16) if documents else None
        sample = ContextSample(counts, "document" if documents else "occurrence", replicates, 20)
        parts = variance_components(lean, p_x, sample.weights, sample)
        estimates.append((parts.group, parts.context, parts.interaction))
    truth = np.array([0.1**2, 0.15**2, 0.3**2 * 7 / 8])
    assert np.mean(estimates, axis=0) == pytest.approx(truth, rel=0.08)


@pytest.mark.parametrize("counts", [None, np.array([1.0, 1.0, 2.0, 5.0, 1.0, 1.0, 3.0, 1.0])])
def test_the_noise_of_sampled_answers_is_in_no_component(counts):
    """Of 4 answers per prompt, on average over 400 runs: components are those of exact probabilities in the contexts.

    Of noise there is the plain sum of p (1 - p) / 4 over both classes.
    """
    rng = np.random.default_rng(4)
    p = np.clip(0.5 + rng.normal(0, 0.2, (5, 1)) + rng.normal(0, 0.1, 8) + rng.normal(0, 0.1, (5, 8)), 0.05, 0.95)
    p = np.stack([p, 1.0 - p], axis=2)
    sample = None if counts is None else ContextSample(counts)
    p_x, p_c = np.full(5, 0.2), np.full(8, 0.125) if sample is None else sample.weights
    exact = variance_components(p - 0.5, p_x, p_c, sample)
    found = []
    for _ in range(400):
        answers = Answers(rng.multinomial(4, p), np.full((5, 1, 2), 0.5))
        each = variance_components(answers.shares - 0.5, p_x, p_c, sample, answers.variances.sum(axis=2))
        found.append([each.group, each.context, each.interaction, each.sampling])
    group, context, interaction, sampling = np.mean(found, axis=0)
    assert sampling == pytest.approx(float(p_x @ (2.0 * p * (1.0 - p)).mean(axis=2) @ p_c) / 4, rel=0.15)
    assert group == pytest.approx(exact.group, rel=0.15)
    assert context == pytest.approx(exact.context, abs=0.005)
    assert interaction == pytest.approx(exact.interaction, abs=0.005)
