"""A topic whose sources nobody can look up runs, and says so."""

import json

import pytest
from helpers.topic_text import topic_text


@pytest.mark.parametrize(
    ("source", "is_vague"),
    [("me", True), ("Example of bvf new (baker, welder)", True), ("Austen, Emma, 1815, chapter 3", False)],
)
def test_it_is_noted_in_the_result_and_on_the_terminal(command, toy, tmp_path, source, is_vague):
    text = topic_text({"violent": ["violent"], "peaceful": ["peaceful"]})
    file = tmp_path / "temper.toml"
    file.write_text(text.replace("written for this test", source))
    out = tmp_path / "out"
    shown = command("run", "--topic", file, "--plugin", toy, "--model", "toy:hash", "--out", out, "--details")
    assert shown.code == 0, shown.err
    note = f'the source "{source}" of temper cannot be looked up'
    assert (note in json.loads((out / "result.json").read_text())["notes"]) == is_vague
    assert (note in " ".join(shown.out.split())) == is_vague
