"""What every attack must come to."""

import os
from pathlib import Path
from zlib import crc32

import pytest

from bvf.errors import harmless

ONE_IN = 3


def pytest_collection_modifyitems(config, items):
    """Try every third pair of a command and a name where examples are the same each time, and fewer: `.ci/run`."""
    if not os.environ.get("SAME_EXAMPLES"):
        return
    here = Path(__file__).parent
    left_out = [item for item in items if item.path.parent == here and crc32(item.name.encode()) % ONE_IN]
    config.hook.pytest_deselected(items=left_out)
    out = set(left_out)
    items[:] = [item for item in items if item not in out]


@pytest.fixture
def ends_well():
    """Assert that a command did what it was asked, or said in one line what is wrong with that."""

    def check(done):
        assert "Traceback" not in done.err
        assert harmless(done.err) == done.err
        if done.code == 0:
            return
        assert done.code == 2, done.err
        errors = [line for line in done.err.splitlines() if line.startswith("error: ")]
        assert len(errors) == 1, done.err
        assert len(done.err.split("error: ", 1)[1].splitlines()) <= 2, done.err
        assert done.out == ""

    return check
