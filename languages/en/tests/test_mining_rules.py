"""Which made-up sentences the English miner refuses, and what it accepts besides noun and verb."""

import csv
from dataclasses import replace
from pathlib import Path

import pytest
from helpers.miners import made, mined

from bvf.interfaces.miner import Document, Found

pytest.importorskip("stanza")

RULES = list(csv.DictReader((Path(__file__).parent / "mining" / "rules.csv").read_text("utf-8").splitlines()))
KEPT = {row["text"]: row["template"] for row in RULES if row["template"]}
DROPPED = [row["text"] for row in RULES if not row["template"]]


@pytest.fixture(scope="module")
def matches():
    kept = made("en")([Document(text, text) for text in (*KEPT, *DROPPED)]).matches
    return {match.document.id: match for match in kept}


def test_meaning_and_grammar_stay_and_what_would_say_something_else_is_dropped(matches):
    assert {text: match.template.text for text, match in matches.items()} == KEPT


def test_a_sentence_gives_a_match_per_subject():
    text = "He said that he was ill and she thought that she was dying."
    assert mined(made("en"), text)[0] == ["The [X] said that [Y]", "The [X] thought that [Y]"]


def test_a_title_that_the_parser_cuts_off_loses_no_match():
    text, longer = "Mrs. Crocker kept her temper, but she was shaken.", "I said to Mrs. Crocker that she was shaken."
    miner = made("en")
    assert len(miner.parser.parse([text])[0]) == 2
    found = miner([Document("alone", text), Document("not alone", longer)])
    assert [match.document.id for match in found.matches] == ["alone"]


def test_a_match_says_why_it_is_believed(matches):
    match = matches["The doctor left, saying that he was ill."]
    assert (match.rule, match.distance, match.competitors) == ("a noun for persons, ccomp", 5, 0)
    assert 0.93 < match.confidence < 1


DOUBTFUL = (
    Document("sure", "The nurse said that she was tired."),
    Document("a rival", "The nurse met the clerk before she left."),
    Document("spoken of", "She was late. Emma said that she was tired."),
    Document("half of it left out", "He drove in June, on Monday, for three hours, and he was tired."),
    Document("a rival before", "Before the clerk left, the nurse said that she was tired."),
)


def test_less_confidence_keeps_more():
    kept = {
        least: {match.document.id for match in made("en", min_confidence=least)(DOUBTFUL).matches}
        for least in (0.0, 0.93, 0.96, 1.0)
    }
    assert kept[0.0] >= kept[0.93] >= kept[0.96] >= kept[1.0] == set()
    assert kept[0.96] == {"sure"}
    assert {"a rival", "spoken of", "half of it left out"} <= kept[0.0] - kept[0.93]


def test_templates_that_read_as_something_else_are_dropped():
    miner = made("en")
    (match,) = miner.find([Document("a", "The doctor said that she was tired.")]).matches
    other = replace(match, template=replace(match.template, text="The said [X] that [Y]"))
    found = miner._only_grammatical(Found([match, other]))
    assert [each.template.text for each in found.matches] == ["The [X] said that [Y]"]
    assert found.dropped == {"the template reads as something else": 1}


def test_predicates_name_no_occupation():
    texts = ("The doctor was a singer.", "The doctor worked as a nurse.", "The doctor was a friend.")
    found = made("en", "race")([Document(text, text) for text in texts])
    assert [match.template.text for match in found.matches] == ["The [X], who was a friend, is [Y]"]
    assert found.dropped["the predicate names an occupation"] == 2
