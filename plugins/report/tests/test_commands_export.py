"""``bvf export``: every format is written, and what cannot be is one line."""

import json
import shutil
from pathlib import Path

import pytest

import bvf
from bvf import export

DATA = Path(__file__).resolve().parents[3] / "tests" / "data"
TOY, DOUBT = str(DATA / "toy_plugin.py"), str(DATA / "doubt_plugin.py")
FILES = {"csv": "t.csv", "latex": "t.tex", "markdown": "t.md"}


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Runs of two topics, and what bvf explain says of one of them."""
    folder = tmp_path_factory.mktemp("runs")
    asked = {"plugin": (TOY,), "limit_groups": 3}
    bvf.run(model="toy:hash", out=str(folder / "one"), contexts="gender", **asked)
    bvf.run(model="toy:silent-nurse", out=str(folder / "two"), contexts="gender", **asked)
    bvf.run(model="toy:hash", out=str(folder / "weekday"), topic="weekday", **asked)
    bvf.run(model="toy:hash", out=str(folder / "capitals"), topic="knowledge/capitals", limit_contexts=2, **asked)
    (folder / "told.json").write_text(bvf.explain(bvf.read_result(folder / "one")).model_dump_json(by_alias=True))
    return folder


@pytest.fixture
def bvf_export(command, runs, tmp_path, monkeypatch):
    """``bvf export`` in a folder of its own; runs are named without their place, files lie where it runs."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments):
        return command("export", *(runs / each if (runs / each).exists() else each for each in arguments))

    return call


def text_of(to, results):
    return {"csv": export.csv_text, "latex": export.latex_text, "markdown": export.markdown_text}[to](results)


@pytest.mark.parametrize("to", ["csv", "latex", "markdown"])
def test_several_runs_give_one_table_as_from_python(bvf_export, runs, tmp_path, to):
    done = bvf_export("one", "two", "--to", to, "-o", f"made/{FILES[to]}")
    assert (done.code, done.out, done.err) == (0, f"2 runs: made/{FILES[to]}\n", "")
    results = [bvf.read_result(runs / name) for name in ("one", "two")]
    assert (tmp_path / "made" / FILES[to]).read_text() == text_of(to, results)


def test_a_folder_of_runs_stands_for_all_of_them(bvf_export, runs, tmp_path):
    for name in ("one", "two"):
        shutil.copytree(runs / name, tmp_path / "both" / name)
    assert bvf_export("both", "--to", "csv", "-o", "t.csv").out == "2 runs: t.csv\n"
    assert (tmp_path / "t.csv").read_text() == export.csv_text(
        [bvf.read_result(runs / name) for name in ("one", "two")]
    )


def test_an_explanation_is_written_as_from_python(bvf_export, runs, tmp_path):
    analysed = export.read_analysed(runs / "told.json")
    for to, name in FILES.items():
        assert bvf_export("told.json", "--to", to, "--out", name).code == 0
        assert (tmp_path / name).read_text() == export.analysed_text(analysed, to)
    assert bvf_export("told.json", "--to", "csv", "--out", "t.csv").code == 2


def test_a_record_says_who_evaluates(bvf_export, tmp_path):
    said = ("--organization", "ACME", "--relationship", "third_party", "--availability", "closed_weights")
    assert bvf_export("one", "--to", "eee", *said, "-o", "t.json").out == "1 run: t.json\n"
    record = json.loads((tmp_path / "t.json").read_text())
    assert record["source_metadata"]["source_organization_name"] == "ACME"
    assert record["source_metadata"]["evaluator_relationship"] == "third_party"
    assert record["model_info"]["additional_details"]["model_availability"] == "closed_weights"


def test_entries_for_the_hub_and_a_data_set_are_written(bvf_export, tmp_path):
    assert bvf_export("one", "--to", "eval-results", "--dataset", "acme/bias", "-o", "t.yaml").code == 0
    assert (tmp_path / "t.yaml").read_text().startswith("- dataset:\n    id: acme/bias\n    task_id: gender-R\n")
    assert bvf_export("one", "two", "--to", "datasets", "-o", "data").out == "2 runs: data\n"
    names = {file.name for file in (tmp_path / "data").iterdir()}
    assert names == {"README.md", "models.parquet", "groups.parquet", "stereotypes.parquet"}


def test_runs_become_tasks_of_lm_evaluation_harness(bvf_export, runs, tmp_path):
    done = bvf_export("one", "weekday", "--to", "lm-eval", "-o", "tasks")
    *names, last = done.out.splitlines()
    assert (done.code, done.err, last) == (0, "", "2 runs: tasks")
    assert [name[:-8] for name in names] == ["bvf_en_gender_", "bvf_en_weekday_"]
    files = {f"{name}.{ending}" for name in names for ending in ("yaml", "jsonl")} | {"README.md", "bvf_risk.py"}
    assert {file.name for file in (tmp_path / "tasks").iterdir()} == files
    (tmp_path / "tasks" / "bvf_own.yaml").write_text("mine")
    assert bvf_export("weekday", "--to", "lm-eval", "-o", "tasks", "--force").code == 0
    files = {f"{names[1]}.yaml", f"{names[1]}.jsonl", "README.md", "bvf_risk.py", "bvf_own.yaml"}
    assert {file.name for file in (tmp_path / "tasks").iterdir()} == files


def test_contexts_that_a_task_cannot_have_are_counted(bvf_export, tmp_path):
    (tmp_path / "c.csv").write_text("template,count\nThe [X] said that [Y],3\nIt was [Y] who hit the [X],4\n")
    asked = {"model": "baseline:random", "limit_groups": 2}
    bvf.run(**asked, contexts=str(tmp_path / "c.csv"), out=str(tmp_path / "both"))
    done = bvf_export("both", "--to", "lm-eval", "-o", "tasks")
    assert done.code == 0
    assert done.err == "note: 1 context left out: [X] stands right of [Y], which these tasks do not ask\n"
    (tmp_path / "c.csv").write_text("template,count\nIt was [Y] who hit the [X],4\n")
    bvf.run(**asked, contexts=str(tmp_path / "c.csv"), out=str(tmp_path / "none"))
    done = bvf_export("none", "--to", "lm-eval", "-o", "no-tasks")
    assert (done.code, (tmp_path / "no-tasks").exists()) == (2, False)
    assert "error: --to lm-eval: none: in every context [X] stands right of [Y]" in done.err


def test_what_is_there_stays_unless_it_is_to_be_replaced(bvf_export, tmp_path):
    for to, name in (("markdown", "t.md"), ("datasets", "data")):
        arguments = ("one", "--to", to, "-o", name)
        assert bvf_export(*arguments).code == 0
        done = bvf_export(*arguments)
        assert (done.code, done.out) == (2, "")
        assert f"--out {name}: is there already" in done.err
        assert "--force" in done.err
        assert bvf_export(*arguments, "--force").code == 0
    (tmp_path / "empty").mkdir()
    assert bvf_export("one", "--to", "datasets", "-o", "empty").code == 0


REFUSED = {
    'error: --to is "pdf"\n hint: there are csv, latex,': "one --to pdf -o t.pdf",
    "error: nowhere: neither the folder of a run nor one that holds such folders": "nowhere --to csv -o t.csv",
    "error: --out t.txt: csv is written to a .csv\n hint: --out t.csv": "one --to csv -o t.txt",
    "error: --dataset does nothing with --to csv": "one --to csv --dataset a/b -o t.csv",
    "error: --to eval-results needs the benchmark": "one --to eval-results -o t.yaml",
    "error: --to eee: a record is of one run, and 2 are named": "one two --to eee -o t.json",
    "error: 2 are named, of which one is a file\n hint: export a file by itself": "one told.json --to csv -o t.csv",
    "error: --out /dev/null/t.csv: cannot be written": "one --to csv -o /dev/null/t.csv",
}


@pytest.mark.parametrize("message", REFUSED)
def test_what_cannot_be_exported_is_one_line_and_leaves_nothing(bvf_export, tmp_path, message):
    done = bvf_export(*REFUSED[message].split())
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert len(done.err.splitlines()) <= 2
    assert list(tmp_path.iterdir()) == []


def test_no_file_of_a_measurement_is_replaced(bvf_export, runs):
    before = {file: file.read_bytes() for file in (runs / "one").rglob("*.json")}
    for to, out in (("eee", runs / "one" / "result.json"), ("datasets", runs / "one")):
        done = bvf_export("one", "--to", to, "-o", out, "--force")
        assert (done.code, "is the folder of a run" in done.err) == (2, True)
    assert {file: file.read_bytes() for file in (runs / "one").rglob("*.json")} == before
