"""Errors and the text in them: one line, with a hint, and nothing that controls a terminal."""

import pickle
import traceback

import pytest
from pydantic import BaseModel, ValidationError

from bvf import BvfError
from bvf.errors import error_text, in_one_line, nearest


def test_a_hint_is_seen_in_python():
    error = BvfError("no such model", "try another")
    assert str(error) == str(pickle.loads(pickle.dumps(error))) == "no such model\nhint: try another"
    assert "".join(traceback.format_exception(error)).endswith(f"BvfError: {error}\n")
    assert str(BvfError("no such model")) == "no such model"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\x1b[31mb", r"a\x1b[31mb"),
        ("one\n two\r\nthree\u2028four", "one two three four"),
        ("\x00\x7f\x9b", r"\x00\x7f\x9b"),
        ("good-\u202eliab\u2066", r"good-\u202eliab\u2066"),
        ("性别 é", "性别 é"),
    ],
)
def test_a_line_has_no_breaks_and_no_control_characters(text, shown):
    assert in_one_line(text) == shown


def test_a_message_of_a_mile_is_cut():
    assert len(error_text(ValueError("x" * 10_000))) < 500


def test_a_name_that_is_like_none_is_answered_by_as_many_names_as_a_line_holds():
    assert nearest("agee", ["age", "weekday"]) == "did you mean age?"
    assert nearest("zz", []) == "no plugin offers one"
    assert nearest("zz", ["x" * 1000]) == "there are " + "x" * 1000
    groups = [f"job {number}" for number in range(1200)]
    hint = nearest("zz", groups)
    listed, _, more = hint.removeprefix("there are ").partition(" and ")
    shown = listed.split(", ")
    assert shown == groups[: len(shown)]
    assert more == f"{1200 - len(shown):,} more"
    assert len(hint) < 280


def test_an_error_of_pydantic_names_the_fields_without_values_and_links():
    with pytest.raises(ValidationError) as error:
        BothNumbers(first="one", third=3)
    assert error_text(error.value) == (
        "ValidationError: first: Input should be a valid integer, unable to parse string as an integer; "
        "second: Field required; third: Extra inputs are not permitted"
    )


class BothNumbers(BaseModel, extra="forbid"):
    first: int
    second: int
