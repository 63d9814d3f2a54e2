"""Columns of a regression on factors; factors that a table cannot tell apart are named before any fit."""

import re

import numpy as np
import pandas as pd
import pytest
from bvf_factors.regressing.model_matrix import combined, dependences, model_matrix, refuse_aliases, same_rows
from helpers.factor_tables import stigma_qa_rows
from helpers.factor_tables import table_of_columns as table_of
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
    assert (dependences(table), same_rows(table)) == ([], [])
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


def aliased(table, matrix):
    """The error that says why columns depend on each other; None if they do not."""
    try:
        return refuse_aliases(table, matrix)
    except BvfError as error:
        return error


@pytest.fixture(scope="module")
def prompts():
    """The prompts of SocialStigmaQA without chain of thought; what its published regression takes as factors."""
    return pd.DataFrame(stigma_qa_rows(("no",)))[["stigma", "gender", "style", "biased", "template"]]


def test_the_published_regression_of_social_stigma_qa_lacks_two_ranks_and_the_message_says_why(prompts):
    references = {"stigma": "none", "gender": "none", "style": "base", "biased": "no"}
    table = table_of(prompts, references, cluster="template")
    matrix = model_matrix(table)
    assert np.linalg.matrix_rank(matrix.values) == 99
    error = aliased(table, matrix)
    assert error.message == (
        "the 101 columns of the model have rank 99 in 10,360 rows: stigma=none, gender=none and style=base are the "
        "same rows; their effects cannot be separated"
    )
    assert error.hint == (
        "drop those rows (--drop style=base) and choose another reference, or declare gender and style within the "
        "other values of stigma"
    )


def test_nested_it_keeps_the_base_prompts(prompts):
    references = {"stigma": "none", "gender": "neutral", "style": "original", "biased": "no"}
    within = {name: {"stigma": [f"s{number}" for number in range(1, 94)]} for name in ("gender", "style")}
    table = table_of(prompts, references, within, cluster="template")
    matrix = model_matrix(table)
    assert (table.rows, len(matrix.names), np.linalg.matrix_rank(matrix.values)) == (10_360, 99, 99)
    assert aliased(table, matrix) is None
    assert dependences(table) == []


def test_a_template_decides_gender_and_not_the_other_way_round(prompts):
    table = table_of(prompts[prompts["style"] != "base"])
    matrix = model_matrix(table)
    error = aliased(table, matrix)
    assert f"the {len(matrix.names)} columns of the model have rank {len(matrix.names) - 3} in " in error.message
    assert error.message.endswith(
        " rows: template decides gender; template decides biased; their effects cannot be separated"
    )
    assert error.hint == "leave gender or template out; one of them may be the cluster instead"


def test_columns_and_factors_that_depend_on_each_other_are_named():
    cells = [("a", "x", "p"), ("a", "y", "q"), ("b", "x", "q"), ("b", "y", "p")]
    table = table_of(dict(zip(("one", "two", "three"), zip(*cells, strict=True), strict=True)))
    assert aliased(table, model_matrix(table)) is None
    error = aliased(table, model_matrix(table, interactions=[("one", "two")]))
    assert " rows: one=b, two=y, three=q, one=b : two=y depend on each other; their effects" in error.message
    table = table_of({"one": ["a", "b", "c", "a"], "two": ["x", "y", "z", "x"], "three": ["p", "p", "q", "q"]})
    error = aliased(table, model_matrix(table, ["one", "two"]))
    assert " rows: one and two decide each other; their effects" in error.message
    assert [str(each) for each in dependences(table)] == ["one and two decide each other"]


CODES = st.lists(st.tuples(*[st.sampled_from("abc")] * 3), min_size=2, max_size=12)


@given(CODES)
def test_same_rows_and_dependences_are_those_of_a_plain_count(cells):
    names = ("one", "two", "three")
    if not any(len({cell[at] for cell in cells}) > 1 for at in range(3)):
        return
    table = table_of(dict(zip(names, map(list, zip(*cells, strict=True)), strict=True)))
    at = {name: names.index(name) for name in (factor.name for factor in table.factors)}
    rows = {
        (name, level): frozenset(row for row, cell in enumerate(cells) if cell[place] == level)
        for name, place in at.items()
        for level in {cell[place] for cell in cells}
    }
    by_rows = {}
    for level, where in rows.items():
        by_rows.setdefault(where, set()).add(level)
    wanted = {frozenset(levels) for levels in by_rows.values() if len(levels) > 1}
    assert {frozenset(each.levels) for each in same_rows(table)} == wanted
    decide = {
        (one, other)
        for one in at
        for other in at
        if one != other
        and all(len({cell[at[other]] for cell in cells if cell[at[one]] == level}) < 2 for level in "abc")
    }
    dependent = dependences(table)
    both = {(each.decided, each.decides) for each in dependent if each.one_to_one}
    assert {(each.decides, each.decided) for each in dependent} | both == decide


@given(CODES)
def test_aliases_are_found_just_where_the_rank_is_below_the_number_of_columns(cells):
    table_cells = [*cells, ("a", "a", "a"), ("b", "b", "b"), ("a", "b", "a")]
    table = table_of(dict(zip(("one", "two", "three"), map(list, zip(*table_cells, strict=True)), strict=True)))
    matrix = model_matrix(table)
    error, rank = aliased(table, matrix), np.linalg.matrix_rank(matrix.values)
    assert (error is None) == (rank == len(matrix.names))
    if error is not None:
        assert re.search(rf"have rank {rank} in \d+ rows: \w", error.message)
