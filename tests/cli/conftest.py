"""What the tests of the command line share: where it runs."""

import os

import pytest


@pytest.fixture
def environment(tmp_path):
    """Variables of a process; one thread, as two tests share two cores."""
    return {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"}
