"""``bvf run`` as a newcomer types it."""

import json
import subprocess

import pytest
from warm import warm_bvf

import bvf
from bvf.measuring import model


@pytest.fixture
def run(tmp_path, environment):
    def call(*arguments):
        return subprocess.run(
            [*warm_bvf(), "run", *arguments],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            timeout=900,
        )

    return call


def test_with_no_options(run, tmp_path):
    process = run()
    assert process.returncode == 0, process.stderr
    assert "bundled:en-causal" in process.stdout
    assert "from more male than others to more female" in process.stdout
    folder = process.stdout.split("results: ")[1].strip()
    result = json.loads((tmp_path / folder / "result.json").read_text())
    assert 0 < result["R"] < 1
    assert result["R"] == pytest.approx(result["R_bias"] + result["R_volatility"], abs=1e-12)
    assert len(result["groups"]) == 120
    record = json.loads((tmp_path / folder / "measurement.json").read_text())
    assert record["check"]["first_prompt_ids"]
    assert record["check"]["batch_deviation"] < 1e-5
    assert record["identity"]["weights"] == record["model"]["weights"]
    assert record["model"]["parameters"] > 1_000_000
    assert result["uncertainty"]["draws"] == 80  # more would make a newcomer wait
    interval = result["uncertainty"]["intervals"]["R"]
    assert interval["low"] < result["R"] < interval["high"]
    assert f"95% from                {interval['low']:.4f}" in process.stdout
    assert f"95% to                  {interval['high']:.4f}" in process.stdout


def test_with_no_options_the_model_is_loaded_once_and_asked_little_more_than_every_prompt(tmp_path, monkeypatch):
    loaded, asked = [], []

    def loading(*arguments):
        backend = load_backend(*arguments)
        loaded.append(backend)
        score = backend.score
        monkeypatch.setattr(backend, "score", lambda prompts, *more, **options: counted(score, prompts, more, options))
        return backend

    def counted(score, prompts, more, options):
        asked.append(len(prompts))
        return score(prompts, *more, **options)

    load_backend = model.load_backend
    monkeypatch.setattr(model, "load_backend", loading)
    result = bvf.run(bvf.RunConfig(out=str(tmp_path / "out")))
    assert len(loaded) == 1
    assert result.prompts <= sum(asked) <= result.prompts + 100
    assert len(asked) < 120
    bvf.run(bvf.RunConfig(out=str(tmp_path / "out"), criterion="lk:2"))
    assert len(loaded) == 1  # a finished run loads no model


def test_the_three_models_in_one_table(run):
    names = ("bundled:en-causal", "bundled:en-masked", "bundled:en-seq2seq")
    models = [argument for name in names for argument in ("--model", name)]
    process = run(*models, "--limit-groups", "6", "--quiet")
    assert process.returncode == 0, process.stderr
    table = process.stdout.split("from more male")[0]
    assert [name for name in names if name in table] == list(names)


def test_the_control_topics_run(run):
    for topic in ("weekday", "hair-colour", "race"):
        process = run("--topic", topic, "--limit-groups", "4", "--format", "json")
        assert process.returncode == 0, process.stderr
        assert json.loads(process.stdout)["topic"] == topic
