"""Logs as rows: tables are joined by key, and each figure of a measurement is computed another way."""

import re

import numpy as np
import pytest
from bvf_factors.reading.logs import rows_of
from bvf_factors.reading.logs.measurement import risks_of, study_of
from bvf_factors.run import joined, stacked
from bvf_testing.measurements import measurement_of
from helpers.topic_text import topic_text

import bvf
from bvf import BvfError
from bvf.files.folder import SHARDS

ITEMS = "example_id,gender,label\n1,female,0\n2,male,1\n"
PREDICTIONS = (
    '{"example_id": 2, "label": 1, "said": "a"}\n{"example_id": 1, "said": "b"}\n{"example_id": 2, "said": "c"}\n'
)


def join(one, other, *on):
    return list(joined(rows_of(one), rows_of(other), on))


def test_predictions_get_the_columns_of_their_items(written):
    items = written("items.csv", ITEMS)
    rows = join(written("predictions.jsonl", PREDICTIONS), items, "example_id")
    columns = [(row.values["example_id"], row.values["said"], row.values["gender"]) for row in rows]
    assert columns == [(2, "a", "male"), (1, "b", "female"), (2, "c", "male")]
    assert rows[0].where.endswith("predictions.jsonl:1")
    (row,) = join(written("predictions.csv", "example_id\n2.0\n"), items, "example_id")
    assert row.values["gender"] == "male", "a number that was written with a point is the same key"
    items = written("items.csv", "category,id,gender\nage,1,x\ngender,1,y\n")
    rows = join(written("predictions.csv", "category,id\ngender,1\nage,1\n"), items, "category", "id")
    assert [row.values["gender"] for row in rows] == ["y", "x"]


@pytest.mark.parametrize(
    ("items", "predictions", "parts"),
    [
        (ITEMS + "1,male,1\n", PREDICTIONS, ("items.csv:4", 'example_id "1"', "also in", "items.csv:2")),
        (ITEMS, '{"example_id": 3}\n', ("predictions.jsonl:1", "no row", 'example_id "3"')),
        (ITEMS, '{"example_id": null}\n', ("predictions.jsonl:1", "no value", '"example_id"')),
        (ITEMS, '{"example": 1}\n', ("predictions.jsonl:1", "no column", '"example_id"')),
        ("example_id,x\n,2\n", PREDICTIONS, ("items.csv:2", "no value", '"example_id"')),
        ("id,x\n1,2\n", PREDICTIONS, ("items.csv:2", "no column", '"example_id"')),
        (ITEMS, '{"example_id": 2, "gender": "female"}\n', ("predictions.jsonl:1", '"gender"', "male")),
    ],
)
def test_what_cannot_be_joined_is_one_line_that_says_where(written, items, predictions, parts):
    files = written("predictions.jsonl", predictions), written("items.csv", items)
    with pytest.raises(BvfError, match=".*".join(map(re.escape, parts))):
        join(*files, "example_id")
    with pytest.raises(BvfError, match="no column to join by"):
        join(*files)


def test_sources_follow_each_other_and_none_is_named_twice(written):
    first, second = written("a.csv", "x\n1\n"), written("b.jsonl", '{"x": 2}\n{"y": 3}\n')
    rows = list(stacked([first, second]))
    assert [row.values for row in rows] == [{"x": "1"}, {"x": 2}, {"y": 3}]
    assert [row.where.rpartition("/")[2] for row in rows] == ["a.csv:2", "b.jsonl:1", "b.jsonl:2"]
    with pytest.raises(BvfError, match=r"a\.csv: is named twice"):
        list(stacked([first, second, first.parent / "x" / ".." / first.name]))


CROSSED = """[[cross]]
phrase = "[SECOND] [trade]"
[cross.levels]
trade = ["nurse", "pilot", "cook"]
SECOND = ["old", "young"]
"""
CONTEXTS = """template,count,verb
The [X] is [Y],3,be
The [X] seems [Y],1,seem
"""
WORDS = {"peaceful": ["peaceful", "calm"], "violent": ["violent"], "tired": ["tired", "weary"]}


@pytest.fixture
def measure(tmp_path, toy):
    def run(second="age", classes=2, **choices):
        topic, contexts = tmp_path / "violence.toml", tmp_path / "contexts.csv"
        words = dict(list(WORDS.items())[:classes])
        topic.write_text(topic_text(words, name="harm/violence", groups=(), tables=CROSSED.replace("SECOND", second)))
        contexts.write_text(CONTEXTS)
        given = {"model": "toy:hash", "plugin": (toy,), "topic": str(topic), "contexts": str(contexts), **choices}
        return bvf.run(bvf.RunConfig(out=str(tmp_path / "out"), **given)), tmp_path / "out"

    return run


def test_a_row_is_what_the_model_answered_for_a_group_in_a_context(measure):
    _, folder = measure()
    measurement = bvf.read_measurement(folder)
    rows = list(rows_of(folder))
    assert len(rows) == 6 * 2
    first = rows[1].values
    assert (first["group"], first["trade"], first["age"]) == ("old nurse", "nurse", "old")
    assert (first["context"], first["context.verb"], first["weight"]) == ("The [X] seems [Y]", "seem", 0.25)
    assert (first["topic"], first["model"]) == ("harm/violence", "toy:hash")
    peaceful, violent = measurement.probabilities[0, 1]
    assert (first["p.peaceful"], first["p.violent"], first["lean"]) == (peaceful, violent, violent - peaceful)
    assert rows[1].where == f'{folder}, "old nurse" in "The [X] seems [Y]"'
    assert [row.values for row in rows_of(folder / "measurement.json")] == [row.values for row in rows]


@pytest.mark.parametrize("classes", [2, 3])
def test_the_risk_of_a_row_is_that_of_the_analysis(measure, classes):
    result, folder = measure(classes=classes, criterion="linf")
    rows = list(rows_of(folder))
    assert [row.values["risk"] for row in rows] == pytest.approx(result.risks()["risk"].tolist())
    assert ("lean" in rows[0].values) == (classes == 2)
    for group in result.groups:
        of_group = [row.values for row in rows if row.values["group"] == group.group]
        assert sum(each["weight"] * each["risk"] for each in of_group) == pytest.approx(group.r)


def test_the_criterion_of_the_run_does_not_matter(measure):
    risks = [[row.values["risk"] for row in rows_of(measure(criterion=name)[1])] for name in ("linf", "kl")]
    assert risks[0] == risks[1]


def test_a_prompt_that_is_missing_has_empty_cells(tmp_path, toy):
    folder = tmp_path / "out"
    silent = {"model": "toy:silent-nurse", "limit_groups": 90, "sample_contexts": 10, "contexts": "gender-mixed"}
    bvf.run(bvf.RunConfig(plugin=(toy,), out=str(folder), **silent))
    rows = [row.values for row in rows_of(folder)]
    missing = [row for row in rows if row["risk"] is None]
    assert missing
    assert {row["group"] for row in missing} == {"nurse"}
    assert {row["p.male"] for row in missing} == {row["lean"] for row in missing} == {None}


def test_a_group_without_any_answer_has_no_risk_and_others_keep_theirs():
    p = np.full((3, 2, 2), np.nan)
    p[1:] = [[[0.5, 0.5], [0.9, 0.1]], [[0.0, 1.0], [0.25, 0.75]]]
    risks = risks_of(study_of(measurement_of(p)))
    np.testing.assert_allclose(risks, [[np.nan, np.nan], [0.0, 0.8], [1.0, 0.5]], atol=1e-12)


def test_a_factor_that_is_called_like_a_column_is_refused(measure):
    _, folder = measure("risk")
    with pytest.raises(BvfError, match=r'column "risk" is .* here and "old" in what is added'):
        list(rows_of(folder))


def test_a_measurement_that_is_not_finished_is_refused(measure):
    _, folder = measure()
    for shard in (folder / SHARDS).iterdir():
        shard.unlink()
    with pytest.raises(BvfError, match="unfinished"):
        list(rows_of(folder))


def test_generated_texts_are_rows_of_the_shares_that_the_reader_of_the_run_reads(tmp_path):
    chosen = {"reading": "generated", "samples": 4, "limit_groups": 2, "limit_contexts": 3, "reader": "share"}
    result = bvf.run(model="baseline:random", topic="gender", out=str(tmp_path / "run"), **chosen)
    rows = list(rows_of(tmp_path / "run"))
    values = [[row.values["p.male"], row.values["p.female"]] for row in rows]
    assert np.array(values).reshape(2, 3, 2) == pytest.approx(np.array(result.probabilities()))
