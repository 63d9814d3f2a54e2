"""Each kind of number takes what it names and nothing else, wherever it is used."""

import json
from pathlib import Path

import pytest

from bvf.domain.numbers import Count, Finite, Share, checked_number
from bvf.errors import BvfError

ANSWERS = ("answers.csv", "--factors", "factors.toml")


@pytest.mark.parametrize(
    ("kind", "right", "wrong"),
    [
        (Finite, [0, -1.5, 1e300, "0.2"], [float("nan"), float("inf"), "-inf", "x", None]),
        (Share, [0, 1, 0.5, 1 + 1e-12], [-0.1, 1.1, float("nan"), "two"]),
        (Count, [0, 7], [-1, 1.5, "many", float("inf")]),
    ],
)
def test_each_kind_takes_what_it_names(kind, right, wrong):
    for value in right:
        assert checked_number(value, kind, "--x") == float(value)
    for value in wrong:
        with pytest.raises(BvfError, match=r"^--x .*: is not a"):
            checked_number(value, kind, "--x")


@pytest.fixture
def table(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [
        f"{n},{age},{style},{n % (3 if age == 'a' else 7) == 0:d}" for age in "ab" for style in "xy" for n in range(15)
    ]
    Path("answers.csv").write_text("\n".join(["item,age,style,bad", *rows]) + "\n")
    Path("factors.toml").write_text('outcome = "bad"\ncluster = "item"\n[factors.age]\n[factors.style]\n')


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("subgroups", *ANSWERS, "--target", "nan"), "--target nan: is not a finite number"),
        (("subgroups", *ANSWERS, "--target=-inf"), "--target -inf: is not a finite number"),
        (("subgroups", *ANSWERS, "--target=-1"), "--target -1.0: is not a number from 0 to 1"),
        (("compare", *ANSWERS, "--by", "style", "--target", 2), "--target 2.0: is not a number from 0 to 1"),
        (("subgroups", *ANSWERS, "--line", "inf"), "--line inf: is not a finite number"),
        (("subgroups", *ANSWERS, "--seed=-1"), "--seed -1: is not a whole number from 0 on"),
        (("analyse", *ANSWERS, "--level", "nan"), "--level nan: an interval holds the truth"),
        (("design", *ANSWERS, "--strength=-2"), "--strength -2: is not a whole number from 0 on"),
        (("run", "bbq", "--model", "bundled:en-causal", "--limit-items=-1"), "--limit-items -1: is not a whole number"),
    ],
)
def test_a_number_of_another_kind_is_one_line(table, command, arguments, message):
    done = command("factors", *arguments)
    assert (done.code, done.out, done.err.startswith(f"error: {message}")) == (2, "", True), done.err


def test_no_answers_have_no_figures(table, command):
    Path("none.jsonl").write_text("")
    done = command("factors", "run", "bbq", "--answers", "none.jsonl")
    assert (done.code, "none.jsonl: no answer to an item of bbq" in done.err, done.out) == (2, True, "")
    assert not Path("runs").exists()


@pytest.mark.parametrize(
    ("field", "value"),
    [("rate", "inf"), ("adjusted_p", "nan"), ("p_value", 7), ("possible_gini", 1e308), ("coefficient", "-inf")],
)
def test_an_edited_figure_of_factors_is_refused_by_name(table, command, field, value):
    analysis = json.loads(command("factors", "analyse", *ANSWERS, "--format", "json").out)
    assert edited(analysis, field, value)
    Path("edited.json").write_text(json.dumps(analysis))
    done = command("report", "edited.json", "-o", "page.html")
    assert (done.code, "not an analysis of factors" in done.err, field in done.err) == (2, True, True), done.err
    assert not Path("page.html").exists()


def edited(values, field, value) -> bool:
    """Set the first figure of this name, wherever it stands, and return whether there is one."""
    if isinstance(values, list):
        return any(edited(each, field, value) for each in values)
    if not isinstance(values, dict):
        return False
    if isinstance(values.get(field), float):
        values[field] = value
        return True
    return any(edited(each, field, value) for each in values.values())
