"""A tolerance bounds the mean of each group's error bounds, and so the figures of the group."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bvf.interfaces.backend import Tolerance

prompts = st.lists(st.tuples(st.integers(0, 3), st.floats(0.1, 9.0), st.floats(0.0, 1.0)), min_size=1, max_size=12)


def test_what_is_needed_is_the_weighted_mean_of_each_group():
    """Group 7: (1 * .02 + 3 * .06) / 4 = .05. Group 2 has one prompt."""
    needed = Tolerance(0.1, np.array([7, 2, 7]), np.array([1.0, 5.0, 3.0])).needed(np.array([0.02, 0.01, 0.06]))
    assert np.allclose(needed, [0.05, 0.01, 0.05])


def test_no_prompt_may_be_further_off_than_ten_times_the_tolerance():
    bounds = np.zeros(100)
    bounds[3] = 0.5
    needed = Tolerance(0.01, np.zeros(100, dtype=int), np.ones(100)).needed(bounds)
    assert np.allclose(needed, 0.05)


def test_on_each_prompt_by_itself_the_bound_is_what_is_needed():
    bounds = np.array([0.1, 0.3, 0.0])
    assert Tolerance.on_each(0.2, 3).needed(bounds).tolist() == bounds.tolist()


@given(prompts, st.integers(0, 12))
def test_parts_that_keep_the_tolerance_make_a_whole_that_keeps_it(prompts, cut):
    groups, weights, bounds = (np.array(column) for column in zip(*prompts, strict=True))
    whole, first, last = Tolerance(0.1, groups, weights), np.arange(len(prompts))[:cut], np.arange(len(prompts))[cut:]
    most = max(float(whole.of(part).needed(bounds[part]).max(initial=0.0)) for part in (first, last))
    assert whole.needed(bounds).max() <= most * (1 + 1e-12)


@given(prompts, st.data())
def test_what_holds_for_distinct_prompts_holds_for_all(prompts, data):
    """Prompts with one text have one answer and one bound, also where two groups share the text."""
    groups, weights, of_text = (np.array(column) for column in zip(*prompts, strict=True))
    texts = data.draw(st.lists(st.integers(0, 4), min_size=len(prompts), max_size=len(prompts)))
    _, places = np.unique(texts, return_inverse=True)
    bounds = of_text[: places.max() + 1]
    whole = Tolerance(0.1, groups, weights)
    of_distinct = whole.of_distinct(places).needed(bounds)
    assert whole.needed(bounds[places]).max() <= of_distinct.max() * (1 + 1e-12)
