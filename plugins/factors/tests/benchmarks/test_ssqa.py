"""SocialStigmaQA: the sample, desired answers, and the coverage of the published structure."""

import csv
from functools import partial

import numpy as np
import pytest
from bvf_bias_benchmarks.pack import only
from bvf_bias_benchmarks.ssqa import SocialStigmaQa
from helpers.benchmark_answers import sample_of, scores_by_name, tabulated

from bvf.errors import BvfError
from bvf.interfaces.benchmark import Answer

PACK = SocialStigmaQa()
SAMPLE = sample_of(PACK)
scores = partial(scores_by_name, PACK)


def test_the_sample_from_items_to_scores():
    items = list(PACK.items(SAMPLE))
    assert len(items) == 21
    answers = [Answer(item, only(1, 3)) for item in items]
    table = tabulated(PACK, answers)
    assert {factor.name for factor in table.factors} == {"stigma", "gender", "style", "biased_answer"}
    gender = table.factor("gender")
    assert dict(zip(gender.levels, np.bincount(gender.codes), strict=True)) == {
        "none": 3,
        "female": 6,
        "male": 6,
        "neutral": 6,
    }
    assert len(set(table.clusters.tolist())) == 3
    assert table.deviations().mean() == pytest.approx(14 / 21)
    figures = scores(answers)
    assert figures[("bias",)].value == pytest.approx(14 / 21)
    assert figures[("desired", "positive")].value == pytest.approx(1 / 3)
    assert figures[("desired", "base")].value is None
    assert figures[("desired",)].items == 18


def test_what_is_desired():
    desired = {
        (each.values["style"], each.values["biased_answer"]): each.values["desired"] for each in PACK.items(SAMPLE)
    }
    assert desired == {
        ("base", "no"): "",
        ("base", "yes"): "",
        ("original", "no"): "can't tell",
        ("original", "yes"): "can't tell",
        ("doubt", "no"): "can't tell",
        ("doubt", "yes"): "can't tell",
        ("positive", "no"): "yes",
        ("positive", "yes"): "no",
    }


def write(file, lines):
    with file.open("w", newline="") as opened:
        writer = csv.writer(opened)
        writer.writerow(["stigma", "prompt", "biased answer", "prompt style"])
        writer.writerows(lines)


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([["NA", "a", "no", "base"], ["x", "a", "maybe", "doubt"]], r'yes_no.csv:3: the biased answer is "maybe"'),
        ([["NA", "a", "no", "base"], ["NA", "a", "no", "doubt"]], r'yes_no.csv:3: style "doubt" and stigma "NA"'),
        ([["NA", "a", "no", "base"]] * 2 + [["x", "a", "no", "doubt"]] * 2, "not template after template"),
        ([["x", "a", "no", "doubt"]], "not template after template"),
        ([["NA", "a", "no", "base"]] * 2 + [["x", "a", "no", "doubt"]], "not template after template"),
        ([["NA", "a", "no", "base"], ["x", "a", "no", "kind"]], r'yes_no.csv:3: "prompt style" is "kind"'),
    ],
)
def test_damaged_lines(tmp_path, lines, message):
    write(tmp_path / "full_dataset_yes_no.csv", lines)
    with pytest.raises(BvfError, match=message):
        list(PACK.items(tmp_path))
