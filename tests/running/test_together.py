"""Several models at the same time, one per worker: which and in which order; what is stored and said is as in turn."""

import os
import time
from pathlib import Path

import pytest
from helpers.contents import bytes_in
from hypothesis import given
from hypothesis import strategies as st

import bvf
from bvf.builtin.engines.processes import Processes
from bvf.hooks.loader import load
from bvf.interfaces.engine import Capacity, Machine
from bvf.running.config import RunConfig
from bvf.running.one_run import ready
from bvf.running.together import LONGEST, Weights, at_once, placed
from bvf.terminal import progress

PLUGIN = """
import os
import weakref
from multiprocessing import parent_process
from pathlib import Path

import numpy as np

from bvf import Backend, Capabilities, ModelDescription, Provider, hookimpl
from bvf.errors import OutOfMemoryError

CAN = Capabilities(reads_right=False)
HERE = weakref.WeakSet()


class Sized(Backend):
    capabilities = CAN

    def __init__(self, request):
        size, _, self.behaviour = request.model.partition("-")
        self.size = int(size)
        with Path("loaded").open("a") as file:
            print(request.model, os.getpid(), request.share.workers, len(HERE), file=file)
        HERE.add(self)
        self.cycle = [self]
        marker = Path(f"{request.model}.seen")
        first = not marker.exists()
        marker.touch()
        if self.behaviour == "large" and first:
            raise OutOfMemoryError("not here")
        if self.behaviour == "dies" and first:
            os._exit(9)

    def score(self, prompts, words, *, absolute):
        if self.behaviour == "broken":
            raise RuntimeError("a fault in the model")
        lengths = [[len(str(prompt)) % self.size + len(word) for word in words] for prompt in prompts]
        return -4.0 - np.array(lengths) / 9.0


def described(request):
    size, _, behaviour = request.model.partition("-")
    weights = "others" if behaviour == "changed" and parent_process() else "these"
    return ModelDescription(CAN, memory=int(size), weights=weights)


@hookimpl
def bvf_backends():
    return [Provider("sized", Sized, "has so many bytes", describe=described)]
"""
FEW = {"limit_groups": 4, "limit_contexts": 3}
OPTIONS = ("--limit-groups", "4", "--limit-contexts", "3")


@pytest.fixture
def sized(tmp_path, monkeypatch):
    """A plugin with models that are named after their size, and say in the file ``loaded`` where they are loaded."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sized.py").write_text(PLUGIN)
    return "./sized.py"


def loaded():
    return [(name, int(pid), *rest) for name, pid, *rest in map(str.split, Path("loaded").read_text().splitlines())]


def said_of_failures(shown):
    return [line for line in shown.err.splitlines() if "40-broken" in line]


def test_each_worker_scores_whole_models_and_nothing_else_changes(command, sized):
    names = ("sized:10", "sized:40-broken", "sized:30-large", "sized:20")
    models = [word for name in names for word in ("--model", name)]
    run = ("run", "--plugin", sized, *models, *OPTIONS, "--details")
    shown = command(*run, "--engine", "processes:2", "--out", "at-once")
    assert shown.code == 1, shown.err
    at_once = loaded()
    assert sorted(name for name, *_ in at_once[:4]) == ["10", "20", "30-large", "40-broken"]
    assert {workers for _, _, workers, _ in at_once[:4]} == {"2"}
    assert {others for *_, others in at_once[:4]} == {"0"}  # a worker has freed the model before
    assert os.getpid() not in {pid for _, pid, *_ in at_once[:4]}
    assert {name for name, *_ in at_once[4:]} == {"30-large"}  # it did not fit a worker: checked here, scored by all
    Path("loaded").unlink()
    in_turn = command(*run, "--engine", "local", "--out", "in-turn")
    assert shown.out.replace("at-once/", "in-turn/") == in_turn.out
    folders = [line for line in shown.out.splitlines() if line.startswith("results: ")]
    assert folders == [f"results: at-once/sized-{name}" for name in ("10", "30-large", "20")]
    assert said_of_failures(shown) == said_of_failures(in_turn)
    assert [line.partition(":")[0] for line in said_of_failures(shown)] == ["left out", "failed"]
    assert bytes_in(Path("at-once"), "invocations") == bytes_in(Path("in-turn"), "invocations")
    Path("loaded").unlink()
    command(*run, "--engine", "processes:2", "--out", "at-once")
    assert {name for name, *_ in loaded()} == {"40-broken"}


def test_if_a_worker_dies_the_runs_go_on_in_turn(sized):
    states = []
    two = {"model": ["sized:10", "sized:20-dies"], "plugin": sized, "engine": "processes:2", "out": "out"}
    runs = bvf.run(**two, on_progress=states.append, **FEW)
    assert [result.model for result in runs] == ["sized:10", "sized:20-dies"]
    assert not runs.failures
    assert states[0].total == 24
    assert states[-1].done == states[-1].total == 12 + 9  # of neutral subjects


def test_a_worker_that_finds_another_model_measures_nothing(sized):
    with pytest.raises(bvf.BvfError, match=r"is another model on .* than where the run began: other weights"):
        bvf.run(model=["sized:10-changed", "sized:20-changed"], plugin=sized, engine="processes:2", out="out", **FEW)
    assert not Path("loaded").exists()
    assert not list(Path("out").rglob("*.*"))


def test_only_unfinished_runs_of_one_engine_with_several_workers_are_placed(sized, monkeypatch):
    plugins = load(extra=(sized,))

    def placed_of(*models, **choices):
        common = {"plugin": (sized,), "engine": "processes:2", **FEW, **choices}
        return placed([ready(RunConfig(**{**common, **model}), plugins) for model in models])

    ten, twenty = {"model": "sized:10", "out": "a"}, {"model": "sized:20", "out": "b"}
    assert placed_of(ten, twenty) == (1, 0)
    assert placed_of(ten, twenty, engine="local") == ()
    assert placed_of(ten, {**twenty, "engine": "processes:3"}) == ()
    assert placed_of(ten, {**twenty, "model": "baseline:random"}) == ()
    assert placed_of(ten, {**ten, "name": "again"}, twenty) == (2, 0)
    bvf.run(plugin=sized, **ten, **FEW)
    assert placed_of(ten, twenty, {**twenty, "model": "sized:25", "out": "c"}) == (2, 1)
    monkeypatch.setattr(Processes, "capacity", None)
    assert placed_of(ten, twenty) == ()  # where one model is left to be scored, no cluster is asked


def test_a_log_says_that_an_engine_is_asked_for_its_machines(sized, command, monkeypatch):
    def start_a_cluster(engine):
        time.sleep(0.3)
        raise bvf.BvfError("no cluster can be started")

    monkeypatch.setattr(Processes, "capacity", start_a_cluster)
    monkeypatch.setattr(progress, "SECONDS_TO_FIRST_LINE", 0.0)
    models = ("--model", "sized:10", "--model", "sized:20")
    shown = command("run", "--plugin", sized, *models, "--engine", "processes:2", *OPTIONS)
    *_, last, error = shown.err.splitlines()
    assert last.startswith("2 runs: asking the engine for its machines, after ")
    assert error == "error: no cluster can be started"


GB = 10**9
BILLIONS = 2 * GB
"""Bytes of a billion parameters in a 16-bit format."""


def on_gpus(*billions):
    return [None if each is None else Weights(int(each * BILLIONS), in_main_memory=False) for each in billions]


def in_memory(*gigabytes):
    return [Weights(int(each * GB)) for each in gigabytes]


def on_one_machine(workers, free):
    return Capacity(workers, (Machine(workers, free),))


@pytest.mark.parametrize(
    ("models", "workers", "free", "places"),
    [
        (on_gpus(1, 3, 2), 4, None, (1, 2, 0)),  # a device for each
        (on_gpus(1, 1, 1, 1, 2, 1), 2, None, (4, 0, 1, 2, 3, 5)),  # more models than devices; equal ones as named
        (on_gpus(7), 4, None, ()),  # one model is scored by all workers
        (on_gpus(3, 1), 1, None, ()),  # one worker
        (on_gpus(7, 0.1), 8, None, ()),  # seven devices would wait for one: all score each model
        (on_gpus(7, 1, 1, 1, 1), 4, None, (1, 2, 3, 4)),  # 7 of 11 is more than 2 / 4, 1 of 4 is not
        (on_gpus(2, 1), 3, None, (0, 1)),  # 2 of 3 is just 2 / 3
        (on_gpus(2.1, 1), 3, None, ()),  # and this is more
        (on_gpus(1, None, 1), 2, None, (0, 2)),  # a server, or weights on several devices
        (in_memory(2, 3, 2), 2, 5 * GB, (1, 0, 2)),  # the two largest together
        (in_memory(2, 3, 2), 2, 5 * GB - 1, (0, 2)),  # the largest is scored as if it were alone
        (in_memory(2, 3, 2), 2, 4 * GB - 1, ()),  # no two fit
        (in_memory(2, 3, 2), 3, 6 * GB, (0, 2)),  # three workers hold all three: 7 GB
        ([*in_memory(2, 2), Weights(9 * GB, in_main_memory=False)], 4, 4 * GB, (0, 1)),  # 9 of 13 is more than 2 / 4
        ([*in_memory(4), *on_gpus(2, 2)], 3, 3 * GB, (1, 2)),  # what is on a device needs no main memory
        ([], 4, None, ()),
    ],
)
def test_models_that_fit_are_scored_at_the_same_time_the_largest_first(models, workers, free, places):
    assert at_once(models, on_one_machine(workers, free)) == places


@pytest.mark.parametrize(
    ("machines", "workers", "places"),
    [
        (((2, 5), (2, 5)), 4, (1, 0, 2, 3)),  # 3 and 2 GB fit on either machine
        (((2, 5), (2, 4)), 4, (0, 2, 3)),  # but not on the second; 2 and 2 do
        (((2, 5), (1, 3)), 3, (1, 0, 2, 3)),  # one at a time on the second
        (((2, 5), (1, 2)), 3, (0, 2, 3)),
        (((2, 5), (2, None)), 4, (1, 0, 2, 3)),
        (((2, 3), (2, 3)), 2, ()),  # two workers in all, and both may be on one machine
    ],
)
def test_models_fit_on_every_machine_or_all_workers_score_them(machines, workers, places):
    having = tuple(Machine(its, None if free is None else free * GB) for its, free in machines)
    assert at_once(in_memory(2, 3, 2, 2), Capacity(workers, having)) == places


weights = st.builds(Weights, st.integers(0, 100), st.booleans())
many = st.lists(st.none() | weights, max_size=8)
machines = st.lists(st.builds(Machine, st.integers(1, 4), st.none() | st.integers(0, 300)), max_size=3)


@given(many, machines)
def test_what_is_placed_fits_and_keeps_no_worker_waiting_for_long(models, machines):
    workers = sum(machine.workers for machine in machines)
    places = at_once(models, Capacity(workers, tuple(machines)))
    sizes = [models[place].size for place in places]
    assert len(places) != 1
    assert len(set(places)) == len(places)
    assert sizes == sorted(sizes, reverse=True)
    assert workers > 1 or not places
    assert all(size <= LONGEST * sum(sizes) / workers for size in sizes)
    in_main_memory = [models[place].size for place in places if models[place].in_main_memory]
    for machine in machines:
        assert machine.memory is None or sum(in_main_memory[: machine.workers]) <= machine.memory


@given(many, st.integers(1, 6), st.integers(0, 300))
def test_more_memory_places_no_fewer_models(models, workers, free):
    places = [at_once(models, on_one_machine(workers, memory)) for memory in (free, None)]
    assert set(places[0]) <= set(places[1])
