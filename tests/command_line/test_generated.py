"""``bvf run --reading generated`` and the commands on its folder, as a user calls them."""

import shutil
from pathlib import Path

import pytest

import bvf

WRITING = Path(__file__).resolve().parents[1] / "data" / "writing_plugin.py"


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    asked = {"topic": "gender-2026", "groups": ("nurse", "cook", "cio"), "limit_contexts": 8, "samples": 4}
    out = str(tmp_path_factory.mktemp("generated") / "run")
    return bvf.run(model="writing:known", plugin=(str(WRITING),), reading="generated", out=out, **asked).folder


@pytest.fixture
def folder(finished, tmp_path):
    return shutil.copytree(finished, tmp_path / "run")


def test_what_became_of_the_texts_stands_below_the_title_in_every_format(folder, command, in_json):
    texts = in_json("show", folder)["texts"]
    assert (texts["written"], texts["read"]) == (96, 64)
    shares = [
        "of 96 texts 66.7% were read",
        f"{texts['refused'] / 96:.1%} refused",
        f"{texts['unread']['no word of a class'] / 96:.1%} not read (no word of a class)",
    ]
    sentence = f"4 texts of 30 tokens at temperature 1, seed 0; reader first-word: {', '.join(shares)}."
    for form in ("text", "md"):
        assert sentence in command("show", folder, "--format", form).said
    assert "known (texts)" in command("show", folder).out
    assert "share of texts that were read: 66.7%" in command("show", "--details", folder).said


def test_texts_are_read_again_without_the_model_and_a_sentence_says_what_helps_where_few_were_read(folder, command):
    other = command("analyse", folder, "--reader", "share")
    assert other.code == 0
    assert "Another analysis than that of the run: reader share." in other.out
    advice = "Fewer than half were read: longer texts may help (--tokens), or another --reader."
    shown = command("show", folder).said
    assert [advice in shown, "first-word" in shown] == [False, True]
    assert advice in command("analyse", folder, "--words", "male=he", "--words", "female=daughter").said


def test_commands_on_results_take_it_as_any_run(folder, command, tmp_path):
    """Those that show its figures are in test_surfaces."""
    for arguments in (
        ("explain", folder),
        ("plot", folder, "--kind", "lean", "-o", tmp_path / "lean.svg"),
        ("report", folder, "-o", tmp_path / "page.html", "--plugin", WRITING),
        ("verify", folder),
    ):
        done = command(*arguments)
        assert done.code == 0, (arguments, done.err)
    assert "4 texts of 30 tokens at temperature 1" in (tmp_path / "page.html").read_text("utf-8")
