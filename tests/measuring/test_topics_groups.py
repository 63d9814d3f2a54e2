"""``--limit-groups`` draws groups by the seed, and a folder that was begun with the first ones goes on with them."""

import json
from pathlib import Path

import pytest
from helpers.toy_runs import copied, small_config

import bvf
from bvf import BvfError, ContextSet, Template
from bvf.domain.topic import checked_topic
from bvf.measuring.config import MeasureConfig
from bvf.measuring.controls import control_plans
from bvf.measuring.folder import content_of, read_record
from bvf.measuring.plan import plan_of


@pytest.fixture
def config(toy, tmp_path):
    return lambda **changes: small_config(
        copied(toy, tmp_path), tmp_path / "out", topic="gender-2026", contexts="gender", limit_groups=6, **changes
    )


def test_the_draw_is_in_the_record_in_the_notes_and_in_the_first_line(config, command, tmp_path):
    result = bvf.run(config())
    groups = [group.group for group in result.groups]
    assert groups == ["cio", "commander", "cook", "economist", "representative", "surveyor"]
    record = json.loads((tmp_path / "out" / "measurement.json").read_text())
    assert record["asked"]["selection"] == {"of": 120, "own": [], "seed": 0}
    assert "6 of 120 groups, drawn by the seed 0" in result.notes
    assert "6 of 120 groups (drawn) in 10 contexts" in command("show", result.folder).said
    assert command("verify", result.folder).code == 0
    assert [group.group for group in bvf.run(config(seed=1, out=str(tmp_path / "1"))).groups] != groups


def test_a_folder_that_was_begun_with_the_first_groups_goes_on_with_them(config, tmp_path, command):
    first = ("accountant", "administrator", "advisor", "ambassador", "analyst", "animator")
    changes = {"limit_groups": 0, "groups": first}
    folder = bvf.run(config().model_copy(update=changes)).folder
    as_before_groups_were_drawn(folder)
    next((folder / "probabilities").iterdir()).unlink()
    again = bvf.run(config())
    assert tuple(group.group for group in again.groups) == first
    assert again.selection is None
    assert command("verify", folder).code == 0
    with pytest.raises(BvfError, match="holds another measurement"):
        bvf.run(config().model_copy(update={"limit_groups": 7}))


def as_before_groups_were_drawn(folder):
    """Write the record of a folder as it was when ``--limit-groups`` took the first groups."""
    record = read_record(folder)
    before = record.model_copy(update={"asked": record.asked.model_copy(update={"selection": None}), "notes": ()})
    written = json.loads(before.model_copy(update={"content": content_of(before)}).model_dump_json(by_alias=True))
    del written["asked"]["selection"]
    (folder / "measurement.json").write_text(json.dumps(written))


WHO = {
    "schema": "bvf.topic/1",
    "name": "who",
    "language": "en",
    "summary": "Who is meant",
    "contexts": "none",
    "groups": ["nurse", "pilot", "clerk", "cook"],
    "attributes": [{"name": "first", "words": ["[X1]"]}, {"name": "second", "words": ["the other, [X2]"]}],
}
TWO = ContextSet("two", (Template("An [X1] met a [X2]: [Y]"),), (1.0,))


def planned(contexts=TWO, topic=(), **config):
    made = checked_topic({**WHO, **dict(topic)}, "here")
    return plan_of(MeasureConfig(topic=made, contexts=contexts, model="baseline:random", **config), bvf.load())


def test_two_people_are_asked_about_in_both_orders():
    plan = planned(groups=("clerk", "nurse"))
    assert plan.groups == ("nurse & clerk", "clerk & nurse")
    assert [str(prompt) for prompt in plan.prompts([0, 1])] == ["A nurse met a clerk: [Y]", "A clerk met a nurse: [Y]"]
    assert plan.questions.words_of_groups["clerk & nurse"] == ("clerk", "the other, nurse")
    assert [each.factors for each in plan.asked.groups] == [
        {"first": "nurse", "second": "clerk"},
        {"first": "clerk", "second": "nurse"},
    ]
    assert str(plan.selection) == "chosen by name"
    assert plan.selection.of == 12
    assert len(planned().groups) == 12
    drawn = planned(limit_groups=3).groups
    assert len(drawn) == 6
    assert {" & ".join(reversed(each.split(" & "))) for each in drawn} == set(drawn)


def test_a_topic_may_say_who_meets_whom():
    pairs = [["nurse", "pilot"], ["clerk", "pilot"]]
    asked = planned(topic={"pairs": pairs}).groups
    assert asked == ("nurse & pilot", "pilot & nurse", "pilot & clerk", "clerk & pilot")
    for wrong, groups, why in (
        (pairs, ("nurse", "pilot", "cook"), '"cook" is in no pair of who'),
        (pairs, ("nurse", "clerk"), "two people, and nurse, clerk are no pair"),
        ([["nurse", "nurse"]], (), '"nurse" with itself'),
        ([["nurse", "baker"]], (), 'names the group "baker", which'),
        ([["nurse", "pilot"], ["pilot", "nurse"]], (), 'the pair "nurse & pilot" occurs 2 times'),
    ):
        with pytest.raises(BvfError, match=why):
            planned(topic={"pairs": wrong}, groups=groups)


def test_contexts_of_one_person_and_of_two_do_not_mix():
    of_one = Template("The [X] is [Y]")
    mixed, one = ContextSet("mixed", (*TWO.templates, of_one), (1.0, 1.0)), ContextSet("one", (of_one,), (1.0,))
    for contexts, groups, why in (
        (mixed, (), r"mixed: contexts have \[X\], and others \[X1\] and \[X2\]"),
        (one, (), r"one: contexts have \[X\], and words of who \[X1\] and \[X2\]"),
        (TWO, ("nurse",), "nurse are no pair"),
    ):
        with pytest.raises(BvfError, match=why):
            planned(contexts, groups=groups)
    plan = planned()
    with pytest.raises(BvfError, match="about one person, and the contexts about two"):
        control_plans(plan.config, plan, Path("out"), bvf.load())
