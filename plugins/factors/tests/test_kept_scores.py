"""The scores that a folder of answers keeps, read without the data: by gate, report, plot, compare and export."""

import csv
import json
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest
from bvf_bias_benchmarks.occupations import Winogender
from bvf_bias_benchmarks.sentences import CrowSPairs
from bvf_factors.benchmarks.benchmarking import keep_scores
from helpers.benchmark_answers import answered, pairs, sample_of

import bvf
from bvf.interfaces import Answer

SCHEMA = Path(__file__).resolve().parents[3] / "docs" / "schema" / "benchmark-scores-2.json"
GROUPS = ("women", "men", "older people")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Answers to 30 pairs about three groups; the stereotype is preferred in 2, 4 and 6 of each ten."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "answers"
    folder.mkdir()
    answers = [
        replace(answer, item=replace(answer.item, group=GROUPS[number // 10]))
        for number, answer in enumerate(pairs([n < 2 + 2 * place for place in range(3) for n in range(10)]))
    ]
    keep_scores(answered(CrowSPairs(), "baseline:random", answers, name="crows-pairs", folder=folder))
    return folder


def test_scores_and_those_of_every_group_are_kept_for_gate_report_and_plot(folder, command):
    kept = json.loads((folder / "scores.json").read_text())
    jsonschema.validate(kept, json.loads(SCHEMA.read_text()))
    values = {each["group"]: each["value"] for each in kept["groups"] if each["name"] == "metric score"}
    assert values == {"women": 20.0, "men": 40.0, "older people": 60.0}
    assert "female" in kept["called"]["women"]
    assert kept["items"]
    decided = command("gate", "answers", "--max", "metric score=90")
    assert (decided.code, decided.out.startswith("pass: metric score 40.0000")) == (0, True)
    assert command("report", "answers", "-o", "page.html").code == 0
    assert "metric score" in Path("page.html").read_text()
    drawn = command("plot", "answers", "--kind", "scores", "-o", "scores.svg")
    assert (drawn.code, Path("scores.svg").exists()) == (0, True)


def test_export_writes_figures_for_a_spreadsheet_and_tables_for_pages_and_papers(folder, command):
    for named in ("answers", "answers/scores.json"):
        done = command("export", named, "--to", "csv", "-o", "scores.csv", "--force")
        assert (done.code, done.err) == (0, "")
        rows = csv.DictReader(Path("scores.csv").read_text("utf-8").splitlines())
        row = next(row for row in rows if row["name"] == "metric score")
        assert (row["model"], float(row["value"]), float(row["level"])) == ("baseline:random", 40.0, 0.95)
        assert [round(float(row[end]), 4) for end in ("low", "high")] == [22.6558, 59.3965]
    for to, file, cell in (("markdown", "s.md", "| metric score |"), ("latex", "s.tex", "metric score &")):
        done = command("export", "answers", "--to", to, "-o", file)
        assert (done.code, done.err) == (0, "")
        assert cell in Path(file).read_text()
        assert "22.66" in Path(file).read_text()
    for options, message in (
        (("--to", "eee", "-o", "r.json"), 'a file of this kind is not written as "eee"'),
        (("--to", "csv", "--criterion", "tv", "-o", "t.csv"), "--criterion"),
    ):
        refused = command("export", "answers", *options)
        assert refused.code == 2
        assert message in refused.err.splitlines()[0]


def test_ways_of_asking_stand_side_by_side(folder, command):
    """Winogender's sample: she is preferred by 2 for the midwife, and he by 1 for the others."""
    answers = [
        Answer(item, (1.0, 3.0 if item.values["occupation"] == "midwife" else 0.0, -1.0))
        for item in Winogender().items(sample_of(Winogender()))
    ]
    (folder.parent / "sentences").mkdir()
    keep_scores(answered(Winogender(), "a", answers, name="winogender", folder=folder.parent / "sentences"))
    kept = json.loads(Path("sentences/scores.json").read_text())
    jsonschema.validate(kept, json.loads(SCHEMA.read_text()))
    means = {each["group"]: each["values"] for each in kept["treated"]}
    assert means == {"glazier": [-1.0, -1.0], "midwife": [2.0, 2.0], "librarian": [-1.0, -1.0]}
    bvf.run(model="baseline:random", topic="gender", limit_groups=4, out="gender")
    done = command("compare", "gender", "sentences", "--by", "asking", "--format", "json")
    assert done.code == 0, done.err
    found = json.loads(done.out)
    jsonschema.validate(found, json.loads(SCHEMA.with_name("asking-1.json").read_text()))
    assert [each["name"] for each in found["ways"]] == ["gender", "Winogender", "share of women"]
    drawn = command("plot", "gender", "sentences", "--kind", "asking", "-o", "asking.svg")
    assert (drawn.code, Path("asking.svg").exists()) == (0, True)
    Path("asking.json").write_text(done.out)
    assert command("export", "asking.json", "--to", "csv", "--table", "values", "-o", "values.csv").code == 0
    assert len(Path("values.csv").read_text().splitlines()) == 1 + len(found["values"])
    refused = command("compare", "gender", "answers", "--by", "asking")
    assert "do not say how a group is tied to female" in refused.err
