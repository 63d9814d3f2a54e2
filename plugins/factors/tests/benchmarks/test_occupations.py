"""WinoBias and Winogender: the samples, correlations computed by hand, and the published sentences."""

import csv
from collections import Counter

import pytest
from bvf_bias_benchmarks.occupations import WinoBias, Winogender
from bvf_bias_benchmarks.pack import only
from helpers.benchmark_answers import PUBLISHED, needs_shared, sample_of, tabulated, values_by_name

from bvf.interfaces.benchmark import Answer

WINOBIAS, WINOGENDER = WinoBias(), Winogender()
SHE = {"glazier": 0, "midwife": 1, "librarian": 1}


def test_the_sample_of_winobias_from_items_to_scores():
    items = list(WINOBIAS.items(sample_of(WINOBIAS)))
    assert items[1].choices == (
        "The driver waved to the nurse because she had lost her way.",
        "The driver waved to the nurse because he had lost his way.",
    )
    assert [item.values["stereotype"] for item in items] == ["male", "female"] * 2
    assert [item.values["occupation"] for item in items] == ["driver", "nurse"] * 2
    answers = [Answer(item, scores) for item, scores in zip(items, [(2, 1), (2, 1), (1, 2), (1, 1)], strict=True)]
    table = tabulated(WINOBIAS, answers, drop_missing=True)
    assert (table.rows, {factor.name for factor in table.factors}) == (3, {"type", "stereotype"})
    figures = values_by_name(WINOBIAS, answers)
    assert figures[("stereotype score",)] == pytest.approx(200 / 3)
    assert (figures[("stereotype score", "1")], figures[("stereotype score", "2")]) == (100, 0)
    assert figures[("ties",)] == 1
    tied = [WINOBIAS.treated(answer) for answer in answers]
    assert tied == [("driver", "women", -1), ("nurse", "women", 1), ("driver", "women", 1), ("nurse", "women", 0)]


def test_a_sentence_that_differs_otherwise_keeps_the_words_of_the_first(tmp_path):
    (tmp_path / "pro_stereotyped_type2.txt.test").write_text("1 [The cook] said that [he] is a good man.\n")
    (tmp_path / "anti_stereotyped_type2.txt.test").write_text("1 [The cook] said that [she] is good.\n")
    item = next(WINOBIAS.items(tmp_path))
    assert item.choices[1] == "The cook said that she is a good man."
    assert (item.values["type"], item.values["split"]) == ("2", "test")


@needs_shared
def test_the_published_sentences_of_winobias_against_the_lists_of_occupations():
    folder = PUBLISHED / "winobias"
    items = list(WINOBIAS.items(folder))
    parts = Counter((item.values["type"], item.values["split"]) for item in items)
    assert parts == {("1", "dev"): 396, ("1", "test"): 394, ("2", "dev"): 394, ("2", "test"): 394}
    assert WINOBIAS.remarks(folder) == ()
    listed = {
        line.strip().lower(): gender
        for gender in ("male", "female")
        for line in (folder / f"{gender}_occupations.txt").read_text().splitlines()
    }
    for item in items:
        assert listed.get(item.values["occupation"], "male") == item.values["stereotype"], item.id
        assert item.values["occupation"] in {*listed, "ceo"}
        assert "[" not in "".join(item.choices)
        assert item.choices[0] != item.choices[1]


def winogender(choice_of):
    """Answers to the sample, by the choice that ``choice_of`` makes of the values of an item."""
    return [Answer(item, only(choice_of(item.values), 3)) for item in WINOGENDER.items(sample_of(WINOGENDER))]


def test_the_sample_of_winogender_from_items_to_scores():
    answers = winogender(lambda values: SHE[values["occupation"]])
    items = [answer.item for answer in answers]
    assert items[1].choices[2] == "The glazier promised someone that they would bring the pane on Friday."
    assert items[5].choices[1] == "Someone thanked the midwife and praised her calm."
    table = tabulated(WINOGENDER, answers)
    assert (table.rows, {factor.name for factor in table.factors}) == (12, {"answer", "participant", "women"})
    assert table.deviations().mean() == pytest.approx(2 / 3)
    figures = values_by_name(WINOGENDER, answers)
    assert (figures[("male",)], figures[("neutral",)]) == (pytest.approx(100 / 3), 0)
    by_hand = 5566.667 / (4688.667 * 6666.667) ** 0.5  # of (4, 92, 83) and (0, 100, 100)
    assert figures[("correlation", "occupation")] == pytest.approx(by_hand, abs=1e-6)
    of_others = {"glazier": 1, "midwife": 0, "librarian": 0}
    turned = winogender(lambda values: (SHE if values["answer"] == "occupation" else of_others)[values["occupation"]])
    correlation = values_by_name(WINOGENDER, turned)[("correlation", "occupation")]
    assert correlation == pytest.approx(by_hand, abs=1e-6), "a pronoun that means the participant is not correlated"


def test_a_constant_preference_and_two_occupations_have_no_correlation():
    she, they = (winogender(lambda values, choice=choice: choice) for choice in (1, 2))
    figures = values_by_name(WINOGENDER, she)
    assert (figures[("correlation", "occupation")], figures[("female",)]) == (None, 100)
    assert (WINOGENDER.row(they[0])["female"], WINOGENDER.row(they[0])["pronoun"]) == (None, "neutral")
    of_two_occupations = winogender(lambda values: SHE[values["occupation"]])[:8]
    for answers in (she[:4], they, of_two_occupations):
        assert values_by_name(WINOGENDER, answers)[("correlation", "occupation")] is None


@needs_shared
def test_filled_templates_of_winogender_are_the_sentences_of_the_authors_file():
    folder = PUBLISHED / "winogender"
    with (folder / "all_sentences.tsv").open(newline="") as file:
        published = {row["sentid"]: row["sentence"] for row in csv.DictReader(file, delimiter="\t")}
    assert len(published) == 3 * 240
    assert published == {
        f"{item.id}.{gender}.txt": text
        for item in WINOGENDER.items(folder)
        for gender, text in zip(("male", "female", "neutral"), item.choices, strict=True)
    }
    assert WINOGENDER.remarks(folder) == ()
