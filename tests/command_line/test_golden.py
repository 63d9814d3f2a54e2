"""What is printed, word by word: the first run, a reference by group, knowledge."""

import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

GOLDEN = Path(__file__).parent / "golden"
NUMBER = re.compile(r"\d+(?:\.\d+)?")
PERCENT_WOMEN = ["--reference", "percent-women", "--openings", "none", "--limit-contexts", "3"]
CONTINENTS = ["--topic", "knowledge/continents", "--limit-contexts", "3"]
COMMANDS = {
    "percent-women": PERCENT_WOMEN,
    "percent-women-by-risk": [*PERCENT_WOMEN, "--rank", "risk", "--out", "o"],
    "percent-women-details": [*PERCENT_WOMEN, "--details", "--show", "8"],
    "percent-women-by-risk-details": [*PERCENT_WOMEN, "--rank", "risk", "--out", "o", "--details", "--show", "8"],
    "knowledge": CONTINENTS,
    "knowledge-details": [*CONTINENTS, "--details"],
    "first-run-details": ["--details", "--show", "8"],
}
MOST_LINES, WIDEST = 20, 80


@pytest.fixture(scope="module")
def places(tmp_path_factory):
    """The folders of runs; one with other tables has the answers of the run before it."""
    return tmp_path_factory.mktemp("golden")


@pytest.fixture
def printed(process, places):
    def call(name, *arguments):
        place = places / name.removesuffix("-details")
        place.mkdir(exist_ok=True)
        done = process("run", "--quiet", *arguments, cwd=place)
        assert done.returncode == 0, done.stderr
        return re.sub(r"-[0-9a-f]{8}$", "-DIGEST", done.stdout, flags=re.MULTILINE)

    return call


def same_but_for_the_last_digit(text, golden):
    """Whether two texts differ in nothing but the last digit of a number, by one: processors round differently."""
    pairs = list(zip(NUMBER.findall(text), NUMBER.findall(golden), strict=False))
    near = all(abs(float(a) - float(b)) <= 1.01 * 10.0 ** -len(b.partition(".")[2]) for a, b in pairs)
    return NUMBER.sub("#", text) == NUMBER.sub("#", golden) and near


@pytest.mark.parametrize("name", COMMANDS)
def test_the_printed_tables(printed, name):
    text = printed(name, *COMMANDS[name])
    assert same_but_for_the_last_digit(text, golden(name)), text


def test_a_run_with_no_options_prints_and_stores_the_same_figures(printed, places):
    text = printed("first-run")
    assert same_but_for_the_last_digit(text, golden("first-run")), text
    (folder,) = (places / "first-run" / "runs").iterdir()
    result = json.loads((folder / "result.json").read_text())
    assert 0 < result["R"] < 1
    assert result["R"] == pytest.approx(result["R_bias"] + result["R_volatility"], abs=1e-12)
    assert len(result["groups"]) == 116
    record = json.loads((folder / "measurement.json").read_text())
    assert record["check"]["first_prompt_ids"]
    assert record["check"]["batch_deviation"] < 1e-5
    assert record["identity"]["weights"] == record["model"]["weights"]
    assert record["model"]["parameters"] > 1_000_000
    assert result["uncertainty"]["draws"] == 80  # more would make a newcomer wait
    interval = result["uncertainty"]["intervals"]["R"]
    assert interval["low"] < result["R"] < interval["high"]
    assert f"R {result['R']:.3f} ({interval['low']:.3f} to" in text
    lines = text.splitlines()
    assert len(lines) <= MOST_LINES
    assert max(map(len, lines)) <= WIDEST


def golden(name):
    return (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")


def test_a_golden_table_is_compared_digit_by_digit():
    assert same_but_for_the_last_digit("R 0.4648 of 10", "R 0.4647 of 10")
    assert not same_but_for_the_last_digit("R 0.4649 of 10", "R 0.4647 of 10")
    assert not same_but_for_the_last_digit("R 0.4647 for 10", "R 0.4647 of 10")


def test_the_figures_of_the_first_table_are_those_of_the_stored_probabilities(printed, places):
    """Recomputed from the Parquet files alone, for the two classes of gender."""
    text = printed("percent-women", *PERCENT_WOMEN[2:], "--details")
    (out,) = (places / "percent-women" / "runs").iterdir()
    stored = pd.concat(pd.read_parquet(file) for file in (out / "probabilities").glob("*.parquet"))
    male = stored.filter(regex="male").columns[0]
    table = stored.pivot_table(index="group", columns="context", values=male)
    record = json.loads((out / "measurement.json").read_text())
    counts = {each["template"]: each["count"] for each in record["asked"]["templates"]}
    weights = np.array([counts[context] for context in table.columns]) / sum(counts.values())
    lean = 2 * table.to_numpy() - 1  # s of male; that of female is its opposite
    common = lean.mean(axis=0)
    spread = np.sqrt(((table.to_numpy() - table.to_numpy() @ weights[:, None] / weights.sum()) ** 2) @ weights)
    expected = [
        (np.abs(lean) @ weights).mean(),
        np.abs(lean @ weights).mean(),
        (np.abs(lean) @ weights - np.abs(lean @ weights)).mean(),
        spread.mean(),
        np.abs(common @ weights),
        np.abs((lean - common) @ weights).mean(),
    ]
    row = next(line for line in text.splitlines() if line.startswith(" bundled:en-causal"))
    assert [float(cell) for cell in row.split()[1:]] == pytest.approx(expected, abs=1.01e-4)
