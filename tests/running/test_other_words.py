"""Other words in the prompts of a run: which they are, what is stored, what is said of them, and what is refused."""

import json

import numpy as np
import pytest
from helpers.fixtures import TOY

import bvf
from bvf import BvfError
from bvf.hooks.loader import load
from bvf.measuring.folder import read_measurement
from bvf.measuring.plan import plan_of
from bvf.running.config import RunConfig
from bvf.running.other_words import PER_READING, _draws, _prompts

ASKED = {"limit_groups": 6, "sample_contexts": 60, "contexts": "gender-balanced", "other_words": True}


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("other") / "run"
    return bvf.run(model="bundled:en-causal", out=str(folder), **ASKED)


@pytest.fixture(scope="module")
def others(run):
    return read_measurement(run.folder / "other-words")


def test_other_words_are_asked_in_the_same_prompts_and_their_probabilities_are_those_of_the_model(run, others):
    asked, of_run = others.record.asked, read_measurement(run.folder).record.asked
    assert [each.context.key for each in asked.in_order] == [each.context.key for each in of_run.in_order]
    assert asked.group_names == of_run.group_names
    plan = plan_of(RunConfig(model="bundled:en-causal", **ASKED), load())
    logp = plan.model.load().word_logprobs(plan.prompts([0, 5]), asked.words)
    p = np.exp(logp) / np.exp(logp).sum(axis=1, keepdims=True)
    assert others.probabilities.reshape(-1, len(asked.words))[[0, 5]] == pytest.approx(p, abs=1e-6)


def test_other_words_are_no_words_of_a_topic_and_begin_none(others):
    words = others.record.asked.words
    assert 100 <= len(words) <= 150
    topics = [entry.make() for entry in load().topics.in_language("en") if entry.provider.name in ("gender", "race")]
    taken = {
        part.casefold()
        for topic in topics
        for phrase in (*topic.groups, *topic.neutral, *(word for each in topic.attributes for word in each.words))
        for part in phrase.split()
    }
    assert not [word for word in words for other in taken if other.startswith(word)]
    assert not [word for word in words for other in taken if len(other) > 2 and word.startswith(other)]


def test_words_are_chosen_in_contexts_that_the_run_does_not_ask():
    plan = plan_of(RunConfig(model="bundled:en-causal", **ASKED), load())
    chosen_in = {prompt.context for prompt in _prompts(plan)}
    assert (len(chosen_in), chosen_in & {each.context.key for each in plan.asked.in_order}) == (16, set())


def test_where_all_contexts_are_asked_words_are_chosen_by_neutral_subjects():
    plan = plan_of(RunConfig(model="bundled:en-causal", topic="weekday", limit_groups=4), load())
    prompts = _prompts(plan)
    assert {prompt.group for prompt in prompts} == set(plan.topic.neutral)
    assert len(prompts) == len(plan.topic.neutral) * len(plan.contexts.templates)


def test_the_same_command_again_asks_nothing(run):
    seen = list[int]()
    again = bvf.run(
        model="bundled:en-causal",
        out=str(run.folder),
        on_progress=lambda progress: seen.append(progress.total - progress.reused),
        **ASKED,
    )
    assert set(seen) == {0}
    assert again.other_words == run.other_words


def test_a_run_gets_other_words_later_and_verifies(tmp_path, run):
    without = {**ASKED, "other_words": False}
    first = bvf.run(model="bundled:en-causal", out=str(tmp_path / "run"), **without)
    assert (first.other_words, first.place_among_words) == (None, None)
    bvf.run(model="bundled:en-causal", out=str(tmp_path / "run"), **ASKED)
    later = bvf.analyse(tmp_path / "run")
    assert later.place_among_words == pytest.approx(run.place_among_words)
    assert pytest.approx(first.R) == later.R
    assert bvf.verify(tmp_path / "run") == []


def test_where_the_group_stands_after_the_word_a_causal_model_reads_few_other_words(tmp_path):
    choices = {"topic": "age", "limit_groups": 3, "other_words": True}
    bvf.run(model="bundled:en-causal", out=str(tmp_path / "run"), **choices)
    assert len(read_measurement(tmp_path / "run" / "other-words").record.asked.words) <= PER_READING


def test_a_large_run_has_other_words_in_a_part_of_its_contexts(monkeypatch, run):
    plan, measurement = plan_of(RunConfig(model="bundled:en-causal", **ASKED), load()), read_measurement(run.folder)
    assert _draws(plan, measurement) == measurement.record.asked.draws
    monkeypatch.setattr("bvf.running.other_words.MOST_PROMPTS", 30)
    assert _draws(plan, measurement).rounds == (5,)


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"model": "toy:hash", "plugin": (str(TOY),)}, "the backend toy gives no probabilities of all its tokens"),
        ({"model": "bundled:en-causal", "reading": "generated"}, "answers are sampled"),
        ({"model": "bundled:en-causal", "groups": ("nurse",), "limit_groups": 0}, "there is one group"),
    ],
)
def test_where_there_is_no_such_standard_the_run_is_refused(tmp_path, choices, message):
    with pytest.raises(BvfError, match=message):
        bvf.run(out=str(tmp_path / "run"), **{**ASKED, **choices})
    assert not (tmp_path / "run").exists()


def test_parts_ask_no_other_words(tmp_path):
    with pytest.raises(BvfError, match="--other-words with --part 1/2: other words are asked in one piece"):
        bvf.run_part(model="bundled:en-causal", part="1/2", out=str(tmp_path / "run"), **ASKED)


def test_every_surface_says_where_the_topic_is_among_other_words(run, process):
    sentence = run.other_words.sentence("gender", 0.95)
    assert sentence.startswith(("Groups are ", "It is open whether groups are "))
    shown = process("show", run.folder).stdout
    assert sentence in " ".join(shown.split())
    assert "groups apart by other words" in process("show", "--details", run.folder).stdout
    stored = json.loads((run.folder / "result.json").read_text())
    assert len(stored["other_words"]["sets"]) == len(run.other_words.sets)
    assert stored["uncertainty"]["intervals"]["ratio_to_words"]["low"] < stored["ratio_to_words"]
    assert process("report", run.folder, "--out", "page.html").returncode == 0


def test_a_gate_takes_the_ratio_and_the_place(run):
    low, high = run.other_words.ratio_ends
    held = bvf.gate(run.folder, max={"ratio_to_words": high + 0.1}, min={"place_among_words": 0.0})
    assert [each.verdict for each in held.decisions] == ["pass", "pass"]
    assert bvf.gate(run.folder, max={"ratio_to_words": low - 0.1}).decisions[0].verdict == "fail"


def test_models_are_compared_each_beside_its_own_other_words(run, tmp_path):
    other = bvf.run(model="bundled:en-seq2seq", out=str(tmp_path / "run"), **ASKED)
    models = bvf.compare([run.folder, other.folder]).topics[0].models
    assert [each.other_words for each in models] == [run.other_words, other.other_words]


def test_topics_with_more_classes_have_sets_of_as_many_words(tmp_path):
    result = bvf.run(
        model="bundled:en-causal",
        topic="weekday",
        openings="none",
        limit_groups=3,
        other_words=True,
        out=str(tmp_path / "run"),
    )
    others = result.other_words
    assert {len(each.words) for each in others.sets} == {7}
    assert (others.place_ends, others.ratio_ends) == (None, None)  # its contexts were written
    assert f"(in these {others.number_of_contexts} contexts)" in others.sentence("weekday", 0.95)


def test_with_too_few_words_per_class_there_is_no_standard_and_a_note_says_so(run, monkeypatch):
    monkeypatch.setattr("bvf.analyses.risk.other_words.WORDS_PER_CLASS", 100)
    few = bvf.analyse(run.folder, criterion="lk:2")
    assert few.other_words is None
    why = f"there are {run.other_words.words}, and a standard for 2 classes takes 200"
    assert f"other words not compared: {why}" in few.notes
