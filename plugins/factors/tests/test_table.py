"""Tables of factors: which are read, and where others are refused."""

import pytest
from bvf_factors.reading.declared import checked_declaration
from bvf_factors.reading.table import with_references, without
from bvf_factors.run import read_declaration
from helpers.factor_tables import table_of

from bvf import BvfError

ROWS = [
    {"prompt": "He is old.", "age": "old", "seed": 1, "cot": "yes", "answer": "A", "label": "A", "t": "t1"},
    {"prompt": "She is old.", "age": "old", "seed": 2, "cot": "yes", "answer": "B", "label": "A", "t": "t1"},
    {"prompt": "He is young.", "age": "young", "seed": None, "cot": "no", "answer": "A", "label": "A", "t": "t2"},
    {"prompt": "It is young.", "age": "young", "seed": None, "cot": "no", "answer": "C", "label": "A", "t": "t2"},
]
GENDER = {
    "type": "prompt",
    "column": "prompt",
    "rules": [{"match": r"\bHe\b", "value": "male"}, {"match": r"\bShe\b", "value": "female"}],
    "otherwise": "none",
    "reference": "none",
}
FACTORS = {"age": {"map": {"old": "60+"}}, "gender": GENDER, "cot": {}, "seed": {"within": {"cot": ["yes"]}}}


def test_factors_are_read_from_columns_maps_and_rules():
    table = table_of(ROWS, outcome={"column": "answer", "differs_from": "label"}, cluster="t", factors=FACTORS)
    levels = {each.name: each.levels for each in table.factors}
    assert levels.pop("gender") == ("female", "male", "none")
    assert levels == {"age": ("60+", "young"), "cot": ("no", "yes"), "seed": ("1", "2")}
    gender = table.factor("gender")
    assert (gender.codes.tolist(), gender.levels[gender.reference]) == ([1, 0, 1, 2], "none")
    assert table.factor("seed").codes.tolist() == [0, 1, -1, -1]
    assert (table.outcome.tolist(), table.clusters.tolist()) == ([0, 1, 0, 1], [0, 0, 1, 1])


@pytest.mark.parametrize(
    ("outcome", "deviates"),
    [
        ({"column": "answer", "yes": ["B", "C"]}, [0, 1, 0, 1]),
        ({"column": "prompt", "match": "^She|^It"}, [0, 1, 0, 1]),
        ({"column": "score", "above": 1.5}, [0, 0, 1, 1]),
        ({"column": "score", "number": True}, [0, 1, 2, 3]),
        ("flag", [1, 0, 1, 0]),
    ],
)
def test_ways_in_which_an_outcome_is_told(outcome, deviates):
    flags = ["Yes", "false", 1, "0"]
    rows = [{**row, "score": place, "flag": flags[place]} for place, row in enumerate(ROWS)]
    assert table_of(rows, outcome=outcome, factors={"age": {}}).outcome.tolist() == deviates


def test_levels_have_the_declared_order_or_that_of_numbers():
    age = table_of(ROWS, factors={"age": {"values": ["young", "middle", "old"]}}).factor("age")
    assert (age.levels, age.unseen) == (("young", "old"), ("middle",))
    table = table_of([{"size": size} for size in ("10", "9", "1.5", "many")], factors={"size": {}})
    assert table.factor("size").levels == ("1.5", "9", "10", "many")


def test_a_factor_with_one_level_is_set_aside_and_said_to_explain_nothing_where_it_is_named():
    table = table_of([{**row, "lang": "en"} for row in ROWS], factors={"age": {}, "lang": {}})
    assert table.constants == {"lang": "en"}
    with pytest.raises(BvfError, match='lang is "en" in all rows'):
        table.factor("lang")


FLOATS = [
    {"g": "a", "label": "1.0", "bad": 1.0},
    {"g": "a", "label": "0.0", "bad": 0.0},
    {"g": "b", "label": "1.0", "bad": "0.0"},
    {"g": "b", "label": "1", "bad": "1.0"},
]


@pytest.mark.parametrize(
    "outcome",
    ["bad", {"column": "bad", "yes": ["1"]}, {"column": "bad", "yes": [1.0]}, {"column": "bad", "yes": ["1.0"]}],
)
def test_labels_that_became_numbers_with_a_point_are_what_they_were(outcome):
    """pandas writes whole numbers so if its column has an empty cell."""
    assert table_of(FLOATS, outcome=outcome, factors={"g": {}}).deviations().tolist() == [1, 0, 0, 1]


def test_values_with_and_without_a_point_are_one_value():
    factors = {"label": {"values": ["1.0", "0"], "reference": "1.0"}, "named": {"column": "label", "map": {"1.0": "x"}}}
    table = table_of(FLOATS, outcome={"column": "bad", "differs_from": "label"}, factors=factors)
    assert table.deviations().tolist() == [0, 0, 1, 0]
    assert [(each.levels, each.reference) for each in table.factors] == [(("1", "0"), 0), (("0", "x"), 1)]
    assert [level for each in table.factors for level in each.cells.tolist()] == [0, 1, 0, 0, 1, 0, 1, 1]


def test_versions_and_codes_keep_their_digits_and_rules_search_what_is_written():
    rows = [{"v": v, "bad": n % 2} for n, v in enumerate(("1.10", "1.1", "01.0", "2.50"))]
    assert table_of(rows, outcome="bad", factors={"v": {}}).factors[0].levels == ("01.0", "1.1", "1.10", "2.50")
    rules = [{"match": r"^1\.0$", "value": "point"}, {"match": "^1$", "value": "none"}, {"match": "^0", "value": "0"}]
    (label,) = table_of(FLOATS, outcome="bad", factors={"label": {"rules": rules}}).factors
    assert [label.levels[code] for code in label.codes] == ["point", "0", "point", "none"]
    outcome = table_of(FLOATS, outcome={"column": "label", "match": r"\.0"}, factors={"g": {}}).outcome
    assert outcome.tolist() == [1, 1, 1, 0]


NO_RULE = {"gender": {**GENDER, "otherwise": "", "reference": ""}}
NEVER = {"cot": {}, "seed": {"within": {"cot": ["maybe"]}}}
NUMBER = {"column": "answer", "number": True}


@pytest.mark.parametrize(
    ("declared", "message", "hint"),
    [
        (
            {"factors": {"age": {"values": ["old", "younger"]}}},
            't.csv:4: age is "young", which is not declared',
            "younger",
        ),
        ({"factors": {"age": {"reference": "olt"}}}, 'age: the reference "olt" does not occur', "old"),
        ({"factors": {"ages": {}}}, 't.csv:2: there is no column "ages"', "age"),
        ({"outcome": "answer"}, 't.csv:2: the outcome is "A", neither yes nor no', "yes = [...]"),
        ({"outcome": NUMBER}, 't.csv:2: "A" in column "answer" is not a number', ""),
        ({"factors": NO_RULE}, 't.csv:5: no rule of gender is found in "It is young."', ""),
        (
            {"factors": {"seed": {}}},
            't.csv:4: no value in column "seed", and in 2 rows of 4; 2 rows lack one',
            "--drop-missing",
        ),
        ({"dicts": []}, "there are no rows", ""),
        ({"dicts": ROWS[:2]}, "no factor has two levels", ""),
        ({"factors": NEVER}, "seed is in no row: none is within cot = maybe", ""),
        ({"dicts": [{"age": ["a"]}]}, "holds a list", ""),
    ],
)
def test_what_is_refused(declared, message, hint):
    with pytest.raises(BvfError) as error:
        table_of(**{"dicts": ROWS, "factors": {"age": {}}, **declared})
    assert message in str(error.value)
    assert hint in error.value.hint
    assert "\n" not in error.value.message


def test_rows_without_a_value_are_dropped_and_counted_on_request():
    table = table_of([*ROWS, ROWS[0] | {"seed": 3, "age": " "}], factors={"seed": {}, "age": {}}, drop_missing=True)
    assert (table.rows, table.dropped) == (2, {"seed": 2, "age": 1})


def test_an_outcome_that_is_the_same_everywhere_or_not_there_explains_nothing():
    with pytest.raises(BvfError, match="the outcome is no in all 4 rows"):
        table_of(ROWS, outcome={"column": "answer", "yes": ["Z"]}, factors={"age": {}}).deviations()
    with pytest.raises(BvfError, match="has no outcome"):
        table_of(ROWS, factors={"age": {}}).deviations()


def test_levels_can_be_dropped_and_references_chosen():
    table = table_of(ROWS, outcome={"column": "answer", "yes": ["B"]}, cluster="t", factors=FACTORS)
    left = without(table, {"gender": ("none",)})
    assert (left.rows, left.outcome.tolist(), left.clusters.tolist()) == (3, [0, 1, 0], [0, 0, 1])
    assert left.factor("gender").levels == ("female", "male")
    assert left.factor("gender").levels[left.factor("gender").reference] == "male"
    assert left.factor("seed").codes.tolist() == [0, 1, -1]
    only = without(table, {"cot": ("no",)})
    assert only.constants == {"age": "60+", "cot": "yes"}
    assert with_references(table, {"gender": "male"}).factor("gender").reference == 1
    with pytest.raises(BvfError, match='gender has no level "mal"'):
        without(table, {"gender": ("mal",)})
    with pytest.raises(BvfError, match="every row is dropped"):
        without(table, {"cot": ("no", "yes")})


@pytest.mark.parametrize(
    ("declared", "message"),
    [
        ({"factors": {}}, "factors: "),
        ({"factors": {"a": {"typ": "domain"}}}, "factors.a.typ: no such field"),
        ({"factors": {"a": {"type": "person"}}}, "factors.a.type: Input should be 'domain', 'prompt' or 'model'"),
        ({"factors": {"a": {"rules": [{"match": "(", "value": "x"}]}}}, '"(" is not a regular expression'),
        ({"factors": {"a": {"values": ["x", "y"], "reference": "z"}}}, 'the reference "z" is not among its values'),
        ({"factors": {"a": {"reference": float("nan")}}}, "factors.a.reference: nan is not a value"),
        ({"factors": {"a": {}}, "outcome": {"column": "o", "yes": [float("nan")]}}, "outcome.yes: nan is not a value"),
        ({"factors": {"a": {}}, "outcome": {"column": "", "yes": ["a"]}}, "outcome.column: "),
        ({"factors": {"a": {"values": ["x", "x"]}}}, 'the value "x" occurs twice'),
        ({"factors": {"a": {"within": {"b": ["x"]}}}}, 'a is within "b", which is not another factor'),
        ({"factors": {"a": {}}, "outcome": {"column": "o", "above": 1, "number": True}}, "above and number: give one"),
        (
            {"factors": {"a": {"within": {"b": ["z"]}}, "b": {"values": ["x", "y"]}}},
            'b = "z", which is not a value of b',
        ),
    ],
)
def test_declarations_that_are_refused(declared, message):
    with pytest.raises(BvfError) as error:
        checked_declaration(declared, "f.toml")
    assert str(error.value).startswith("f.toml: ")
    assert message in str(error.value)


def test_a_declaration_is_a_toml_file(tmp_path):
    (tmp_path / "f.toml").write_text('outcome = "deviates"\ncluster = "t"\n[factors.age]\nreference = 60\n')
    declaration = read_declaration(tmp_path / "f.toml")
    assert (declaration.outcome.column, declaration.cluster) == ("deviates", "t")
    assert declaration.factors["age"].reference == "60"
