"""Reductions over classes give the very numbers of numpy, for any layout; weights of each group choose its figures."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from bvf.arrays import each_group, largest, missing, place_of_largest, summed

VECTORS = st.integers(1, 9).flatmap(
    lambda classes: arrays(np.float64, (3, 4, classes), elements=st.floats(-1e6, 1e6) | st.just(np.nan))
)


@given(VECTORS)
def test_numbers_are_those_of_numpy(v: np.ndarray) -> None:
    for laid_out in (v, np.asfortranarray(v), v[::-1, ::2]):
        assert np.array_equal(largest(laid_out), laid_out.max(axis=-1), equal_nan=True)
        assert place_of_largest(laid_out).tolist() == laid_out.argmax(axis=-1).tolist()
        assert missing(laid_out).tolist() == np.isnan(laid_out).any(axis=-1).tolist()
        assert np.array_equal(summed(laid_out), laid_out.sum(axis=-1), equal_nan=True)


@pytest.mark.parametrize("shape", [(2,), (0, 2), (5, 3)])
def test_other_shapes(shape: tuple[int, ...]) -> None:
    v = np.arange(np.prod(shape), dtype=float).reshape(shape)
    assert largest(v).tolist() == v.max(axis=-1).tolist()
    assert summed(v).tolist() == v.sum(axis=-1).tolist()


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
