"""``bvf export`` of scores of benchmarks: figures for a spreadsheet, tables for a page and for a paper."""

import csv
import json
from pathlib import Path

import pytest
from bvf_bias_benchmarks.crows_pairs import CrowSPairs
from bvf_factors.benchmarks.asking import Answered, Asked
from bvf_factors.benchmarks.scored import benchmark_scores
from bvf_factors.benchmarks.wordings import Wording

from bvf.interfaces.benchmark import Answer, Item


@pytest.fixture
def scores(tmp_path, monkeypatch):
    """The folder of a benchmark's scores: the stereotype is more probable in 12 of 20 pairs."""
    monkeypatch.chdir(tmp_path)
    answers = tuple(
        Answer(
            Item(str(n), ("a", "b"), values={"bias_type": "age", "direction": "stereo", "file": "f"}),
            (0.0, -1.0) if n < 12 else (-1.0, 0.0),
        )
        for n in range(20)
    )
    items = tuple(answer.item for answer in answers)
    asked = Asked("crows-pairs", "tests", CrowSPairs(), items, (Wording("as written", "{left}"),), "sum")
    found = benchmark_scores([Answered(asked, "=m", "m", Path("runs"), {"as written": answers})])
    Path("answers").mkdir()
    Path("answers", "scores.json").write_text(json.dumps(found.model_dump(mode="json", by_alias=True)))
    return Path("answers")


@pytest.mark.parametrize("named", ["", "scores.json"])
def test_a_spreadsheet_has_a_row_per_figure_with_its_interval(command, scores, named):
    done = command("export", scores / named, "--to", "csv", "-o", "scores.csv")
    assert (done.code, done.err) == (0, "")
    row = next(
        row
        for row in csv.DictReader(Path("scores.csv").read_text("utf-8").splitlines())
        if row["name"] == "metric score"
    )
    assert row["model"] == "'=m"
    assert (float(row["value"]), float(row["level"])) == (60.0, 0.95)
    assert [round(float(row[end]), 4) for end in ("low", "high")] == [36.0543, 80.881]


@pytest.mark.parametrize(
    ("to", "ending", "cell"), [("markdown", "md", "| metric score |"), ("latex", "tex", "metric score &")]
)
def test_pages_and_papers_have_its_tables(command, scores, to, ending, cell):
    done = command("export", scores, "--to", to, "-o", f"scores.{ending}")
    assert (done.code, done.err) == (0, "")
    text = Path(f"scores.{ending}").read_text()
    assert cell in text
    assert "36.05" in text


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--to", "eee", "-o", "r.json"), 'a file of this kind is not written as "eee"'),
        (("--to", "csv", "--table", "groups", "-o", "t.csv"), "--table groups: is for runs"),
        (("--to", "csv", "--criterion", "tv", "-o", "t.csv"), "--criterion"),
    ],
)
def test_what_scores_are_not_written_as_is_one_line(command, scores, options, message):
    done = command("export", scores, *options)
    assert done.code == 2
    assert message in done.err
