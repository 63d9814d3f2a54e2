"""Runs and mining on a cluster, started as users do."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import bvf
from bvf import BvfError, RunConfig
from bvf.mining.config import MineConfig
from bvf.mining.job import mine

TOY = str(Path(__file__).with_name("toy.py"))
HANGS = 300
"""Seconds after which something hangs, on a machine of any speed."""


@pytest.fixture
def toy(cluster, tmp_path):
    """Make the configuration of a run with the toy model. The model notes its prompts in a folder."""
    folder = tmp_path / "toy"
    folder.mkdir()
    (folder / "seconds").write_text("0")

    def make(out="out", **changes):
        values = {"model": f"noting:{folder}", "plugin": (TOY,), "out": str(tmp_path / out)}
        values |= {"contexts": "gender", "limit_groups": 64}  # five whole shards
        return {**values, **changes}

    return make


def on(cluster, **options):
    return {"engine": "ray", "engine_options": {"address": cluster.address, "workers": 2, **options}}


def shards(folder):
    return sorted(file.name for file in Path(folder).glob("probabilities/*.parquet"))


def test_the_same_bits_as_here_and_not_a_word_of_ray(tmp_path):
    command = [sys.executable, "-m", "bvf", "run", "--contexts", "gender", "--limit-groups", "30", "--format", "json"]
    command += ["--tolerance", "0.01"]
    told = []
    for engine in (["local"], ["ray", "-E", "workers=1"]):
        out = ["--out", str(tmp_path / engine[0]), "--engine", *engine]
        done = subprocess.run(
            [*command, *out], capture_output=True, text=True, env={**os.environ, "OMP_NUM_THREADS": "1"}
        )
        assert done.returncode == 0, done.stderr
        assert done.stderr == ""
        told.append({**json.loads(done.stdout), "folder": ""})
    assert told[0] == told[1]
    assert len(shards(tmp_path / "ray")) > 1
    assert shards(tmp_path / "ray") == shards(tmp_path / "local")  # the name of a file has the digest of its bytes


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_a_run_that_ends_early_keeps_what_is_stored_and_asks_nothing_twice(cluster, toy, tmp_path, number):
    config = toy()
    (tmp_path / "toy" / "seconds").write_text("0.5")
    given = ["--model", config["model"], "--contexts", "gender", "--limit-groups", "64", "--out", config["out"]]
    engine = ["--engine", "ray", "-E", f"address={cluster.address}", "-E", "workers=2"]
    run = subprocess.Popen(
        [sys.executable, "-m", "bvf", "run", *given, "--plugin", TOY, *engine, "--format", "json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    while len(shards(tmp_path / "out")) < 2:
        assert run.poll() is None, run.communicate()
        time.sleep(0.02)
    os.killpg(run.pid, number)
    _, stderr = run.communicate(timeout=HANGS)
    if number == signal.SIGINT:
        assert run.returncode == 130
        assert "Traceback" not in stderr
        assert "what is finished is kept" in stderr.splitlines()[-1]
    asked = tmp_path / "toy" / "asked"
    deadline = time.monotonic() + HANGS
    workers = {int(line.split()[0]) for line in asked.read_text().splitlines()}
    while any(os.path.exists(f"/proc/{worker}") for worker in workers) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(os.path.exists(f"/proc/{worker}") for worker in workers)
    stored = shards(tmp_path / "out")
    asked.write_text("")
    (tmp_path / "toy" / "seconds").write_text("0")
    result = bvf.run(RunConfig(**config))
    assert set(stored) < set(shards(result.folder))
    assert len(asked.read_text().splitlines()) == len(shards(result.folder)) - len(stored)
    assert result.model_dump() == bvf.run(RunConfig(**toy(out="alone"))).model_dump()


def test_another_model_on_another_node_is_refused(cluster, other_node, toy, tmp_path, monkeypatch):
    for name in ("here", "there"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "weights").write_text(f"those {name}")
    monkeypatch.setenv("HOME", str(tmp_path / "here"))
    other_node(HOME=str(tmp_path / "there"))
    with pytest.raises(BvfError, match=r"toy is another model on .* than where the run began: other weights"):
        bvf.run(RunConfig(**toy(**on(cluster, cpus=2))))


def test_mining_on_a_cluster_is_mining(cluster, tmp_path):
    texts = [f"It rained. The nurse {verb} that she left." * 1000 for verb in ("said", "wrote", "knew", "swore", "saw")]
    corpus = tmp_path / "c.jsonl"
    corpus.write_text("".join(json.dumps({"id": n, "text": text}) + "\n" for n, text in enumerate(texts * 3)))
    for name, choices in {"here": {"workers": 1}, "there": on(cluster)}.items():
        mine(MineConfig(corpus=(str(corpus),), out=str(tmp_path / f"{name}.csv"), plugin=(TOY,), **choices))
    assert (tmp_path / "there.csv").read_bytes() == (tmp_path / "here.csv").read_bytes()
    assert (tmp_path / "there.csv").read_text().count("\n") == 6
