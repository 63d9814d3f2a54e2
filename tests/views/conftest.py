"""Results of toy models, stored once for all pictures."""

import pytest


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
