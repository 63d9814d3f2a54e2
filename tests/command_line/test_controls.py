"""``bvf run --controls`` as it is typed."""

import json
import subprocess

import pytest
from helpers.warm import warm_bvf

SMALL = ("run", "--model", "baseline:random", "--limit-groups", "3", "--limit-contexts", "4")


@pytest.fixture
def bvf(tmp_path, environment):
    def call(*arguments):
        command = [*warm_bvf(), *arguments]
        return subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300)

    return call


def test_the_controls_stand_below_the_model_and_come_back_from_the_folder(bvf):
    run = bvf(*SMALL, "--controls", "--out", "a", "--details")
    assert run.returncode == 0, run.stderr
    models, _, beside = run.stdout.partition("baseline:random: gender beside 3 controls")
    assert "Discrimination risk: gender" in models
    beside, _, apart = beside.partition("baseline:random: how far gender is from each control")
    assert [line.split()[:2] for line in apart.splitlines() if line.startswith(" hair")] == [
        ["hair-colour", "R"],
        ["hair-colour", "R^b"],
        ["hair-colour", "particular"],
        ["hair-colour", "apart"],
    ]
    assert [
        line.split()[0] for line in beside.splitlines() if line.startswith((" gender", " hair", " ord", " week"))
    ] == [
        "gender",
        "hair-colour",
        "ordinal",
        "weekday",
    ]
    assert bvf("analyse", "a", "--details").stdout == run.stdout
    assert bvf("verify", "a").returncode == 0


def test_json_has_the_controls_in_a_field(bvf):
    run = bvf(*SMALL, "--controls", "--out", "a", "--format", "json")
    result = json.loads(run.stdout)
    assert [each["topic"] for each in result["controls"]] == ["hair-colour", "ordinal", "weekday"]
    for each in result["controls"]:
        assert each["difference"] == pytest.approx(result["R"] - each["R"])
        assert each["ratio"] == pytest.approx(result["R"] / each["R"])
        assert each["bias_difference"] == pytest.approx(result["R_bias"] - each["R_bias"])
    without = bvf(*SMALL, "--out", "b", "--format", "json")
    assert json.loads(without.stdout)["controls"] == []


def test_chinese_has_its_controls(bvf):
    run = bvf(*SMALL, "--lang", "zh", "--controls", "--out", "a", "--format", "json")
    assert [each["topic"] for each in json.loads(run.stdout)["controls"]] == [
        "hair-colour",
        "ordinal",
        "weekday",
    ]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--topic", "weekday"), "weekday is a control topic itself"),
        (("--topic", "knowledge/capitals"), "a criterion of knowledge"),
        (("--part", "1/2"), "--controls with --part 1/2"),
        (("--words", "male=Monday,black,first"), "which shares Monday with it"),
    ],
)
def test_bad_input_is_a_line_and_nothing_is_written(bvf, tmp_path, arguments, said):
    run = bvf(*SMALL, "--controls", "--out", "a", *arguments)
    error, hint = run.stderr.strip().splitlines()
    assert (run.returncode, run.stdout) == (2, "")
    assert error.startswith("error: --controls")
    assert said in error
    assert hint.startswith(" hint: ")
    assert not (tmp_path / "a").exists()
