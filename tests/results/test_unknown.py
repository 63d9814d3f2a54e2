"""Where the plugin of an analysis is gone, it is named, and what all results have stays readable."""

import json
import shutil
from pathlib import Path

import pytest

import bvf
from bvf.hooks.loader import load
from bvf.results.unknown import _groups

DOUBT = Path(__file__).resolve().parents[1] / "data" / "doubt_plugin.py"
GONE = "doubted: its analysis, doubt/1, is of a plugin that is not installed; the run also had "


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    place, small = tmp_path_factory.mktemp("finished"), {"limit_groups": 4, "limit_contexts": 3}
    of_plugin = {"analysis": "doubt", "plugin": (str(DOUBT),)}
    bvf.run(model="baseline:random", **of_plugin, out=str(place / "doubted"), **small)
    bvf.run(model="baseline:stereotyped", out=str(place / "usual"), **small)
    return place


@pytest.fixture
def doubted(finished, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shutil.copytree(finished, tmp_path, dirs_exist_ok=True)
    return bvf.read_result("doubted", load(extra=str(DOUBT)))


def test_what_is_known_is_shown_with_the_plugin_that_is_missing(doubted, command):
    done = command("show", "doubted")
    assert done.code == 0
    text = " ".join(done.out.split())
    assert f"WARNING: {GONE}" in text
    assert f"baseline:random {doubted.doubt:.4f}" in text
    assert json.loads(command("show", "doubted", "--format", "json").out)["doubt"] == doubted.doubt


def test_an_answer_that_a_group_was_not_asked_has_no_share(doubted):
    first, *others = doubted.groups
    less = first.model_copy(update={"mean_probabilities": {"female": 0.25}})
    section = _groups(doubted.model_copy(update={"groups": (less, *others)}))
    assert section.columns == ("group", "female", "male")
    assert section.rows[0] == (first.group, "25.0%", "")


def test_the_rest_of_the_folder_is_there_by_another_analysis(doubted, command, tmp_path):
    risk = ("--analysis", "risk")
    assert "criterion linf: male or female?" in command("show", "doubted", *risk).out
    assert command("plot", "doubted", *risk, "--kind", "lean", "-o", "f.svg").code == 0
    assert command("report", "doubted", "usual", "-o", "page.html").code == 0
    page = (tmp_path / "page.html").read_text()
    assert "is of a plugin that is not installed" in page
    assert "Provenance" in page


def test_a_page_of_a_run_whose_criterion_is_gone_has_all_else(tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    own = tmp_path / "own.py"
    own.write_text(
        "import numpy as np\nfrom bvf import Criterion, Provider, hookimpl\n"
        "class Excess(Criterion):\n    def risk(self, s):\n        return np.maximum(s, 0.0).sum(axis=-1)\n"
        "@hookimpl\ndef bvf_criteria():\n    return [Provider('excess', Excess)]\n"
    )
    bvf.run(model="baseline:random", plugin=(str(own),), out="run", limit_groups=4, limit_contexts=3)
    own.unlink()
    gone = "run: its criterion, excess, is of a plugin that is not installed; the run also had "
    assert command("report", "run", "-o", "page.html").code == 0
    page = Path("page.html").read_text()
    assert f"Not computed: {gone}{own.name}." in page  # and no folder of this machine
    assert "Leanings of groups" in page
    assert command("plot", "run", "--kind", "lean", "-o", "f.svg").code == 0
    assert command("explain", "run").err.splitlines()[0] == f"error: {gone}{own}"


@pytest.mark.parametrize(
    "line",
    [
        ("plot", "doubted", "--kind", "lean", "-o", "f.svg"),
        ("gate", "doubted", "--max", "R=1"),
        ("compare", "doubted", "usual"),
        ("export", "doubted", "--to", "csv", "-o", "t.csv"),
        ("explain", "doubted"),
        ("analyse", "doubted"),
        ("show", "doubted", "--reference", "mean"),
    ],
    ids=" ".join,
)
def test_where_its_analysis_is_needed_the_plugin_is_named_in_one_line(doubted, command, line):
    done = command(*line)
    error, hint = done.err.splitlines()
    assert done.code == 2
    assert error.startswith(f"error: {GONE}")
    assert "install it" in hint
    assert "--analysis risk" in hint
