"""The worked changes of CONTRIBUTING.md: applied to a copy, linted, and tried as the page says."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FENCE = re.compile(r"^```([a-z]*)(?: title=\"([^\"]+)\")?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
OUTCOMES = {
    "An option of `bvf run`": ("worker", "writer"),
    "A hook": ("The nurse said that she was tired.",),
    "A check of the conformance kit": ("finite_for_rare_classes: J is inf",),
    "A command": ('"groups": "5"', '"contexts": "2"'),
}


def worked_changes():
    """Title and text of each worked change."""
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8").split("## Changes to the project itself")[1]
    parts = re.split(r"^#+ (.+)$", text.split("\n## ")[0], flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def test_every_kind_of_change_is_worked():
    assert worked_changes().keys() == OUTCOMES.keys()


@pytest.mark.parametrize("title", OUTCOMES)
def test_a_worked_change_applies_is_clean_and_works(title, tmp_path):
    copy, place = tmp_path / "project", tmp_path / "place"
    shutil.copytree(ROOT / "bvf", copy / "bvf")  # with what is compiled of it
    shutil.copytree(ROOT / "plugins" / "testing", copy / "plugins" / "testing")
    shutil.copy(ROOT / "pyproject.toml", copy)
    place.mkdir()
    printed = ""
    for language, name, text in FENCE.findall(worked_changes()[title]):
        if name:
            (place / name).write_text(text, "utf-8")
        if language == "diff":
            done("git apply -", copy, text)
            done("ruff check --no-cache . && ruff format --no-cache --check .", copy)
        if language == "bash":
            printed += done(
                f'set -e\nbvf() {{ python -m bvf "$@"; }}\n{text}',
                place,
                PYTHONPATH=f"{copy}:{copy / 'plugins' / 'testing'}",
            )
    assert all(outcome in printed for outcome in OUTCOMES[title]), printed


def done(script, folder, given="", **variables):
    """What a script prints that must succeed."""
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1", **variables}
    process = subprocess.run(
        ["bash", "-c", script], cwd=folder, env=environment, input=given, capture_output=True, text=True, check=False
    )
    assert process.returncode == 0, f"{script}\n{process.stdout}\n{process.stderr}"
    return process.stdout + process.stderr
