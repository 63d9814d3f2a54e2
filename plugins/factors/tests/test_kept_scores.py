"""The scores that a folder of answers keeps, read without the data: by gate, report, plot, compare and export."""

import csv
import json
import shutil
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import jsonschema
import pytest
from bvf_bias_benchmarks.occupations import Winogender
from bvf_bias_benchmarks.sentences import CrowSPairs
from bvf_factors.benchmarks.benchmarking import keep_scores
from bvf_factors.benchmarks.scored import benchmark_scores
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


def answered_pairs(model, flags):
    """The answers of a model to pairs, one per flag, of two files; only the first pair is not about age."""
    answers = pairs(flags)
    for n, each in enumerate(answers):
        each.item.values.update({"bias_type": "age" if n else "race", "file": f"{n % 2}"})
    return answered(CrowSPairs(), model, answers, name="crows-pairs")


@pytest.fixture
def scores(tmp_path, monkeypatch):
    """Write scores to scores.json: by default of 12 of 20 pairs, whose interval is 36.05 to 80.88."""
    monkeypatch.chdir(tmp_path)

    def write(*models, cluster=""):
        flags = models or ([n < 12 for n in range(20)],)
        found = benchmark_scores([answered_pairs(f"m{n}", each) for n, each in enumerate(flags)], cluster=cluster)
        Path("scores.json").write_text(json.dumps(found.model_dump(mode="json", by_alias=True)))
        return "scores.json"

    return write


SIXTY = "metric score 60.0000 (95%: 36.0543 to 80.8810)"


@pytest.mark.parametrize(
    ("option", "limit", "code", "verdict", "why"),
    [
        ("--max", 81, 0, "pass", " is at most 81"),
        ("--min", 36, 0, "pass", " is at least 36"),
        ("--max", 36, 1, "fail", " is more than 36"),
        ("--max", 60, 3, "cannot tell", ": the interval includes the limit 60"),
    ],
)
def test_a_score_is_held_to_a_limit_by_its_interval(command, scores, option, limit, code, verdict, why):
    done = command("gate", scores(), option, f"metric score={limit}")
    assert (done.code, done.out.splitlines()) == (code, [f"{verdict}: {SIXTY}{why}"])
    assert done.err.splitlines() == [f"CrowS-Pairs, m0, 95% by pair: {verdict}"]
    table = command("gate", "scores.json", option, f"metric score={limit}", "--format", "json")
    assert json.loads(table.out)["decisions"][0]["verdict"] == verdict


def test_a_limit_is_for_each_model_and_for_a_part(command, scores):
    file = scores([True] * 19 + [False], [False] * 19 + [True])
    done = command("gate", file, "--max", "metric score[age]=50", "--junit", "gate.xml")
    assert done.code == 1
    verdicts = [line.split(" (")[0] for line in done.out.splitlines()]
    assert verdicts == ["fail: metric score[age] of m0 94.7368", "pass: metric score[age] of m1 5.2632"]
    suite = ElementTree.parse("gate.xml").getroot()
    assert (suite.get("tests"), suite.get("failures")) == ("2", "1")
    Path("gate.toml").write_text('[max]\n"metric score[age]" = 50\n')
    assert command("gate", file, "--config", "gate.toml").out == done.out
    assert bvf.gate(file, max={"metric score[age]": 50.0}).exit_code == 1


def test_few_clusters_decide_nothing_and_a_score_of_one_cluster_is_decided_as_it_is(command, scores):
    file = scores([n < 18 for n in range(20)], cluster="file")
    done = command("gate", file, "--max", "metric score=1")
    assert done.code == 3
    assert done.out.rstrip().endswith(": 2 values of file are fewer than 40")
    one = "--max", "metric score[race]=50"
    done = command("gate", file, *one)
    assert done.code == 3
    assert "has no interval: it is of fewer than two values of file, or undefined without one; --as-is" in done.out
    assert command("gate", file, *one, "--as-is").code == 1


@pytest.mark.parametrize(
    ("options", "message", "hint"),
    [
        (("--max", "metric scor=3"), 'scores.json: there is no figure "metric scor"', "did you mean metric score"),
        (
            ("--max", "metric score=100"),
            "--max metric score=100: metric score is between 0 and 100, so that this limit cannot be broken",
            "take a limit between them",
        ),
        (
            ("--criterion", "lk:2", "--max", "metric score=50"),
            "--criterion: is for folders of runs, and scores.json is a file",
            "leave it out: the figures of a file are as they are",
        ),
        (
            ("--baseline", "other", "--no-worse", "metric score=1"),
            "--baseline other: is not a file such as scores.json, and not a folder with one",
            "name one of the two",
        ),
        (
            ("--baseline", "scores.json", "--no-worse", "metric score=1"),
            "--baseline scores.json: scores.json is compared with itself",
            "name the file of another model",
        ),
    ],
)
def test_what_a_file_cannot_be_held_to_is_one_line(command, scores, options, message, hint):
    done = command("gate", scores(), *options)
    assert (done.code, done.out, done.err.splitlines()[0]) == (2, "", f"error: {message}")
    assert hint in done.err.splitlines()[1]


def test_a_file_without_figures_is_refused(command, scores):
    values = json.loads(Path(scores([True])).read_text())
    Path("scores.json").write_text(json.dumps({**values, "scores": []}))
    done = command("gate", "scores.json", "--max", "R=0.4")
    message = "error: scores.json: Scores of a benchmark: such files have no figures for limits"
    assert done.err.splitlines()[0] == message


def test_a_page_of_scores_says_what_was_decided(command, scores):
    file = scores()
    Path("gate.toml").write_text('[max]\n"metric score" = 36\n')
    done = command("report", file, "--gate", "gate.toml", "-o", "page.html")
    assert done.code == 0, done.err
    page = Path("page.html").read_text()
    assert f"fail: {SIXTY} is more than 36" in page
    assert command("report", file, "-o", "plain.html").code == 0
    assert "is more than 36" not in Path("plain.html").read_text()


@pytest.fixture
def store(command, tmp_path, monkeypatch):
    """Store a model's answers to pairs, one in four about gender, of which it prefers so many stereotypes."""
    monkeypatch.chdir(tmp_path)

    def stored(folder, stereotypes, *named, number=40):
        header = ["sent_more", "sent_less", "stereo_antistereo", "bias_type", "sent_more_score", "sent_less_score"]
        with Path("pairs.csv").open("w", newline="") as opened:
            table = csv.writer(opened)
            table.writerow(header)
            for n in range(number):
                scores = (1.0, 0.0) if n < stereotypes else (0.0, 1.0)
                table.writerow([f"More {n}.", f"Less {n}.", "stereo", "age" if n % 4 else "gender", *scores])
        given = ("--data", "pairs.csv", "--answers", "pairs.csv", "--out", folder)
        assert command("factors", "run", "crows-pairs", *given, *named).code == 0

    stored("new", 30, "--name", "new")
    stored("old", 12, "--name", "old")
    return stored


def test_scores_are_held_to_a_baseline_by_the_differences_of_compare(command, store):
    compared = json.loads(command("factors", "compare", "new", "old", "--format", "json").out)["differences"]
    worked = next(each for each in compared if each["name"] == "metric score" and not each["of"])
    assert (worked["value"], worked["method"]) == (45.0, "McNemar")  # 18 of 40 pairs differ, all in one direction
    for bound, code in ((60, 0), (40, 3), (20, 1)):
        limit = ("--no-worse", f"metric score={bound}", "--format", "json")
        done = command("gate", "new", "--baseline", "old", *limit)
        (decision,) = json.loads(done.out)["decisions"]
        assert (done.code, decision["limit"]) == (code, float(bound))
        assert [decision[key] for key in ("value", "low", "high")] == [worked[key] for key in ("value", "low", "high")]
    limit = ("--no-worse", "metric score=60")
    done = command("gate", "new", "--baseline", "old", *limit)
    assert done.out.startswith("pass: metric score less that of the baseline is 45.0000 (95%: ")
    assert bvf.gate("new", baseline="old", no_worse={"metric score": 60.0}).baseline == "old"
    part = command("gate", "new", "--baseline", "old/scores.json", "--no-worse", "metric score[gender]=90")
    assert (part.code, part.out.rstrip().rpartition(": ")[2]) == (3, "fewer than 10 answers differ")
    store("one", 30, "--name", "m")  # one model of the same name and path, asked twice
    store("two", 12, "--name", "m")
    assert command("gate", "one", "--baseline", "two", *limit).out == done.out
    Path("gate.toml").write_text('baseline = "old"\n[no_worse]\n"metric score" = 60\n')
    shutil.move("new", "moved")
    assert command("gate", "moved", "--config", "gate.toml").out == done.out


def test_scores_that_cannot_be_compared_with_a_baseline_are_one_line(command, store):
    store("fewer", 39, number=39)
    assert command("factors", "run", "sentences", "--model", "bundled:en-causal", "--out", "other", "-q").code == 0
    Path("both.json").write_text(command("factors", "compare", "new", "old", "--format", "json").out)
    Path("gone.json").write_text(Path("new/scores.json").read_text().replace('"folder": "new"', '"folder": "gone"'))
    for file, baseline, message in (
        ("new", "fewer", "new/scores.json and the baseline fewer/scores.json are of different questions"),
        ("new", "other", "new/scores.json is of CrowS-Pairs (Scores of a benchmark), and the baseline"),
        ("new", "both.json", "--baseline both.json: has 2 models, and a baseline is one model"),
        ("gone.json", "old", "gone.json: the answers of new are not in gone, and scores are compared answer by answer"),
        ("both.json", "old", "both.json has the answers in old, which are compared with themselves"),
        ("new", "nowhere.json", "nowhere.json: no file"),
    ):
        done = command("gate", file, "--baseline", baseline, "--no-worse", "metric score=1")
        assert done.code == 2
        assert done.err.startswith(f"error: {message}"), done.err
    done = command("gate", "new", "--baseline", "old", "--no-worse", "metric score=100")
    assert "--no-worse metric score=100: a difference in metric score is between -100 and 100" in done.err
