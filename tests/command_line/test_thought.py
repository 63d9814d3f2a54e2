"""``bvf run --reading thought`` and the commands on its folder, as a user calls them."""

import shutil
from pathlib import Path

import numpy as np
import pytest

import bvf
from bvf.measuring.folder import read_measurement

THINKING = Path(__file__).resolve().parents[1] / "data" / "thinking_plugin.py"
ASKED = ("--topic", "gender-2026", "--groups", "nurse,cook,cio", "--quiet")
OF_MODEL = ("run", "--plugin", THINKING, "--model", "thinking:known", *ASKED)


@pytest.fixture(scope="module")
def contexts(tmp_path_factory):
    """Twenty contexts, half of which end with *even*."""
    verbs = ("said", "knew", "saw", "wrote", "heard", "thought", "felt", "claimed", "stated", "noted")
    rows = [
        f"The [X] {verb} that{end} [Y],{1 + place % 3}" for place, verb in enumerate(verbs) for end in ("", " even")
    ]
    file = tmp_path_factory.mktemp("contexts") / "contexts.csv"
    file.write_text("\n".join(["template,count", *rows]) + "\n", "utf-8")
    file.with_name("sources.toml").write_text('[contexts]\nsource = "made"\noccurrences = 38\n', "utf-8")
    return file


@pytest.fixture(scope="module")
def finished(tmp_path_factory, contexts):
    asked = {"topic": "gender-2026", "groups": ("nurse", "cook", "cio"), "reading": "thought", "thoughts": 16}
    asked |= {"contexts": str(contexts), "sample_contexts": 60, "out": str(tmp_path_factory.mktemp("thought") / "run")}
    return bvf.run(model="thinking:known", plugin=(str(THINKING),), **asked).folder


@pytest.fixture
def folder(finished, tmp_path):
    return shutil.copytree(finished, tmp_path / "run")


def test_figures_are_those_of_the_known_distribution(folder):
    """|2 p - 1| is 0.8 after a yes and 0.4 after a no; of a nurse p is 0.75 or 0.45 on average, of a cook 0.6."""
    result = bvf.read_result(folder)
    for name, of_contexts, of_thoughts in (("nurse", 0.1, 0.3), ("cook", 0.0, 0.4), ("cio", 0.0, 0.0)):
        group = next(each for each in result.groups if each.group == name)
        for field, truth in (("context_volatility", of_contexts), ("thought_volatility", of_thoughts)):
            ends = group.intervals[field]
            assert ends.low - 1e-9 <= truth <= ends.high + 1e-9, (name, field)
            assert getattr(group, field) == pytest.approx(truth, abs=0.1)  # of 16 thoughts
        assert group.context_volatility + group.thought_volatility == pytest.approx(group.r_volatility)
    assert (result.R, result.R_bias) == pytest.approx(((0.6 + 0.6 + 0.4) / 3, (0.2 + 0.2 + 0.4) / 3), abs=0.05)
    assert result.context_volatility + result.thought_volatility == pytest.approx(result.R - result.R_bias)
    assert (result.thoughts.thought, result.thoughts.ended) == (912, 608)  # in 19 contexts; those of cio never end
    assert result.risks().groupby("group")["risk"].mean()["cook"] == pytest.approx(0.6, abs=0.03)


def test_it_is_shown_in_every_format_and_by_every_command(folder, command, in_json, tmp_path):
    shown = command("show", folder).said
    assert "known (thought)" in shown
    result = bvf.read_result(folder)
    of_each = f"(by contexts {result.context_volatility:.3f}, by thoughts {result.thought_volatility:.3f})"
    assert of_each in shown
    assert "16 thoughts of up to 256 tokens at temperature 1, seed 0: of 912 thoughts 66.7% ended" in shown
    for arguments in (
        ("export", folder, "--to", "csv", "-o", tmp_path / "out.csv"),
        ("export", folder, "--to", "latex", "-o", tmp_path / "out.tex"),
        ("report", folder, "-o", tmp_path / "page.html", "--plugin", THINKING),
        ("gate", folder, "--max", "thought_volatility=0.9"),
        ("plan", folder),
        ("verify", folder),
    ):
        done = command(*arguments)
        assert done.code == 0, (arguments, done.out, done.err)
    assert "thought_volatility_low" in (tmp_path / "out.csv").read_text("utf-8").splitlines()[0]
    assert "of thoughts" in (tmp_path / "out.tex").read_text("utf-8")
    assert "R^v of thoughts" in (tmp_path / "page.html").read_text("utf-8").replace("<sup>v</sup>", "^v")
    explained = in_json("explain", folder)["varying"]
    shares = {each["what"]: each["share"] for each in explained}
    assert list(shares) == ["group", "context", "both", "thought"]
    assert shares["thought"] > 0.5
    assert sum(shares.values()) == pytest.approx(1.0)


def test_thought_is_compared_with_no_thought(folder, command, tmp_path, contexts):
    """Without a thought p is 0.5 and male leads, the first of equals; a nurse is female after half of the thoughts."""
    plain = tmp_path / "plain"
    assert command(*OF_MODEL, "--contexts", contexts, "--sample-contexts", "60", "--out", plain).code == 0
    (topic,) = bvf.compare([str(plain), str(folder)]).topics
    assert [model.name for model in topic.models] == ["thinking:known (probable)", "thinking:known (thought)"]
    assert topic.models[1].figures["R"] == pytest.approx(bvf.read_result(folder).R)
    p = read_measurement(folder).answers.probabilities
    weights = read_measurement(folder).record.asked.context_weights
    expected = float(((p[..., 1] > p[..., 0]).mean(axis=2) @ weights).mean())
    assert topic.changed.share == pytest.approx(expected)
    assert topic.changed.low < expected < topic.changed.high
    assert "How often does thinking change the answer?" in command("compare", plain, folder).out
    assert list(topic.models[1].figures) == ["R", "R_bias", "R_volatility", "particular_bias"]


def test_two_runs_with_thought_are_compared_by_both_parts_of_r_v(folder, command, tmp_path, contexts):
    asked = ("--reading", "thought", "--thoughts", "8", "--contexts", contexts, "--sample-contexts", "60")
    other, page = tmp_path / "other", tmp_path / "both.html"
    assert command(*OF_MODEL, *asked, "--out", other).code == 0
    comparison = bvf.compare([folder, other])
    (topic,) = comparison.topics
    parts = ["context_volatility", "thought_volatility"]
    assert list(topic.models[0].figures) == ["R", "R_bias", "R_volatility", *parts, "particular_bias"]
    assert comparison.tests == 6
    results = [bvf.read_result(each) for each in (folder, other)]
    for row in topic.differences:
        one, two = (getattr(each, row.figure) for each in results)
        assert row.value == pytest.approx(one - two)
        assert (row.decision, row.low < 0.0 < row.high) == ("tied", True)
    for model, result in zip(topic.models, results, strict=True):
        for part in parts:
            assert model.intervals[part].low == pytest.approx(result.uncertainty.intervals[part].low)
    shown = command("compare", folder, other).said
    assert "R^v of thoughts: 1 and 2 tied" in shown
    assert "few thoughts make the first too large and the second too small" in shown
    assert command("report", folder, other, "--plugin", THINKING, "-o", page).code == 0
    said = page.read_text("utf-8").replace("<sup>v</sup>", "^v")
    assert "R^v of contexts: 1 and 2 tied" in said
    gated = command("gate", folder, "--baseline", other, "--no-worse", "thought_volatility=0.3")
    assert gated.code == 0, gated.out + gated.err


def test_parts_of_a_run_and_other_shards_have_the_same_thoughts(folder, command, tmp_path, contexts):
    whole, one = read_measurement(folder), tmp_path / "few"
    asked = ("--reading", "thought", "--thoughts", "16", "--contexts", contexts, "--sample-contexts", "60")
    by_contexts = (*OF_MODEL, *asked, "--order", "contexts", "--out", one)
    assert command(*by_contexts).code == 0
    other = read_measurement(one)
    assert (whole.answers.texts == other.answers.texts).all()
    assert np.array_equal(whole.answers.probabilities, other.answers.probabilities)
    shard, *_ = sorted((one / "probabilities").glob("*.parquet"))
    shard.unlink()  # as after a run that was cut off
    assert command(*by_contexts).code == 0
    assert (read_measurement(one).answers.texts == other.answers.texts).all()
