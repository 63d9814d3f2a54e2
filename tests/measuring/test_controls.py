"""Which control topics a study is given."""

import pytest

from bvf.hooks.loader import load
from bvf.measuring.controls import control_topics

OF_OCCUPATIONS = ["hair-colour", "ordinal", "weekday"]


def names(language, *groups):
    return [control.name for control in control_topics(language, groups, load())]


@pytest.mark.parametrize(
    ("groups", "fitting"),
    [
        (["nurse", "welder"], OF_OCCUPATIONS),
        (["welder", "no control has it"], OF_OCCUPATIONS),
        (["Emily", "Jamal"], ["weekday-names"]),
        (["German"], ["weekday-adjectives"]),
        (["friendly"], ["weekday-adjectives"]),
    ],
)
def test_controls_have_sentences_for_groups_of_that_kind(groups, fitting):
    assert names("en", *groups) == fitting


def test_groups_that_no_control_has_get_the_controls_of_the_default_topic():
    assert names("en", "bus driver") == OF_OCCUPATIONS
    assert names("zh", "河南人") == OF_OCCUPATIONS


def test_a_language_without_controls_has_none():
    assert names("xx", "nurse") == []
