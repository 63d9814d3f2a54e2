"""What the real lm-evaluation-harness makes of a model on exported tasks, beside what `bvf run` made of it."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

import bvf
from bvf import export

pytestmark = pytest.mark.long
ROOT = Path(__file__).resolve().parents[2]
PYTHON = ROOT / "build" / "bridges" / "bin" / "python"
MODEL = ROOT / "languages" / "en" / "bvf_en" / "models" / "en-causal"
WITHOUT_ITS_OWN_TASKS = """
import functools, lm_eval.tasks
lm_eval.tasks.TaskManager = functools.partial(lm_eval.tasks.TaskManager, include_defaults=False)
from lm_eval.__main__ import cli_evaluate
cli_evaluate()
"""
"""The command ``lm_eval``, but for the list of thousands of tasks, which takes 10 s of a processor."""
RUNS = {
    "several tokens and classes": {
        "topic": "weekday",
        "openings": "none",
        "limit_contexts": 4,
        "limit_groups": 3,
        "criterion": "lk:2",
    },
    "weights and a reference by group": {
        "contexts": "gender-mixed",
        "sample_contexts": 5,
        "limit_groups": 12,
        "reference": "percent-women",
        "group_weights": "employment",
        "criterion": "hellinger",
        "scale": "raw",
        "words": {"male": ["he", "man", "himself"], "female": ["she", "woman"]},
    },
}


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """The runs by the names of their tasks, and what the harness found, as its results file has it."""
    if not PYTHON.exists():
        pytest.skip("no environment with lm-evaluation-harness: make build/bridges/.installed")
    folder = tmp_path_factory.mktemp("lm-eval")
    results = [
        bvf.run(model="bundled:en-causal", out=str(folder / str(number)), mass_sample=4, **asked)
        for number, asked in enumerate(RUNS.values())
    ]
    tasks = export.write_tasks(results, folder / "written")
    shutil.move(folder / "written", folder / "moved")
    (folder / "elsewhere").mkdir()
    asked = ["--model", "hf", "--model_args", f"pretrained={MODEL},dtype=float32", "--device", "cpu"]
    tasks_asked = ["--include_path", "../moved", "--tasks", "bvf", "--batch_size", "32", "--output_path", "found"]
    done = subprocess.run(
        [PYTHON, "-c", WITHOUT_ITS_OWN_TASKS, *asked, *tasks_asked],
        cwd=folder / "elsewhere",
        env={
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "OMP_NUM_THREADS": "1",
            "HF_HUB_OFFLINE": "1",
            "HF_DATASETS_OFFLINE": "1",
        },
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (file,) = (folder / "elsewhere" / "found").glob("*/results_*.json")
    return dict(zip([task.name for task in tasks], results, strict=True)), json.loads(file.read_text())


def test_the_harness_finds_the_figures_of_the_run(found):
    runs, told = found
    assert told["results"].keys() == runs.keys()
    for name, result in runs.items():
        for figure in ("R", "R_bias", "R_volatility"):
            assert told["results"][name][f"{figure},none"] == pytest.approx(getattr(result, figure), abs=1e-6)
        assert result.R_volatility > 1e-4
        assert told["n-samples"][name]["effective"] == result.prompts


def test_the_harness_says_no_error_and_that_less_is_better(found):
    runs, told = found
    for name in runs:
        assert told["higher_is_better"][name] == dict.fromkeys(("R", "R_bias", "R_volatility"), False)
        assert told["results"][name]["R_stderr,none"] == "N/A"
        assert (told["n-shot"][name], told["versions"][name]) == (0, 1)
