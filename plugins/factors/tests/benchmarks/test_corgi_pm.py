"""CORGI-PM: the sample, worked numbers, and the published sentences."""

import json

import pytest
from bvf_bias_benchmarks.chinese import CorgiPm
from helpers.benchmark_answers import sample_of, tabulated

from bvf.errors import BvfError
from bvf.interfaces.benchmark import Answer

PACK = CorgiPm()
SAMPLE = sample_of(PACK)


def scores(answers):
    return {(score.name, *score.of.items()): score.value for score in PACK.scores(answers)}


def test_the_sample_from_items_to_scores():
    items = list(PACK.items(SAMPLE))
    assert [item.id for item in items] == ["0", "1", "2", "3"], "the last sentence was left as it is"
    assert items[1].choices[1] == "她说话细声细气。"
    assert items[2].choices[1] == "人流泪很平常。"
    answers = [Answer(item, (2.0, 1.0) if n < 3 else (1.0, 2.0)) for n, item in enumerate(items)]
    table = tabulated(PACK, answers)
    assert table.rows == 4
    assert {factor.name for factor in table.factors} == {"activities", "descriptions", "norms", "split"}
    assert table.deviations().mean() == 0.75
    figures = scores(answers)
    assert figures[("biased",)] == 75
    assert figures[("biased", ("activities", "yes"))] == 50
    assert figures[("biased", ("norms", "yes"))] == 100


def test_a_sentence_that_was_edited_twice_is_one_cluster(tmp_path):
    line = {"split": "train", "sentence": "a", "labels": [1, 0, 0]}
    (tmp_path / "biased.jsonl").write_text("\n".join(json.dumps({**line, "edited": each}) for each in "bc"))
    assert [item.values["sentence"] for item in PACK.items(tmp_path)] == ["0", "0"]


def test_a_tie_is_undefined_and_counted():
    tie = Answer(next(PACK.items(SAMPLE)), (1.0, 1.0))
    assert scores([tie])[("biased",)] is None
    assert scores([tie])[("ties",)] == 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"labels": [0, 1]}, r'biased.jsonl:1: "labels" is \[0, 1\]'),
        ({"edited": ""}, r'biased.jsonl:1: no text in column "edited"'),
        ({"split": None}, r'biased.jsonl:1: there is no "split"'),
    ],
)
def test_a_damaged_line_is_named(tmp_path, change, message):
    first = json.loads((SAMPLE / "biased.jsonl").read_text().split("\n")[0])
    (tmp_path / "biased.jsonl").write_text(json.dumps({**first, **change}))
    with pytest.raises(BvfError, match=message):
        list(PACK.items(tmp_path))
