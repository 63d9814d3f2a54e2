"""Fixture of the language packs' tests: the folder ``../shared``. It is not part of the project."""

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def shared() -> Path:
    folder = Path(__file__).resolve().parents[2] / "shared"
    if not folder.is_dir():
        pytest.skip("../shared is absent")
    return folder
