"""Words of Y before the subject, on hand-made trees, independent of any parser."""

import pytest
from bvf_stanza import Lexicon, Sentence, Unfit, Word
from bvf_stanza.attributes import NOT_ALONE, OF_ANOTHER, Attributes

from bvf.interfaces.miner import Span

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


def tree(text):
    """Build a tree from ``word/TAG/relation/head`` per word. Heads count from 0, -1 is the root."""
    words, place = [], 0
    for part in text.split():
        word, tag, relation, head = part.rsplit("/", 3)
        words.append(Word(word, word.lower(), tag, frozenset(), int(head), relation, Span(place, place + len(word))))
        place += len(word) + 1
    return Sentence(tuple(words))


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


@pytest.mark.parametrize(
    ("text", "subject", "rule"),
    [
        (
            "The/DET/det/1 engineer/NOUN/nsubj/3 was/AUX/cop/3 young/ADJ/root/-1",
            1,
            "no word of Y describes the subject",
        ),
        (
            "The/DET/det/3 young/ADJ/amod/3 software/NOUN/compound/3 engineer/NOUN/nsubj/4 left/VERB/root/-1",
            3,
            OF_ANOTHER,
        ),
        ("The/DET/det/3 very/ADV/advmod/2 young/ADJ/amod/3 engineer/NOUN/nsubj/4 left/VERB/root/-1", 3, NOT_ALONE),
        (
            "A/DET/det/4 year/NOUN/nmod/3 -/PUNCT/punct/3 old/ADJ/amod/4 nurse/NOUN/nsubj/5 left/VERB/root/-1",
            4,
            NOT_ALONE,
        ),
        (
            "The/DET/det/3 young/ADJ/amod/3 old/ADJ/amod/3 nurse/NOUN/nsubj/4 left/VERB/root/-1",
            3,
            "another word tells of Y",
        ),
        (
            "My/PRON/det/2 young/ADJ/amod/2 brother/NOUN/nsubj/3 left/VERB/root/-1",
            2,
            "the word of Y and the subject are one word",
        ),
        (
            "My/PRON/det/2 young/ADJ/amod/2 nurse/NOUN/nsubj/5 ,/PUNCT/punct/5 I/PRON/nsubj/5 left/VERB/root/-1",
            2,
            "the subject may be that of another verb",
        ),
        (
            "The/DET/det/2 old/ADJ/amod/2 nurse/NOUN/nsubj/5 and/CCONJ/cc/4 cook/NOUN/conj/2 left/VERB/root/-1",
            2,
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


def test_a_noun_of_one_character_is_a_part_of_the_word_before_it():
    with pytest.raises(Unfit, match="are one word"):
        found("聪明/ADJ/amod/1 人/NOUN/nsubj/2 来/VERB/root/-1", 1, lexicon=UNSPACED, words={"聪明"})


def test_an_owner_does_not_describe():
    with pytest.raises(Unfit, match=OF_ANOTHER):
        found(
            "穆斯林/PROPN/nmod/2 的/PART/case/0 医生/NOUN/nsubj/3 来/VERB/root/-1",
            2,
            lexicon=UNSPACED,
            words={"穆斯林"},
        )


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
