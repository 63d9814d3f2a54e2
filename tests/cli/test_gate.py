"""``bvf plan`` and ``bvf gate`` as processes, on short runs of two bundled models."""

import json
import os
import re
import subprocess
import sys
from xml.etree import ElementTree

import pytest

import bvf as package
from bvf import BvfError

SHORT = ("--limit-groups", "20", "--quiet")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Runs: ``drawn`` and ``other`` of two models in 30 contexts that were drawn, ``cut`` in the 5 heaviest."""
    place = tmp_path_factory.mktemp("runs")
    for arguments in (
        ("--contexts", "gender-all", "--sample-contexts", "30", "--out", "drawn"),
        ("--contexts", "gender-all", "--sample-contexts", "30", "--out", "other", "--model", "bundled:en-masked"),
        ("--limit-contexts", "5", "--out", "cut"),
    ):
        done = call(place, "run", *SHORT, *arguments)
        assert done.returncode == 0, done.stderr
    return place


def call(place, *arguments):
    environment = {"PATH": os.environ["PATH"], "HOME": str(place), "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "bvf", *map(str, arguments)]
    return subprocess.run(command, cwd=place, env=environment, capture_output=True, text=True, timeout=600)


@pytest.fixture
def bvf(folder, command, monkeypatch):
    monkeypatch.chdir(folder)
    return command


def interval(folder, figure, run="drawn"):
    return json.loads((folder / run / "result.json").read_text())["uncertainty"]["intervals"][figure]


def test_the_exit_code_says_whether_a_figure_keeps_to_a_limit(folder):
    ends, stored = interval(folder, "R"), (folder / "drawn" / "result.json").read_bytes()
    middle = (ends["low"] + ends["high"]) / 2
    for limit, code, word in ((ends["high"] + 0.01, 0, "pass"), (ends["low"] - 0.01, 1, "fail"), (middle, 3, "cannot")):
        done = call(folder, "gate", "drawn", "--max", f"R={limit}")
        assert done.returncode == code, done.stderr
        assert done.stdout.startswith(word)
        assert len(done.stdout.splitlines()) == 1
    assert call(folder, "gate", "drawn", "--min", f"R={ends['low'] - 0.01}").returncode == 0
    assert call(folder, "gate", "drawn", "--max", f"R={middle}", "--max", "R_bias=0.1").returncode == 1
    assert (folder / "drawn" / "result.json").read_bytes() == stored


def test_the_contexts_that_would_do_decide_it(bvf, folder):
    ends = interval(folder, "R")
    limit = (ends["low"] + ends["high"]) / 2 + 0.4 * (ends["high"] - ends["low"])
    said = bvf("gate", "drawn", "--max", f"R={limit}").out
    contexts = int(re.search(r"--sample-contexts (\d+)", said)[1])
    assert 30 < contexts < 200
    more = f"{contexts - 30} more contexts would do"
    assert more in said


def test_groups_files_reports_and_annotations(bvf, folder):
    (folder / "gate.toml").write_text('[max]\nR = 0.9\n"r_bias[accountant]" = 0.1\n[min]\nparticular = 0.01\n')
    done = bvf("gate", "drawn", "--config", "gate.toml", "--junit", "gate.xml", "--github")
    assert done.code == 1, done.err
    assert [line.split(" ")[0] for line in done.out.splitlines()] == ["::notice", "::error", "::notice"]
    suite = ElementTree.parse(folder / "gate.xml").getroot()
    assert [len(case) for case in suite] == [0, 1, 0]
    done = bvf("gate", "drawn", "--config", "gate.toml", "--max", "r_bias[accountant]=0.9", "--json")
    assert done.code == 0
    found = json.loads(done.out)
    assert found["verdict"] == "pass"
    assert [each["limit"] for each in found["decisions"]] == [0.9, 0.9, 0.01]


def test_a_criterion_of_the_file_counts_and_the_stored_one_otherwise(bvf, folder):
    (folder / "square.toml").write_text('criterion = "lk:2"\nlevel = 0.8\n[max]\nR = 0.9\n')
    found = json.loads(bvf("gate", "drawn", "--config", "square.toml", "--json").out)
    assert (found["criterion"], found["level"]) == ("lk:2", 0.8)
    found = json.loads(bvf("gate", "drawn", "--max", "R=0.9", "--json").out)
    assert (found["criterion"], found["level"]) == ("linf", 0.95)
    ends = interval(folder, "R")
    (decision,) = found["decisions"]
    assert (decision["low"], decision["high"]) == pytest.approx((ends["low"], ends["high"]))


def test_without_intervals_nobody_can_tell_unless_the_figure_itself_counts(bvf):
    done = bvf("gate", "cut", "--max", "R=0.9")
    assert done.code == 3
    assert "has no interval: the contexts are" in done.out
    assert bvf("gate", "cut", "--max", "R=0.9", "--as-is").code == 0
    done = bvf("gate", "cut", "--max", "R=0.1", "--as-is")
    assert done.code == 1
    assert "itself is more than 0.1" in done.out
    assert bvf("gate", "drawn", "--max", "spread=0.9").code == 3


def test_a_baseline_is_compared_in_the_same_contexts(bvf, folder):
    done = bvf("gate", "drawn", "--baseline", "other", "--no-worse", "0.5", "--no-worse", "r[accountant]=0.9")
    assert done.code == 0, done.err
    back = bvf("gate", "other", "--baseline", "drawn", "--no-worse", "R=-0.5", "--json")
    assert back.code == 1
    (decision,) = json.loads(back.out)["decisions"]
    figures = [json.loads((folder / run / "result.json").read_text())["R"] for run in ("other", "drawn")]
    assert decision["value"] == pytest.approx(figures[0] - figures[1])
    assert decision["low"] < decision["value"] < decision["high"]
    single = sum(interval(folder, "R", run)["high"] - interval(folder, "R", run)["low"] for run in ("drawn", "other"))
    assert decision["high"] - decision["low"] < single
    edge = bvf("gate", "other", "--baseline", "drawn", "--no-worse", f"R={decision['value'] + 0.001}")
    assert edge.code == 3
    assert "would do" in edge.out


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (("drawn",), "no limit is given"),
        (("drawn", "--max", "R"), "no limit is set"),
        (("drawn", "--max", "Rr=1"), 'no figure "Rr"'),
        (("drawn", "--max", "r[nobody]=1"), 'no group "nobody"'),
        (("drawn", "--no-worse", "0.1"), "there is no baseline"),
        (("drawn", "--baseline", "other"), "nothing is compared"),
        (("drawn", "--baseline", "drawn", "--no-worse", "0.1"), "a run compared with itself"),
        (("drawn", "--baseline", "other", "--no-worse", "spread=0.1"), "not compared by"),
        (("drawn", "--baseline", "cut", "--no-worse", "0.1"), "drawn"),
        (("nowhere", "--max", "R=1"), "nowhere"),
        (("drawn", "--config", "none.toml"), "none.toml"),
        (("drawn", "--max", "R=1", "--level", "2"), "level"),
        (("drawn", "--max", "R=1", "--junit", "no/such/folder/gate.xml"), "no/such"),
    ],
)
def test_what_cannot_be_is_one_line_and_exit_code_2(bvf, arguments, what):
    done = bvf("gate", *arguments)
    assert done.code == 2, done.out
    assert what in done.err.splitlines()[0]
    assert done.err.startswith("error: ")
    assert done.out == ""


def test_a_plan_says_how_many_contexts_are_to_be_drawn(bvf):
    done = bvf("plan", "drawn")
    assert done.code == 0, done.err
    assert max(map(len, done.out.splitlines())) <= 80
    found = json.loads(bvf("plan", "drawn", "--json").out)
    planned = found["figures"]["R"]
    expected = 30 * (planned["half_width"] / 0.01) ** 2
    assert planned["contexts"] == pytest.approx(expected, rel=0.2)
    assert planned["detectable"] > planned["half_width"]
    assert found["figures"]["R_volatility"]["detectable"] is None
    finer = json.loads(bvf("plan", "drawn", "--precision", "0.002", "--json").out)["figures"]["R"]
    assert finer["contexts"] is None
    assert finer["units"] > found["set_units"]
    paired = json.loads(bvf("plan", "drawn", "--against", "other", "--json").out)["figures"]["R"]
    assert paired["detectable"] != planned["detectable"]


def test_the_contexts_of_a_plan_give_the_width(bvf, folder):
    """Tried with the model: twice the width, for which few contexts do."""
    planned = json.loads(bvf("plan", "drawn", "--precision", "0.014", "--json").out)["figures"]["R"]
    done = bvf("run", *SHORT, "--contexts", "gender-all", "--sample-contexts", planned["contexts"], "--out", "more")
    assert done.code == 0, done.err
    ends = interval(folder, "R", "more")
    assert (ends["high"] - ends["low"]) / 2 == pytest.approx(0.014, rel=0.25)


@pytest.mark.parametrize(
    ("arguments", "what"),
    [(("cut",), "is no pilot"), (("drawn", "--precision", "0"), "--precision"), (("drawn", "--detect", "nan"), "nan")],
)
def test_what_cannot_be_planned_is_one_line(bvf, arguments, what):
    done = bvf("plan", *arguments)
    assert done.code == 2
    assert what in done.err.splitlines()[0]
    assert done.out == ""


def test_from_python(folder):
    result = package.gate(folder / "drawn", max={"R": 0.9}, min={"R": 0.89})
    assert [each.verdict for each in result.decisions] == ["pass", "fail"]
    assert result.exit_code == 1
    with pytest.raises(BvfError, match="no limit is given"):
        package.gate(folder / "drawn")
