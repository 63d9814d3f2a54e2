"""Fixtures of the tests of bvf and of plugins: commands in this process, the toy backend, and ../shared."""

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from bvf.cli import main

ROOT = Path(__file__).resolve().parents[2]
TOY = ROOT / "tests" / "data" / "toy_plugin.py"


@dataclass(frozen=True)
class Done:
    """What a command left: its exit code, and what it printed."""

    code: int
    out: str
    err: str

    @property
    def said(self) -> str:
        """What it printed on stdout, in one line."""
        return " ".join(self.out.split())

    @property
    def json(self) -> Any:
        """What it printed on stdout, read as JSON."""
        return json.loads(self.out)

    @property
    def refusal(self) -> str:
        """What it said of a command line that was wrong."""
        assert self.code == 2
        return self.err


@pytest.fixture
def toy() -> str:
    return str(TOY)


@pytest.fixture(scope="session")
def shared() -> Path:
    folder = ROOT.parent / "shared"
    if not folder.is_dir():
        pytest.skip("../shared is absent")
    return folder


@pytest.fixture
def command(capsys, monkeypatch):
    """Run ``bvf`` in this process."""

    def call(*arguments) -> Done:
        monkeypatch.setattr(sys, "argv", ["bvf", *map(str, arguments)])
        with pytest.raises(SystemExit) as end:
            main()
        captured = capsys.readouterr()
        return Done(end.value.code, captured.out, captured.err)

    return call


@pytest.fixture
def in_json(command):
    """What a command prints with ``--format json``, as a value."""

    def call(*arguments):
        done = command(*arguments, "--format", "json")
        assert done.out, done.err
        return json.loads(done.out)

    return call


@pytest.fixture
def refused(command):
    """What a command says that cannot do what it is asked: one line, and perhaps a hint."""

    def call(*arguments):
        done = command(*arguments)
        assert (done.code, done.out, "Traceback" in done.err) == (2, "", False), done
        lines = [line for line in done.err.splitlines() if not line.endswith(" s")]  # progress on a slow machine
        assert lines[0].startswith("error: ")
        assert len(lines) <= 2
        return "\n".join(lines)

    return call


@pytest.fixture(autouse=True)
def nothing_learned(monkeypatch, tmp_path):
    """Let no test use what another learned of a model. It holds where a conftest imports it."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "no_cache"))
