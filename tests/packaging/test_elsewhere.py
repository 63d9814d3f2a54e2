"""Plugins for libraries that are not installed here: their tests run in environments that have these."""

import os
import subprocess
from pathlib import Path

import pytest

BUILD = Path(__file__).resolve().parents[2] / "build"
NO_CONFTEST = ("-c", os.devnull, "--rootdir", ".", "--confcutdir", ".", "-q", "--import-mode=importlib", "tests")
"""Run the tests of a folder without the conftest of the project, which imports what is not installed there."""


@pytest.mark.long
@pytest.mark.parametrize(
    ("plugin", "environment", "more"),
    [
        ("inspect", "bridges", NO_CONFTEST),
        ("ray-engine", "ray", ()),
        ("llama-backend", "llama-cpp", ["tests/test_packed.py"]),
    ],
)
def test_the_tests_of_a_plugin_pass_where_its_library_is_installed(plugin, environment, more):
    python = BUILD / environment / "bin" / "python"
    if not python.exists():
        pytest.skip(f"no environment with the library of {plugin}: make build/{environment}/.installed")
    variables = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "PYTHONPATH"))}
    command = [python, "-m", "pytest", "-p", "no:xdist", "-p", "no:cacheprovider", *more]
    folder = BUILD.parent / "plugins" / plugin
    done = subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
