"""Threads of a run: as many as the machine has for it, or as were asked for; each in a process of its own."""

import json
import os

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
def counted(process, environment, tmp_path):
    """Run the command line in a process of its own, and return the process; an empty variable is not set."""

    def run(*arguments, **variables):
        (tmp_path / "counting.py").write_text(COUNTING)
        told = {**environment, "PYTHONPATH": os.environ.get("PYTHONPATH", ""), **variables}
        few = ("--limit-groups", "3", "--limit-contexts", "2", "--quiet", "--format", "json", "--out", "out")
        own = {name: value for name, value in told.items() if value}
        return process("run", "--plugin", "counting.py", *few, *arguments, cold=True, env=own)

    return run


ONE_MORE = processors() + 1


THREADS = {
    "nothing said": ("", {"OMP_NUM_THREADS": ""}, processors(), 1000),
    "OpenMP, and a number of the user's": ("", {"OMP_NUM_THREADS": "1", "GOMP_SPINCOUNT": "77"}, 1, 77),
    "option first, and a policy of the user's": (
        f"--threads {ONE_MORE}",
        {"OMP_NUM_THREADS": "1", "BVF_THREADS": "1", "OMP_WAIT_POLICY": "active"},
        ONE_MORE,
        30_000_000_000,
    ),
}
ANOTHER_PROCESS = ("--engine processes:1 --threads 1", {"OMP_NUM_THREADS": ""}, 1, None)
IN_WAYS = [pytest.param(*each, id=name) for name, each in THREADS.items()]
IN_WAYS.append(pytest.param(*ANOTHER_PROCESS, id="another process", marks=pytest.mark.long))


@pytest.mark.parametrize(("arguments", "variables", "expected", "spins"), IN_WAYS)
def test_torch_has_as_many_threads_as_the_run_which_sleep_soon(
    counted, tmp_path, arguments, variables, expected, spins
):
    process = counted(*arguments.split(), OMP_DISPLAY_ENV="verbose", **variables)
    assert process.returncode == 0, process.stderr
    assert f"torch has {expected} threads" in str(json.loads(process.stdout)["notes"])
    (file,) = (tmp_path / "out" / "invocations").iterdir()
    host = json.loads(file.read_text())["host"]
    assert (host["threads"], host["processors"]) == (expected, processors())
    known = spins and "GOMP_SPINCOUNT" in process.stderr  # torch may compute with another library
    assert f"GOMP_SPINCOUNT = '{spins}'" in process.stderr or not known


def test_a_file_and_the_environment_say_how_many_threads_a_run_has(tmp_path, refused, monkeypatch):
    (tmp_path / "run.toml").write_text("threads = 1\n")
    assert [config.threads for config in configs_of_models({}, tmp_path / "run.toml")] == [1]
    monkeypatch.setenv("BVF_THREADS", "3")
    assert [config.threads for config in configs_of_models({}, None)] == [3]
    monkeypatch.setenv("BVF_THREADS", "0")
    line, hint = refused("run", "--model", "baseline:random").splitlines()
    assert (line.startswith('error: environment: threads is "0"'), "1 or more" in hint) == (True, True)


def test_threads_are_no_part_of_what_is_measured(toy, tmp_path):
    few = {"plugin": toy, "model": "toy:hash", "limit_groups": 3, "limit_contexts": 2, "out": str(tmp_path / "out")}
    first, again = (bvf.run(**few, threads=number) for number in (1, 2))
    assert first.measurement == again.measurement
