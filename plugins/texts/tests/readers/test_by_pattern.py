"""Readers by expressions that the user writes."""

import pytest
from bvf_texts.reader import Unread
from bvf_texts.readers.by_pattern import Pattern

from bvf.domain import factors
from bvf.domain.topic import Attribute
from bvf.errors import BvfError
from bvf.hooks.loader import load

CLASSES = (Attribute(name="male", words=("he",)), Attribute(name="female", words=("she",)))
ENGLISH = load().languages.find("en").make()


def reader(tmp_path, text):
    (tmp_path / "p.toml").write_text(text, "utf-8")
    return Pattern(str(tmp_path / "p.toml"))


def test_the_class_is_read_whose_expression_is_found_alone(tmp_path):
    read = reader(tmp_path, r"male = ['\bmr\b', '^he']" + "\n" + r"female = ['\bmrs\b']").reading(CLASSES, ENGLISH)
    assert read("Then MR Brown") == "male"
    assert read("mrs. Brown") == "female"
    assert read("Mr and Mrs Brown") == Unread("expressions of several classes")
    assert read("then he left") == Unread("no expression of a class")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("male = ['a']", "it has no expressions for the class female"),
        ("male = ['a']\nfemale = ['b']\nfemal = ['c']", 'there is no class "femal"'),
        ("male = 'a'", "male is not a list of texts"),
        ("male = []", "male is not a list of texts"),
        ("male = ['(']\nfemale = ['b']", 'male: "\\(" is not a regular expression'),
        ("male = [", "p.toml"),
        (
            f"male = ['{'a' * 199_990}']\nfemale = ['b']",
            "p.toml: expressions of 200,001 characters, and 200,000 at most",
        ),
    ],
)
def test_a_file_that_does_not_fit_is_refused(text, message, tmp_path):
    with pytest.raises(BvfError, match=message):
        reader(tmp_path, text).reading(CLASSES, ENGLISH)


def test_an_expression_that_takes_years_is_ended(tmp_path, monkeypatch):
    monkeypatch.setattr(factors, "SECONDS", 0.05)
    read = reader(tmp_path, "male = ['(a|aa)+$']\nfemale = ['b']").reading(CLASSES, ENGLISH)
    with pytest.raises(BvfError, match=r"is not decided after 0.05 s"):
        read("a" * 60 + "!")
