"""The letter of a choice, in texts that were labelled by hand."""

import pytest
from bvf_testing import reader_checks
from bvf_testing.check import problem_of
from bvf_texts.reader import Unread
from bvf_texts.readers.by_letter import Letter
from helpers.labelled_texts import contrasts, labelled, letter_quality

from bvf.domain.topic import Attribute
from bvf.errors import BvfError
from bvf.hooks.loader import load

CLASSES = (Attribute(name="male", words=("he",)), Attribute(name="female", words=("she",)))
ENGLISH = load().languages.find("en").make()


def in_order(*names):
    return Letter().in_context({"options": " | ".join(names)})


def test_the_letter_is_that_of_the_order_of_its_context():
    assert in_order("male", "female").reading(CLASSES, ENGLISH)("A") == "male"
    assert in_order("female", "male").reading(CLASSES, ENGLISH)("A") == "female"
    assert in_order("female", "male").reading(CLASSES, ENGLISH)("C") == Unread("a letter that no option has")
    assert in_order("female", "male").reading(CLASSES, ENGLISH)("A or B?") == Unread("no letter of an option")


def test_a_context_that_offers_something_else_is_refused():
    with pytest.raises(BvfError, match="a context offers male, person, which are not the classes"):
        in_order("male", "person").reading(CLASSES, ENGLISH)


def test_it_passes_the_checks_of_readers():
    assert [each for check in reader_checks(in_order("male", "female")) if (each := problem_of(check))] == []


@pytest.mark.parametrize(("language", "precision", "recall"), [("en", 1.0, 1.0), ("zh", 1.0, 1.0)])
def test_labelled_texts_are_read_as_the_documentation_says(language, precision, recall):
    assert len(labelled(f"letters.{language}")) == 40
    assert letter_quality(language) == pytest.approx((precision, recall), abs=0.005)


def test_texts_that_differ_in_one_thing_are_read_as_people_read_them():
    read = in_order("male", "female").reading(CLASSES, ENGLISH)
    letter = {"male": "A", "female": "B"}
    for kind, pairs in contrasts("letters").items():
        assert len(pairs) >= 20, kind
        assert [(text, letter.get(read(text), "none")) for _, text in pairs] == [(text, label) for label, text in pairs]
