"""No interval of a figure ends where the figure cannot be, whatever widened it."""

from dataclasses import replace

import numpy as np
import pytest
from helpers.made_alike import measured, with_model
from hypothesis import given
from hypothesis import strategies as st

import bvf
from bvf.domain.answers import Samples
from bvf.hooks.loader import load
from bvf.study.config import AnalysisConfig

MOST = 1.0 + 1e-9
"""What no risk on the unit scale passes under a uniform p*."""
APART = 1.5 + 1e-9
"""What one of four groups cannot pass, as its deviation from the mean over groups is 3/4 of that from the others."""


@pytest.fixture(scope="module")
def plugins():
    return load()


def certain(seed, contexts):
    """p of a model that is nearly certain, of one class or the other from context to context, for four groups."""
    sure = np.random.default_rng(seed).choice([0.001, 0.999], size=(4, contexts))
    return np.stack([sure, 1.0 - sure], axis=2)


def widened(p, off, samples):
    """A measurement whose intervals are widened: by words left out (``off``), or by the noise of ``samples``."""
    made = measured("a", p)
    if not samples:
        return replace(made, bounds=np.full(p.shape[:2], off), folder=None)
    shares = measured("a", np.round(p * samples) / samples)
    answers = Samples(np.full(p.shape[:2], float(samples)))
    return with_model(replace(shares, answers=answers, word_logprobs=None, folder=None), samples=samples)


@given(
    st.integers(0, 10**6),
    st.integers(10, 30),
    st.sampled_from([0.003, 0.2]),
    st.sampled_from([0, 6]),
    st.sampled_from(["linf", "tv", "lk:2"]),
)
def test_every_interval_holds_its_figure_and_no_value_that_it_cannot_have(
    plugins, seed, contexts, off, samples, criterion
):
    measurement = widened(certain(seed, contexts), off, samples)
    result = bvf.analyse(measurement, AnalysisConfig(criterion=criterion), plugins=plugins)
    holders = [(result, result.uncertainty.intervals), *((group, group.intervals) for group in result.groups)]
    assert all(intervals for _, intervals in holders)
    by_sampling = {} if result.sampled is None else result.sampled.intervals
    assert all(0.0 <= each.low <= each.high <= MOST for each in by_sampling.values())
    for holder, intervals in holders:
        for name, each in intervals.items():
            most = APART if holder is not result and name.startswith("particular") else MOST
            assert 0.0 <= each.low <= each.high <= most, name
            assert each.low - 1e-9 <= getattr(holder, name) <= each.high + 1e-9, name
