"""Which control topics a study is given."""

import pytest

from bvf.hooks.loader import load
from bvf.measuring.controls import control_topics, control_topics_of

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


def test_few_groups_of_a_topic_have_the_controls_of_the_topic():
    """Also of groups that no control has; other groups under the name of a topic have their own."""

    def of_few(topic, *asked):
        return [control.name for control in control_topics_of(topic, "en", asked, load())]

    assert of_few("gender", "nurse") == OF_OCCUPATIONS
    groups = load().topics.in_language("en").make("names").groups
    controls = [each.name for each in control_topics("en", groups, load())]
    assert [of_few("names", group) for group in groups] == [controls] * len(groups)
    assert of_few("gender", "Emily") == of_few("a file's", "Emily") == ["weekday-names"]


def test_groups_that_no_control_has_get_the_controls_of_the_default_topic_where_the_language_has_some():
    assert names("en", "bus driver") == OF_OCCUPATIONS
    assert names("zh", "河南人") == OF_OCCUPATIONS
    assert names("xx", "nurse") == []
