"""Joins tables by key, and appends tables."""

import re

import pytest
from bvf_factors.reading.logs import rows_of
from bvf_factors.run import joined, stacked

from bvf import BvfError

ITEMS = "example_id,gender,label\n1,female,0\n2,male,1\n"
PREDICTIONS = (
    '{"example_id": 2, "label": 1, "said": "a"}\n{"example_id": 1, "said": "b"}\n{"example_id": 2, "said": "c"}\n'
)


@pytest.fixture
def table(tmp_path):
    def write(name, text):
        (tmp_path / name).write_text(text)
        return tmp_path / name

    return write


def join(one, other, *on):
    return list(joined(rows_of(one), rows_of(other), on))


def test_predictions_get_the_columns_of_their_items(table):
    rows = join(table("predictions.jsonl", PREDICTIONS), table("items.csv", ITEMS), "example_id")
    columns = [(row.values["example_id"], row.values["said"], row.values["gender"]) for row in rows]
    assert columns == [(2, "a", "male"), (1, "b", "female"), (2, "c", "male")]
    assert rows[0].where.endswith("predictions.jsonl:1")


def test_a_number_that_was_written_with_a_point_is_the_same_key(table):
    (row,) = join(table("predictions.csv", "example_id\n2.0\n"), table("items.csv", ITEMS), "example_id")
    assert row.values["gender"] == "male"


def test_a_key_may_be_of_several_columns(table):
    items = table("items.csv", "category,id,gender\nage,1,x\ngender,1,y\n")
    rows = join(table("predictions.csv", "category,id\ngender,1\nage,1\n"), items, "category", "id")
    assert [row.values["gender"] for row in rows] == ["y", "x"]


@pytest.mark.parametrize(
    ("items", "predictions", "on", "parts"),
    [
        (
            ITEMS + "1,male,1\n",
            PREDICTIONS,
            ["example_id"],
            ("items.csv:4", 'example_id "1"', "also in", "items.csv:2"),
        ),
        (ITEMS, '{"example_id": 3}\n', ["example_id"], ("predictions.jsonl:1", "no row", 'example_id "3"')),
        (ITEMS, '{"example_id": null}\n', ["example_id"], ("predictions.jsonl:1", "no value", '"example_id"')),
        (ITEMS, '{"example": 1}\n', ["example_id"], ("predictions.jsonl:1", "no column", '"example_id"')),
        ("example_id,x\n,2\n", PREDICTIONS, ["example_id"], ("items.csv:2", "no value", '"example_id"')),
        ("id,x\n1,2\n", PREDICTIONS, ["example_id"], ("items.csv:2", "no column", '"example_id"')),
        (ITEMS, '{"example_id": 2, "gender": "female"}\n', ["example_id"], ("predictions.jsonl:1", '"gender"', "male")),
        (ITEMS, PREDICTIONS, [], ("no column to join by",)),
    ],
)
def test_what_cannot_be_joined_is_one_line_that_says_where(table, items, predictions, on, parts):
    files = table("predictions.jsonl", predictions), table("items.csv", items)
    with pytest.raises(BvfError, match=".*".join(map(re.escape, parts))):
        join(*files, *on)


def test_a_table_that_is_named_twice_is_refused(table):
    first, second = table("a.csv", "x\n1\n"), table("b.csv", "x\n1\n")
    with pytest.raises(BvfError, match=r"a\.csv: is named twice"):
        list(stacked([first, second, first.parent / "x" / ".." / first.name]))


def test_sources_follow_each_other(table):
    rows = list(stacked([table("a.csv", "x\n1\n"), table("b.jsonl", '{"x": 2}\n{"y": 3}\n')]))
    assert [row.values for row in rows] == [{"x": "1"}, {"x": 2}, {"y": 3}]
    assert [row.where.rpartition("/")[2] for row in rows] == ["a.csv:2", "b.jsonl:1", "b.jsonl:2"]
