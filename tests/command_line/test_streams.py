"""Streams that are full, closed or of another encoding: no traceback, and an exit code that says what happened."""

import json
import os
from functools import partial
from pathlib import Path

import pytest

RUN = ("run", "--model", "baseline:stereotyped", "--limit-groups", "3", "--quiet")
CHINESE = ("run", "--lang", "zh", "--model", "baseline:stereotyped", "--limit-groups", "3", "--quiet")
pytestmark = pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")


@pytest.fixture
def bvf(process):
    return partial(process, cold=True, text=False)


@pytest.mark.parametrize("arguments", [RUN, ("--help",)], ids=" ".join)
def test_a_full_stdout_is_one_line_and_keeps_what_was_measured(bvf, tmp_path, arguments):
    with Path("/dev/full").open("w") as full:
        done = bvf(*arguments, stdout=full)
    assert done.returncode == 2
    lines = done.stderr.decode().splitlines()
    assert lines[0] == "error: standard output cannot be written: No space left on device"
    assert len(lines) == 2
    assert_named(lines[1], tmp_path, arguments)


@pytest.mark.parametrize("arguments", [RUN, ("--help",)], ids=" ".join)
def test_a_closed_stdout_is_one_line_that_says_where_the_result_lies(bvf, tmp_path, arguments):
    done = bvf(*arguments, stdout=None, preexec_fn=lambda: os.close(1))
    lines = done.stderr.decode().splitlines()
    assert (done.returncode, lines[0]) == (2, "error: standard output cannot be written: it is closed")
    assert len(lines) == 2
    assert_named(lines[1], tmp_path, arguments)


def assert_named(hint, folder, arguments):
    """Assert that the hint names the folder of the run, if there was one."""
    results = list(folder.rglob("result.json"))
    assert len(results) == (arguments[0] == "run")
    assert all(hint.endswith(f"what was measured is in {file.parent.relative_to(folder)}") for file in results)


def test_a_full_stderr_changes_no_exit_code(bvf):
    with Path("/dev/full").open("w") as full:
        assert bvf("run", "--topic", "none", stderr=full).returncode == 2
        assert bvf(*RUN, "--no-such-option", stderr=full).returncode == 2
        assert bvf(*RUN[:-1], stderr=full).returncode == 0


def test_a_reader_that_goes_away_is_no_error(bvf, tmp_path):
    read, write = os_pipe()
    read.close()
    with write:
        done = bvf("contexts", "show", "gender-all", "--format", "json", stdout=write)
    assert (done.returncode, done.stderr) == (141, b"")


def os_pipe():
    read, write = os.pipe()
    return os.fdopen(read), os.fdopen(write, "w")


@pytest.mark.parametrize(
    "locale", [{"PYTHONIOENCODING": "latin-1"}, {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}], ids=str
)
def test_a_chinese_run_ends_well_whatever_the_encoding(bvf, locale):
    done = bvf(*CHINESE, variables=locale)
    assert (done.returncode, done.stderr) == (0, b"")
    shown = bvf("topics", "show", "gender", "--lang", "zh", variables=locale)
    assert (shown.returncode, shown.stderr) == (0, b"")
    groups = json.loads(bvf(*CHINESE, "--format", "json", variables=locale).stdout)["groups"]
    assert all(ord(char) > 0x3000 for group in groups for char in group["group"])
    wrong = bvf("run", "--topic", "性别", variables=locale)
    assert wrong.returncode == 2
    assert b"Traceback" not in wrong.stderr
