"""Letters that look alike: one spelling, and refusals that name the letter and its place."""

import doctest
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bvf.domain.spelling
from bvf import BvfError
from bvf.domain.context import Template
from bvf.domain.spelling import plain_letters, spelt, visible, written

JOINED = ["می‌خواهم", "क्‍ष", "র‍্য", "👨‍👩‍👧", "❤️‍🔥"]
"""Persian, Hindi, Bengali and emoji, which need their joiners."""


def test_the_examples_of_the_module_hold():
    assert not doctest.testmod(bvf.domain.spelling).failed


@pytest.mark.parametrize("code", [code for code in range(0x10000) if unicodedata.category(chr(code)) == "Zs"], ids=hex)
def test_every_space_of_unicode_is_a_space(code):
    assert written(f"The{chr(code)}[X]") == plain_letters(f"The{chr(code)}[X]") == "The [X]"


@pytest.mark.parametrize(
    ("text", "message", "clean"),
    [
        ("The\u200b [X]", 'the invisible letter U+200B ZERO WIDTH SPACE is between "The" and " [X]"', "The [X]"),
        ("\ufeffshe", 'the invisible letter U+FEFF ZERO WIDTH NO-BREAK SPACE is before "she"', "she"),
        ("she\u200f", 'the invisible letter U+200F RIGHT-TO-LEFT MARK is after "she"', "she"),
        ("fire\u00adman", 'the invisible letter U+00AD SOFT HYPHEN is between "fire" and "man"', "fireman"),
        ("中\u200d国", 'the invisible letter U+200D ZERO WIDTH JOINER is between "中" and "国"', "中国"),
        (
            "\uff53\uff48\uff45",
            'the letter "\uff53", U+FF53 FULLWIDTH LATIN SMALL LETTER S, is before "\uff48\uff45"',
            "she",
        ),
        ("\ufb01reman", 'the letter "ﬁ", U+FB01 LATIN SMALL LIGATURE FI, is before "reman"', "fireman"),
        ("\uff8a\uff9e\uff7d", "HALFWIDTH KATAKANA LETTER HA", "バス"),
    ],
)
def test_a_letter_that_cannot_be_seen_or_told_apart_is_named(text, message, clean):
    with pytest.raises(BvfError) as refused:
        written(text, "a.csv:3")
    assert refused.value.message.startswith("a.csv:3: ")
    assert message in refused.value.message
    assert plain_letters(text) == clean


@pytest.mark.parametrize("text", JOINED, ids=ascii)
def test_joiners_stay_where_a_script_needs_them(text):
    assert written(text) == plain_letters(text) == text


@given(st.text())
def test_plain_letters_are_never_refused_and_stay_as_they_are(text):
    clean = plain_letters(text)
    assert written(clean) == plain_letters(clean) == clean


@given(st.text(st.characters(categories=["Lu", "Ll", "Mn", "Nd", "Po"], max_codepoint=0x24F)))
def test_composed_letters_are_those_of_the_library(text):
    assert spelt(text) == unicodedata.normalize("NFC", text).replace("\u00a0", " ")


def test_what_is_invisible_is_shown_as_its_code_and_templates_that_look_equal_are_equal():
    assert visible("3\u200b, 4") == "3\\u200b, 4"
    assert Template("In the cafe\u0301 the [X] said\u00a0that [Y]") == Template("In the café the [X] said that [Y]")
