"""Groups are named on the command line and in Python by one rule."""

import pytest

from bvf import BvfError
from bvf.domain.groups import named_groups

KNOWN = ("30 Rock", "60 Minutes", "Murder, She Wrote", "nurse")


@pytest.mark.parametrize(
    ("texts", "groups"),
    [
        (["nurse, 30 Rock"], ("30 Rock", "nurse")),
        (["Murder, She Wrote", "nurse"], ("Murder, She Wrote", "nurse")),
        ([], ()),
    ],
)
def test_names_have_commas_between_them_and_a_name_with_a_comma_stands_alone(texts, groups):
    assert named_groups(texts, KNOWN, "of the topic") == groups


@pytest.mark.parametrize(
    ("texts", "message", "hint"),
    [
        (["nurze"], '"nurze" is none of the groups of the topic', "did you mean nurse?"),
        (["nurse,,30 Rock"], "a name is empty", "nurse,captain"),
        ([""], "a name is empty", "nurse,captain"),
        (["nurse", "nurse"], '"nurse" is there 2 times', "once"),
    ],
)
def test_what_names_no_group_is_refused_in_one_line(texts, message, hint):
    with pytest.raises(BvfError, match=message) as error:
        named_groups(texts, KNOWN, "of the topic")
    assert hint in error.value.hint
