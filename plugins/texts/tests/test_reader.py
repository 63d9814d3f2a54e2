"""Texts that refuse, by the expressions of the languages, beside texts with the same words that do not."""

import pytest
from bvf_texts.reader import Unread
from helpers.labelled_texts import labelled, reading_of

CASES = [(language, *each) for language in ("en", "es", "zh") for each in labelled(f"refusals.{language}")]


@pytest.mark.parametrize(("language", "label", "text"), CASES)
def test_a_text_that_refuses_is_told_from_one_that_does_not(language, label, text):
    assert (reading_of("first-word", language)(text) == Unread("refused")) == (label == "refused")
