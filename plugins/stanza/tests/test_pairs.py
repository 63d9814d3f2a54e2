"""Pairs of a person and a later word of Y, found without parsing."""

import pytest
from bvf_stanza.lexicon import TOKEN, Lexicon, uncontracted
from bvf_stanza.sieve import Pairs

DEFAULT, ANY = 0.93, 0.0
LEXICON = Lexicon(
    script="LATIN",
    sentence_end="[.]",
    pronouns={"he": "masculine", "his": "masculine", "him": "masculine", "she": "feminine", "her": "feminine"},
    subject_pronouns=frozenset(("he", "she", "his", "her")),
    other_pronouns=frozenset(("i", "it", "they")),
    nominatives=frozenset(("i", "he", "she", "it", "they")),
    persons=frozenset(("nurse", "clerk")),
    masculine=frozenset(("king",)),
    titles={"mrs": "feminine", "dr": "any"},
    names={"feminine": frozenset(("Anna",))},
    links=frozenset(("that", "and", "but", "when", "which", "as_if")),
    openers=frozenset(("the", "when", "with")),
    before_no_subject=frozenset(("of", "with", "which", "whom")),
    determiners=frozenset(("the", "a")),
    joining=frozenset(("and", "but")),
    pronoun_subjects=True,
    cues=frozenset(("beard",)),
)


def found(text, least=DEFAULT, before="", known=None):
    pairs = Pairs(LEXICON, LEXICON.subject_pronouns, least)
    return pairs.are_in(text, before.split(), known or {})


@pytest.mark.parametrize(
    "text",
    [
        "The nurse said that she was tired.",
        "The king's clerk knew he'd won.",
        "He slept, and he dreamt.",
        "Mrs. Adams said she knew.",
        "Dr. Adams said she knew.",
        "When Anna came in, her dog barked.",
        "The clerk knew that in his house it was cold.",
        "The nurse slept; but when it rained she woke.",
        "The nurse slept (with it) and she dreamt.",
        "'He said that he was ill.'",
    ],
)
def test_one_may_mean_the_other(text):
    assert found(text)


@pytest.mark.parametrize(
    "text",
    [
        "The house was old when she came.",
        "The king said that she was tired.",
        "Mrs. said he knew.",
        "With the nurse it rained and she came.",
        "The sons of Dr. Anna Adams knew that she came.",
        "It is the house which she said she sold.",
        "The nurse was here. “She is late,” it said.",
        'The nurse laughed: "I know that she is late."',
        "The nurse slept; she was tired.",
        "The nurse slept -- she was tired.",
        "The nurse slept and they came when she called.",
        "The clerk saw the old beard that he feared.",
        "The nurse came home, she said.",
        "The nurse saw the old house with her garden.",
        f"The nurse saw {'the very old house ' * 10} and she came.",
    ],
)
def test_what_stands_before_or_between_forbids_it_at_any_confidence(text):
    assert not found(text, ANY)


@pytest.mark.parametrize(
    ("text", "before", "known"),
    [
        ("Adams said that she knew.", "", {}),
        ("Adams said that she knew.", "", {"Adams": None}),
        ("The nurse said that she knew.", "and when she came in", {}),
        ("When her dog barked, the nurse said that she knew.", "", {}),
        ("The nurse came to an old house in a wood by a lake in wet May when it rained and she slept.", "", {}),
    ],
)
def test_what_only_lessens_the_confidence_forbids_it_where_that_is_asked_for(text, before, known):
    assert not found(text, DEFAULT, before, known)
    assert found(text, ANY, before, known)


def test_names_of_the_document_and_words_far_before_count():
    assert found("Adams said that she knew.", known={"Adams": "feminine"})
    assert not found("Adams said that she knew.", ANY, known={"Adams": "masculine"})
    assert found("The nurse said that she knew.", before="she " + "then it rained " * 9)


def test_tokens_part_what_a_parser_parts():
    assert TOKEN.findall("“He's ill,” said Dr. O\u2019Neil -- 'so'.") == [
        *("“", "He", "'s", "ill", ",", "”", "said", "Dr", ".", "O", "\u2019Neil", "--", "'", "so", "'", ".")
    ]
    assert uncontracted("She\u2019ll") == "she"
