"""A folder that was there before: empty, finished, or one in which nothing can be written."""

import os
import shutil
from pathlib import Path

import pytest

import bvf
from bvf.measuring.folder import RunFolder

WRITTEN_BEFORE = Path(__file__).parents[1] / "data" / "run_of_2026_11_26"
"""What `bvf run` wrote before records had how a model is read, adapters and generated texts."""


@pytest.fixture
def run(command, toy, tmp_path, monkeypatch):
    """Run and analyse in ``out``, below a folder of this test."""
    monkeypatch.chdir(tmp_path)

    def call(*options, model="toy:hash"):
        of_three = ("run", "--plugin", toy, "--model", model, "--limit-groups", "3", "--out", "out", "--format", "json")
        return command(*of_three, *options)

    return call


@pytest.fixture
def read_only(run, monkeypatch):
    """A finished folder in which nothing can be written from now on."""
    done = run()
    assert done.code == 0, done.err

    def refused(path, flags, *rest, **named):
        if flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
            raise PermissionError(13, os.strerror(13))
        return opened(path, flags, *rest, **named)

    opened = os.open
    monkeypatch.setattr(os, "open", refused)
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK)
    return done


def test_a_folder_that_was_made_for_nothing_goes_and_an_empty_one_that_was_there_stays(run, tmp_path):
    assert run(model="toy:constant").code == 2
    assert not (tmp_path / "out").exists()
    (tmp_path / "out").mkdir()
    assert run(model="toy:constant").code == 2
    assert list((tmp_path / "out").iterdir()) == []


@pytest.mark.parametrize(
    ("options", "said"),
    [(["--engine", "nowhere"], 'there is no engine "nowhere"'), (["-E", "gpus=2"], "engine local has no options")],
)
def test_an_engine_is_refused_on_a_finished_folder_as_on_a_fresh_one(run, options, said):
    fresh = run(*options)
    assert (fresh.code, run().code) == (2, 0)
    finished = run(*options)
    assert (finished.code, finished.err) == (2, fresh.err)
    assert said in finished.err


def test_a_read_only_folder_prints_its_result_and_stores_no_other(read_only, command, run):
    for again in (run(), command("analyse", "out", "--format", "json")):
        assert (again.code, again.out) == (0, read_only.out)
    done = run("--criterion", "lk:2")
    assert done.code == 0, done.err
    assert "not stored: nothing can be written to the folder" in " ".join(done.out.split())
    assert bvf.read_result("out").criterion == "linf"
    assert command("analyse", "out", "--criterion", "lk:2").code == 0
    refused = command("analyse", "out", "--criterion", "lk:2", "--save-as", "squares")
    assert (refused.code, refused.err.splitlines()[0]) == (2, "error: out: cannot be written: Permission denied")
    next(Path("out/probabilities").iterdir()).unlink()
    done = run()
    assert (done.code, "out: cannot be written: Permission denied" in done.err) == (2, True)


def test_an_analysis_takes_the_environment(run, command, monkeypatch):
    assert run().code == 0
    monkeypatch.setenv("BVF_CRITERION", "lk:2")
    monkeypatch.setenv("BVF_SCALE", "raw")
    monkeypatch.setenv("BVF_WORDS", "male=he;female=she")
    monkeypatch.setenv("BVF_TOPIC", "race")  # no choice of an analysis
    assert command("analyse", "out", "--scale", "unit", "--save-as", "other").code == 0
    result = bvf.read_result("out", analysis="other")
    assert (result.criterion, result.scale) == ("lk:2", "unit")
    assert result.words == {"male": ("he",), "female": ("she",)}
    monkeypatch.setenv("BVF_SCALE", "rough")
    refused = command("analyse", "out")
    assert refused.code == 2
    assert 'environment: scale is "rough"' in refused.err


def test_the_lock_of_a_folder_that_was_there_is_taken_away(tmp_path):
    with RunFolder(tmp_path).locked():
        assert list(tmp_path.iterdir())
    assert list(tmp_path.iterdir()) == []


def test_a_folder_of_an_earlier_version_is_read_and_its_command_asks_nothing_again(command, tmp_path):
    shutil.copytree(WRITTEN_BEFORE, tmp_path / "kept")
    analysed = command("analyse", tmp_path / "kept")
    assert analysed.code == 0, analysed.err
    again = command(
        "run", "--model", "bundled:en-causal", "--topic", "gender-2026", "--contexts", "gender-table8",
        "--limit-groups", "2",
        "--words", "male=he", "--words", "female=she", "--out", tmp_path / "kept",
    )  # fmt: skip
    assert again.code == 0, again.err
    assert [file.name for file in (tmp_path / "kept/probabilities").iterdir()] == ["00000.7c9ee292b0f92f81.parquet"]
