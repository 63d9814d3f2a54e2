"""Other words in the prompts of a run: which they are, what is stored, what is said of them, and what is refused."""

import json
import shutil

import numpy as np
import pytest
from helpers.fixtures import TOY

import bvf
from bvf import BvfError
from bvf.hooks.loader import load
from bvf.measuring.folder import read_measurement, read_record
from bvf.measuring.plan import plan_of
from bvf.running import other_words
from bvf.running.config import RunConfig
from bvf.running.one_run import ready
from bvf.running.other_words import PER_READING, _draws, _prompts

WORDS = {"male": ("he", "man", "fatherhood"), "female": ("she", "woman", "motherhood")}
"""Fewer words than the topic's, some of them of several tokens."""
ASKED = {"limit_groups": 6, "sample_contexts": 60, "contexts": "gender-balanced", "other_words": True}
ASKED |= {"model": "bundled:en-causal", "words": WORDS}


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return bvf.run(out=str(tmp_path_factory.mktemp("other") / "run"), **ASKED)


@pytest.fixture(scope="module")
def others(run):
    return read_measurement(run.folder / "other-words")


def test_other_words_are_asked_in_the_same_prompts_and_their_probabilities_are_those_of_the_model(run, others):
    asked, of_run = others.record.asked, read_measurement(run.folder).record.asked
    assert [each.context.key for each in asked.in_order] == [each.context.key for each in of_run.in_order]
    assert asked.group_names == of_run.group_names
    plan = plan_of(RunConfig(**ASKED), load())
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


def test_words_are_chosen_in_contexts_that_the_run_does_not_ask_or_where_all_are_by_neutral_subjects():
    plan = plan_of(RunConfig(**ASKED), load())
    chosen_in = {prompt.context for prompt in _prompts(plan)}
    assert (len(chosen_in), chosen_in & {each.context.key for each in plan.asked.in_order}) == (16, set())
    plan = plan_of(RunConfig(model="bundled:en-causal", topic="weekday", limit_groups=4), load())
    prompts = _prompts(plan)
    assert {prompt.group for prompt in prompts} == set(plan.topic.neutral)
    assert len(prompts) == len(plan.topic.neutral) * len(plan.contexts.templates)


def test_the_same_command_again_asks_nothing(run):
    seen = list[int]()

    def note(progress):
        seen.append(progress.total - progress.reused)

    again = bvf.run(out=str(run.folder), on_progress=note, **ASKED)
    assert set(seen) == {0}
    assert again.other_words == run.other_words


def test_a_run_gets_other_words_later_and_verifies(tmp_path, run):
    without = {**ASKED, "other_words": False}
    first = bvf.run(out=str(tmp_path / "run"), **without)
    assert (first.other_words, first.place_among_words) == (None, None)
    bvf.run(out=str(tmp_path / "run"), **ASKED)
    later = bvf.analyse(tmp_path / "run")
    assert later.place_among_words == pytest.approx(run.place_among_words)
    assert pytest.approx(first.R) == later.R
    assert bvf.verify(tmp_path / "run") == []


@pytest.mark.long
def test_where_the_group_stands_after_the_word_a_causal_model_reads_few_other_words(tmp_path):
    choices = {"topic": "age", "limit_groups": 3, "sample_contexts": 20, "other_words": True}
    bvf.run(model="bundled:en-causal", out=str(tmp_path / "run"), **choices)
    assert len(read_measurement(tmp_path / "run" / "other-words").record.asked.words) <= PER_READING


def test_a_large_run_has_other_words_in_a_part_of_its_contexts(monkeypatch, run):
    plan, measurement = plan_of(RunConfig(**ASKED), load()), read_measurement(run.folder)
    assert _draws(plan, measurement) == measurement.record.asked.draws
    monkeypatch.setattr("bvf.running.other_words.MOST_PROMPTS", 30)
    assert _draws(plan, measurement).rounds == (5,)


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"model": "toy:hash", "plugin": (str(TOY),)}, "the backend toy gives no probabilities of all its tokens"),
        ({"reading": "generated"}, "answers are sampled"),
        ({"groups": ("nurse",), "limit_groups": 0}, "there is one group"),
    ],
)
def test_where_there_is_no_such_standard_the_run_is_refused(tmp_path, choices, message):
    with pytest.raises(BvfError, match=message):
        bvf.run(out=str(tmp_path / "run"), **{**ASKED, **choices})
    assert not (tmp_path / "run").exists()


def test_parts_ask_no_other_words(tmp_path):
    with pytest.raises(BvfError, match="--other-words with --part 1/2: other words are asked in one piece"):
        bvf.run_part(part="1/2", out=str(tmp_path / "run"), **ASKED)


def test_every_surface_says_where_the_topic_is_among_other_words(run, process):
    shown = " ".join(process("show", run.folder).stdout.split())
    assert f"Further apart than by unrelated words? Yes: {run.ratio_to_words:.1f} x the median pair" in shown
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
    other = bvf.run(out=str(tmp_path / "run"), **{**ASKED, "model": "bundled:en-seq2seq"})
    models = bvf.compare([run.folder, other.folder]).topics[0].models
    assert [each.other_words for each in models] == [run.other_words, other.other_words]


def test_topics_with_more_classes_have_sets_of_as_many_words(tmp_path):
    asked = {"topic": "weekday", "openings": "none", "limit_groups": 3, "other_words": True}
    result = bvf.run(model="bundled:en-causal", out=str(tmp_path / "run"), **asked)
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


BY_DEFAULT = {"limit_groups": 24, "sample_contexts": 20}
"""A run of 480 prompts in four shards, large enough for other words."""
MEASURED = {**BY_DEFAULT, "words": WORDS}


ON_ONE_MODEL = pytest.mark.parametrize("model", ["en-causal"], indirect=True, scope="module")


def files_of(folder):
    return {file.name: file.read_bytes() for file in (folder / "probabilities").iterdir()}


def has_other_words(result):
    return (result.folder / "other-words" / "measurement.json").exists()


def words_and_p(folder):
    others = read_measurement(folder / "other-words")
    return others.record.asked.words, others.probabilities


@pytest.fixture(scope="module", params=["en-causal", pytest.param("en-masked", marks=pytest.mark.long), "en-seq2seq"])
def model(request):
    return f"bundled:{request.param}"


@pytest.fixture(scope="module")
def by_default(model, tmp_path_factory):
    """A run by default, and one without other words."""
    folder = tmp_path_factory.mktemp("default")
    with_words = bvf.run(model=model, out=str(folder / "with"), **MEASURED)
    return with_words, bvf.run(model=model, out=str(folder / "without"), other_words=False, **MEASURED)


def test_every_run_has_other_words_and_its_own_answers_are_the_same_in_every_bit(by_default):
    result, without = by_default
    assert files_of(result.folder) == files_of(without.folder)
    assert (has_other_words(result), has_other_words(without)) == (True, False)
    assert result.other_words.words > 100
    assert (without.other_words, without.notes) == (None, result.notes)
    assert bvf.verify(result.folder) == []


def test_words_read_beside_have_the_p_of_a_pass_of_their_own(by_default, model, tmp_path):
    result, without = by_default
    shutil.copytree(without.folder, tmp_path / "run")
    second = bvf.run(model=model, out=str(tmp_path / "run"), other_words=True, **MEASURED)
    (words, p), (own_words, own) = words_and_p(result.folder), words_and_p(second.folder)
    assert words == own_words
    assert p == pytest.approx(own, abs=1e-6)
    assert second.ratio_to_words == pytest.approx(result.ratio_to_words, abs=1e-4)


@ON_ONE_MODEL
def test_the_user_who_wants_them_pays_no_second_pass(by_default, model, tmp_path):
    result, _ = by_default
    wanted = bvf.run(model=model, out=str(tmp_path / "run"), other_words=True, **MEASURED)
    assert files_of(wanted.folder / "other-words") == files_of(result.folder / "other-words")
    assert len(list((wanted.folder / "other-words" / "invocations").iterdir())) == 1


@ON_ONE_MODEL
@pytest.mark.parametrize("engine", ["", pytest.param("processes:2", marks=pytest.mark.long)])
def test_a_killed_run_goes_on_with_its_other_words(by_default, model, tmp_path, engine):
    def kill(progress):
        if progress.done >= 256:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        bvf.run(model=model, out=str(tmp_path / "run"), on_progress=kill, **MEASURED)
    words = read_record(tmp_path / "run" / "other-words").asked.words
    again = bvf.run(model=model, out=str(tmp_path / "run"), engine=engine, **MEASURED)
    assert again.model_dump() == by_default[0].model_dump()
    assert words_and_p(again.folder)[0] == words
    assert words_and_p(again.folder)[1] == pytest.approx(words_and_p(by_default[0].folder)[1], abs=1e-6)


@ON_ONE_MODEL
def test_a_run_that_began_without_them_gets_none_by_default_and_all_if_the_user_wants_them(by_default, tmp_path):
    _, without = by_default
    choices = {"model": without.model_path, "out": str(tmp_path / "run")}
    shutil.copytree(without.folder, tmp_path / "run")
    more = {**MEASURED, "sample_contexts": 24}
    later = bvf.run(**choices, **more)
    assert (has_other_words(later), later.other_words) == (False, None)
    assert "other words were not asked, as the run began without them; --other-words asks them" in later.notes
    wanted = bvf.run(**choices, **more, other_words=True)
    assert wanted.other_words.number_of_contexts == wanted.number_of_contexts


@ON_ONE_MODEL
def test_further_words_that_cannot_be_scored_end_no_run_and_are_no_fault_of_its_folder(
    by_default, tmp_path, monkeypatch
):
    def fail(*asked):
        raise BvfError("these words cannot be written here")

    monkeypatch.setattr("bvf_transformers.kinds.slot.SlotModel.score_beside", fail)
    _, without = by_default
    result = bvf.run(model=without.model_path, out=str(tmp_path / "run"), **MEASURED)
    assert files_of(result.folder) == files_of(without.folder)
    assert (has_other_words(result), result.other_words) == (True, None)
    assert any(note.startswith("other words not compared: ") for note in result.notes)
    assert bvf.verify(result.folder) == []


@ON_ONE_MODEL
def test_other_words_that_are_damaged_are_named(by_default, tmp_path):
    shutil.copytree(by_default[0].folder, tmp_path / "run")
    shard = min((tmp_path / "run" / "other-words" / "probabilities").iterdir())
    shard.write_bytes(shard.read_bytes()[:-9])
    assert any(line.startswith("other-words/") for line in bvf.verify(tmp_path / "run"))


@ON_ONE_MODEL
def test_more_contexts_have_other_words_too(by_default, tmp_path):
    result, _ = by_default
    shutil.copytree(result.folder, tmp_path / "run")
    more = bvf.run(model=result.model_path, out=str(tmp_path / "run"), **{**MEASURED, "sample_contexts": 40})
    assert more.number_of_contexts > result.number_of_contexts
    assert more.other_words.number_of_contexts == more.number_of_contexts


def test_contexts_that_are_drawn_for_precision_have_other_words_until_there_are_too_many_prompts(tmp_path, monkeypatch):
    choices = {"model": "bundled:en-causal", "words": WORDS, "limit_groups": 6, "contexts": "gender-balanced"}
    monkeypatch.setattr(other_words, "MOST_PROMPTS", 500)
    result = bvf.run(out=str(tmp_path / "run"), openings="none", precision=0.016, **choices)
    assert result.prompts > 500 > 6 * result.other_words.number_of_contexts
    assert result.other_words.number_of_contexts > 50


def prepared(**choices):
    """A run that is ready to start, and its notes on other words."""
    run = ready(RunConfig(model="bundled:en-causal", **{**BY_DEFAULT, **choices}), load())
    return run.other_words, [note for note in run.plan.notes if "other words" in note]


def test_a_run_has_other_words_from_400_prompts_in_12_contexts_on():
    assert prepared() == (True, [])
    assert prepared(sample_contexts=12, limit_groups=34) == (True, [])
    assert prepared(precision=0.1, limit_groups=100) == (True, [])


@pytest.mark.parametrize(
    "few",
    [
        {"limit_groups": 3, "sample_contexts": 3},
        {"sample_contexts": 11, "limit_groups": 100},
        {"limit_groups": 19},
        {"other_words": False},
        {"part": "1/2"},
        {"reading": "generated"},
        {"topic": "knowledge/continents", "sample_contexts": None},
    ],
)
def test_a_run_that_could_say_little_has_none_and_no_note(few):
    assert prepared(**few) == (False, [])


@pytest.mark.parametrize(
    ("choices", "why"),
    [
        ({"topic": "age", "limit_groups": 60}, "where a group stands after the word, this model reads each by a pass"),
        ({"word_boundary": True}, "with --word-boundary, each takes a pass"),
        ({"sample_contexts": 1000, "limit_groups": 0}, "there are more than 10,000 prompts"),
    ],
)
def test_where_only_the_option_asks_them_a_note_says_so(choices, why):
    asked, (note,) = prepared(**choices)
    assert not asked
    assert note.startswith(f"other words were not asked, as {why}")
    assert note.endswith("; --other-words asks them")
    assert prepared(**choices, other_words=True) == (False, [])


def test_a_run_goes_on_if_other_words_fail_unless_the_user_wants_them(tmp_path, monkeypatch):
    def fail(*_):
        raise BvfError("no such words")

    monkeypatch.setattr(other_words, "_chosen", fail)
    result = bvf.run(model="bundled:en-causal", out=str(tmp_path / "run"), **MEASURED)
    assert "other words were not asked: no such words" in result.notes
    with pytest.raises(BvfError, match="no such words"):
        bvf.run(model="bundled:en-causal", out=str(tmp_path / "other"), other_words=True, **MEASURED)


def test_the_command_line_has_both_ways(process):
    done = process(
        "run", "--quiet", "--no-other-words", "--sample-contexts", "20", "--limit-groups", "24", "--out", "o"
    )
    assert (done.returncode, "by other words" in done.stdout) == (0, False), done.stderr
    assert "--no-other-words" in process("run", "--help-all").stdout
