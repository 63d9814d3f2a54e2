"""The engine for Ray is a distribution of its own: its tests run in an environment that has it, and Ray."""

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PYTHON = ROOT / "build" / "ray" / "bin" / "python"


@pytest.mark.long
def test_the_tests_of_the_ray_engine_pass_where_it_is_installed():
    if not PYTHON.exists():
        pytest.skip("no environment with Ray: make build/ray/.installed")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "PYTHONPATH"))}
    command = [PYTHON, "-m", "pytest", "-p", "no:xdist", "-p", "no:cacheprovider"]
    done = subprocess.run(command, cwd=ROOT / "plugins" / "ray-engine", env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
