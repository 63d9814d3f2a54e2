"""``bvf compare``: two short runs of bundled models, and what is refused."""

import json
from pathlib import Path

import jsonschema
import pytest

import bvf

ASKED = {"limit_groups": 4, "contexts": "gender-mixed", "sample_contexts": 30, "mass_sample": 4}
ASKED |= {"words": {"male": ("he", "man"), "female": ("she", "woman")}}
"""Each word is one piece: a masked model answers at once."""


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """A folder with a run of each of two bundled models."""
    folder = tmp_path_factory.mktemp("compared")
    bvf.run(**ASKED, model=["bundled:en-causal", "bundled:en-masked"], out=str(folder / "runs"))
    return folder


@pytest.fixture
def here(runs, monkeypatch):
    monkeypatch.chdir(runs)


CAUSAL, MASKED = "runs/bundled-en-causal", "runs/bundled-en-masked"
REFUSED = {
    "neither the folder of a run nor": (CAUSAL, "nowhere"),
    'level is "2.0"': (CAUSAL, MASKED, "--level", 2),
    'unit is "word"': (CAUSAL, MASKED, "--unit", "word"),
    '--show is "0"': (CAUSAL, MASKED, "--show", 0),
}


@pytest.mark.usefixtures("here")
def test_the_difference_of_two_models_is_printed_with_its_family(command, in_json):
    done = command("compare", CAUSAL, MASKED)
    assert (done.code, done.err) == (0, "")
    shown = done.out
    assert "the same 4 groups in the same" in shown
    assert "Holm-adjusted for 4 differences" in shown
    assert max(map(len, shown.splitlines())) <= 80
    R = in_json("compare", CAUSAL, MASKED)["topics"][0]["differences"][0]
    row = next(line for line in shown.splitlines() if line.split()[:4] == ["R", "1", "-", "2"])
    assert f"{R['value']:.4f}" in row
    assert f"{R['low']:.4f} to {R['high']:.4f}" in row


@pytest.mark.usefixtures("here")
def test_json_is_as_the_published_schema_has_it_and_as_the_results_say(in_json):
    comparison = in_json("compare", "runs")
    schema = Path(__file__).resolve().parents[3] / "docs" / "schema" / "comparison-1.json"
    jsonschema.validate(comparison, json.loads(schema.read_text()))
    for model, folder in zip(comparison["topics"][0]["models"], (CAUSAL, MASKED), strict=True):
        result = bvf.read_result(folder)
        assert model["folder"] == folder
        assert model["figures"]["R"] == pytest.approx(result.R)
        assert model["intervals"]["R_bias"]["low"] == pytest.approx(result.uncertainty.intervals["R_bias"].low)


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("message", REFUSED)
def test_what_cannot_be_compared_is_one_line(refused, message):
    assert message in refused("compare", *REFUSED[message]).splitlines()[0]
