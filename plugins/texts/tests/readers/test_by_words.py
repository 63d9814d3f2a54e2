"""The first word of a class, and the class with most words, in texts that were labelled by hand."""

import pytest
from bvf_texts.reader import Unread
from bvf_texts.readers.by_words import FirstWord, MostWords
from bvf_texts.readers.words_in import OF_NO_CLASS
from helpers.labelled_texts import label_of, labelled, quality, reading_of

from bvf.domain.topic import Attribute
from bvf.errors import BvfError
from bvf.hooks.loader import load

CLASSES = (Attribute(name="male", words=("he", "his", "old man")), Attribute(name="female", words=("she", "her")))
ENGLISH = load().languages.find("en").make()


@pytest.mark.parametrize("language", ["en", "zh"])
def test_there_are_a_hundred_labelled_texts_of_every_kind(language):
    texts = labelled(language)
    assert len(texts) >= 100
    assert {label for label, _ in texts} == {"male", "female", "none", "refused"}


@pytest.mark.parametrize(
    ("name", "language", "classes", "refusals"),
    [
        ("first-word", "en", (0.940, 0.955), (1.0, 1.0)),
        ("share", "en", (0.984, 0.955), (1.0, 1.0)),
        ("first-word", "zh", (0.949, 0.966), (1.0, 1.0)),
        ("share", "zh", (1.0, 0.931), (1.0, 1.0)),
    ],
)
def test_precision_and_recall_are_those_of_the_docs(name, language, classes, refusals):
    found = quality(name, language)
    assert found["classes"] == pytest.approx(classes, abs=0.001)
    assert found["refusals"] == pytest.approx(refusals, abs=0.001)


@pytest.mark.parametrize(
    ("text", "first", "most"),
    [
        ("he and her and she", "male", "female"),
        ("the other sheep", "", ""),
        ("HIS, he said", "male", "male"),
        ("an old man", "male", "male"),
        ("a gold man", "", ""),
        ("he or she left", "", ""),
        ("her/his turn, she said", "female", "female"),
        ("she or her", "female", "female"),
        ("he, she", "male", ""),
    ],
)
def test_a_word_counts_where_it_stands_alone(text, first, most):
    for reader, expected in ((FirstWord(), first), (MostWords(), most)):
        read = reader.reading(CLASSES, ENGLISH)(text)
        assert ("" if isinstance(read, Unread) else read) == expected


def test_the_reason_is_said():
    assert FirstWord().reading(CLASSES, ENGLISH)("nothing") == Unread(OF_NO_CLASS)
    assert MostWords().reading(CLASSES, ENGLISH)("he, she") == Unread("as many words of two classes")


def test_the_longest_chinese_word_counts_and_others_that_hold_it_do_not():
    read = reading_of("first-word", "zh")
    assert label_of(read("其他吉他")) == "none"
    assert label_of(read("其他她")) == "female"


def test_a_word_of_two_classes_is_refused():
    classes = (Attribute(name="a", words=("He",)), Attribute(name="b", words=("he",)))
    with pytest.raises(BvfError, match='the word "he" is of two classes, a and b'):
        FirstWord().reading(classes, ENGLISH)
