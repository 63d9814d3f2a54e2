"""What the tests share: where things are, and the toy backend."""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
TOY = ROOT / "tests" / "data" / "toy_plugin.py"


@pytest.fixture
def toy() -> str:
    return str(TOY)


@pytest.fixture(scope="session")
def shared() -> Path:
    folder = ROOT.parent / "shared"
    if not folder.is_dir():
        pytest.skip("../shared is absent")
    return folder
