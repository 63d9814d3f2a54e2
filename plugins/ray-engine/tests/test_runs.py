"""Runs and mining on a cluster, started as users do."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from bvf_mining.config import MineConfig
from bvf_mining.job import mine

import bvf
from bvf import BvfError, RunConfig

TOY = str(Path(__file__).with_name("toy.py"))
GROUPS = [f"group {number}" for number in range(64)]
TOPIC = f"""schema = "bvf.topic/1"
name = "toy"
language = "en"
summary = "without neutral subjects, so that a run asks once"
sources = ["written for these tests"]
contexts = "gender"
groups = {GROUPS}
measurement = {{construct = "c", harm = "h", chosen_by = "w", reference = "uniform"}}
attributes = [{{name = "male", words = ["he"]}}, {{name = "female", words = ["she"]}}]
"""
HANGS = 300
"""Seconds after which something hangs, on a machine of any speed."""


@pytest.fixture
def toy(cluster, tmp_path):
    """Make the configuration of a run with the toy model. The model notes its prompts in a folder."""
    folder = tmp_path / "toy"
    folder.mkdir()
    (folder / "seconds").write_text("0")
    (tmp_path / "toy.toml").write_text(TOPIC)

    def make(out="out", **changes):
        values = {"model": f"noting:{folder}", "plugin": (TOY,), "out": str(tmp_path / out)}
        values |= {"topic": str(tmp_path / "toy.toml")}  # five whole shards
        return {**values, **changes}

    return make


@pytest.fixture
def toys(toy, tmp_path):
    """Make a toy model of so many bytes for each name, and return the configuration of a run of all of them."""

    def make(out="out", *, seconds=0.0, **sizes):
        for name, size in sizes.items():
            folder = tmp_path / name
            folder.mkdir(exist_ok=True)
            (folder / "seconds").write_text(str(seconds))
            (folder / "bytes").write_text(str(size))
        return toy(out, model=[f"noting:{tmp_path / name}" for name in sizes])

    return make


def on(cluster, **options):
    return {"engine": "ray", "engine_options": {"address": cluster.address, "workers": 2, **options}}


def shards(folder):
    return sorted(str(file.relative_to(folder)) for file in Path(folder).glob("**/probabilities/*.parquet"))


def test_the_same_bits_as_here_and_not_a_word_of_ray(tmp_path):
    few = ("run", "--contexts", "gender", "--limit-groups", "30", "--format", "json", "--tolerance", "0.01")
    told = []
    for engine in (["local"], ["ray", "-E", "workers=1"]):
        command = [sys.executable, "-m", "bvf", *few, "--out", tmp_path / engine[0], "--engine", *engine]
        done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "OMP_NUM_THREADS": "1"})
        assert (done.returncode, done.stderr) == (0, "")
        told.append({**json.loads(done.stdout), "folder": ""})
    assert told[0] == told[1]
    assert len(shards(tmp_path / "ray")) > 1
    assert shards(tmp_path / "ray") == shards(tmp_path / "local")  # the name of a file has the digest of its bytes


def asked(folder):
    """A line for each block of prompts that toy models in a folder were asked: its worker and the block."""
    return [line for file in folder.glob("*/asked") for line in file.read_text().splitlines()]


def stored(folder):
    """The bytes of all files of runs but for those that say when and where they were measured."""
    files = (file for file in Path(folder).rglob("*") if file.is_file() and "invocations" not in file.parts)
    return {str(file.relative_to(folder)): file.read_bytes() for file in files}


def test_each_worker_scores_whole_models_the_largest_first_and_nothing_else_changes(
    cluster, toys, tmp_path, monkeypatch
):
    monkeypatch.setattr("bvf.running.together.SECONDS", 0.05)
    sizes, loaded, states = {"small": 1, "broken": 2, "large": 4, "middle": 3}, tmp_path / "loaded", []
    with pytest.warns(UserWarning, match="broken: .*a fault in the model"):
        at_once = bvf.run(**toys("at-once", **sizes), **on(cluster), on_progress=states.append)
    begun = [line.split() for line in loaded.read_text().splitlines()]
    assert [name for name, *_ in begun[:2]] in (["large", "middle"], ["middle", "large"])
    assert [name for name, *_ in begun[2:]] == ["broken", "small"]
    assert len({worker for _, worker, _ in begun} - {str(os.getpid())}) == 2
    assert {workers for *_, workers in begun} == {"2"}
    assert any(0 < state.done < state.total for state in states)
    with pytest.warns(UserWarning, match="broken: .*a fault in the model"):
        in_turn = bvf.run(**toys("in-turn", **sizes))
    assert [result.model for result in at_once] == [result.model for result in in_turn] == ["small", "large", "middle"]
    assert at_once.failures == in_turn.failures
    assert stored(tmp_path / "at-once") == stored(tmp_path / "in-turn")


def test_a_model_that_does_not_fit_on_a_node_is_scored_by_all_workers(cluster, toys, tmp_path):
    bvf.run(**toys(large=10**18, small=1, tiny=1), **on(cluster))
    loaded = [line.split()[:2] for line in (tmp_path / "loaded").read_text().splitlines()]
    assert [name for name, worker in loaded if worker == str(os.getpid())] == ["large"]  # it is checked here
    assert sorted(name for name, worker in loaded if worker != str(os.getpid())) == ["large", "large", "small", "tiny"]


@pytest.mark.parametrize(("number", "names"), [(signal.SIGKILL, ["one"]), (signal.SIGINT, ["one", "other"])])
def test_a_run_that_ends_early_keeps_what_is_stored_and_asks_nothing_twice(cluster, toys, tmp_path, number, names):
    sizes = dict.fromkeys(names, 1)
    config = toys(seconds=0.5, **sizes)
    given = [word for model in config["model"] for word in ("--model", model)]
    given += ["--topic", config["topic"], "--out", config["out"]]
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
    deadline = time.monotonic() + HANGS
    workers = {int(line.split()[0]) for line in asked(tmp_path)}
    while any(os.path.exists(f"/proc/{worker}") for worker in workers):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    kept, before = shards(tmp_path / "out"), len(asked(tmp_path))
    results = bvf.run(**toys(**sizes))
    assert set(kept) < set(shards(tmp_path / "out"))
    assert len(asked(tmp_path)) - before == len(shards(tmp_path / "out")) - len(kept)
    alone = bvf.run(**toys("alone", **sizes))
    assert [result.model_dump() for result in results] == [result.model_dump() for result in alone]


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
