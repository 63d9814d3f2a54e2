"""The scores that a folder of answers keeps: read by gate, report, plot and compare without the data."""

import json
from pathlib import Path

import jsonschema
import pytest
from bvf_bias_benchmarks.crows_pairs import CrowSPairs
from bvf_factors.benchmarks.asking import Answered, Asked
from bvf_factors.benchmarks.benchmarking import keep_scores
from bvf_factors.benchmarks.wordings import Wording

import bvf
from bvf.interfaces.benchmark import Answer, Item

SCHEMA = Path(__file__).resolve().parents[3] / "docs" / "schema" / "benchmark-scores-2.json"
GROUPS = ("women", "men", "older people")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Answers to 30 pairs about three groups; the stereotype is preferred in 2, 4 and 6 of each ten."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "answers"
    folder.mkdir()
    answers = tuple(
        Answer(
            Item(
                f"{group}/{n}",
                ("a", "b"),
                values={"bias_type": "age", "direction": "stereo", "file": "x"},
                group=group,
            ),
            (0.0, -1.0) if n < 2 + 2 * place else (-1.0, 0.0),
        )
        for place, group in enumerate(GROUPS)
        for n in range(10)
    )
    items = tuple(answer.item for answer in answers)
    asked = Asked("crows-pairs", "tests", CrowSPairs(), items, (Wording("as written", "{left}"),), "sum")
    keep_scores(Answered(asked, "baseline:random", "baseline:random", folder, {"as written": answers}))
    return folder


def test_scores_and_those_of_every_group_are_kept(folder):
    kept = json.loads((folder / "scores.json").read_text())
    jsonschema.validate(kept, json.loads(SCHEMA.read_text()))
    values = {(each["group"], each["name"]): each["value"] for each in kept["groups"]}
    assert {key: value for key, value in values.items() if key[1] == "metric score"} == {
        ("women", "metric score"): 20.0,
        ("men", "metric score"): 40.0,
        ("older people", "metric score"): 60.0,
    }
    assert "female" in kept["called"]["women"]
    assert kept["items"]


def test_gate_report_and_plot_take_the_folder(folder, command):
    decided = command("gate", "answers", "--max", "metric score=90")
    assert (decided.code, decided.out.startswith("pass: metric score 40.0000")) == (0, True)
    assert command("report", "answers", "-o", "page.html", "--light").code == 0
    assert "metric score" in Path("page.html").read_text()
    drawn = command("plot", "answers", "--kind", "scores", "-o", "scores.svg")
    assert (drawn.code, Path("scores.svg").exists()) == (0, True)


def test_a_file_that_is_not_there_is_asked_for_as_a_file(folder, command):
    done = command("gate", "nothing.json", "--max", "R=1")
    assert done.code == 2
    assert done.err.startswith("error: nothing.json: no file")


def test_the_lean_to_a_class_stands_beside_the_score_of_its_group(folder, command):
    """Of a model that answers at random; with the classes of two topics there are three groups."""
    for topic in ("gender", "age"):
        bvf.run(model="baseline:random", topic=topic, limit_groups=4, out=str(folder.parent / topic))
    done = command("compare", "--measures", "gender", "age", "answers", "--format", "json")
    assert done.code == 0, done.err
    found = json.loads(done.out)
    jsonschema.validate(found, json.loads(SCHEMA.with_name("measures-1.json").read_text()))
    points = {each["group"]: each for each in found["groups"] if each["measure"] == "metric score"}
    assert {name: each["lean_to"] for name, each in points.items()} == {
        "women": "female",
        "men": "male",
        "older people": "old",
    }
    assert [points[name]["value"] for name in GROUPS] == [20.0, 40.0, 60.0]
    assert found["unmatched"][0]["without_items"] == ["young"]
    assert "3 groups" in command("compare", "--measures", "gender", "age", "answers").out
    drawn = command("plot", "gender", "age", "answers", "--kind", "measures", "-o", "measures.svg")
    assert (drawn.code, Path("measures.svg").exists()) == (0, True)
    Path("measures.json").write_text(done.out)
    assert command("export", "measures.json", "--to", "csv", "--table", "groups", "-o", "groups.csv").code == 0
    assert len(Path("groups.csv").read_text().splitlines()) == 1 + len(found["groups"])


def test_measures_and_a_label_are_two_questions(folder, command):
    done = command("compare", "--measures", "answers", "--by", "size")
    assert (done.code, done.err.splitlines()[0]) == (2, "error: --by size does nothing with --measures")
