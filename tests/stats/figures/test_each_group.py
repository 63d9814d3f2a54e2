"""Weights of each group choose its figures, and nothing of others."""

import tracemalloc

import numpy as np

from bvf.stats.figures.each_group import each_group


def test_the_product_with_figures_of_groups_is_the_figures():
    values = np.random.default_rng(0).normal(size=(5, 7))
    assert np.array_equal(each_group(5) @ values, np.eye(5) @ values)
    assert np.array_equal(values.T @ each_group(5).T, values.T)


def test_a_missing_figure_of_one_group_stays_with_it():
    assert np.array_equal(each_group(3) @ np.array([1.0, np.nan, 3.0]), [1.0, np.nan, 3.0], equal_nan=True)


def test_memory_grows_with_the_number_of_groups_and_not_with_its_square():
    each_group(1)  # imports
    tracemalloc.start()
    try:
        each_group(100_000)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 100_000 * 100
