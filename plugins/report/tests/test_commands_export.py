"""``bvf export``: every format is written, and what cannot be is one line."""

import json
import shutil

import pytest

import bvf
from bvf import export

TEXTS = {"csv": export.csv_text, "latex": export.latex_text, "markdown": export.markdown_text}
FILES = {"csv": "t.csv", "latex": "t.tex", "markdown": "t.md"}


@pytest.fixture(scope="module")
def explained(runs):
    """What ``bvf explain`` prints of one of the runs."""
    (runs / "said.json").write_text(bvf.explain(bvf.read_result(runs / "hash")).model_dump_json(by_alias=True))
    return runs / "said.json"


@pytest.fixture
def bvf_export(command, runs, explained, tmp_path, monkeypatch):
    """``bvf export`` in a folder of its own; runs are named without their place, files lie where it runs."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments):
        return command("export", *(runs / each if (runs / each).exists() else each for each in arguments))

    return call


@pytest.mark.parametrize("to", FILES)
def test_runs_give_one_table_and_an_explanation_its_own_as_from_python(bvf_export, runs, explained, tmp_path, to):
    done = bvf_export("hash", "silent", "--to", to, "-o", f"made/{FILES[to]}")
    assert (done.code, done.out, done.err) == (0, f"2 runs: made/{FILES[to]}\n", "")
    results = [bvf.read_result(runs / name) for name in ("hash", "silent")]
    assert (tmp_path / "made" / FILES[to]).read_text() == TEXTS[to](results)
    assert bvf_export("said.json", "--to", to, "--out", FILES[to]).code == 0
    assert (tmp_path / FILES[to]).read_text() == export.analysed_text(export.read_analysed(explained), to)
    assert bvf_export("said.json", "--to", to, "--out", FILES[to]).code == 2


def test_a_folder_of_runs_stands_for_all_of_them(bvf_export, runs, tmp_path):
    for name in ("hash", "silent"):
        shutil.copytree(runs / name, tmp_path / "both" / name)
    assert bvf_export("both", "--to", "csv", "-o", "t.csv").out == "2 runs: t.csv\n"
    results = [bvf.read_result(runs / name) for name in ("hash", "silent")]
    assert (tmp_path / "t.csv").read_text() == export.csv_text(results)


def test_a_record_says_who_evaluates(bvf_export, tmp_path):
    said = ("--organization", "ACME", "--relationship", "third_party", "--availability", "closed_weights")
    assert bvf_export("hash", "--to", "eee", *said, "-o", "t.json").out == "1 run: t.json\n"
    record = json.loads((tmp_path / "t.json").read_text())
    assert record["source_metadata"]["source_organization_name"] == "ACME"
    assert record["source_metadata"]["evaluator_relationship"] == "third_party"
    assert record["model_info"]["additional_details"]["model_availability"] == "closed_weights"


def test_entries_for_the_hub_and_a_data_set_are_written(bvf_export, tmp_path):
    assert bvf_export("hash", "--to", "eval-results", "--dataset", "acme/bias", "-o", "t.yaml").code == 0
    assert (tmp_path / "t.yaml").read_text().startswith("- dataset:\n    id: acme/bias\n    task_id: gender-R\n")
    assert bvf_export("hash", "silent", "--to", "datasets", "-o", "data").out == "2 runs: data\n"
    names = {file.name for file in (tmp_path / "data").iterdir()}
    assert names == {"README.md", "models.parquet", "groups.parquet", "stereotypes.parquet"}


def test_runs_become_tasks_of_lm_evaluation_harness(bvf_export, runs, tmp_path):
    done = bvf_export("hash", "weekday", "--to", "lm-eval", "-o", "tasks")
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
    def exported(name, *contexts):
        (tmp_path / "c.csv").write_text("\n".join(["template,count", *contexts]) + "\n")
        asked = {"model": "baseline:random", "limit_groups": 2, "contexts": str(tmp_path / "c.csv")}
        bvf.run(**asked, out=str(tmp_path / name))
        return bvf_export(name, "--to", "lm-eval", "-o", f"tasks-{name}")

    some = exported("both", "The [X] said that [Y],3", "It was [Y] who hit the [X],4")
    assert some.code == 0
    assert some.err == "note: 1 context left out: [X] stands right of [Y], which these tasks do not ask\n"
    none = exported("none", "It was [Y] who hit the [X],4")
    assert (none.code, (tmp_path / "tasks-none").exists()) == (2, False)
    assert "error: --to lm-eval: none: in every context [X] stands right of [Y]" in none.err


def test_what_is_there_stays_unless_it_is_to_be_replaced(bvf_export, tmp_path):
    for to, name in (("markdown", "t.md"), ("datasets", "data")):
        arguments = ("hash", "--to", to, "-o", name)
        assert bvf_export(*arguments).code == 0
        done = bvf_export(*arguments)
        assert (done.code, done.out) == (2, "")
        assert f"--out {name}: is there already" in done.err
        assert "--force" in done.err
        assert bvf_export(*arguments, "--force").code == 0
    (tmp_path / "empty").mkdir()
    assert bvf_export("hash", "--to", "datasets", "-o", "empty").code == 0


REFUSED = {
    'error: --to is "pdf"\n hint: there are csv, latex,': "one --to pdf -o t.pdf",
    "error: nowhere: neither the folder of a run nor one that holds such folders": "nowhere --to csv -o t.csv",
    "error: --out t.txt: csv is written to a .csv\n hint: --out t.csv": "hash --to csv -o t.txt",
    "error: --dataset does nothing with --to csv": "hash --to csv --dataset a/b -o t.csv",
    "error: --to eval-results needs the benchmark": "hash --to eval-results -o t.yaml",
    "error: --to eee: a record is of one run, and 2 are named": "hash silent --to eee -o t.json",
    "error: 2 are named, of which one is a file\n hint: export a file by itself": "hash said.json --to csv -o t.csv",
    "error: --out /dev/null/t.csv: cannot be written": "hash --to csv -o /dev/null/t.csv",
}


@pytest.mark.parametrize("message", REFUSED)
def test_what_cannot_be_exported_is_one_line_and_leaves_nothing(bvf_export, tmp_path, message):
    done = bvf_export(*REFUSED[message].split())
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert len(done.err.splitlines()) <= 2
    assert list(tmp_path.iterdir()) == []


def test_no_file_of_a_measurement_is_replaced(bvf_export, runs):
    before = {file: file.read_bytes() for file in (runs / "hash").rglob("*.json")}
    for to, out in (("eee", runs / "hash" / "result.json"), ("datasets", runs / "hash")):
        done = bvf_export("hash", "--to", to, "-o", out, "--force")
        assert (done.code, "is the folder of a run" in done.err) == (2, True)
    assert {file: file.read_bytes() for file in (runs / "hash").rglob("*.json")} == before
