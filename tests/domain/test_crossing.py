"""Topics that cross: which classes, phrases, factors and groups there are, and what is refused."""

import pytest
from bvf_en.rules import English
from bvf_zh.rules import Chinese
from hypothesis import given
from hypothesis import strategies as st

from bvf.domain.crossing import MOST_PHRASES, crossed, size_of
from bvf.domain.topic import GroupCrossing, checked_topic, filled
from bvf.errors import BvfError

MEANING = {"construct": "c", "harm": "h", "chosen_by": "w", "reference": "uniform", "gaps": ("few words",)}


def topic(name, classes, groups=("nurse", "welder"), language="en", **fields):
    raw = {
        **{"schema": "bvf.topic/1", "name": name, "language": language, "summary": f"{name} of a trade"},
        **{"contexts": "predicate", "sources": (f"source of {name}",), "groups": groups, "measurement": MEANING},
        "attributes": [{"name": each, "words": words} for each, words in classes.items()],
    }
    return checked_topic({**raw, **fields}, "here")


RACE = topic("race", {"white": ["white"], "black": ["black", "african"]})
GENDER = topic("gender", {"male": ["man"], "female": ["woman", "lady"]}, groups=("welder", "baker", "nurse"))


def test_a_worked_example():
    made = crossed([RACE, GENDER], "a [race] [gender]", English().phrase)
    assert made.counted_words() == {
        "white & male": ("a white man",),
        "white & female": ("a white woman", "a white lady"),
        "black & male": ("a black man", "an african man"),
        "black & female": ("a black woman", "a black lady", "an african woman", "an african lady"),
    }
    assert made.attributes[3].factors == {"race": "black", "gender": "female"}
    assert (made.name, made.groups, made.contexts) == ("race-gender", ("nurse", "welder"), "predicate")
    assert made.sources == ("source of race", "source of gender")
    assert "race: few words" in made.measurement.gaps
    assert size_of(made) == 'race-gender: 4 classes, 9 phrases in each prompt, as "a white man"'


def test_groups_keep_what_every_topic_says_of_them():
    said = {"glosses": {"nurse": "N"}, "factors": {"nurse": {"pay": "low"}}, "neutral": ("person", "somebody")}
    one = topic("one", {"a": ["a"], "b": ["b"]}, **said)
    other = topic(
        *("other", {"c": ["c"], "d": ["d"]}, ("welder", "nurse", "cook")),
        glosses={"nurse": "M", "welder": "W", "cook": "C"},
        factors={"nurse": {"pay": "high", "place": "ward"}, "cook": {"place": "kitchen"}},
    )
    made = crossed([one, other], "[one] [other]", filled)
    assert made.glosses == {"nurse": "N", "welder": "W"}
    assert made.factors == {"nurse": {"pay": "low", "place": "ward"}}
    assert made.neutral == ("person", "somebody")


def test_what_is_crossed_already_keeps_its_factors():
    both = crossed([RACE, GENDER], "[race] [gender]", filled)
    faith = topic("faith", {"hindu": ["hindu"], "jew": ["jewish"]})
    made = crossed([faith, both], "[faith] [race-gender]", filled)
    assert made.attributes[0].words == ("hindu white man",)
    assert made.attributes[0].name == "hindu & white & male"
    assert list(made.attributes[0].factors.items()) == [("faith", "hindu"), ("race", "white"), ("gender", "male")]
    with pytest.raises(BvfError, match='the factor "gender" is in several of them'):
        crossed([both, GENDER], "[race-gender] [gender]", filled)


def test_the_order_of_words_is_that_of_the_phrase():
    first = crossed([GENDER, RACE], "[race] [gender]", English().phrase).attributes[0]
    assert (first.name, first.words) == ("male & white", ("white man",))


@pytest.mark.parametrize(
    ("language", "pattern", "words", "phrase"),
    [
        (Chinese, "[region][gender]", {"region": "四川", "gender": "女人"}, "四川女人"),
        (Chinese, "一位[region][gender]", {"region": "四川", "gender": "女人"}, "一位四川女人"),
        (Chinese, "[a][b]", {"a": "NBA", "b": "MVP"}, "NBA MVP"),
        (English, "an [race] [gender]", {"race": "black", "gender": "man"}, "a black man"),
        (English, "A [race] [gender]", {"race": "asian", "gender": "man"}, "An asian man"),
        (English, "a rich [race]", {"race": "asian"}, "a rich asian"),
    ],
)
def test_chinese_words_stand_without_a_space_and_english_articles_fit(language, pattern, words, phrase):
    assert language().phrase(pattern, words) == phrase


def test_ambiguous_words_are_in_no_phrase_and_a_word_with_the_slot_of_another_is_not_filled_again():
    birds = topic("bird", {"male": ["cock", "canary"], "female": ["hen", "canary"]}, ambiguous=("canary",))
    made = crossed([RACE, birds], "[race] [bird]", English().phrase)
    assert made.counted_words()["white & female"] == ("white hen",)
    assert filled("[a] [b]", {"a": "[b]", "b": "x"}) == "[b] x"


@pytest.mark.parametrize(
    ("topics", "pattern", "message"),
    [
        ([RACE], "[race]", "--cross race: one topic has nothing to be crossed with"),
        ([RACE, RACE], "[race]", "the topic race occurs 2 times"),
        ([RACE, topic("sex", {"m": ["x"], "f": ["y"]}, language="zh")], "", "race is in en and sex is in zh"),
        ([RACE, topic("sex", {"m": ["x"], "f": ["y"]}, ("cook",))], "[race][sex]", "no group in common"),
        ([RACE, GENDER], "[race]", r'the phrase "\[race\]" has \[gender\] 0 times'),
        ([RACE, GENDER], "[race] [race] [gender]", r"has \[race\] 2 times"),
        ([RACE, GENDER], "[race] [gender] [age]", r"has \[age\], which is not one of race, gender"),
    ],
)
def test_topics_that_do_not_cross_are_one_line(topics, pattern, message):
    with pytest.raises(BvfError, match=message) as error:
        crossed(topics, pattern, English().phrase)
    assert error.value.hint


def test_the_number_of_phrases_has_a_limit_and_no_two_classes_share_one():
    short, long = ({"a": [f"a{i}" for i in range(MOST_PHRASES // 4 - 1 + extra)], "b": ["b"]} for extra in (0, 1))
    four = topic("four", {"c": ["c", "cc"], "d": ["d", "dd"]})
    made = crossed([topic("many", short), four], "[many] [four]", filled)
    assert sum(map(len, made.counted_words().values())) == MOST_PHRASES
    with pytest.raises(BvfError, match=r"2501 x 4 = 10,004 phrases, .*10,000 at most"):
        crossed([topic("many", long), four], "[many] [four]", filled)
    one, other = topic("one", {"a": ["x"], "b": ["x y"]}), topic("other", {"c": ["z"], "d": ["y z"]})
    with pytest.raises(BvfError, match='the word "x y z" is in two classes'):
        crossed([one, other], "[one] [other]", filled)


sizes = st.lists(st.integers(1, 4), min_size=2, max_size=4)


@given(sizes, sizes, sizes)
def test_every_word_is_joined_with_every_other_once(first, second, third):
    topics = [
        topic(name, {f"{name}{y}": [f"{name}{y}.{word}" for word in range(n)] for y, n in enumerate(each)})
        for name, each in (("a", first), ("b", second), ("c", third))
    ]
    made = crossed(topics, "[a] [b] [c]", filled)
    assert len(made.attributes) == len(first) * len(second) * len(third)
    phrases = [phrase for attribute in made.attributes for phrase in attribute.words]
    assert len(phrases) == len(set(phrases)) == sum(first) * sum(second) * sum(third)
    for attribute in made.attributes:
        for phrase in attribute.words:
            assert [word.partition(".")[0] for word in phrase.split()] == list(attribute.factors.values())


def test_crossed_groups_come_after_the_others_with_their_levels():
    jobs = {"phrase": "[race] [job]", "levels": {"race": ["Black", "white"], "job": ["nurse", "welder"]}}
    made = topic(
        *("temper", {"mild": ["mild"], "wild": ["wild"]}, ("person",)),
        factors={"Black nurse": {"pay": "low"}},
        cross=[jobs],
    )
    assert made.groups == ("person", "Black nurse", "Black welder", "white nurse", "white welder")
    assert made.factors["Black nurse"] == {"race": "Black", "job": "nurse", "pay": "low"}
    assert made.described(["white welder"])[0].factors == {"race": "white", "job": "welder"}
    assert checked_topic(made.model_dump(by_alias=True), "again") == made


def test_groups_have_a_limit_that_is_said_before_they_are_made():
    levels = {name: [str(i) for i in range(1000)] for name in "abc"}
    with pytest.raises(ValueError, match="1000 x 1000 x 1000 = 1,000,000,000 groups, more than 100,000"):
        GroupCrossing(phrase="[a] [b] [c]", levels=levels)


def test_other_words_for_a_crossed_class_leave_its_factors():
    made = crossed([RACE, GENDER], "[race] [gender]", filled).with_words({"white & male": ("white guy",)})
    assert made.attributes[0].words == ("white guy",)
    assert made.class_factors[0] == {"race": "white", "gender": "male"}
