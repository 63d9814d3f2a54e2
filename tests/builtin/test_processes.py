"""Shards scored by several processes: the same run, and nothing lost."""

import json
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest
import torch

import bvf
from bvf import BvfError, RunConfig
from bvf.builtin.engines import processes
from bvf.builtin.engines.processes import Processes, cores
from bvf.hooks.loader import load
from bvf.measure.plan import plan
from bvf.measure.scoring import ShardScorer, load_model, readable

HANGS = 300
"""Seconds after which something hangs, on a machine of any speed."""
REMARKING = """import numpy as np
from bvf import Backend, Provider, hookimpl
from bvf.interfaces.backend import Remarking

class Talking(Backend, Remarking):
    def __init__(self, request):
        self.asked = 0
    def score(self, prompts, words, *, absolute):
        self.asked = max(self.asked, len(prompts))
        return np.array([[-5.0 - len(str(prompt)) / 1000 - len(word) for word in words] for prompt in prompts])
    def remarks(self):
        return ["a whole shard was asked"] if self.asked > 100 else []

@hookimpl
def bvf_backends():
    return [Provider("talking", Talking, "remarks on shards")]
"""


@pytest.fixture
def config(tmp_path, toy):
    def make(**changes):
        values = {"model": "toy:hash", "plugin": (toy,), "out": str(tmp_path / "out"), "limit_groups": 30}
        return RunConfig(**{**values, **changes})

    return make


def scorer_of(config):
    plugins = load(extra=config.plugin)
    laid_out = plan(config, plugins)
    backend = load_model(laid_out, plugins).backend
    return ShardScorer(readable(laid_out, backend), backend)


def threads_and_process(shard):
    time.sleep(0.5)
    return torch.get_num_threads(), os.getpid()


def dying(shard):
    os._exit(1)


def running(group):
    """What still runs of a group of processes; zombies do not."""
    found = []
    for file in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            state, _, own, *_ = file.read_text().rpartition(")")[2].split()
            found += [file.parent.name] * (int(own) == group and state != "Z")
    return found


def test_a_run_by_two_processes_is_that_of_one(config, tmp_path):
    alone = bvf.run(config(out=str(tmp_path / "alone")))
    together = bvf.run(config(engine="processes:2"))
    assert together.model_dump() == alone.model_dump()
    stored = [sorted((folder / "probabilities").iterdir()) for folder in (alone.folder, together.folder)]
    assert [file.name for file in stored[0]] == [file.name for file in stored[1]]


def test_a_run_goes_on_with_another_engine(config):
    first = bvf.run(config(engine="processes:2"))
    next(iter((first.folder / "probabilities").glob("*.parquet"))).unlink()
    seen = []
    assert bvf.run(config(engine="local"), on_progress=seen.append) == first
    assert 0 < seen[0].reused < seen[0].total


def test_the_real_model_in_processes(tmp_path):
    shared = {"limit_groups": 30, "tolerance": 0.01}
    alone, together = (
        bvf.run(RunConfig(engine=engine, out=str(tmp_path / engine.split(":")[0]), **shared))
        for engine in ("local", "processes:2")
    )
    apart = alone.stereotypes()["probability"] - together.stereotypes()["probability"]
    assert apart.abs().max() < 1e-5
    assert together.deviation_bound == pytest.approx(alone.deviation_bound, abs=1e-5)


@pytest.mark.parametrize(("number", "count"), [("", cores()), ("1", 1), ("3", 3)])
def test_processes_share_the_cores(number, count):
    found = [answer for _, answer in Processes(number).scores(range(2 * count), threads_and_process)]
    assert {threads for threads, _ in found} == {max(1, cores() // count)}
    assert len({process for _, process in found}) == count
    assert os.getpid() not in {process for _, process in found}


def test_processes_take_gpus_in_turn(monkeypatch):
    taken, begun = [], multiprocessing.get_context("spawn").Value("i", 0)
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    monkeypatch.setattr(processes, "end_when_closed", lambda _: None)
    monkeypatch.setattr(torch, "set_num_threads", lambda _: None)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 3)
    monkeypatch.setattr(torch.cuda, "set_device", taken.append)
    for _ in range(4):
        processes._start(1, begun, None)
    assert taken == [0, 1, 2, 0]


def test_a_process_that_dies_is_one_line():
    with pytest.raises(BvfError, match="one of them died") as error:
        list(Processes("2").scores(range(4), dying))
    assert "__main__" in error.value.hint


@pytest.mark.parametrize("number", ["0", "two", "-1", "1.5", "²"])
def test_what_is_no_number_of_processes_is_refused(config, number):
    with pytest.raises(BvfError, match=f'"{number}" is no number of processes'):
        bvf.run(config(engine=f"processes:{number}"))


def test_an_error_of_the_model_reaches_the_user(config):
    with pytest.raises(BvfError, match=r'Toy gave nan for "abbot" in "The nurse'):
        bvf.run(config(model="toy:nan", limit_groups=0, engine="processes:2"))


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"topic": "race", "criterion": "lk:2", "limit_contexts": 3},
        {"lang": "zh", "limit_groups": 0},
        {"words": {"male": ("he",), "female": ("she",)}, "reference": "percent-women", "group_weights": "employment"},
        {"topic": "knowledge/capitals", "distractors": 3, "seed": 7},
    ],
)
def test_another_process_asks_the_same_questions(config, changes):
    here = scorer_of(config(**changes))
    there = pickle.loads(pickle.dumps(here))
    assert there.laid_out.digests() == here.laid_out.digests()
    assert there.laid_out.config == here.laid_out.config
    shard = here.laid_out.shards()[-1]
    assert (there(shard).probabilities == here(shard).probabilities).all()


def test_contexts_that_changed_meanwhile_are_refused(config, tmp_path):
    contexts = tmp_path / "c.csv"
    contexts.write_text("template,count\nThe [X] said that [Y],1\n")
    sent = pickle.dumps(scorer_of(config(contexts=str(contexts))))
    contexts.write_text("template,count\nThe [X] thought that [Y],1\n")
    with pytest.raises(BvfError, match="changed since the run began"):
        pickle.loads(sent)


def test_what_a_backend_remarks_anywhere_stays_with_the_run(config, tmp_path):
    plugin = tmp_path / "talking.py"
    plugin.write_text(REMARKING)
    shared = {"plugin": (str(plugin),), "model": "talking:x"}
    result = bvf.run(config(engine="processes:2", **shared))
    assert "a whole shard was asked" in result.notes
    assert bvf.run(config(**shared)) == result  # nothing is scored now


def test_an_interrupt_ends_all_processes_and_the_same_command_goes_on(tmp_path, toy):
    def command(**environment):
        options = ["--plugin", toy, "--model", "toy:hash", "--engine", "processes:2", "--out", str(tmp_path / "out")]
        return subprocess.Popen(
            [sys.executable, "-m", "bvf", "run", *options, "--json"],
            env={"PATH": "", **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )

    interrupted = command(TOY_SECONDS="3")
    while not list(tmp_path.glob("out/probabilities/*.parquet")):
        assert interrupted.poll() is None
        time.sleep(0.05)
    os.killpg(interrupted.pid, signal.SIGINT)
    _, stderr = interrupted.communicate(timeout=HANGS)
    assert interrupted.returncode == 130, stderr
    deadline = time.monotonic() + HANGS
    while running(interrupted.pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert running(interrupted.pid) == []
    assert "Traceback" not in stderr
    stored = len(list(tmp_path.glob("out/probabilities/*.parquet")))
    stdout, stderr = command().communicate(timeout=HANGS)
    assert json.loads(stdout)["prompts"] == 1200, stderr
    assert stored < len(list(tmp_path.glob("out/probabilities/*.parquet"))) == 10
