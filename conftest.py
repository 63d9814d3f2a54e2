"""What all tests share: the folder beside the checkout that is not part of the project."""

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def shared() -> Path:
    folder = Path(__file__).resolve().parent.parent / "shared"
    if not folder.is_dir():
        pytest.skip("../shared is absent")
    return folder
