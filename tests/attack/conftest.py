"""What every attack must come to."""

import pytest

from bvf.errors import harmless


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
