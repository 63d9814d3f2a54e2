"""Values of options: what is read from a text is written as that text again."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bvf.domain.config import assignments, parse_values, text_of, value_of
from bvf.errors import BvfError

VALUES = st.recursive(
    st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@given(VALUES)
def test_a_value_that_is_written_is_read_again(value):
    assert value_of(text_of(value)) == value
    assert type(value_of(text_of(value))) is type(value)
    assert parse_values([f"name={text_of(value)}"], "-B") == {"name": value}


AS_TEXT = ("low", "26 Jul 2024", "2024-07-26", "12:30:00", "inf", "nan", "")


@pytest.mark.parametrize(
    ("text", "value"), [*zip(AS_TEXT, AS_TEXT, strict=True), ("false", False), ('"3"', "3"), ("[1, 'a']", [1, "a"])]
)
def test_only_what_json_has_too_is_more_than_text(text, value):
    assert value_of(text) == value
    assert type(value_of(text)) is type(value)


@pytest.mark.parametrize(
    ("texts", "says"), [(["a"], "no value is set"), (["=1"], "no value"), (["a=1", "a=2"], "twice")]
)
def test_what_is_no_assignment_is_refused(texts, says):
    with pytest.raises(BvfError, match=says):
        parse_values(texts, "--chat-variable")


def test_values_by_name_are_one_text():
    assert assignments({"a": "1", "b": "low"}) == "a=1, b=low"
