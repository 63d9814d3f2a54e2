"""What ``make`` would do, in a clone without an environment."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(("target", "extras"), [("run", "models,report"), ("real", "gguf,report")])
def test_a_command_of_the_readme_installs_what_the_readme_shows_next(tmp_path, target, extras):
    for name in ("Makefile", "pyproject.toml", "constraints.txt", "benchmarks/real/smollm2.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    done = subprocess.run(["make", "-n", target], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert f"-e '.[{extras}]'\n" in done.stdout
