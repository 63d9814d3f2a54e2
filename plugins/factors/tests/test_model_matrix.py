"""Columns of a regression on factors: reference coding, nesting, interactions, distinct rows."""

import numpy as np
import pandas as pd
import pytest
from bvf_factors.regressing.model_matrix import combined, model_matrix
from helpers.designs import table_of
from hypothesis import given
from hypothesis import strategies as st

from bvf import BvfError

NESTED = {"cot": ["no", "no", "yes", "yes", "yes"], "seed": ["", "", "1", "2", "3"]}


def expanded(matrix):
    """The model matrix of all rows of the table, shape (P, K), repeated rows included."""
    return matrix.values[matrix.pattern]


def levels_of(number):
    return st.lists(st.sampled_from("abcd"), min_size=number, max_size=number).filter(
        lambda levels: len(set(levels)) > 1
    )


@given(st.integers(2, 30).flatmap(lambda number: st.tuples(levels_of(number), levels_of(number))))
def test_columns_are_dummies_of_all_levels_but_the_reference_as_pandas_makes_them(levels):
    first, second = levels
    table = table_of({"one": first, "two": second}, {"one": first[0], "two": second[0]})
    matrix = model_matrix(table, interactions=[("one", "two")])
    dummies = pd.get_dummies(pd.DataFrame({"one": first, "two": second}), prefix_sep="=", dtype=float)
    assert set(matrix.names) | {column.name for column in matrix.empty} == {
        "intercept",
        *(f"one={a}" for a in set(first) - {first[0]}),
        *(f"two={b}" for b in set(second) - {second[0]}),
        *(f"one={a} : two={b}" for a in set(first) - {first[0]} for b in set(second) - {second[0]}),
    }
    for at, name in enumerate(matrix.names):
        wanted = np.prod([dummies[part] for part in name.split(" : ")], axis=0) if at else np.ones(len(first))
        assert expanded(matrix)[:, at].tolist() == wanted.tolist()
    assert matrix.counts.sum() == len(first)
    assert len(np.unique(matrix.values, axis=0)) <= len(matrix.values) <= 16


def test_a_nested_factor_has_no_column_where_it_is_not_there():
    table = table_of(NESTED, {"cot": "no", "seed": "1"}, within={"seed": {"cot": ["yes"]}})
    matrix = model_matrix(table)
    assert matrix.names == ("intercept", "cot=yes", "seed=2", "seed=3")
    assert expanded(matrix).tolist() == [[1, 0, 0, 0], [1, 0, 0, 0], [1, 1, 0, 0], [1, 1, 1, 0], [1, 1, 0, 1]]
    assert len(matrix.values) == 4


def test_a_nested_factor_needs_what_it_is_nested_in():
    table = table_of(NESTED, {"cot": "no"}, within={"seed": {"cot": ["yes"]}})
    with pytest.raises(BvfError, match="seed is within cot, which is not in the model"):
        model_matrix(table, ["seed"])


def test_a_combination_in_no_row_is_no_column_and_is_named():
    columns = {"one": ["a", "a", "b", "b", "c", "c"], "two": ["x", "y", "x", "y", "x", "x"]}
    matrix = model_matrix(table_of(columns, {"one": "a", "two": "x"}), interactions=[("one", "two")])
    assert matrix.names == ("intercept", "one=b", "one=c", "two=y", "one=b : two=y")
    assert [column.name for column in matrix.empty] == ["one=c : two=y"]
    assert matrix.terms == ("one", "two", "one : two")
    assert matrix.of_term("one") == [1, 2]


def test_combinations_of_more_levels_than_any_number_are_told_apart():
    codes = [np.array([0, 1, 1, 0]), np.array([0, 0, 1, 0])] + [np.array([5, 5, 5, 5])] * 30
    combinations = combined(codes, [2, 2, *[1000] * 30])
    assert len(np.unique(combinations)) == 3
    assert combinations[0] == combinations[3]


@pytest.mark.parametrize(
    ("factors", "interactions", "message"),
    [
        ([], [], "the model has no factor"),
        (["one", "one"], [], "one is in the model twice"),
        (["one"], [("one", "two")], "one : two: two is not in the model"),
        (["one", "two"], [("one", "one")], "one : one is not an interaction"),
        (["one", "two"], [("one", "two"), ("two", "one")], "is not an interaction, or occurs twice"),
        (["three"], [], 'there is no factor "three"'),
    ],
)
def test_what_is_no_model_is_one_line(factors, interactions, message):
    table = table_of({"one": ["a", "b", "a"], "two": ["x", "x", "y"]})
    with pytest.raises(BvfError, match=message):
        model_matrix(table, factors, interactions)
