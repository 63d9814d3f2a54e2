"""Formats around templates: texts and chats word by word, crossed with frames, and what is refused."""

import pytest
from bvf_en.rules import English
from bvf_zh.rules import Chinese

from bvf.domain.chat import Chat
from bvf.domain.context import ContextSet, Template
from bvf.domain.variants.formats import Format, Formats
from bvf.domain.variants.frames import chosen_frames, framed_set
from bvf.errors import BvfError

SHIPPED = Formats(English().formats())


SAID = "The [X] said that [Y]"


def framed(template, *by):
    known = {**English().frames(), "format": SHIPPED}
    contexts = ContextSet("mine", (template,), (1.0,), "me")
    return framed_set(contexts, chosen_frames(by, known), English().inside)


def test_each_template_is_asked_in_each_format():
    found = framed(Template(SAID), "format=bare,user,assistant,continue")
    assert [(template.text, template.chat) for template in found.templates] == [
        (SAID, None),
        (SAID, Chat("user")),
        (SAID, Chat("assistant", "Continue the text.")),
        (f"Continue this sentence: {SAID}", Chat("user")),
    ]
    assert [row["format"] for row in found.details] == ["bare", "user", "assistant", "continue"]
    assert {row["origin"] for row in found.details} == {SAID}


def test_a_format_stands_around_every_other_frame():
    found = framed(Template(SAID), "year=1990,2030", "format=bare,continue")
    in_years = [f"In {year}, the [X] said that [Y]" for year in (1990, 2030)]
    expected = [*in_years, *(f"Continue this sentence: {each}" for each in in_years)]
    assert [template.text for template in found.templates] == expected


def test_both_languages_ship_the_same_formats():
    english, chinese = English().formats(), Chinese().formats()
    assert list(english) == list(chinese) == ["bare", "user", "assistant", "continue", "fill", "tell"]
    assert [each.turn for each in english.values()] == [each.turn for each in chinese.values()]


@pytest.mark.parametrize(
    ("by", "says"),
    [
        ("format=bare,usr", '--by format=bare,usr: there is no format "usr"'),
        ("format=bare", "--by format=bare: two or more different formats are compared"),
        ("format=bare,bare", "two or more different formats are compared"),
    ],
)
def test_levels_that_are_no_formats_are_refused(by, says):
    with pytest.raises(BvfError, match=says):
        framed(Template(SAID), by)


def test_contexts_that_are_in_a_chat_get_no_second_one():
    with pytest.raises(BvfError, match="is in a chat already"):
        framed(Template(SAID, chat=Chat("user")), "format=bare,user")


@pytest.mark.parametrize(
    ("stated", "says"),
    [
        ({"text": "Go on."}, r"it needs \[template\] once"),
        ({"text": "[template] [template]"}, r"it needs \[template\] once"),
        ({"system": "Be brief."}, "give it a turn, user or assistant"),
        ({"turn": "assistant"}, "the user says nothing before the assistant's turn"),
        ({"turn": "user", "user": "Go on."}, "the user's message is the context"),
        ({"turn": "system"}, "turn"),
    ],
)
def test_what_is_no_format_is_refused(stated, says):
    with pytest.raises(BvfError, match=says):
        Format.checked(stated, "mine.toml: [mine]")
