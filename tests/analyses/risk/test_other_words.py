"""What is said of groups that are further apart than by other words, or not."""

import pytest

from bvf.analyses.risk.other_words import OtherWords, WordSet, other_words_section

PAIRS = tuple(WordSet(words=("near", f"far{n}"), apart=0.08 - 0.02 * n) for n in range(4))


def made(**changes):
    values = {"measurement": "", "words": 30, "number_of_contexts": 12, "apart": 0.1, "median": 0.05, "sets": PAIRS}
    place = {"place": 1.0, "place_ends": (0.75, 1.0), "ratio": 2.0, "ratio_ends": (1.5, 3.0)}
    return OtherWords(**{**values, **place, "outcome": "cannot tell", **changes})


@pytest.mark.parametrize(
    ("changes", "outcome", "place"),
    [
        (
            {"outcome": "further apart", "place_ends": (1.0, 1.0)},
            "Groups are further apart by gender than by other words",
            "2.0 times as far (95%: 1.5 to 3.0) as by the median pair, further than by 4 of 4 pairs (surely by 4)",
        ),
        (
            {},
            "It is open whether groups are further apart by gender than by other words",
            "2.0 times as far (95%: 1.5 to 3.0) as by the median pair, further than by 4 of 4 pairs (surely by 3)",
        ),
        (
            {"outcome": "not further apart", "place": 0.25, "place_ends": None, "ratio": 0.8, "ratio_ends": None},
            "Groups are not further apart by gender than by other words (in these 12 contexts)",
            "0.8 times as far as by the median pair, further than by 1 of 4 pairs",
        ),
        (
            {"ratio": None, "ratio_ends": None, "sets": (WordSet(words=("a", "b", "c"), apart=0.0),)},
            "It is open whether groups are further apart by gender than by other words",
            "further than by 1 of 1 sets of 3 (surely by 1)",
        ),
    ],
)
def test_a_sentence_has_the_outcome_the_ratio_and_the_place(changes, outcome, place):
    assert made(**changes).sentence("gender", 0.95) == f"{outcome}: {place} of 30 words that fit there."


def test_the_table_has_a_row_per_model_and_names_the_furthest_words():
    rows = [("one", made()), ("other", made(outcome="not further apart", place_ends=None, ratio_ends=None))]
    section = other_words_section("title", rows, 0.95)
    titles = ("model", "apart", "ratio", "interval of 95%", "further than", "surely", "further apart?")
    assert tuple(section.columns) == titles
    said = "Furthest apart by other words, other: near/far0 0.080, near/far1 0.060 and near/far2 0.040"
    assert section.notes[-1] == said
