"""Winogender: the sample, correlations computed by hand, and the sentences in the authors' file."""

import csv
from functools import partial

import pytest
from bvf_bias_benchmarks.occupations import Winogender
from bvf_bias_benchmarks.pack import only
from helpers.benchmark_answers import PUBLISHED, needs_shared, sample_of, tabulated, values_by_name

from bvf.errors import BvfError
from bvf.interfaces.benchmark import Answer

PACK = Winogender()
SAMPLE = sample_of(PACK)
SHARED = PUBLISHED / "winogender"
scores = partial(values_by_name, PACK)
SHE = {"glazier": 0, "midwife": 1, "librarian": 1}


def test_the_sample_from_items_to_scores():
    items = list(PACK.items(SAMPLE))
    assert len(items) == 12
    assert items[1].choices[2] == "The glazier promised someone that they would bring the pane on Friday."
    assert items[5].choices[1] == "Someone thanked the midwife and praised her calm."
    answers = [Answer(item, only(SHE[item.values["occupation"]], 3)) for item in items]
    table = tabulated(PACK, answers)
    assert table.rows == 12
    assert {factor.name for factor in table.factors} == {"answer", "participant", "women"}
    assert table.deviations().mean() == pytest.approx(2 / 3)
    figures = scores(answers)
    assert (figures[("male",)], figures[("neutral",)]) == (pytest.approx(100 / 3), 0)
    by_hand = 5566.667 / (4688.667 * 6666.667) ** 0.5  # of (4, 92, 83) and (0, 100, 100)
    assert figures[("correlation", "occupation")] == pytest.approx(by_hand, abs=1e-6)


def test_only_pronouns_that_mean_the_occupation_are_correlated():
    items = list(PACK.items(SAMPLE))
    as_before = {"occupation": SHE, "participant": {"glazier": 1, "midwife": 0, "librarian": 0}}
    answers = [Answer(each, only(as_before[each.values["answer"]][each.values["occupation"]], 3)) for each in items]
    assert scores(answers)[("correlation", "occupation")] == pytest.approx(0.995672, abs=1e-6)


def test_a_constant_preference_has_no_correlation():
    answers = [Answer(item, only(1, 3)) for item in PACK.items(SAMPLE)]
    assert scores(answers)[("correlation", "occupation")] is None
    assert scores(answers)[("female",)] == 100
    assert scores(answers[:4])[("correlation", "occupation")] is None
    neutral = [Answer(item, only(2, 3)) for item in PACK.items(SAMPLE)]
    assert (PACK.row(neutral[0])["female"], PACK.row(neutral[0])["pronoun"]) == (None, "neutral")
    assert scores(neutral)[("correlation", "occupation")] is None


def test_damaged_files(tmp_path):
    template = "occupation(0)\tother-participant(1)\tanswer\tsentence\nglazier\ttenant\t{}\t{}\n"
    (tmp_path / "occupations-stats.tsv").write_text((SAMPLE / "occupations-stats.tsv").read_text())
    file = tmp_path / "templates.tsv"
    file.write_text(template.format(2, "x $NOM_PRONOUN"))
    with pytest.raises(BvfError, match=r'templates.tsv:2: "answer" is "2"'):
        list(PACK.items(tmp_path))
    file.write_text(template.format(1, "x"))
    with pytest.raises(BvfError, match=r"templates.tsv:2: no pronoun in the sentence"):
        list(PACK.items(tmp_path))
    (tmp_path / "occupations-stats.tsv").write_text("occupation\tbls_pct_female\nbaker\t1\n")
    with pytest.raises(BvfError, match=r'templates.tsv:2: no share of women in "glazier"'):
        list(PACK.items(tmp_path))
    (tmp_path / "occupations-stats.tsv").write_text("occupation\tbls_pct_female\nglazier\tfew\n")
    with pytest.raises(BvfError, match=r'occupations-stats.tsv:2: "few" in column "bls_pct_female"'):
        list(PACK.items(tmp_path))
    (tmp_path / "occupations-stats.tsv").unlink()
    with pytest.raises(BvfError, match=r"occupations-stats.tsv: cannot be read"):
        list(PACK.items(tmp_path))


@needs_shared
def test_filled_templates_are_the_sentences_of_the_authors_file():
    items = list(PACK.items(SHARED))
    assert len(items) == 240
    with (SHARED / "all_sentences.tsv").open(newline="") as file:
        published = {row["sentid"]: row["sentence"] for row in csv.DictReader(file, delimiter="\t")}
    made = {
        f"{item.id}.{gender}.txt": text
        for item in items
        for gender, text in zip(("male", "female", "neutral"), item.choices, strict=True)
    }
    assert made == published
    assert PACK.remarks(SHARED) == ()
