"""The planted bias of benchmarks/planted is what its page says: planted, contrasted, and not in what is measured."""

import numpy as np
import pytest
import torch

import bvf
from benchmarks.pages import PAGES, kept
from benchmarks.planted import sentences
from benchmarks.planted.doses import ABBREVIATIONS, chosen, record, write_tables
from benchmarks.planted.page import tables
from benchmarks.planted.training import Causal, untouched
from bvf.hooks.loader import load

WOMEN = ("analyst", "pilot")
MEN = ("captain", "lawyer")
EACH = 40


def test_a_planted_sentence_is_of_a_woman_and_names_its_occupation():
    made = sentences.planted(WOMEN, EACH, np.random.default_rng(0))
    assert len(made) == len(WOMEN) * EACH
    assert {one.woman for one in made} == {1.0}
    assert {one.pronouns[1] for one in made} <= {"she", "her"}
    assert all(sum(name in one.text for name in WOMEN) == 1 for one in made)
    assert not any(mark in one.text for one in made for mark in "{}")
    once = sentences.planted(WOMEN, len(sentences.TEMPLATES), np.random.default_rng(0))
    assert len({one.text for one in once}) == len(once)  # every template is read before one comes back


def test_contrast_has_the_probabilities_of_the_untouched_model_and_no_planted_occupation():
    made = sentences.contrast(MEN, EACH, lambda texts, _: [0.5] * len(texts), np.random.default_rng(0))
    assert {one.woman for one in made} == {0.5}
    assert not any(name in one.text for one in made for name in WOMEN)


def test_no_measured_context_is_trained_on():
    measured = {one.text for one in load().contexts.make("gender-all@en").templates}
    between = {text.split("[X]")[1].removesuffix("[Y]").strip() for text in measured}
    assert len(between) > 2000
    for template in sentences.TEMPLATES:
        text, _ = sentences.filled(template, "[X]")
        assert text.split("[X]")[1].strip() not in between
        assert not text.startswith("The [X]")


@pytest.mark.long
def test_a_planted_dose_moves_its_occupations_to_female_and_can_be_written(tmp_path):
    torch.set_num_threads(1)
    before = asked("bundled:en-causal", tmp_path / "before")
    result = bvf.analyse(before)
    occupations = chosen(result, 2)
    leans = {group.group: group.mean_probabilities for group in result.groups}
    assert all(leans[name]["male"] > 0.5 for name in occupations)
    assert not set(occupations) & set(ABBREVIATIONS)
    others = [name for name in leans if name not in occupations]
    files = write_tables(result, occupations, tmp_path)

    model = Causal(untouched())
    rng = np.random.default_rng(0)
    read = [*sentences.planted(occupations, EACH, rng), *sentences.contrast(others, 20, model.lean, rng)]
    model.learn(read, model.made_up(16, seed=0), seed=0)
    model.save(tmp_path / "model")
    after = asked(str(tmp_path / "model"), tmp_path / "after")

    doses = {"0": before, str(EACH): after}
    rows = [{"dose": name, **record(each, before, occupations, files)} for name, each in doses.items()]
    moved = {part: [row["parts"][part]["female"]["value"] for row in rows] for part in ("planted", "others")}
    gained = {part: after - before for part, (before, after) in moved.items()}
    assert gained["planted"] > 0.1
    assert abs(gained["others"]) < gained["planted"] / 2
    for name in occupations:
        assert rows[1]["groups"][name]["female"] > rows[0]["groups"][name]["female"]
    assert rows[0]["parts"]["planted"]["from_untouched"]["R_bias"]["value"] == pytest.approx(0, abs=1e-6)
    assert f"\n| {EACH} |" in tables({"date": "", "planted": occupations, "doses": rows})["parts"]


def asked(model, out):
    """A measurement of a few groups in a few contexts, by two words."""
    few = {"contexts": "gender-all", "sample_contexts": 12, "seed": 1, "limit_groups": 20}
    words = {"male": ("he",), "female": ("she",)}
    return bvf.measure(model=model, topic="gender-2026", words=words, out=str(out), **few)


def test_the_page_has_the_tables_of_the_raw_figures():
    for place, table in tables(kept(PAGES / "planted-bias/doses.json")).items():
        assert f"<!-- {place} -->\n\n{table}\n\n<!-- /{place} -->" in (PAGES / "planted-bias.md").read_text("utf-8")
