"""Groups are named on the command line and in Python by one rule."""

import pytest

from bvf import BvfError
from bvf.domain.groups import drawn_groups, named_groups, own_groups

KNOWN = ("30 Rock", "60 Minutes", "Murder, She Wrote", "nurse")


def test_names_have_commas_between_them_and_a_name_with_a_comma_stands_alone():
    assert named_groups(["nurse, 30 Rock"], KNOWN, "of the topic") == ("30 Rock", "nurse")
    assert named_groups(["Murder, She Wrote", "nurse"], KNOWN, "of the topic") == ("Murder, She Wrote", "nurse")
    assert named_groups([], KNOWN, "of the topic") == ()


@pytest.mark.parametrize(
    ("texts", "message", "hint"),
    [
        (["nurze"], '"nurze" is not one of the groups of the topic', "did you mean nurse?"),
        (["nurse,,30 Rock"], "a name is empty", "nurse,captain"),
        ([""], "a name is empty", "nurse,captain"),
        (["nurse", "nurse"], '"nurse" occurs 2 times', "once"),
    ],
)
def test_what_names_no_group_is_refused_in_one_line(texts, message, hint):
    with pytest.raises(BvfError, match=message) as error:
        named_groups(texts, KNOWN, "of the topic")
    assert hint in error.value.hint


@pytest.mark.parametrize(
    ("texts", "own"),
    [
        (["midwife,nurse", "plumber"], ("midwife", "plumber")),
        (["=nurze"], ("nurze",)),
        (["=nurse", "Murder, She Wrote"], ()),
        (["cop,护士"], ("cop", "护士")),
    ],
)
def test_names_that_no_known_group_is_spelt_like_are_groups_of_ones_own(texts, own):
    assert own_groups(texts, (*KNOWN, "cook", "医生")) == own


@pytest.mark.parametrize("slip", ["nurze", "nures", "nurs", "nursery"])
def test_a_slip_is_refused_and_the_hint_says_how_it_is_asked(slip):
    with pytest.raises(BvfError, match=f'"{slip}" is not one of the groups of the topic') as error:
        own_groups(["midwife", slip], KNOWN)
    assert error.value.hint == f'did you mean nurse? "={slip}" is asked'


def test_a_draw_is_of_the_seed_and_a_larger_one_extends_it_and_every_group_is_drawn_equally_often():
    groups = tuple(f"group {number:03}" for number in range(120))
    few, more = drawn_groups(groups, 8, seed=0), drawn_groups(groups, 20, seed=0)
    assert (len(few), len(more)) == (8, 20)
    assert set(few) < set(more)
    assert few == tuple(sorted(few)) == drawn_groups(groups, 8, seed=0)
    assert few not in (groups[:8], drawn_groups(groups, 8, seed=1))
    draws = [group for seed in range(400) for group in drawn_groups("abcdef", 2, seed)]
    assert all(100 < draws.count(group) < 170 for group in "abcdef")  # 133 +- 9
