"""Numbers of a column, as they were written."""

import numpy as np
import pyarrow as pa
import pytest

from bvf.files.parquet import numbers_in


@pytest.mark.parametrize("dtype", ["float64", "float32", "int8", "uint16", "int64", "uint64"])
def test_numbers_come_back_whatever_their_type_chunks_and_offset(dtype):
    values = np.arange(10, dtype=dtype)
    chunked = pa.chunked_array([values[:3], values[3:]])
    for column, expected in ((chunked, values), (chunked.slice(2, 5), values[2:7]), (pa.array(values)[4:], values[4:])):
        found = numbers_in(column)
        assert found.dtype == values.dtype
        assert found.tolist() == expected.tolist()
    assert numbers_in(pa.array(values[:0])).tolist() == []


def test_nan_is_a_number():
    assert np.isnan(numbers_in(pa.array(np.array([1.0, np.nan])))).tolist() == [False, True]


@pytest.mark.parametrize("column", [pa.array([1.0, None]), pa.array(["1"]), pa.array([True]), pa.array([[1]])])
def test_anything_else_is_refused(column):
    with pytest.raises(ValueError, match="not numbers"):
        numbers_in(column)
