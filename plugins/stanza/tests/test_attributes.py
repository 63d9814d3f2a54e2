"""Words of Y before the subject, on hand-made trees, independent of any parser."""

import pytest
from bvf_stanza import Lexicon, Unfit
from bvf_stanza.attributes import NOT_ALONE, OF_ANOTHER, Attributes
from helpers.miners import tree

WORDS = {"young", "old", "African American", "middle-class", "Muslim"}
SPACED = Lexicon(
    script="LATIN",
    sentence_end=r"\.",
    pronouns={},
    subject_pronouns=(),
    other_pronouns=(),
    persons=("engineer",),
    relatives=("brother",),
)
UNSPACED = SPACED.model_copy(update={"spaced": False, "attributive_particles": frozenset("的"), "persons": {"穆斯林"}})


def found(text, subject, place="before", lexicon=SPACED, words=WORDS):
    attribute = Attributes(words, lexicon, place).before(tree(text), subject)
    return None if attribute is None else (attribute.first, attribute.last)


@pytest.mark.parametrize(
    ("text", "subject", "place"),
    [
        ("The/DET/det/2 young/ADJ/amod/2 engineer/NOUN/nsubj/3 left/VERB/root/-1", 2, (1, 1)),
        ("A/DET/det/2 Muslim/PROPN/compound/2 engineer/NOUN/nsubj/3 left/VERB/root/-1", 2, (1, 1)),
        ("The/DET/det/3 old/ADJ/amod/3 tall/ADJ/amod/3 engineer/NOUN/nsubj/4 left/VERB/root/-1", 3, (1, 1)),
        ("An/DET/det/3 African/ADJ/amod/3 American/ADJ/amod/3 pilot/NOUN/nsubj/4 flew/VERB/root/-1", 3, (1, 2)),
        (
            "A/DET/det/4 middle/ADJ/amod/3 -/PUNCT/punct/3 class/NOUN/compound/4 clerk/NOUN/nsubj/5 left/VERB/root/-1",
            4,
            (1, 3),
        ),
    ],
)
def test_an_adjective_or_noun_of_y_that_describes_the_subject_is_found(text, subject, place):
    assert found(text, subject) == found(text, subject, "both") == place
    assert found(text, subject, "after") is None


NURSE = "nurse/NOUN/nsubj/4 left/VERB/root/-1"


@pytest.mark.parametrize(
    ("text", "subject", "rule"),
    [
        ("The/DET/det/1 cook/NOUN/nsubj/3 was/AUX/cop/3 young/ADJ/root/-1", 1, "no word of Y describes the subject"),
        (f"The/DET/det/3 young/ADJ/amod/3 software/NOUN/compound/3 {NURSE}", 3, OF_ANOTHER),
        (f"The/DET/det/3 very/ADV/advmod/2 young/ADJ/amod/3 {NURSE}", 3, NOT_ALONE),
        (f"year/NOUN/nmod/2 -/PUNCT/punct/2 old/ADJ/amod/3 {NURSE}", 3, NOT_ALONE),
        (f"The/DET/det/3 young/ADJ/amod/3 old/ADJ/amod/3 {NURSE}", 3, "another word tells of Y"),
        (
            *("My/PRON/det/2 young/ADJ/amod/2 brother/NOUN/nsubj/3 left/VERB/root/-1", 2),
            "the word of Y and the subject are one word",
        ),
        (
            *("young/ADJ/amod/1 nurse/NOUN/nsubj/4 ,/PUNCT/punct/4 I/PRON/nsubj/4 left/VERB/root/-1", 1),
            "the subject may be that of another verb",
        ),
        (
            *("old/ADJ/amod/1 nurse/NOUN/nsubj/4 and/CCONJ/cc/3 cook/NOUN/conj/1 left/VERB/root/-1", 1),
            "the subject is several",
        ),
    ],
)
def test_what_is_in_doubt_is_refused_with_the_rule(text, subject, rule):
    with pytest.raises(Unfit, match=rule):
        found(text, subject)


def test_without_an_attribute_both_places_leave_the_template_to_the_predicate():
    assert found("The/DET/det/1 engineer/NOUN/nsubj/3 was/AUX/cop/3 young/ADJ/root/-1", 1, "both") is None


@pytest.mark.parametrize(
    ("text", "subject", "place"),
    [
        ("善良/NOUN/nmod/2 的/PART/case/0 老师/NOUN/nsubj/3 来/VERB/root/-1", 2, (0, 0)),
        ("大学/NOUN/compound/1 毕业生/NOUN/nmod/2 店员/NOUN/nsubj/3 来/VERB/root/-1", 2, (0, 1)),
        ("一/NUM/nummod/1 位/NOUN/clf/2 善良/NOUN/nmod/4 的/PART/case/2 老师/NOUN/nsubj/5 来/VERB/root/-1", 4, (2, 2)),
    ],
)
def test_in_a_language_without_spaces_tokens_are_joined_and_a_particle_may_follow(text, subject, place):
    assert found(text, subject, lexicon=UNSPACED, words={"善良", "大学毕业生"}) == place


@pytest.mark.parametrize(
    ("text", "subject", "word", "rule"),
    [
        ("聪明/ADJ/amod/1 人/NOUN/nsubj/2 来/VERB/root/-1", 1, "聪明", "are one word"),  # 人 is a part of the word
        ("穆斯林/PROPN/nmod/2 的/PART/case/0 医生/NOUN/nsubj/3 来/VERB/root/-1", 2, "穆斯林", OF_ANOTHER),  # an owner
    ],
)
def test_a_part_of_a_word_and_an_owner_do_not_describe(text, subject, word, rule):
    with pytest.raises(Unfit, match=rule):
        found(text, subject, lexicon=UNSPACED, words={word})


@pytest.mark.parametrize(
    ("place", "text", "may"),
    [
        ("before", "The young engineer left.", True),
        ("before", "An African American pilot flew.", True),
        ("before", "A middle-class clerk left.", True),
        ("before", "The younger engineer left.", False),
        ("both", "The young engineer left.", True),
        ("both", "The engineer left.", False),
        ("after", "The young engineer left.", False),
    ],
)
def test_a_sentence_without_a_word_of_y_has_no_attribute(place, text, may):
    assert Attributes(WORDS, SPACED, place).may_be_in(text) is may


def test_a_template_must_not_have_a_word_of_y_elsewhere():
    attributes = Attributes(WORDS, SPACED)
    attributes.refuse_another("The [X] wore a coat")
    with pytest.raises(Unfit, match="another word tells of Y"):
        attributes.refuse_another("The [X] wore an old coat")
