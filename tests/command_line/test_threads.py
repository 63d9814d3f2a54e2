"""Threads of a run: as many as the machine has for it, or as were asked for; each in a process of its own."""

import json
import os
import subprocess
import sys

import pytest

import bvf
from bvf.files.machine import processors
from bvf.terminal.options import configs_of_models

COUNTING = """import numpy as np
import torch
from bvf_transformers.loading.device import take_share
from bvf import Answers, Backend, Provider, hookimpl

class Counting(Backend):
    def __init__(self, request):
        take_share(request.share)
    def score(self, prompts, words, *, absolute):
        logp = np.array([[-5.0 - len(str(prompt)) / 1000 - len(word) for word in words] for prompt in prompts])
        return Answers(logp, remarks=(f"torch has {torch.get_num_threads()} threads",))

@hookimpl
def bvf_backends():
    return [Provider("counting", Counting, "remarks how many threads torch has")]
"""


@pytest.fixture
def counted(environment, tmp_path):
    """Runs the command line, and returns its process."""

    def run(*arguments, **variables):
        (tmp_path / "counting.py").write_text(COUNTING)
        told = {**environment, "PYTHONPATH": os.environ.get("PYTHONPATH", ""), **variables}
        few = ("--limit-groups", "3", "--limit-contexts", "2", "--quiet", "--format", "json")
        command = (sys.executable, "-m", "bvf", "run", "--plugin", "counting.py", *few, *arguments)
        return subprocess.run(
            command,
            env={name: value for name, value in told.items() if value},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )

    return run


def notes_of(process):
    """What torch had, as the backend remarks."""
    assert process.returncode == 0, process.stderr
    return str(json.loads(process.stdout)["notes"])


@pytest.fixture
def record(tmp_path):
    def read():
        (file,) = (tmp_path / "out" / "invocations").iterdir()
        return json.loads(file.read_text())["host"]

    return read


ONE_MORE = processors() + 1


@pytest.mark.parametrize(
    ("arguments", "variables", "expected", "spins"),
    [
        ((), {"OMP_NUM_THREADS": ""}, processors(), 1000),
        ((), {"OMP_NUM_THREADS": "1", "GOMP_SPINCOUNT": "77"}, 1, 77),
        (
            ("--threads", f"{ONE_MORE}"),
            {"OMP_NUM_THREADS": "1", "BVF_THREADS": "1", "OMP_WAIT_POLICY": "active"},
            ONE_MORE,
            30_000_000_000,
        ),
    ],
    ids=["nothing said", "OpenMP, and a number of the user's", "option first, and a policy of the user's"],
)
def test_torch_has_as_many_threads_as_the_run_which_sleep_soon(counted, record, arguments, variables, expected, spins):
    process = counted("--out", "out", *arguments, OMP_DISPLAY_ENV="verbose", **variables)
    assert f"torch has {expected} threads" in notes_of(process)
    assert (record()["threads"], record()["processors"]) == (expected, processors())
    known = "GOMP_SPINCOUNT" in process.stderr  # torch may compute with another library
    assert f"GOMP_SPINCOUNT = '{spins}'" in process.stderr or not known


def test_a_file_and_the_environment_say_how_many_threads_a_run_has(tmp_path, monkeypatch):
    (tmp_path / "run.toml").write_text("threads = 1\n")
    assert [config.threads for config in configs_of_models({}, tmp_path / "run.toml")] == [1]
    monkeypatch.setenv("BVF_THREADS", "3")
    assert [config.threads for config in configs_of_models({}, None)] == [3]


def test_processes_have_no_more_than_the_run(counted):
    notes = notes_of(counted("--out", "out", "--engine", "processes:1", "--threads", "1", OMP_NUM_THREADS=""))
    assert "torch has 1 threads" in notes


def test_threads_are_no_part_of_what_is_measured(toy, tmp_path):
    few = {"plugin": toy, "model": "toy:hash", "limit_groups": 3, "limit_contexts": 2, "out": str(tmp_path / "out")}
    first, again = (bvf.run(**few, threads=number) for number in (1, 2))
    assert first.measurement == again.measurement


def test_a_variable_that_is_no_number_of_threads_is_refused(command, monkeypatch):
    monkeypatch.setenv("BVF_THREADS", "0")
    done = command("run", "--model", "baseline:random")
    line, hint = done.err.splitlines()
    assert (done.code, line.startswith('error: environment: threads is "0"'), "1 or more" in hint) == (2, True, True)
