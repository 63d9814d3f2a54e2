"""``bvf run --reading generated`` and the commands on its folder, as a user calls them."""

import json
import shutil
from pathlib import Path

import pytest

import bvf

WRITING = Path(__file__).resolve().parents[1] / "data" / "writing_plugin.py"
ASKED = ("--topic", "gender-2026", "--groups", "nurse,cook,cio", "--limit-contexts", "8")
RUN = ("run", "--plugin", WRITING, "--model", "writing:known", *ASKED)
GENERATED = (*RUN, "--reading", "generated", "--samples", "4", "--quiet")


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    asked = {"topic": "gender-2026", "groups": ("nurse", "cook", "cio"), "limit_contexts": 8, "samples": 4}
    out = str(tmp_path_factory.mktemp("generated") / "run")
    return bvf.run(model="writing:known", plugin=(str(WRITING),), reading="generated", out=out, **asked).folder


@pytest.fixture
def folder(finished, tmp_path):
    return shutil.copytree(finished, tmp_path / "run")


def one_line(text):
    return " ".join(text.split())


def test_what_became_of_the_texts_stands_below_the_title_in_every_format(folder, command):
    texts = json.loads(command("show", folder, "--format", "json").out)["texts"]
    assert (texts["written"], texts["read"]) == (96, 64)
    shares = [
        "of 96 texts 66.7% were read",
        f"{texts['refused'] / 96:.1%} refused",
        f"{texts['unread']['no word of a class'] / 96:.1%} not read (no word of a class)",
    ]
    sentence = f"4 texts of 30 tokens at temperature 1, seed 0; reader first-word: {', '.join(shares)}."
    for form in ("text", "md"):
        assert sentence in one_line(command("show", folder, "--format", form).out)
    assert "known (texts)" in command("show", folder).out
    assert "share of texts that were read: 66.7%" in one_line(command("show", "--details", folder).out)


def test_where_most_texts_were_not_read_a_sentence_says_what_may_help(folder, command):
    advice = "Fewer than half were read: longer texts may help (--tokens), or another --reader."
    assert advice not in one_line(command("show", folder).out)
    assert advice in one_line(command("analyse", folder, "--words", "male=he", "--words", "female=daughter").out)


def test_commands_on_results_take_it_as_any_run(folder, command, tmp_path):
    for arguments in (
        ("explain", folder),
        ("export", folder, "--to", "csv", "-o", tmp_path / "out.csv"),
        ("plot", folder, "--kind", "lean", "-o", tmp_path / "lean.svg"),
        ("report", folder, "-o", tmp_path / "page.html", "--plugin", WRITING),
        ("verify", folder),
    ):
        done = command(*arguments)
        assert done.code == 0, (arguments, done.err)
    assert "4 texts of 30 tokens at temperature 1" in (tmp_path / "page.html").read_text("utf-8")
    assert command("gate", folder, "--max", "R=0.99").code in (0, 3)


def test_texts_are_read_again_without_the_model(folder, command):
    done = command("analyse", folder, "--reader", "share")
    assert done.code == 0
    assert "Another analysis than that of the run: reader share." in done.out
    assert "first-word" in command("show", folder).out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((*GENERATED, "--reader", "no-such"), 'there is no reader "no-such"'),
        ((*GENERATED, "--reader", "pattern:none.toml"), "none.toml"),
        ((*RUN, "--reading", "spoken"), "reading"),
    ],
)
def test_what_does_not_go_together_is_one_line(arguments, says, command, tmp_path):
    done = command(*arguments, "--out", tmp_path / "run")
    assert done.code == 2
    assert says in done.err
    assert len(done.err.strip().splitlines()) <= 2
    assert not (tmp_path / "run").exists()
