"""Results of toy models, stored once for all pictures."""

from pathlib import Path

import pytest

import bvf

TOY = Path(__file__).resolve().parents[1] / "data" / "toy_plugin.py"


@pytest.fixture(scope="session")
def run_of(tmp_path_factory):
    def make(**choices):
        values = {"model": "toy:hash", "limit_groups": 6, "contexts": "gender-all", "sample_contexts": 30, **choices}
        return bvf.run(bvf.RunConfig(plugin=(str(TOY),), out=str(tmp_path_factory.mktemp("run") / "out"), **values))

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
