"""Results of toy models, stored once for all pages."""

from pathlib import Path

import pytest

import bvf
from bvf.hooks.loader import load

TOY = Path(__file__).resolve().parents[1] / "data" / "toy_plugin.py"


@pytest.fixture(scope="session")
def plugins():
    return load(extra=(str(TOY),))


@pytest.fixture(scope="session")
def run_of(tmp_path_factory):
    def make(**choices):
        values = {"model": "toy:hash", "limit_groups": 6, "contexts": "gender-all", "sample_contexts": 30, **choices}
        return bvf.run(bvf.RunConfig(plugin=(str(TOY),), out=str(tmp_path_factory.mktemp("run") / "out"), **values))

    return make


@pytest.fixture(scope="session")
def drawn(run_of):
    """Two classes, contexts that are a sample."""
    return run_of()


@pytest.fixture(scope="session")
def written(run_of):
    """Seven classes, contexts that are all of a set."""
    return run_of(topic="weekday", contexts="", sample_contexts=0, limit_contexts=12)
