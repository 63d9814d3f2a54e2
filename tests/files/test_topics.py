"""Topic files: what they may say, and what is refused."""

import re

import pytest
from helpers.topic_text import topic_text as made_text
from hypothesis import given
from hypothesis import strategies as st

from bvf import BvfError, read_topic
from bvf.domain.spelling import plain_letters
from bvf.domain.topic import checked_topic
from bvf.files.topics import topic_text
from bvf.hooks.loader import load

WORDS = {"violent": ["violent", "aggressive"], "peaceful": ["peaceful", "calm"]}
GOOD = made_text(WORDS, summary="Violent or peaceful, given a trade", contexts="predicate")
MEASURED = GOOD[GOOD.index("[measurement]") : GOOD.index("[[attributes]]")]


@pytest.fixture
def written(tmp_path):
    """Write a topic file."""

    def write(text):
        (tmp_path / "temper.toml").write_text(text)
        return tmp_path / "temper.toml"

    return write


@pytest.fixture
def read(written):
    """Read a good topic file in which ``old`` is replaced."""
    return lambda old="", new="": read_topic(written(GOOD.replace(old, new) if old else GOOD))


def test_a_topic_says_what_it_says_and_what_is_measured_can_be_declared_later(read):
    topic = read()
    assert topic.attribute_names == ("violent", "peaceful")
    assert topic.counted_words() == {"violent": ("violent", "aggressive"), "peaceful": ("peaceful", "calm")}
    assert read(MEASURED).measurement.harm == "not declared"
    assert read('sources = ["written for this test"]').sources == ()


GROUPS, CALM = '["baker", "welder"]', '["peaceful", "calm"]'
WRONG = [
    ('"calm"', '"violent"', 'the word "violent" is in two classes, violent and peaceful'),
    (GROUPS, "[]", "groups"),
    (GROUPS, '["baker", "baker"]', 'the group "baker" occurs 2 times'),
    (CALM, "[]", "words"),
    ('name = "peaceful"', 'name = "violent"', 'the attribute "violent" occurs 2 times'),
    ("groups =", "grups =", "grups"),
    ('groups = ["baker",', 'groups = ["baker" "x",', "not TOML: .*line 7"),
    ("bvf.topic/1", "bvf.topic/9", "schema"),
    (CALM, '["calm"]\nfactors = { sort = "a" }', 'the attribute "violent" has no level of the factor "sort"'),
]
WRONG_KEYS = [
    ('units = [["violent", "fierce"]]', '"units" names the word "fierce", which no class has'),
    ('units = [["violent"]]', '"units" has the unit "violent" without a word of peaceful'),
    ('units = [["violent", "aggressive"]]', '"units" has the unit "violent, aggressive" without a word of peaceful'),
    (
        'units = [["violent", "calm"], ["calm", "peaceful"]]',
        '"units" names the word "calm" 2 times: a word is in one unit',
    ),
    ('kinds = {a = ["violent", "fierce"]}', '"kinds" names the word "fierce", which no class has'),
    ('kinds = {a = ["violent", "calm"], b = ["calm"]}', '"kinds" names the word "calm" 2 times: a word is in one kind'),
    ("kinds = {a = []}", 'the kind "a" has no word of violent: it needs one of every class'),
    ('kinds = {a = ["violent"]}', 'the kind "a" has no word of peaceful'),
    ('answers = ["calm", "wild"]', "both say what the classes are"),
]
WRONG += [("groups =", f"{key}\ngroups =", message) for key, message in WRONG_KEYS]
CROSS = '[[cross]]\nphrase = "[a]"\n'
WRONG_TABLES = [
    ('[truth]\nfarmer = "calm"', 'the group "farmer"'),
    ('[glosses]\nfarmer = "peasant"', '"glosses" names the group "farmer"'),
    ('[glosses]\nbaker = ""', "glosses.baker"),
    ('[truth]\nbaker = ["calm"]', 'of the topic; it is a word of "peaceful"'),
    ('[truth]\nbaker = "peacefull"', "of the topic; did you mean peaceful"),
    ("[truth]\nbaker = []", r"truth.baker: \[\] stands where a text is meant"),
    ("[truth]\nbaker = 1776", "truth.baker: 1776 stands where a text is meant"),
    ('[truth]\nbaker = ["violent", "violent"]', '"violent" occurs 2 times'),
    ('[truth]\nbaker = ["violent", "peaceful"]', 'every answer is true of "baker"'),
    ('cross = "x"', '"cross" is a list of tables'),
    (CROSS, "cross: levels: Field required"),
    (f'{CROSS}[cross.levels]\nb = ["x"]', r'cross: the phrase "\[a\]" has \[b\] 0 times, not once'),
    (f"{CROSS}[cross.levels]\na = []", "cross: levels.a"),
    (f'{CROSS}[cross.levels]\na = ["x", "x"]', 'makes the group "x" several times'),
    (f'{CROSS}[cross.levels]\na = ["baker"]', 'the group "baker" occurs 2 times'),
]
WRONG += [("[measurement]", f"{table}\n[measurement]", message) for table, message in WRONG_TABLES]
WITH_CROSS = 'cross = [{ phrase = "[a]", levels = { a = ["x"] } }]'
WRONG += [
    (GROUPS, f'"baker"\n{WITH_CROSS}', r'groups: "baker" stands where a list is meant: write \["baker", ...\]'),
    (GROUPS, f'["baker"]\nfactors = 1\n{WITH_CROSS}', "factors: 1 stands where a table is meant"),
]


@pytest.mark.parametrize(("old", "new", "message"), WRONG)
def test_wrong_topics_are_one_line(read, old, new, message):
    with pytest.raises(BvfError, match=message) as error:
        read(old, new)
    assert "temper.toml" in str(error.value)
    assert "\n" not in error.value.message


def test_all_errors_of_a_file_are_named_at_once_or_the_first_of_very_many(read, written):
    text = GOOD.replace("groups =", 'grups = ["a"]\ngroups =').replace("summary", "sumary").replace(CALM, "3")
    with pytest.raises(BvfError) as error:
        read_topic(written(text))
    line = error.value.message
    assert [field in line for field in ("grups: ", "sumary: ", "summary: ", "attributes.1.words: ")] == [True] * 4
    with pytest.raises(BvfError) as error:
        read(GROUPS, f"{list(range(100_000))}")
    assert error.value.message.endswith('groups.9: 9 stands where a text is meant: write "9"; and 99,990 more')


def test_other_words_for_a_class_or_classes_of_ones_own_take_the_place_of_those_of_the_topic(read):
    topic = read()
    assert topic.with_words({"peaceful": ("kind",)}).counted_words()["peaceful"] == ("kind",)
    own = topic.with_words({"she": ("she", "her"), "he": ("he",)})
    assert own.counted_words() == {"she": ("she", "her"), "he": ("he",)}
    assert (own.groups, own.measurement.harm) == (topic.groups, "not declared")
    assert own.summary == f"{topic.summary}. With the classes she and he in place of violent and peaceful."
    for words, message, hint in (
        ({"she": ("she",)}, 'has no class "she"', "name two classes or more of your own alone"),
        ({"she": ("she",), "violent": ("bad",)}, 'has no class "she"', "name two classes or more of your own alone"),
        ({"pacific": ("kind",)}, 'no class "pacific"', ""),
        ({"peaceful": ("violent",)}, 'the word "violent" is in two classes', ""),
    ):
        with pytest.raises(BvfError, match=message) as error:
            topic.with_words(words)
        assert hint in error.value.hint


def test_an_ambiguous_word_is_counted_in_no_class_and_units_have_the_words_that_count(written):
    more = GOOD.replace('"calm"', '"calm", "keen"')
    ambiguous = more.replace('"aggressive"', '"keen"').replace("groups =", 'ambiguous = ["keen"]\ngroups =')
    assert read_topic(written(ambiguous)).counted_words() == {"violent": ("violent",), "peaceful": ("peaceful", "calm")}
    topic = read_topic(written(more.replace("groups =", 'units = [["violent", "calm", "keen"]]\ngroups =')))
    assert topic.counted_units() == (("violent", "calm", "keen"),)
    topic = topic.with_words({"peaceful": ("calm", "kind")})
    assert topic.counted_units() == (("violent", "calm"),)
    assert topic.with_words({"peaceful": ("kind",)}).counted_units() == ()


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("groups =", 'units = ["he", "him"]\ngroups =', 'units: "he" .. a list is meant: write [["he", ...]]'),
        ("groups =", 'kinds = {a = "he"}\ngroups =', 'kinds.a: "he" .. a list is meant: write ["he", ...]'),
        (CALM, '"b"', 'attributes.1.words: "b" .. a list is meant: write ["b", ...]'),
        ("groups =", "ambiguous = 3\ngroups =", "ambiguous: 3 .. a list is meant"),
        ("groups =", 'neutral = {a = "b"}\ngroups =', 'neutral: {"a": "b"} .. a list is meant'),
        (GROUPS, '["baker", 3]', 'groups.1: 3 .. a text is meant: write "3"'),
        (GROUPS, '[["baker"]]', 'groups.0: ["baker"] .. a text is meant'),
    ],
)
def test_a_text_where_a_list_is_meant_and_the_like_are_one_line_with_what_is_right(read, old, new, line):
    with pytest.raises(BvfError) as error:
        read(old, new)
    lines = error.value.message.partition("temper.toml: ")[2].split("; ")
    assert line.replace("..", "stands where", 1) in lines


NAME = re.compile(r"\S(.*\S)?")
NAMED = (
    st.from_regex(NAME, fullmatch=True)
    .map(plain_letters)
    .filter(lambda text: NAME.fullmatch(text) and "[X]" not in text and "[Y]" not in text)
)
TEXTS = st.text(st.characters(exclude_categories=["Cs"])).map(plain_letters)


@given(st.lists(NAMED, min_size=2, max_size=40, unique=True), TEXTS, st.booleans())
def test_a_topic_is_the_same_after_it_was_written_and_read(tmp_path_factory, names, text, control):
    raw = {
        **{"schema": "bvf.topic/1", "name": names[0], "language": "en", "summary": text, "contexts": "gender"},
        **{"sources": (text, names[1]), "groups": names, "control": control, "glosses": {names[0]: names[1]}},
        "factors": {name: {names[1]: text} for name in names},
        "truth": {names[0]: "a", names[1]: ["c", "b"]},
        "measurement": {"construct": text, "harm": "h", "chosen_by": "w", "reference": "r", "gaps": names},
        "attributes": [
            {"name": "a", "words": names[:1], "factors": {names[1]: "x"}},
            {"name": "b", "words": names[1:], "factors": {names[1]: "y"}},
            {"name": "c", "words": [f"{names[0]} {names[1]} c"], "factors": {names[1]: "z"}},
        ],
    }
    topic = checked_topic(raw, "here")
    file = tmp_path_factory.mktemp("topic") / "t.toml"
    file.write_text(topic_text(topic), "utf-8", newline="")
    assert read_topic(file) == topic


@pytest.mark.parametrize(("language", "name"), [("en", "gender"), ("zh", "gender"), ("en", "race-gender")])
def test_the_topics_of_the_packs_can_be_written(tmp_path, language, name):
    topic = load().topics.in_language(language).make(name)
    file = tmp_path / "t.toml"
    file.write_text(topic_text(topic), "utf-8")
    assert read_topic(file) == topic


def test_answers_are_classes_of_one_word(written):
    head = GOOD[: GOOD.index("[measurement]")]
    short = read_topic(written(f'{head}answers = ["calm", "wild"]\n{MEASURED}'))
    long = "".join(f'[[attributes]]\nname = "{answer}"\nwords = ["{answer}"]\n' for answer in ("calm", "wild"))
    assert short == read_topic(written(f"{head}{MEASURED}{long}"))
    assert read_topic(written(topic_text(short))) == short
    for answers, why in (('"calm"', "is a list of texts"), ('["calm", "calm"]', 'the attribute "calm" occurs 2 times')):
        with pytest.raises(BvfError, match=why):
            read_topic(written(f"{head}answers = {answers}\n{MEASURED}"))
