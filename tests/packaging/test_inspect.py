"""What inspect-ai finds of bvf: its tests run in an environment that has inspect-ai."""

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PYTHON = ROOT / "build" / "bridges" / "bin" / "python"


@pytest.mark.long
def test_the_tests_of_the_tasks_for_inspect_pass_where_it_is_installed():
    if not PYTHON.exists():
        pytest.skip("no environment with inspect-ai: make build/bridges/.installed")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "PYTHONPATH"))}
    alone = ["-p", "no:xdist", "-p", "no:cacheprovider", "-c", os.devnull, "--rootdir", ".", "--confcutdir", "."]
    command = [PYTHON, "-m", "pytest", *alone, "-q", "--import-mode=importlib", "tests"]
    done = subprocess.run(command, cwd=ROOT / "plugins" / "inspect", env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
