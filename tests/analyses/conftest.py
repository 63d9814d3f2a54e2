"""What the tests of analyses share."""

import pytest

from bvf.hooks.loader import load


@pytest.fixture(scope="session")
def plugins():
    return load()
