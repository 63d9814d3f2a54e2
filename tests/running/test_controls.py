"""Neutral subjects in every run: when they are asked, what they cost, and runs that do without."""

import shutil

import pytest

import bvf
from bvf.domain.measurement import RECORD

CHOICES = {"model": "toy:hash", "limit_groups": 4, "contexts": "gender-mixed", "sample_contexts": 20}


@pytest.fixture
def asked(monkeypatch, tmp_path, toy):
    """Run with a count of the prompts that the model was asked."""
    count = tmp_path / "count"
    monkeypatch.setenv("TOY_COUNT", str(count))

    def run(**choices):
        count.write_text("")
        result = bvf.run(plugin=(toy,), out=str(tmp_path / "run"), **{**CHOICES, **choices})
        return result, sum(map(int, count.read_text().split()))

    return run


def were_asked(folder):
    return (folder / "prior" / RECORD).is_file()


def test_three_subjects_are_asked_once_and_little_more(asked):
    result, prompts = asked()
    of_neutral = 3 * result.number_of_contexts
    assert were_asked(result.folder)
    shutil.rmtree(result.folder / "prior")
    again, alone = asked()
    assert again == result
    assert of_neutral <= alone <= of_neutral + 11  # a handful, two of it alone, and one for the candidate mass
    assert prompts > alone + result.prompts
    assert asked() == (result, 0)
    more, _ = asked(sample_contexts=30)
    assert more.parts_of_lean.number_of_contexts == more.number_of_contexts > result.number_of_contexts


def test_a_run_with_precision_does_without_and_the_same_command_without_it_asks_them(asked):
    result, _ = asked(precision=0.5)
    assert (result.parts_of_lean, were_asked(result.folder)) == (None, False)
    bvf.analyse(result.folder, criterion="lk:2", save_as="before")
    later, _ = asked(sample_contexts=result.uncertainty.draws)
    assert later.parts_of_lean is not None
    assert pytest.approx(result.R) == later.R
    assert bvf.verify(result.folder) == []


def test_parts_ask_none_and_the_whole_run_does(asked, tmp_path, toy):
    for part in ("1/2", "2/2"):
        bvf.run_part(plugin=(toy,), out=str(tmp_path / "run"), part=part, **CHOICES)
    assert bvf.merge(tmp_path / "run").parts_of_lean is None
    result, prompts = asked()
    assert result.parts_of_lean is not None
    assert prompts <= 3 * result.number_of_contexts + 11


def test_a_folder_that_is_only_read_stays_without(asked, monkeypatch):
    result, _ = asked()
    shutil.rmtree(result.folder / "prior")
    monkeypatch.setattr("bvf.running.controls.is_read_only", lambda folder: True)
    again, prompts = asked()
    assert (again.parts_of_lean, prompts) == (None, 0)


def test_a_topic_without_neutral_subjects_asks_none(asked):
    result, _ = asked(topic="names", contexts="", sample_contexts=0, limit_contexts=5)
    assert (result.parts_of_lean.neutral, were_asked(result.folder)) == ("groups", False)
    assert not any(name.startswith(("default", "mean_association")) for name in result.of_classes)


def test_a_model_that_fails_for_neutral_subjects_keeps_its_run_and_a_note_says_why(tmp_path):
    plugin = tmp_path / "picky.py"
    plugin.write_text(
        "import numpy as np\n"
        "from bvf import Backend, Capabilities, Provider, hookimpl\n"
        "class Picky(Backend):\n"
        "    capabilities = Capabilities(reads_right=False)\n"
        "    def __init__(self, request): pass\n"
        "    def score(self, prompts, words, *, absolute):\n"
        "        known = {'person': None, 'one': None, 'individual': None}\n"
        "        assert not any(prompt.group in known for prompt in prompts), 'no such group'\n"
        "        return np.array([[-3.0 - len(str(p) + w) % 7 / 3 for w in words] for p in prompts])\n"
        "@hookimpl\n"
        "def bvf_backends(): return [Provider('picky', Picky, 'knows occupations alone')]\n"
    )
    choices = {**CHOICES, "plugin": (str(plugin),), "model": "picky:a", "out": str(tmp_path / "run")}
    result = bvf.run(**choices)
    assert (result.parts_of_lean, result.R > 0.0) == (None, True)
    (note,) = [note for note in result.notes if "neutral subjects were not asked" in note]
    assert "no such group" in note
    with pytest.raises(Exception, match="no such group"):
        bvf.run(**choices, reference="prior")
