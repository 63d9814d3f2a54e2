"""Numbers of a column, as they were written."""

import io

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from bvf import BvfError
from bvf.files.parquet import column_of, numbers_in, rows_in, table_in, texts_of, users_rows_in


@pytest.mark.parametrize("dtype", ["float64", "float32", "int8", "uint16", "int64", "uint64"])
def test_numbers_come_back_whatever_their_type_chunks_and_offset(dtype):
    values = np.arange(10, dtype=dtype)
    chunked = pa.chunked_array([values[:3], values[3:]])
    for column, expected in ((chunked, values), (chunked.slice(2, 5), values[2:7]), (pa.array(values)[4:], values[4:])):
        numbers = numbers_in(column)
        assert numbers.dtype == values.dtype
        assert numbers.tolist() == expected.tolist()
    assert numbers_in(pa.array(values[:0])).tolist() == []


@pytest.mark.parametrize("dtype", ["float64", "float32", "uint16", "int64"])
def test_columns_are_those_of_pyarrow(dtype):
    values = np.arange(12, dtype=dtype).reshape(4, 3)
    for numbers in (values.ravel(), values[:, 1], values[::2, 0], values[:0, 0]):
        assert column_of(numbers).equals(pa.array(numbers))
    for texts in (["a", "", "女", "x\0y"], [], ["a"] * 300):
        assert texts_of(texts).equals(pa.array(texts, pa.string()))
        texts_of(texts).validate(full=True)


def test_rows_come_back_whatever_their_chunks_and_offset():
    values = np.arange(12, dtype=np.uint16).reshape(4, 3)
    lists = pa.FixedSizeListArray.from_arrays(pa.array(values.ravel()), 3)
    chunked = pa.chunked_array([lists[:1], lists[1:]])
    for column, expected in ((lists, values), (lists[1:3], values[1:3]), (chunked, values), (lists[:0], values[:0])):
        assert rows_in(column).shape == expected.shape
        assert rows_in(column).tolist() == expected.tolist()


def test_a_row_with_something_missing_and_a_column_of_anything_else_are_refused():
    for rows in ([[1, 2], None], [[1, None], [2, 3]]):
        with pytest.raises(ValueError, match="missing"):
            rows_in(pa.array(rows, pa.list_(pa.int64(), 2)))
    for column in (pa.array([1.0, None]), pa.array(["1"]), pa.array([True]), pa.array([[1]])):
        with pytest.raises(ValueError, match="not numbers"):
            numbers_in(column)
    for column in (pa.array, column_of):  # not a number is one
        assert np.isnan(numbers_in(column(np.array([1.0, np.nan])))).tolist() == [False, True]


def test_more_equal_cells_than_a_table_of_this_size_has_are_refused(tmp_path):
    few, many = tmp_path / "few.parquet", tmp_path / "t.parquet"
    for file, rows in ((few, 100_000), (many, 5_000_000)):
        pq.write_table(pa.table({"n": pa.array(np.zeros(rows, np.int8))}), file)
    assert len(read(few)) == 100_000
    with pytest.raises(BvfError, match=r"t\.parquet: .* bytes hold 5,000,000 rows of 1 columns"):
        read(many)


def read(file):
    content = file.read_bytes()
    return list(users_rows_in(pa.BufferReader(content), len(content), file.name))


@pytest.mark.parametrize("bomb", ["one text in many rows", "long texts that compress to nothing"])
def test_texts_that_take_much_more_than_their_file_are_refused_before_they_fill_the_memory(tmp_path, bomb):
    long, several = "nurse " * 500_000, 60
    is_one = bomb.startswith("one")
    once = pa.DictionaryArray.from_arrays(pa.array(np.zeros(several, np.int32)), pa.array([long]))
    table = pa.table({"text": once if is_one else pa.array([long] * several)})
    pq.write_table(table, tmp_path / "t.parquet", compression="zstd", use_dictionary=is_one)
    assert (tmp_path / "t.parquet").stat().st_size < 100_000
    with pytest.raises(BvfError, match=r"t\.parquet: [\d,]+ bytes unpack to more than"):
        read(tmp_path / "t.parquet")


def test_rows_of_every_type_are_those_of_pyarrow(tmp_path):
    rows = [{"text": "a", "n": 1, "x": 0.5, "l": ["b", "c"]}, {"text": None, "n": None, "x": None, "l": None}] * 400
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "t.parquet")
    assert read(tmp_path / "t.parquet") == rows
    with (tmp_path / "t.parquet").open("rb") as source:
        assert [*users_rows_in(source, None, "t.parquet", {"text", "l"})] == [{"text": row["text"]} for row in rows]


def test_a_shard_that_unpacks_to_far_more_than_its_bytes_is_not_unpacked():
    out, rows = io.BytesIO(), pa.table({"p_male": np.zeros(1_000_000), "p_female": np.ones(1_000_000)})
    with pq.ParquetWriter(out, rows.schema, compression="zstd") as writer:
        for _ in range(40):
            writer.write_table(rows, 1_000_000)
    with pytest.raises(BvfError, match=r"^00000\.x\.parquet: [\d,]+ bytes hold 40,000,000 rows of 2 columns"):
        table_in(out.getvalue(), "00000.x.parquet")
