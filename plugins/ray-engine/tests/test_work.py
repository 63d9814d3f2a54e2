"""Work on a cluster: every task is done and has the same result as here, whichever worker dies."""

import ast
import math
import os
import pickle
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from random import Random
from threading import Event, Thread

import pytest
import works
from bvf_ray_engine import actor, session
from bvf_ray_engine.cluster import connected, refuse_other_versions
from bvf_ray_engine.engine import RayEngine
from bvf_ray_engine.options import RayOptions
from bvf_testing import engine_checks

from bvf import BvfError
from bvf.errors import LostError
from bvf.hooks.loader import load

KILLS = 50
CPUS = 2
"""Of each node: a worker that has as many has a node for itself."""


def test_contract(cluster, monkeypatch):
    monkeypatch.setenv("RAY_ADDRESS", cluster.address)
    for check in engine_checks(load().engines.make("ray", {"address": "auto", "workers": 1})):
        check()


def test_two_workers_share_the_machine_and_take_few_tasks_in_advance(engine):
    taken, workers = [], []
    results = engine().map((taken.append(task) or task for task in range(10_000)), works.Large())
    assert taken == []
    for task, (share, process, folder, made) in results:
        workers.append((share, process))
        assert made == bytes([task % 256]) * 3_000_000
        assert folder == os.getcwd()
        assert len(taken) <= len(workers) + 5
        if len(set(workers)) == 2:
            break
    results.close()
    assert sorted((share.index, share.workers, share.threads) for share, _ in set(workers)) == [(0, 2, 1), (1, 2, 1)]
    assert len({process for _, process in workers} - {os.getpid()}) == 2


def test_a_worker_has_as_many_threads_as_cpus(monkeypatch):
    """Ray sets ``OMP_NUM_THREADS`` to the CPUs of one worker; two workers of a machine have three each."""
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    worker = actor.Worker()
    assert pickle.loads(worker.begin(pickle.dumps(works.Threads()), 0, 2, 3, os.getcwd(), ())[0]) is None
    assert pickle.loads(worker.done(pickle.dumps("task"))[0]) == 3


def test_no_task_waits_for_a_busy_worker(engine, tmp_path):
    done = [task for task, _ in engine(workers=2).map(range(5), works.LongFirst(tmp_path, 5))]
    assert sorted(done) == list(range(5))


def test_what_the_work_raises_is_raised_here(engine):
    with pytest.raises(BvfError, match="there is no third one") as error:
        list(engine(workers=1).map(range(9), works.Refusing()))
    assert type(error.value) is BvfError
    assert error.value.hint == "ask for the fourth"
    assert "in refuse" in str(error.value.__cause__)


@pytest.mark.parametrize(
    ("work", "says"),
    [
        (works.Dying(), "4 workers died one after the other of 3: its worker process has died"),
        (works.StillBorn(), "4 workers died before they could begin: its worker process has died"),
    ],
)
def test_workers_that_die_again_and_again_are_not_started_for_ever(work, says, engine):
    with pytest.raises(BvfError, match=says):
        list(engine(workers=1).map(range(3, 4), work))


class Killer(Thread):
    """Kills each worker at a random time after its first task, until a given number is dead."""

    def __init__(self, folder, kills):
        super().__init__(daemon=True)
        self.folder, self.left, self.over, self.random = folder, kills, Event(), Random(7)

    def run(self):
        deaths = {}
        while self.left and not self.over.wait(0.01):
            for file in set(self.folder.glob("*.now")) - set(deaths):
                deaths[file] = time.monotonic() + self.random.uniform(0.1, 0.4)
            for file, when in deaths.items():
                if self.left and time.monotonic() > when:
                    os.kill(int(file.stem), signal.SIGKILL)
                    self.left, deaths[file] = self.left - 1, math.inf


def test_many_kills_lose_nothing(engine, tmp_path):
    killer = Killer(tmp_path, KILLS)

    def tasks():
        number = 0
        while killer.left:
            yield number
            number += 1

    killer.start()
    try:
        times = Counter(task for task, _ in engine(workers=2).map(tasks(), works.Noting(tmp_path)))
    finally:
        killer.over.set()
    assert killer.left == 0
    assert set(times) == set(range(len(times)))
    assert set(times.values()) == {1}
    done = Counter(map(int, (tmp_path / "done").read_text().split()))
    assert set(done) == set(times)
    assert done.total() <= len(times) + KILLS


def test_a_node_that_is_lost_loses_nothing(cluster, engine, other_node, tmp_path):
    node = other_node()
    done, seconds = [], 0.1
    results = engine(cpus=CPUS, workers=2).map(range(60), works.Noting(tmp_path, seconds))
    for task, where in results:
        done.append((task, where))
        if node in cluster.worker_nodes and len({each for _, each in done}) == 2:
            cluster.remove_node(node, allow_graceful=False)
    assert node not in cluster.worker_nodes
    assert sorted(task for task, _ in done) == list(range(60))


def test_a_run_goes_on_later_where_the_only_node_with_room_is_lost(cluster, engine, other_node, tmp_path):
    node = other_node(CPUS + 1)
    results = engine(cpus=CPUS + 1, workers=1).map(range(60), works.Noting(tmp_path))
    next(results)
    cluster.remove_node(node, allow_graceful=False)
    with pytest.raises(LostError, match=f"no node has {CPUS + 1} CPU"):
        list(results)


def test_where_ray_cannot_connect_the_token_that_it_may_ask_for_is_named(monkeypatch):
    def refuse(**_):
        raise ConnectionError("Failed to connect to Ray cluster")

    monkeypatch.setattr("ray.init", refuse)
    with pytest.raises(BvfError, match=r"no cluster at 10\.0\.0\.5:6379: ConnectionError") as error:
        connected(RayOptions(address="10.0.0.5:6379")).__enter__()
    assert "~/.ray/auth_token" in error.value.hint
    assert "RAY_AUTH_MODE=token" in error.value.hint


def test_the_cluster_says_how_many_tasks_it_does_at_once(engine, other_node):
    other_node()
    for options, of_each in [({}, 2), ({"cpus": 2}, 1), ({"workers": 3}, 2), ({"workers": 1}, 1)]:
        capacity = engine(**options).capacity()
        machines = len(capacity.machines)
        assert machines >= 2  # or more, if the cluster has not yet noticed that one is lost
        assert {machine.workers for machine in capacity.machines} == {of_each}
        assert capacity.workers == options.get("workers", of_each * machines)
        assert all(machine.memory > 0 for machine in capacity.machines)


def test_what_no_node_has_is_refused(engine):
    for ask in (RayEngine.capacity, lambda engine: list(engine.map(range(3), works.Refusing()))):
        with pytest.raises(BvfError, match=r"no node has 1 CPU and 0\.5 GPU for a worker") as error:
            ask(engine(gpus=0.5))
        assert "the nodes have 2 CPU and 0 GPU" in error.value.hint


def test_nobody_at_an_address_is_told_in_seconds(monkeypatch):
    monkeypatch.setattr(session, "SECONDS_TO_ANSWER", 2.0)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"127.0.0.1:{silent.getsockname()[1]}"
        silence = f"nothing at {address} answered within 2 seconds"
        for nobody, says in (("127.0.0.1:1", r"nothing answers at 127\.0\.0\.1:1"), (address, silence)):
            with pytest.raises(BvfError, match=says):
                list(RayEngine(RayOptions(address=nobody)).map(range(3), works.Refusing()))


@pytest.mark.parametrize(
    ("option", "value", "said"),
    [
        ("address", "somewhere", "that is not an address"),
        ("address", "a:99999", "that is not an address"),
        ("address", "ray://a:10001", "start bvf on a node of the cluster"),
        ("workers", -1, "greater than or equal to 0"),
        ("cpus", 0, "greater than or equal to 1"),
        ("cpus", "many", "valid integer"),
        ("gpus", 1.5, "parts of one GPU, or whole ones"),
        ("gpu", 1, "did you mean gpus"),
    ],
)
def test_bad_options_are_one_line(option, value, said):
    with pytest.raises(BvfError) as error:
        load().engines.make("ray", {option: value})
    assert said in f"{error.value} {error.value.hint}"
    assert "\n" not in error.value.message


def test_versions_of_another_node_are_refused(engine, other_node, tmp_path):
    (tmp_path / "transformers-4.0.0.dist-info").mkdir()
    (tmp_path / "transformers-4.0.0.dist-info" / "METADATA").write_text("Name: transformers\nVersion: 4.0.0\n")
    other_node(PYTHONPATH=f"{tmp_path}:{os.environ.get('PYTHONPATH', '')}")
    with pytest.raises(BvfError, match=r"node .* has transformers 4\.0\.0; here is transformers [5-9]") as error:
        list(engine(cpus=CPUS, workers=2).map(range(10_000), works.Large()))
    assert "install the same versions" in error.value.hint


def versions_there(*options, **more):
    """The versions that another Python finds."""
    code = f"exec(open({actor.__file__!r}).read()); print(versions())"
    return ast.literal_eval(subprocess.check_output([sys.executable, *options, "-c", code], text=True, **more))


def test_a_plugin_in_a_distribution_without_a_name_is_compared_by_its_own(tmp_path):
    """Such a one is cut off, or being installed."""
    cut_off = tmp_path / "cut_off-1.0.dist-info"
    cut_off.mkdir()
    (cut_off / "METADATA").write_text("")
    (cut_off / "entry_points.txt").write_text("[bvf]\ncut = cut\n")
    here, there = actor.versions(), versions_there(cwd=tmp_path)
    assert there == {**here, "cut": "without a version"}
    with pytest.raises(BvfError, match=r"node b has no cut; here is cut without a version\n"):
        refuse_other_versions("b", here, there)


def test_a_node_without_bvf_can_say_so():
    here, there = actor.versions(), versions_there("-IS")
    assert there == {"python": here["python"]}
    assert {"bvf", "bvf-ray-engine", "torch", "transformers"} <= set(here)
    with pytest.raises(BvfError, match=r"node b has no bvf, no numpy, .* and no bvf-ray-engine; here are bvf 0\."):
        refuse_other_versions("b", there, here)
    refuse_other_versions("b", {**here, "another": "1.0"}, here)
