"""Topic files: what they may say, and what is refused."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bvf import BvfError, read_topic
from bvf.domain.spelling import plain_letters
from bvf.domain.topic import checked_topic
from bvf.files.topics import topic_text
from bvf.hooks.loader import load

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
        ('groups = ["baker", "welder"]', 'groups = ["baker", "baker"]', 'the group "baker" occurs 2 times'),
        ('words = ["peaceful", "calm"]', "words = []", "words"),
        ('name = "peaceful"', 'name = "violent"', 'the attribute "violent" occurs 2 times'),
        ("groups =", "grups =", "grups"),
        ('groups = ["baker",', 'groups = ["baker" "x",', "not TOML: .*line 7"),
        ("[measurement]", '[truth]\nfarmer = "calm"\n[measurement]', 'the group "farmer"'),
        ("[measurement]", '[glosses]\nfarmer = "peasant"\n[measurement]', '"glosses" names the group "farmer"'),
        ("[measurement]", '[glosses]\nbaker = ""\n[measurement]', "glosses.baker"),
        ("[measurement]", '[truth]\nbaker = ["calm"]\n[measurement]', 'of the topic; it is a word of "peaceful"'),
        ("[measurement]", '[truth]\nbaker = "peacefull"\n[measurement]', "of the topic; did you mean peaceful"),
        ("[measurement]", "[truth]\nbaker = []\n[measurement]", r"truth.baker: \[\] stands where a text is meant"),
        ("[measurement]", "[truth]\nbaker = 1776\n[measurement]", "truth.baker: 1776 stands where a text is meant"),
        ("[measurement]", '[truth]\nbaker = ["violent", "violent"]\n[measurement]', '"violent" occurs 2 times'),
        ("[measurement]", '[truth]\nbaker = ["violent", "peaceful"]\n[measurement]', 'every answer is true of "baker"'),
        ("bvf.topic/1", "bvf.topic/9", "schema"),
        (
            'words = ["peaceful", "calm"]',
            'words = ["calm"]\nfactors = { sort = "a" }',
            'the attribute "violent" has no level of the factor "sort"',
        ),
        (
            'groups = ["baker", "welder"]',
            'groups = "baker"\ncross = [{ phrase = "[a]", levels = { a = ["x"] } }]',
            'groups: "baker" stands where a list is meant: write \\["baker", ...\\]',
        ),
        (
            'groups = ["baker", "welder"]',
            'groups = ["baker"]\nfactors = 1\ncross = [{ phrase = "[a]", levels = { a = ["x"] } }]',
            "factors: 1 stands where a table is meant",
        ),
        ("[measurement]", 'cross = "x"\n[measurement]', '"cross" is a list of tables'),
        ("[measurement]", '[[cross]]\nphrase = "[a]"\n[measurement]', "cross: levels: Field required"),
        (
            "[measurement]",
            '[[cross]]\nphrase = "[a]"\n[cross.levels]\nb = ["x"]\n[measurement]',
            r'cross: the phrase "\[a\]" has \[b\] 0 times, not once',
        ),
        ("[measurement]", '[[cross]]\nphrase = "[a]"\n[cross.levels]\na = []\n[measurement]', "cross: levels.a"),
        (
            "[measurement]",
            '[[cross]]\nphrase = "[a]"\n[cross.levels]\na = ["x", "x"]\n[measurement]',
            'makes the group "x" several times',
        ),
        (
            "[measurement]",
            '[[cross]]\nphrase = "[a]"\n[cross.levels]\na = ["baker"]\n[measurement]',
            'the group "baker" occurs 2 times',
        ),
    ],
)
def test_wrong_topics_are_one_line(tmp_path, old, new, message):
    with pytest.raises(BvfError, match=message) as error:
        read_topic(written(tmp_path, GOOD.replace(old, new)))
    assert "temper.toml" in str(error.value)
    assert "\n" not in error.value.message


def test_all_errors_of_a_file_are_named_at_once(tmp_path):
    text = GOOD.replace("groups =", 'grups = ["a"]\ngroups =').replace("summary", "sumary")
    with pytest.raises(BvfError) as error:
        read_topic(written(tmp_path, text.replace('words = ["peaceful", "calm"]', "words = 3")))
    line = error.value.message
    assert [field in line for field in ("grups: ", "sumary: ", "summary: ", "attributes.1.words: ")] == [True] * 4


def test_of_very_many_errors_the_first_are_named(tmp_path):
    with pytest.raises(BvfError) as error:
        read_topic(written(tmp_path, GOOD.replace('["baker", "welder"]', f"{list(range(100_000))}")))
    assert error.value.message.endswith('groups.9: 9 stands where a text is meant: write "9"; and 99,990 more')


def test_what_is_measured_can_be_declared_later(tmp_path):
    declared = GOOD[GOOD.index("[measurement]") : GOOD.index("[[attributes]]")]
    text = GOOD.replace(declared, "").replace('sources = ["written for this test"]', "")
    topic = read_topic(written(tmp_path, text))
    assert (topic.sources, topic.measurement.harm) == ((), "not declared")


def test_two_other_classes_take_the_place_of_those_of_the_topic(tmp_path):
    topic = read_topic(written(tmp_path, GOOD))
    own = topic.with_words({"she": ("she", "her"), "he": ("he",)})
    assert own.counted_words() == {"she": ("she", "her"), "he": ("he",)}
    assert (own.groups, own.measurement.harm) == (topic.groups, "not declared")
    assert own.summary == f"{topic.summary}. With the classes she and he in place of violent and peaceful."
    for words, named in (({"she": ("she",)}, "she"), ({"she": ("she",), "violent": ("bad",)}, "she")):
        with pytest.raises(BvfError, match=f'has no class "{named}"') as error:
            topic.with_words(words)
        assert "name two classes or more of your own alone" in error.value.hint


def test_an_ambiguous_word_is_counted_in_no_class(tmp_path):
    text = GOOD.replace('"calm"', '"calm", "keen"').replace('"aggressive"', '"keen"')
    topic = read_topic(written(tmp_path, text.replace("groups =", 'ambiguous = ["keen"]\ngroups =')))
    assert topic.counted_words() == {"violent": ("violent",), "peaceful": ("peaceful", "calm")}


def test_units_have_the_words_that_count(tmp_path):
    units = 'units = [["violent", "calm", "keen"]]\ngroups ='
    text = GOOD.replace('"calm"', '"calm", "keen"').replace("groups =", units)
    assert read_topic(written(tmp_path, text)).counted_units() == (("violent", "calm", "keen"),)
    topic = read_topic(written(tmp_path, text)).with_words({"peaceful": ("calm", "kind")})
    assert topic.counted_units() == (("violent", "calm"),)
    assert topic.with_words({"peaceful": ("kind",)}).counted_units() == ()


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("groups =", 'units = ["he", "him"]\ngroups =', 'units: "he" .. a list is meant: write [["he", ...]]'),
        ("groups =", 'kinds = {a = "he"}\ngroups =', 'kinds.a: "he" .. a list is meant: write ["he", ...]'),
        ('["peaceful", "calm"]', '"b"', 'attributes.1.words: "b" .. a list is meant: write ["b", ...]'),
        ("groups =", "ambiguous = 3\ngroups =", "ambiguous: 3 .. a list is meant"),
        ("groups =", 'neutral = {a = "b"}\ngroups =', 'neutral: {"a": "b"} .. a list is meant'),
        ('["baker", "welder"]', '["baker", 3]', 'groups.1: 3 .. a text is meant: write "3"'),
        ('["baker", "welder"]', '[["baker"]]', 'groups.0: ["baker"] .. a text is meant'),
    ],
)
def test_a_text_where_a_list_is_meant_and_the_like_are_one_line_with_what_is_right(tmp_path, old, new, line):
    with pytest.raises(BvfError) as error:
        read_topic(written(tmp_path, GOOD.replace(old, new)))
    lines = error.value.message.partition("temper.toml: ")[2].split("; ")
    assert line.replace("..", "stands where", 1) in lines


@pytest.mark.parametrize(
    ("units", "message"),
    [
        ('[["violent", "fierce"]]', '"units" names the word "fierce", which no class has'),
        ('[["violent"]]', '"units" has the unit "violent" without a word of peaceful'),
        ('[["violent", "aggressive"]]', '"units" has the unit "violent, aggressive" without a word of peaceful'),
        ('[["violent", "calm"], ["calm", "peaceful"]]', '"units" names the word "calm" 2 times: a word is in one unit'),
    ],
)
def test_units_of_unknown_or_repeated_words_are_one_line(tmp_path, units, message):
    with pytest.raises(BvfError, match=message):
        read_topic(written(tmp_path, GOOD.replace("groups =", f"units = {units}\ngroups =")))


@pytest.mark.parametrize(
    ("kinds", "message"),
    [
        ('{hard = ["violent", "fierce"]}', '"kinds" names the word "fierce", which no class has'),
        ('{a = ["violent", "calm"], b = ["calm"]}', '"kinds" names the word "calm" 2 times: a word is in one kind'),
        ("{hard = []}", 'the kind "hard" has no word of violent: it needs one of every class'),
        ('{hard = ["violent"]}', 'the kind "hard" has no word of peaceful'),
    ],
)
def test_wrong_kinds_of_words_are_one_line(tmp_path, command, kinds, message):
    file = written(tmp_path, GOOD.replace("groups =", f"kinds = {kinds}\ngroups ="))
    done = command("topics", "show", file)
    assert done.code == 2
    assert message in " ".join(done.err.split())


def test_other_words_for_a_class(tmp_path):
    topic = read_topic(written(tmp_path, GOOD))
    assert topic.with_words({"peaceful": ("kind",)}).counted_words()["peaceful"] == ("kind",)
    with pytest.raises(BvfError, match='no class "pacific"'):
        topic.with_words({"pacific": ("kind",)})
    with pytest.raises(BvfError, match='the word "violent" is in two classes'):
        topic.with_words({"peaceful": ("violent",)})


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


def test_answers_are_classes_of_one_word(tmp_path):
    head = GOOD[: GOOD.index("\n[measurement]")]
    tables = GOOD[GOOD.index("\n[measurement]") : GOOD.index("[[attributes]]")]
    short = read_topic(written(tmp_path, f'{head}answers = ["calm", "wild"]\n{tables}'))
    long = "".join(f'[[attributes]]\nname = "{answer}"\nwords = ["{answer}"]\n' for answer in ("calm", "wild"))
    assert short == read_topic(written(tmp_path, f"{head}{tables}{long}"))
    assert read_topic(written(tmp_path, topic_text(short))) == short
    for wrong, why in (
        (f'{head}answers = ["calm", "wild"]\n{tables}{long}', "both say what the classes are"),
        (f'{head}answers = "calm"\n{tables}', "is a list of texts"),
        (f'{head}answers = ["calm", "calm"]\n{tables}', 'the attribute "calm" occurs 2 times'),
    ):
        with pytest.raises(BvfError, match=why):
            read_topic(written(tmp_path, wrong))
