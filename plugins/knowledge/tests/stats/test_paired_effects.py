"""Effects of rows against the paired t test of scipy."""

import numpy as np
import pytest
from bvf_knowledge.stats.intervals import effects_of_rows
from scipy.stats import ttest_1samp

from bvf.stats.sampling.samples import ContextSample

ROWS, COLUMNS = 4, 30
EVEN = np.full(COLUMNS, 1.0 / COLUMNS)


def columns():
    return ContextSample(np.ones(COLUMNS), "template")


def test_a_row_that_differs_symmetrically_has_students_interval_and_p():
    noise = np.linspace(-0.1, 0.1, COLUMNS)
    values = np.stack([0.5 + noise, np.full(COLUMNS, 0.4), np.full(COLUMNS, 0.4), np.full(COLUMNS, 0.4)])
    found = effects_of_rows(values, np.ones(ROWS), EVEN, columns(), 0.95)
    by_hand = ttest_1samp(values[0] - 0.4, 0.0)
    assert found.differences[0] == pytest.approx(0.1)
    assert (found.low[0], found.high[0]) == pytest.approx(by_hand.confidence_interval(0.95))
    assert found.adjusted_p[0] == pytest.approx(ROWS * by_hand.pvalue)


def test_what_columns_have_in_common_cancels():
    difficulty = np.linspace(0.0, 0.8, COLUMNS)
    values = np.stack([difficulty + 0.1, difficulty, difficulty])
    found = effects_of_rows(values, np.ones(3), EVEN, columns(), 0.95)
    assert found.differences == pytest.approx([0.1, -0.05, -0.05])
    assert found.low == pytest.approx(found.differences)
    assert found.adjusted_p == pytest.approx(np.zeros(3))


def test_the_mean_of_the_others_is_weighted():
    values = np.array([[1.0], [0.0], [0.5]]) * np.ones(COLUMNS)
    found = effects_of_rows(values, np.array([2.0, 1.0, 3.0]), EVEN, None, 0.95)
    assert found.differences == pytest.approx([1.0 - 1.5 / 4, -3.5 / 5, 0.5 - 2 / 3])
    assert (found.low, found.adjusted_p) == (None, None)


def test_rows_that_are_alike_do_not_differ():
    found = effects_of_rows(np.full((3, COLUMNS), 0.3), np.ones(3), EVEN, columns(), 0.95)
    assert found.adjusted_p == pytest.approx(np.ones(3))
