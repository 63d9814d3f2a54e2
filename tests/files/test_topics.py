"""Topic files: what they may say, and what is refused."""

import pytest

from bvf import BvfError, read_topic

GOOD = """schema = "bvf.topic/1"
name = "temper"
language = "en"
summary = "Violent or peaceful, given a trade"
contexts = "predicate"
sources = ["written for this test"]
groups = ["baker", "welder"]

[measurement]
construct = "c"
harm = "h"
chosen_by = "w"
reference = "uniform"

[[attributes]]
name = "violent"
words = ["violent", "aggressive"]

[[attributes]]
name = "peaceful"
words = ["peaceful", "calm"]
"""


def written(tmp_path, text):
    file = tmp_path / "temper.toml"
    file.write_text(text)
    return file


def test_a_topic_says_what_it_says(tmp_path):
    topic = read_topic(written(tmp_path, GOOD))
    assert topic.attribute_names == ("violent", "peaceful")
    assert topic.counted_words() == {"violent": ("violent", "aggressive"), "peaceful": ("peaceful", "calm")}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"calm"', '"violent"', 'the word "violent" is in two classes, violent and peaceful'),
        ('groups = ["baker", "welder"]', "groups = []", "groups"),
        ('groups = ["baker", "welder"]', 'groups = ["baker", "baker"]', 'the group "baker" is there 2 times'),
        ('sources = ["written for this test"]', "sources = []", "sources"),
        ('words = ["peaceful", "calm"]', "words = []", "words"),
        ('name = "peaceful"', 'name = "violent"', 'the attribute "violent" is there 2 times'),
        ("groups =", "grups =", "grups"),
        ('groups = ["baker",', 'groups = ["baker" "x",', "not TOML: .*line 7"),
        ("[measurement]", '[truth]\nfarmer = "calm"\n[measurement]', 'the group "farmer"'),
        ("[measurement]", '[glosses]\nfarmer = "peasant"\n[measurement]', '"glosses" names the group "farmer"'),
        ("[measurement]", '[glosses]\nbaker = ""\n[measurement]', "glosses.baker"),
        ("[measurement]", '[truth]\nbaker = "calm"\n[measurement]', '"calm", which is no attribute'),
        ("bvf.topic/1", "bvf.topic/9", "schema"),
    ],
)
def test_wrong_topics_are_one_line(tmp_path, old, new, message):
    with pytest.raises(BvfError, match=message) as error:
        read_topic(written(tmp_path, GOOD.replace(old, new)))
    assert "temper.toml" in str(error.value)
    assert "\n" not in str(error.value)


def test_an_ambiguous_word_is_counted_in_no_class(tmp_path):
    text = GOOD.replace('"calm"', '"calm", "keen"').replace('"aggressive"', '"keen"')
    topic = read_topic(written(tmp_path, text.replace("groups =", 'ambiguous = ["keen"]\ngroups =')))
    assert topic.counted_words() == {"violent": ("violent",), "peaceful": ("peaceful", "calm")}


def test_other_words_for_a_class(tmp_path):
    topic = read_topic(written(tmp_path, GOOD))
    assert topic.with_words({"peaceful": ("kind",)}).counted_words()["peaceful"] == ("kind",)
    with pytest.raises(BvfError, match='no class "pacific"'):
        topic.with_words({"pacific": ("kind",)})
    with pytest.raises(BvfError, match='the word "violent" is in two classes'):
        topic.with_words({"peaceful": ("violent",)})
