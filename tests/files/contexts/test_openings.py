"""Conversations in files of openings: worked examples of each form, and what is refused."""

import json

import pytest

from bvf import BvfError
from bvf.domain.chat import messages_in
from bvf.files.contexts.openings import read_openings


def said(*texts):
    return [{"role": ("user", "assistant")[place % 2], "content": text} for place, text in enumerate(texts)]


SHORT, LONG = said("I am a nurse.", "I see."), said("Hello.", "Hello!", "I fly.", "Far?")
AS_TEXT = '[{"role": "user", "content": "I am a nurse."}, {"role": "assistant", "content": "I see."}]'
CSV = "turn_1,turn_2,turn_3,turn_4,count,mood\nI am a nurse.,I see.,,,2,calm\nHello.,Hello!,I fly.,Far?,1\n,,,,3,\n"
LISTED = [{"messages": SHORT, "count": 2, "mood": "calm"}, LONG, {"messages": [], "count": 3}]


@pytest.mark.parametrize(
    ("name", "content"),
    [("a.csv", CSV), ("a.json", json.dumps(LISTED)), ("a.jsonl", "\n".join(map(json.dumps, LISTED)))],
)
def test_each_form_says_the_same(tmp_path, name, content):
    (tmp_path / name).write_text(content)
    pool = read_openings(tmp_path / name)
    assert (pool.texts[0], pool.texts[2]) == (AS_TEXT, "none")
    assert [messages_in(text) for text in pool.texts] == [SHORT, LONG, []]
    assert (pool.counts, pool.share_of_none, pool.details[0]) == ((2.0, 1.0, 3.0), 0.5, {"mood": "calm"})


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (said("Hello."), "it ends with the user"),
        ([*said("Hello."), *SHORT], "messages 1 and 2 are both the user's"),
        (said(" ", "Hello."), "message 1 is empty"),
        (said("The [X] left.", "Hello."), "has a slot"),
        ([*SHORT, {"role": "system", "content": "Be brief."}], "message 3 is the system's, which speaks first"),
        ([{"role": "tool", "content": "4"}], "message 1 is not a role (system, user, assistant) and the content"),
        ([{"role": "user", "content": "Hello.", "name": "Jo"}], "message 1 is not a role"),
    ],
)
def test_a_wrong_conversation_is_refused_by_its_number(tmp_path, wrong, says):
    (tmp_path / "talks.json").write_text(json.dumps([SHORT, wrong]))
    with pytest.raises(BvfError, match=r"^mine: conversation 2") as refused:
        read_openings(tmp_path / "talks.json", "mine")
    assert says in refused.value.message


@pytest.mark.parametrize(
    ("content", "says"),
    [('{"messages": []}', "it is not a list of conversations"), ("[7, 8]", "opening 1: its messages are no list")],
)
def test_a_wrong_file_is_refused(tmp_path, content, says):
    (tmp_path / "talks.json").write_text(content)
    with pytest.raises(BvfError, match=says):
        read_openings(tmp_path / "talks.json")
