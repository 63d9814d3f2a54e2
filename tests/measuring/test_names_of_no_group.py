"""A name in a file of the user's that the topic has not is said, in the result and on the terminal."""

import json

import pytest


@pytest.fixture
def noted(command, toy, tmp_path):
    def call(option, text):
        file = tmp_path / "mine.csv"
        file.write_text(text)
        out = tmp_path / "out"
        shown = command("run", "--plugin", toy, "--model", "toy:hash", option, file, "--out", out)
        assert shown.code == 0, shown.err
        return " ".join(json.loads((out / "result.json").read_text())["notes"]), str(file)

    return call


def test_a_misspelt_name_among_the_weights_is_noted(noted):
    notes, file = noted("--group-weights", "group,weight\nnurse,1\nbacker,1\nlawyer,1\n")
    assert f"1 name of {file} is no group of gender: backer" in notes


def test_misspelt_names_in_a_reference_are_noted_and_the_first_are_named(noted):
    others = "".join(f"x{n},0.5,0.5\n" for n in range(8))
    notes, file = noted("--reference", f"group,male,female\nnurse,0.4,0.6\nlawyer,0.5,0.5\n{others}")
    assert f"8 names of {file} are no groups of gender: x0, x1, x2, x3, x4, x5, ..." in notes


def test_names_that_are_all_groups_are_not_noted(noted):
    notes, _ = noted("--group-weights", "group,weight\nnurse,1\nlawyer,1\n")
    assert "of gender" not in notes
