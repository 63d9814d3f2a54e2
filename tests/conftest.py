"""What the tests share: where the toy backend is."""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
TOY = ROOT / "tests" / "data" / "toy_plugin.py"


@pytest.fixture
def toy() -> str:
    return str(TOY)
