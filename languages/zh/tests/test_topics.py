"""The topic files are valid, and every word in them is Chinese and in only one class."""

import re
from functools import cache

import pytest
from bvf_zh import bvf_topics

from bvf.domain.topic import Topic
from bvf.hooks.loader import load
from bvf.measuring.controls import control_topics

TOPICS = {provider.name: provider for provider in bvf_topics()}
OF_OCCUPATIONS = {
    *("gender", "gender-2026", "religion", "disability", "age", "education", "nationality", "social-class", "looks"),
    *("occupation-traits", "ordinal", "weekday", "hair-colour"),
}
OF_OTHERS = {"cues", "decisions", "region", "names", "traits"}
NAMES = sorted(OF_OCCUPATIONS | OF_OTHERS)
CHINESE = re.compile("[\u4e00-\u9fff]+")


@cache
def topic(name: str) -> Topic:
    return TOPICS[name].load()()


def words_of(read: Topic) -> list[str]:
    return [word for attribute in read.attributes for word in attribute.words]


def test_these_are_the_topics():
    assert set(TOPICS) == {*NAMES, "pairs"}


@pytest.mark.parametrize("name", NAMES)
def test_groups_and_words_are_chinese_and_different_and_every_group_has_an_english_gloss_of_its_own(name):
    read = topic(name)
    texts = [*read.groups, *words_of(read)]
    assert [text for text in texts if not CHINESE.fullmatch(text)] == []
    assert len(set(texts)) == len(texts)
    assert read.ambiguous == ()
    assert list(read.glosses) == list(read.groups)
    assert len(set(read.glosses.values())) == len(read.groups)
    assert [gloss for gloss in read.glosses.values() if not gloss.isascii()] == []


@pytest.mark.parametrize("name", sorted(OF_OCCUPATIONS))
def test_the_groups_are_the_same_hundred_or_so_occupations(name):
    assert 95 <= len(topic(name).groups) <= 120
    assert topic(name).groups == topic("gender").groups
    assert topic(name).glosses == topic("gender").glosses


def test_gender_has_as_many_words_of_each_class_pronouns_first():
    male, female = topic("gender").attributes
    assert (male.words[0], female.words[0]) == ("他", "她")
    assert len(male.words) == len(female.words) >= 30
    assert {"男人", "父亲"} <= set(male.words)
    assert {"女人", "母亲"} <= set(female.words)


def test_words_of_a_pair_differ_in_gender_alone():
    male, female = topic("gender").attributes
    pairs = [f"{man} {woman}" for man, woman in zip(male.words, female.words, strict=True)]
    assert {"小伙子 姑娘", "老爷爷 老奶奶", "大爷 大妈", "叔叔 阿姨", "国王 女王", "表哥 表姐"} <= set(pairs)
    assert not {"皇后", "小姑娘", "老头", "老太太"} & {*male.words, *female.words}


def test_names_are_read_as_a_mans_a_womans_or_either_and_words_are_said_of_all():
    names, region = topic("names"), topic("region")
    read_as = [names.factors[group]["gender"] for group in names.groups]
    assert set(read_as) == {"male", "female", "either"}
    assert min(map(read_as.count, read_as)) >= 10
    assert {group[0] for group in names.groups} == {"王", "李"}
    assert set(words_of(names)) < set(words_of(region))
    assert not set(words_of(names)) & set(words_of(topic("gender")))


def test_traits_are_colleagues_with_a_dimension_and_a_pole_as_the_words_for_occupations_are():
    traits, words = topic("traits"), topic("occupation-traits").attributes
    as_colleagues = {
        tuple(attribute.factors.values()): {f"{word}的同事" for word in attribute.words} for attribute in words
    }
    assert len(as_colleagues) == 4
    for ends, colleagues in as_colleagues.items():
        assert {group for group in traits.groups if tuple(traits.factors[group].values()) == ends} == colleagues


@pytest.mark.parametrize("name", sorted({*NAMES} - {"weekday", "hair-colour", "ordinal"}))
def test_every_topic_has_the_controls_of_the_pack(name):
    controls = control_topics("zh", topic(name).groups, load())
    assert {control.name for control in controls} == {"weekday", "hair-colour", "ordinal"}
