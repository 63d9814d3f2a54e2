"""The division of texts into forward passes by the number of word prefixes after each."""

import numpy as np
from bvf_transformers.reading.word_rows import texts_of_one_width
from hypothesis import given
from hypothesis import strategies as st

OF_A_RUN = 64


@given(st.lists(st.integers(1, 9), min_size=1, max_size=9))
def test_no_other_division_into_runs_takes_less(widths):
    ordered = sorted(widths, reverse=True)
    left, took = ordered, 0
    while left:
        first = texts_of_one_width(np.array(left), OF_A_RUN)
        took += _cost(left[:first])
        left = left[first:]
    assert took == min(_costs(ordered))


def _costs(widths):
    """Yield the cost of every division into consecutive forward passes. Texts of the same width stay together."""
    if not widths:
        yield 0
    for first in range(1, len(widths) + 1):
        if first < len(widths) and widths[first] == widths[first - 1]:
            continue
        for rest in _costs(widths[first:]):
            yield _cost(widths[:first]) + rest


def _cost(widths):
    rows = next(number for number in (1, 2, 4, 8, 16, 32) if number >= len(widths))
    return rows * max(widths) + OF_A_RUN
