"""What the tests share: where things are, and the toy backend."""

import gc
import os
import subprocess
import sys
from pathlib import Path

import pytest
from helpers.fixtures import TOY, command, in_json, refused, shared, toy
from helpers.fresh import fresh_environment
from helpers.warm import warm_bvf
from hypothesis import settings

import bvf

ROOT = Path(__file__).resolve().parent
__all__ = ["command", "in_json", "refused", "shared", "toy"]
LONGEST = [ROOT / "tests" / name for name in ("docs", "packaging")]
# No test fails because a machine is busy; with SAME_EXAMPLES every run tries the same examples, and fewer of them.
SAME = bool(os.environ.get("SAME_EXAMPLES"))
settings.register_profile("bvf", deadline=None, derandomize=SAME, max_examples=10 if SAME else 100)
settings.load_profile("bvf")
os.fsync = lambda _: None  # it takes as long as the work of a small run, and no test takes the power away


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Search for no garbage meanwhile: imports make many objects, and hardly any garbage."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


def pytest_collection_modifyitems(items):
    """Put the longest tests first, so that no worker is left alone with them at the end."""
    items.sort(key=lambda item: item.path.parent not in LONGEST)


def pytest_collection_finish():
    """Leave thousands of tests and their libraries out of every collection of garbage from here on."""
    gc.collect()
    gc.freeze()


@pytest.fixture
def environment(tmp_path):
    """Variables of a process; one thread, as two tests share two cores."""
    return {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"}


@pytest.fixture
def process(tmp_path, environment):
    """Run ``bvf`` as a process in a folder of its own; ``cold``: without libraries that are there already."""

    def call(*arguments, cold=False, variables=(), **more):
        command = [sys.executable, "-m", "bvf"] if cold else warm_bvf()
        usual = {"cwd": tmp_path, "env": {**environment, **dict(variables)}, "text": True, "timeout": 600}
        streams = {name: subprocess.PIPE for name in ("stdout", "stderr")}
        return subprocess.run([*command, *map(str, arguments)], check=False, **{**usual, **streams, **more})

    return call


@pytest.fixture
def fresh(tmp_path):
    """A venv that has the libraries of this one, and takes and loses packages of its own."""
    return fresh_environment(tmp_path)


@pytest.fixture(scope="session")
def run_of(tmp_path_factory):
    """Measure few groups by the toy model, stored in a folder of its own."""

    def make(**choices):
        values = {"model": "toy:hash", "limit_groups": 6, "contexts": "gender-mixed", "sample_contexts": 30}
        values |= {"openings": "none", "plugin": (str(TOY),), "out": str(tmp_path_factory.mktemp("run") / "out")}
        return bvf.run(bvf.RunConfig(**{**values, **choices}))

    return make


@pytest.fixture(scope="session")
def result(run_of):
    """Two classes, contexts that are a sample."""
    return run_of()


@pytest.fixture(scope="session")
def several(run_of):
    """Seven classes, contexts that are all of a set."""
    return run_of(topic="weekday", contexts="", sample_contexts=0, limit_contexts=12)


@pytest.fixture(scope="session")
def silent(run_of):
    """Some prompts have no answer."""
    return run_of(model="toy:silent-nurse", limit_groups=90)
