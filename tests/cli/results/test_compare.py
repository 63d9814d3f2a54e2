"""``bvf compare`` as a process: two short runs of bundled models, and what is refused."""

import json
import subprocess
from pathlib import Path

import jsonschema
import pytest
from helpers.warm import warm_bvf

WORDS = ("--words", "male=he,man", "--words", "female=she,woman")  # each is one piece: a masked model answers at once
ASKED = ("--limit-groups", 4, "--contexts", "gender-mixed", "--mass-sample", 4, *WORDS, "--quiet")
SHORT = (*ASKED, "--sample-contexts", 30)


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """A folder with a run of each of two bundled models."""
    folder = tmp_path_factory.mktemp("compared")
    models = ("--model", "bundled:en-causal", "--model", "bundled:en-masked")
    done = bvf_in(folder, "run", *models, *SHORT, "--out", "runs")
    assert done.returncode == 0, done.stderr
    return folder


def bvf_in(folder, *arguments):
    command = [*warm_bvf(), *map(str, arguments)]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=600, check=False)


@pytest.fixture
def bvf(runs):
    return lambda *arguments: bvf_in(runs, *arguments)


def error_of(process):
    assert (process.returncode, process.stdout) == (2, "")
    lines = process.stderr.splitlines()
    assert lines[0].startswith("error: ")
    assert len(lines) <= 2
    return lines[0]


CAUSAL, MASKED = "runs/bundled-en-causal", "runs/bundled-en-masked"


def test_the_difference_of_two_models_is_printed_with_its_family(bvf):
    done = bvf("compare", CAUSAL, MASKED)
    assert (done.returncode, done.stderr) == (0, "")
    shown = done.stdout
    assert "the same 4 groups in the same" in shown
    assert "Holm-adjusted for 4 differences" in shown
    assert max(map(len, shown.splitlines())) <= 80
    R = json.loads(bvf("compare", CAUSAL, MASKED, "--format", "json").stdout)["topics"][0]["differences"][0]
    row = next(line for line in shown.splitlines() if line.split()[:4] == ["R", "1", "-", "2"])
    assert f"{R['value']:.4f}" in row
    assert f"{R['low']:.4f} to {R['high']:.4f}" in row


def test_json_is_as_the_published_schema_has_it_and_as_the_results_say(bvf, runs):
    comparison = json.loads(bvf("compare", "runs", "--format", "json").stdout)
    root = Path(__file__).resolve().parents[3]
    jsonschema.validate(comparison, json.loads((root / "docs" / "schema" / "comparison-1.json").read_text()))
    for model, folder in zip(comparison["topics"][0]["models"], (CAUSAL, MASKED), strict=True):
        result = json.loads((runs / folder / "result.json").read_text())
        assert model["folder"] == folder
        assert model["figures"]["R"] == pytest.approx(result["R"])
        assert model["intervals"]["R_bias"]["low"] == pytest.approx(result["uncertainty"]["intervals"]["R_bias"]["low"])


REFUSED = {
    "neither the folder of a run nor": (CAUSAL, "nowhere"),
    'level is "2.0"': (CAUSAL, MASKED, "--level", 2),
    'unit is "word"': (CAUSAL, MASKED, "--unit", "word"),
    '--show is "0"': (CAUSAL, MASKED, "--show", 0),
}


@pytest.mark.parametrize("message", REFUSED)
def test_what_cannot_be_compared_is_one_line(bvf, message):
    assert message in error_of(bvf("compare", *REFUSED[message]))
