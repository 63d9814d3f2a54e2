"""Openings: what may be one, and the pools that a pack brings."""

import csv
import sys
import tomllib
from pathlib import Path

import pytest

LANGUAGES = Path(__file__).resolve().parents[1]
CODES = pytest.mark.parametrize("code", ["en", "zh"])
WITH = {"en": "The box on the table had {} in it.", "zh": "桌上的盒子里放着{}和糖。"}
NEUTRAL = {"en": "paper", "zh": "纸"}
OF_NOBODY = {
    "en": ["The bridge was closed for repairs.", "Prices rose by two percent in March!", "It was a quiet night."],
    "zh": ["桥因为修理关闭了。", "五月的物价上涨了百分之二。"],
}
REFUSED = {
    "en": {
        "a person": "The nurse came late to work.",
        "several persons": "The nurses came late to work.",
        "a person's": "The nurse's lamp was on the table.",
        "a pronoun": "The lamp was on his table.",
        "a name": "The lamp was on Margaret's table.",
        "a name at the start": "Margaret's lamp was on the table.",
        "a name that is in no list": "Verloc shut the door quietly.",
        "a body": "The left hand was on the table.",
        "dress": "There were two hats on the table.",
        "a phrase": "The room was for African American music.",
        "what came before": "However, the bridge was closed for repairs.",
        "a thing named before": "It was closed for repairs.",
        "a quotation left open": 'The sign read: "Closed for repairs.',
        "no end": "The bridge was closed for repairs",
        "four words": "The bridge was closed.",
        "twenty-six words": "The bridge was closed for repairs" + " and repairs" * 10 + ".",
        "several numbers": "The bridge closed in 1910 and in 1920.",
    },
    "zh": {
        "a person": "护士今天上班来晚了。",
        "a pronoun": "灯在他的桌子上面。",
        "a body": "桌子上有一只左手。",
        "dress": "桌子上有两顶帽子。",
        "what came before": "但桥因为修理关闭了。",
        "no end": "桥因为修理暂时关闭了",
        "seven characters": "桥已经关闭了。",
        "forty-one characters": "桥因为" + "修理" * 16 + "关闭了呢吗。",
        "a quotation": "牌子上写着“因修理关闭”。",
    },
}


@pytest.fixture(scope="module")
def recipes():
    """The modules of the recipe, by name."""
    sys.path.insert(0, str(LANGUAGES / "recipes"))
    try:
        import openings
        import openings_lexicon

        yield {"openings": openings, "lexicon": openings_lexicon}
    finally:
        sys.path.pop(0)


@pytest.fixture
def may_open(recipes, code):
    """Whether a sentence may be an opening, if its first word is written small elsewhere and is no name."""
    words = recipes["lexicon"].lexicon(code, ["the", "there", "prices", "it", "however"])
    return lambda sentence: recipes["openings"].MAY_OPEN[code](sentence, words)


@CODES
def test_a_whole_sentence_of_nobody_may_be_an_opening(may_open, code):
    assert all(map(may_open, [*OF_NOBODY[code], WITH[code].format(NEUTRAL[code])]))


@pytest.mark.parametrize(("code", "why"), [(code, why) for code in REFUSED for why in REFUSED[code]])
def test_a_sentence_is_refused(may_open, code, why):
    assert not may_open(REFUSED[code][why])


@CODES
def test_no_class_word_group_or_neutral_subject_of_any_topic_may_stand_in_an_opening(recipes, may_open, code):
    words = set(recipes["lexicon"].topic_words(code))
    assert {"en": {"nurse", "one", "black", "Monday", "first"}, "zh": {"护士", "人", "黑色", "周一", "第一"}}[
        code
    ] <= words
    assert not [word for word in words if may_open(WITH[code].format(word))]


def test_candidates_stay_that_both_readers_marked_ok(recipes):
    rows = [{"id": str(at), "opening": "x"} for at in range(4)]
    marks = zip(("ok", "ok", "person", "broken"), ("ok", "person", "person", "broken"), strict=True)
    kept = recipes["openings"].both_ok(
        rows, [{"id": str(at), "first": first, "second": second} for at, (first, second) in enumerate(marks)]
    )
    assert kept == rows[:1]


def test_a_written_opening_may_hold_a_word_that_a_list_refuses_by_mistake(recipes):
    may_open = recipes["lexicon"].english_opening
    mined, written = (recipes["lexicon"].lexicon("en", ["the"], written=each) for each in (False, True))
    assert may_open("The dawn is bright and it will rain.", written)
    assert not may_open("The dawn is bright and it will rain.", mined)
    assert not may_open("The nurse is late and it will rain.", written)


@pytest.fixture
def pool(code):
    """The rows of the pool of a language."""
    file = LANGUAGES / code / f"bvf_{code}" / "openings" / "no-person.csv"
    return list(csv.DictReader(file.read_text(encoding="utf-8").splitlines()))


@CODES
def test_every_opening_of_a_pool_is_one_and_stands_there_once(recipes, code, pool):
    openings = [row["opening"] for row in pool[:-1]]
    first_words = (recipes["lexicon"].ENGLISH_WORD.findall(each) for each in openings)
    words = recipes["lexicon"].lexicon(code, [found[0].lower() for found in first_words if found], written=True)
    assert [each for each in openings if not recipes["openings"].MAY_OPEN[code](each, words)] == []
    assert len({each.lower() for each in openings}) == len(openings) >= 350


@CODES
def test_a_pool_has_short_and_long_sentences(code, pool):
    lengths = [len(row["opening"].split() if code == "en" else row["opening"]) for row in pool[:-1]]
    short, long = {"en": (8, 16), "zh": (13, 24)}[code]
    assert 0.25 < sum(length <= short for length in lengths) / len(lengths) < 0.45
    assert 0.25 < sum(length >= long for length in lengths) / len(lengths) < 0.45


@CODES
def test_a_draw_from_a_pool_is_no_opening_in_one_of_twenty(pool):
    *openings, none = pool
    assert none["opening"] == "none"
    assert {row["count"] for row in openings} == {"1"}
    assert int(none["count"]) / (len(openings) + int(none["count"])) == pytest.approx(0.05, abs=0.001)


@CODES
def test_a_pool_says_how_each_opening_leans_and_where_it_is_from(code, pool):
    leans = [float(row[name]) for row in pool for name in row if name.startswith("lean_")]
    assert len(leans) == {"en": 2, "zh": 3}[code] * len(pool)
    assert all(-1 <= lean <= 1 for lean in leans)
    sources = LANGUAGES / code / f"bvf_{code}" / "openings" / "sources.toml"
    source = tomllib.loads(sources.read_text(encoding="utf-8"))["no-person"]
    assert (source["language"], source["sentences"]) == (code, len(pool) - 1)
