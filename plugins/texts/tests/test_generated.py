"""Runs that let a model write texts: choices that do not go together, shards, and what is kept after a kill."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from bvf_texts.generated import Texts

import bvf
from bvf.errors import BvfError, ScoringError
from bvf.files.folder import SHARDS
from bvf.hooks.provider import Provider
from bvf.measuring import kind
from bvf.measuring.config import MeasureConfig

DATA = Path(__file__).resolve().parents[3] / "tests" / "data"
WRITING, ENGINES = str(DATA / "writing_plugin.py"), str(DATA / "toy_engine.py")
FEW = {"topic": "gender-2026", "limit_groups": 40, "limit_contexts": 10}
GENERATED = {"reading": "generated", "samples": 3, "tokens": 4, **FEW}
"""400 prompts, in shards of 85 with 256 texts at most."""


def drawn(**choices):
    config = MeasureConfig(**choices)
    return kind.kind_called(config.reading).drawn(config)


def run(out, model="writing:known", **choices):
    return bvf.measure(model=model, out=str(out), **{"plugin": WRITING, **GENERATED, **choices})


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"samples": 5}, "--samples 5: the model writes no text with --reading probable"),
        ({"tokens": 5}, "--tokens 5: the model writes no text"),
        ({"temperature": 0.5}, "--temperature 0.5: the model writes no text"),
        ({"reading": "generated", "tolerance": 0.01}, "--tolerance 0.01: no probability of a word is computed"),
        ({"reading": "generated", "keep_words": True}, "--keep-words: no probability of a word is computed"),
        (
            {"reading": "generated", "temperature": 0.0, "samples": 2},
            "--temperature 0 with --samples 2: all texts of a prompt would be the same",
        ),
        ({"reading": "said"}, '--reading: there is no kind of answers "said"'),
        ({"reading": "generated", "samples": 0}, 'samples is "0"'),
        ({"reading": "generated", "temperature": -1.0}, 'temperature is "-1.0"'),
    ],
)
def test_choices_that_do_not_go_together_are_refused(choices, message):
    with pytest.raises(BvfError, match=message):
        drawn(**choices)


def test_defaults():
    assert drawn() == {}
    assert drawn(reading="generated")["generation"].described == "20 texts of 30 tokens at temperature 1, seed 0"
    greedy = drawn(reading="generated", temperature=0.0, seed=4)["generation"]
    assert (greedy.samples, greedy.seed) == (1, 4)
    one = greedy.model_copy(update={"tokens": 1})
    assert one.described == "1 text of 1 token at temperature 0, seed 4"


def test_a_backend_that_writes_no_texts_or_empty_ones_is_refused(tmp_path, toy, monkeypatch):
    with pytest.raises(BvfError, match="--reading generated: the backend toy writes no texts"):
        bvf.measure(model="toy:nan", plugin=toy, out=str(tmp_path / "run"), reading="generated")
    assert not (tmp_path / "run").exists()  # it is not loaded
    monkeypatch.setattr("bvf.builtin.reference_models.Baseline._text", lambda *_: " ")
    with pytest.raises(ScoringError, match="writes nothing: all 16 texts of a few prompts are empty"):
        bvf.measure(model="baseline:random", out=str(tmp_path / "run"), **GENERATED)


def test_the_longest_prompts_are_checked_before_the_first_text(tmp_path, monkeypatch):
    seen = []

    def refuse(_, prompts, generation):
        seen.extend(prompts)
        raise BvfError("too long")

    monkeypatch.setattr("bvf.builtin.reference_models.Baseline.check_lengths", refuse)
    monkeypatch.setattr("bvf.builtin.reference_models.Baseline.texts", None)  # a text was written
    with pytest.raises(BvfError, match="too long"):
        bvf.measure(model="baseline:random", out=str(tmp_path / "run"), **GENERATED)
    assert len({prompt.context for prompt in seen}) == 10
    assert {prompt.group for prompt in seen} == {"representative"}


def test_the_same_texts_for_any_order_engine_and_part(tmp_path):
    plain = run(tmp_path / "a")
    others = [run(tmp_path / "b", order="contexts"), run(tmp_path / "c", engine="backwards", plugin=(WRITING, ENGINES))]
    for part in ("2/2", "1/2"):
        bvf.run_part(model="writing:known", plugin=WRITING, out=str(tmp_path / "d"), part=part, **GENERATED)
    others.append(bvf.read_measurement(tmp_path / "d"))
    assert all((plain.answers.texts == other.answers.texts).all() for other in others)
    assert (plain.answers.texts != run(tmp_path / "e", seed=1).answers.texts).any()
    longer = run(tmp_path / "f", samples=5)
    for more, texts in zip(longer.answers.texts.flat, plain.answers.texts.flat, strict=True):
        assert more[:3] == texts


def test_a_killed_run_loses_no_shard_that_was_written(tmp_path, monkeypatch):
    count = tmp_path / "count"
    code = "import sys; from bvf.measuring.run import measure; import json; measure(**json.loads(sys.argv[1]))"
    choices = {"model": "writing:known", "plugin": WRITING, "out": str(tmp_path / "run"), **GENERATED}
    environment = {**os.environ, "WRITING_CALLS": "5"}  # three of the check, two shards
    killed = subprocess.run([sys.executable, "-c", code, json.dumps(choices)], env=environment, check=False)
    assert killed.returncode == -9
    assert len(list((tmp_path / "run" / SHARDS).glob("*.parquet"))) == 2
    monkeypatch.setenv("WRITING_COUNT", str(count))
    whole = run(tmp_path / "run")
    assert [int(line) for line in count.read_text().split()] == [8, 1, 1, 85, 85, 60]
    assert (whole.answers.texts == run(tmp_path / "other").answers.texts).all()


def test_a_shard_of_other_samples_is_found_and_written_again(tmp_path):
    whole, fewer = run(tmp_path / "run"), run(tmp_path / "fewer", samples=2)
    first, other = (min((each.folder / SHARDS).glob("*.parquet")) for each in (whole, fewer))
    first.unlink()
    shutil.copy(other, first.parent)
    with pytest.raises(BvfError, match=r"is not as it was written|is not there"):
        bvf.read_measurement(tmp_path / "run")
    assert (run(tmp_path / "run").answers.texts == whole.answers.texts).all()


def test_a_kind_of_another_plugin_is_named_in_the_record(tmp_path, monkeypatch):
    monkeypatch.setattr(kind, "parts_of", lambda hook: {"told": Provider("told", Texts)})
    told = run(tmp_path / "run", reading="told")
    assert told.record.asked.kind == "told"
    assert (bvf.read_measurement(tmp_path / "run").answers.texts == told.answers.texts).all()


def test_other_choices_are_another_measurement(tmp_path):
    run(tmp_path / "run")
    with pytest.raises(BvfError, match=r"holds another measurement .generated: 3 texts of 4 tokens"):
        run(tmp_path / "run", temperature=0.5)


def test_what_a_model_expected_is_stored_beside_its_texts(tmp_path):
    found = bvf.run(reading="generated", samples=2, tokens=6, limit_groups=3, sample_contexts=12, out=str(tmp_path))
    owed = bvf.read_measurement(tmp_path).answers.owed
    assert owed.shape == (3, owed.shape[1], 2, 2)
    assert np.isfinite(owed).all()
    assert set(found.texts.expected) == {"male", "female"}
    assert any(note.startswith("p is from the probabilities of words along the texts") for note in found.notes)
