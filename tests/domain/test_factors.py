"""Regular expressions of users are found as by Python, and no search goes on for ever."""

import re

import pytest

from bvf import BvfError
from bvf.domain.factors import check_expression, is_found


@pytest.mark.parametrize("expression", [r"\bshe\b", "(?i)SHE", "^a|b$", r"(.)\1", "(?<=s)he", "[^a-z ]", "x{2,}"])
def test_what_is_found_is_what_python_finds(expression):
    check_expression(expression)
    for text in ("she said", "he said", "a", "b", "xx", "Sheer", "É", ""):
        assert is_found(expression, text, "t.csv:2") == bool(re.search(expression, text))


@pytest.mark.parametrize("expression", ["(", "[a", "*a", "(?P<a>x)(?P=b)"])
def test_what_is_no_expression_is_refused(expression):
    with pytest.raises(ValueError, match="is not a regular expression"):
        check_expression(expression)


def test_a_search_that_takes_too_long_ends_in_one_line(monkeypatch):
    monkeypatch.setattr("bvf.domain.factors.SECONDS", 0.1)
    with pytest.raises(BvfError, match=r't\.csv:2: "\^.* is not decided after 0\.1 s in a text of 61 characters'):
        is_found("^(?:(?:a|aa)+)+$", "a" * 60 + "!", "t.csv:2")
