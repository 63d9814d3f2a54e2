"""Placebo sets keep the weight of every template, and swap only what they say."""

from collections import defaultdict

import pytest
from bvf_en.rules import English

from bvf import BvfError
from bvf.domain.context import ContextSet, Template
from bvf.domain.variants.placebo import placebo_set


def a_set(rows, details=()):
    return ContextSet("mine", tuple(Template(text) for text in rows), tuple(map(float, rows.values())), "me", details)


def test_variants_share_the_count_of_their_template():
    found = placebo_set(a_set({"The [X] said in 1990 that [Y]": 12, "[X], then, is [Y].": 6}), English().harmless)
    told = {(t.text, row["placebo"]): n for t, n, row in zip(found.templates, found.counts, found.details, strict=True)}
    assert told == {
        ("The [X] said in 1990 that [Y]", ""): 3.0,
        ("The [X] said in 1990 that [Y].", "stop"): 3.0,
        ("That [X] said in 1990 that [Y]", "determiner"): 3.0,
        ("The [X] said in 1991 that [Y]", "year"): 3.0,
        ("[X], then, is [Y].", ""): 2.0,
        ("[X], then, is [Y]", "stop"): 2.0,
        ("[X] then is [Y].", "comma"): 2.0,
    }
    assert found.sampling.written


def test_verbs_of_one_family_and_tense_are_variants_of_the_most_frequent():
    rows = {"The [X] thought that [Y]": 1, "The [X] said that [Y]": 9, "The [X] said to me that [Y]": 2}
    rows |= {"The [X] states that [Y]": 1, "The [X] stated that [Y]": 4, "The [X] said to him that [Y]": 2}
    told = [("think", "thinking", "Past"), ("say", "reporting", "Past"), ("say", "reporting", "Past")]
    told += [("state", "reporting", "Pres"), ("state", "reporting", "Past"), ("say", "reporting", "Past")]
    details = tuple(dict(zip(("verb", "family", "tense"), each, strict=True)) for each in told)
    found = placebo_set(a_set(rows, details), lambda text: {})
    by_origin = defaultdict(set)
    for template, row in zip(found.templates, found.details, strict=True):
        by_origin[row["origin"]].add((template.text, row["placebo"]))
    assert by_origin.pop("The [X] said that [Y]") == {
        ("The [X] said that [Y]", ""),
        ("The [X] stated that [Y]", "verb"),
    }
    assert all(own == {(origin, "")} for origin, own in by_origin.items())
    assert dict(zip((t.text for t in found.templates), found.counts, strict=True)) == rows


def test_a_variant_that_is_a_template_itself_stays_one():
    found = placebo_set(a_set({"The [X] is [Y]": 2, "That [X] is [Y]": 3}), English().harmless)
    texts = [template.text for template in found.templates]
    assert texts == ["The [X] is [Y]", "The [X] is [Y].", "That [X] is [Y]", "That [X] is [Y]."]
    assert sum(found.counts) == 5


def test_nothing_to_swap_is_said_in_a_line():
    one = a_set({"[X] is [Y]": 1})
    with pytest.raises(BvfError, match="nothing in its templates can be swapped") as wrong:
        placebo_set(one, lambda text: {})
    assert "origin and placebo" in wrong.value.hint
    with pytest.raises(BvfError, match="has a column placebo already"):
        placebo_set(placebo_set(one, English().harmless), English().harmless)
