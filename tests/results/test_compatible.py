"""One rule says which results stand in one table, and every command follows it."""

import json

import pytest

import bvf
from bvf.results.compatible import grouped, headings, options_of

APART = {"criterion": "tv", "scale": "raw", "reference": "mean", "group_weights": "employment"}


@pytest.fixture
def two(tmp_path, monkeypatch):
    """A run as usual, and one that was analysed in another way."""
    monkeypatch.chdir(tmp_path)
    small = {"limit_groups": 4, "limit_contexts": 3}

    def make(**choices):
        bvf.run(model="baseline:random", out="usual", **small)
        bvf.run(model="baseline:stereotyped", out="other", **small, **choices)

    return make


@pytest.mark.parametrize("what", APART)
def test_results_that_are_not_alike_are_shown_under_what_tells_them_apart(two, command, what):
    two(**{what: APART[what]})
    done = command("show", "usual", "other")
    assert done.code == 0
    assert len([line for line in done.out.splitlines() if "gender (en), " in line]) == 2
    assert len(json.loads(command("show", "usual", "other", "--format", "json").out)) == 2
    called = what.replace("_", " ")
    assert f"{called} " in done.out
    error, hint = command("compare", "usual", "other").err.splitlines()
    assert error.startswith(f"error: usual has the {called} ")
    assert f"all by --{called.replace(' ', '-')} " in hint


def test_where_one_table_is_asked_for_one_line_says_what_differs(two, command):
    two(scale="raw")
    for name, *options in (
        ("export", "--to", "csv", "-o", "t.csv"),
        ("export", "--to", "datasets", "-o", "data"),
        ("show", "--format", "csv"),
        ("plot", "--kind", "compare", "-o", "f.svg"),
        ("regress", "--against", "wages"),
    ):
        done = command(name, "usual", "other", *options)
        assert (done.code, done.err.startswith("error: usual has the scale ")) == (2, True), (name, done.err)


def test_an_option_makes_them_comparable(two, command):
    two(criterion="tv")
    for name, *options in (
        ("export", "--to", "csv", "-o", "t.csv"),
        ("compare",),
        ("plot", "--kind", "scale", "-o", "f.svg"),
    ):
        assert "one by one, or all by --criterion linf" in command(name, "usual", "other", *options).err
        assert command(name, "usual", "other", *options, "--criterion", "linf").code == 0
    shown = command("show", "usual", "other", "--criterion", "linf")
    assert shown.out.count("gender (en), criterion linf: male or female?") == 1


def test_groups_are_in_the_order_of_their_first_and_headings_name_what_differs(result, several, run_of):
    raw = result.model_copy(update={"scale": "raw"})
    groups = grouped([result, raw, result])
    assert groups == [[result, result], [raw]]
    assert headings(groups) == ["scale unit", "scale raw"]
    assert headings(grouped([result, several])) == ["topic gender", "topic weekday"]
    assert headings(grouped([result])) == [""]
    facts = run_of(topic="knowledge/capitals", contexts="", sample_contexts=0, limit_contexts=2, limit_groups=3)
    said = headings(grouped([result, facts]))
    assert said == ["topic gender, criterion linf", "topic knowledge/capitals, criterion knowledge:sqrt"]


def test_choices_are_written_as_the_options_that_make_them():
    chosen = {"group_weights": "employment", "words": {"male": ("he", "him"), "female": ("she",)}}
    said = ["--group-weights", "employment", "--words", "male=he,him", "--words", "female=she"]
    assert options_of(chosen) == said
