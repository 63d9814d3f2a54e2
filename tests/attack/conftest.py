"""What every attack must come to."""

import os
from zlib import crc32

import pytest

from bvf.errors import harmless

ONE_IN = 3


@pytest.fixture
def attacks():
    """Of the attacks on one command every third where examples are the same each time, and fewer: `.ci/run`."""

    def chosen(command, everything):
        if not os.environ.get("SAME_EXAMPLES"):
            return everything.items()
        return [each for each in everything.items() if not crc32(f"{command}-{each[0]}".encode()) % ONE_IN]

    return chosen


@pytest.fixture
def ends_well(command, tmp_path, monkeypatch):
    """Run a command in a folder of its own; assert that it did what it was asked, or said what is wrong in one line."""

    def check(attack, arguments, prepare=lambda folder: None):
        folder = tmp_path / str(len(list(tmp_path.iterdir())))
        folder.mkdir()
        monkeypatch.chdir(folder)
        prepare(folder)
        done = command(*arguments)
        told = f"{attack}: {done.err}"
        assert "Traceback" not in done.err, told
        assert harmless(done.err) == done.err, told
        if done.code == 0:
            return done
        assert done.code == 2, told
        errors = [line for line in done.err.splitlines() if line.startswith("error: ")]
        assert len(errors) == 1, told
        assert len(done.err.split("error: ", 1)[1].splitlines()) <= 2, told
        assert done.out == "", attack
        return done

    return check
