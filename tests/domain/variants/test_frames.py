"""Frames cross each template with words around it, and share its count."""

import pytest
from bvf_en.rules import English

from bvf import BvfError
from bvf.domain.context import ContextSet, Template
from bvf.domain.variants.frames import Frame, chosen_frames, framed_set
from bvf.domain.variants.options import in_every_order

YEAR = Frame(pattern="In [level], [template]", levels=("1990", "2030"))
AFTER = Frame(pattern="[template], people in [level] say", levels=("Texas", "Kenya"))


def a_set(rows, details=()):
    return ContextSet("mine", tuple(Template(text) for text in rows), tuple(map(float, rows.values())), "me", details)


def test_each_template_stands_in_each_combination_and_shares_its_count():
    details = ({"verb": "say", "documents": "3", "lean_gemma": "0.1"}, {"verb": "know"})
    contexts = a_set({"The [X] said that [Y]": 8, "Ann and the [X] knew that [Y]": 4}, details)
    found = framed_set(contexts, {"year": YEAR, "place": AFTER}, English().inside)
    rows = list(zip(found.templates, found.counts, found.details, strict=True))
    assert [(template.text, count) for template, count, _ in rows] == [
        (f"In {year}, {said} that [Y], people in {place} say", count)
        for said, count in (("the [X] said", 2.0), ("Ann and the [X] knew", 1.0))
        for year in (1990, 2030)
        for place in ("Texas", "Kenya")
    ]
    assert rows[1][2] == {"origin": "The [X] said that [Y]", "year": "1990", "place": "Kenya", "verb": "say"}
    assert found.sampling.written
    assert found.source == "me, framed by year, place"


def test_levels_of_ones_own_take_the_place_of_those_that_ship():
    chosen = chosen_frames(["year=1800, 1900,2000", "place"], English().frames())
    assert list(chosen) == ["year", "place"]
    assert chosen["year"].levels == ("1800", "1900", "2000")
    assert chosen["place"] == English().frames()["place"]


def test_the_level_none_is_the_template_as_it_is():
    frames = chosen_frames(["year=none,1990", "place=none,Texas"], English().frames())
    found = framed_set(a_set({"The [X] said that [Y]": 8}), frames, English().inside)
    rows = list(zip(found.templates, found.details, strict=True))
    assert [(template.text, row["year"], row["place"]) for template, row in rows] == [
        ("The [X] said that [Y]", "none", "none"),
        ("In Texas, the [X] said that [Y]", "none", "Texas"),
        ("In 1990, the [X] said that [Y]", "1990", "none"),
        ("In 1990, in Texas, the [X] said that [Y]", "1990", "Texas"),
    ]


@pytest.mark.parametrize(
    ("pattern", "level", "framed"),
    [
        ("It was a [level] day. [template]", "cold", "It was a cold day. The [X] is [Y]"),
        ("[level] [template]", "Who knows?", "Who knows? The [X] is [Y]"),
        ("[level] [template]", "Well,", "Well, the [X] is [Y]"),
        ("“Some [level]!” [template]", "cake", "“Some cake!” The [X] is [Y]"),
        ("In a book for [level] we read: [template]", "all", "In a book for all we read: the [X] is [Y]"),
        ("[level]下雨了吗\uff1f[template]", "昨天", "昨天下雨了吗\uff1fThe [X] is [Y]"),
    ],
)
def test_a_template_keeps_its_capital_where_it_begins_a_sentence(pattern, level, framed):
    frame = Frame(pattern=pattern, levels=(level, "none"))
    assert frame.around(Template("The [X] is [Y]"), level, English().inside).text == framed


@pytest.mark.parametrize(
    ("texts", "says"),
    [
        (["yeer"], 'there is no frame "yeer"'),
        (["year", "year=1,2"], "--by year: named twice"),
        *(([f"year={levels}"], "two or more different texts are") for levels in ("1990", "1990,1990", "1990,")),
    ],
)
def test_what_is_no_frame_is_refused_in_one_line(texts, says):
    with pytest.raises(BvfError, match=says):
        chosen_frames(texts, English().frames())


@pytest.mark.parametrize("pattern", ["In [level]", "[template]", "[level] [level] [template]"])
def test_a_pattern_has_both_slots_once(pattern):
    with pytest.raises(BvfError, match=r"needs \[level\] once and \[template\] once"):
        Frame.checked({"pattern": pattern, "levels": ["a", "b"]}, "mine.toml: [year]")


@pytest.mark.parametrize("column", ["origin", "placebo", "year"])
def test_columns_that_frames_need_are_not_there_already(column):
    with pytest.raises(BvfError, match=f"has a column {column} already"):
        framed_set(a_set({"The [X] is [Y]": 1}, ({column: "a"},)), {"year": YEAR}, str)


def test_orders_of_options_keep_their_template_and_contexts_without_options_have_their_own():
    offered = in_every_order(a_set({"Is the [X] old? [options] [Y]": 4, "The [X] is [Y]": 2}), ("yes", "no"))
    found = framed_set(offered, {"year": YEAR}, English().inside)
    origins = ["Is the [X] old? [options] [Y]"] * 4 + ["The [X] is [Y]"] * 2
    orders = ["yes | no", "yes | no", "no | yes", "no | yes", None, None]
    assert [(row["origin"], row.get("options")) for row in found.details] == list(zip(origins, orders, strict=True))
    assert [row["year"] for row in found.details] == ["1990", "2030"] * 3
    assert found.counts == (1.0,) * 6
    assert found.templates[2].text.endswith("the [X] old? (A) no (B) yes [Y]")


def test_options_may_name_the_two_people_of_a_text():
    asked = "The [X1] met the [X2]. Who left? [options: first=the [X1] | second=the [X2]] Answer: [Y]"
    assert [each.text for each in in_every_order(a_set({asked: 1}), ("first", "second")).templates] == [
        "The [X1] met the [X2]. Who left? (A) the [X1] (B) the [X2] Answer: [Y]",
        "The [X1] met the [X2]. Who left? (A) the [X2] (B) the [X1] Answer: [Y]",
    ]
