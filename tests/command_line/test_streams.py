"""Streams that are full, closed or of another encoding: no traceback, and an exit code that says what happened."""

import json
import os
from functools import partial
from pathlib import Path

import pytest

RUN = ("run", "--model", "baseline:stereotyped", "--limit-groups", "3", "--quiet")
CHINESE = (*RUN, "--lang", "zh")
pytestmark = pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")


@pytest.fixture
def bvf(process):
    return partial(process, cold=True, text=False)


@pytest.mark.parametrize("arguments", [RUN, ("--help",)], ids=" ".join)
@pytest.mark.parametrize("why", ["No space left on device", "it is closed"])
def test_a_stdout_that_is_full_or_closed_is_one_line_that_says_where_the_result_lies(bvf, tmp_path, why, arguments):
    with Path("/dev/full").open("w") as full:
        stream = {"preexec_fn": lambda: os.close(1)} if "closed" in why else {}
        done = bvf(*arguments, stdout=full, **stream)
    line, hint = done.stderr.decode().splitlines()
    assert (done.returncode, line) == (2, f"error: standard output cannot be written: {why}")
    results = list(tmp_path.rglob("result.json"))
    assert len(results) == (arguments[0] == "run")
    assert all(hint.endswith(f"what was measured is in {file.parent.relative_to(tmp_path)}") for file in results)


def test_a_full_stderr_changes_no_exit_code(bvf):
    with Path("/dev/full").open("w") as full:
        assert bvf("run", "--topic", "none", stderr=full).returncode == 2
        assert bvf(*RUN, "--no-such-option", stderr=full).returncode == 2
        assert bvf(*RUN[:-1], stderr=full).returncode == 0


def test_a_reader_that_goes_away_is_no_error(bvf):
    read, write = os.pipe()
    os.close(read)
    done = bvf("contexts", "show", "gender-all", "--format", "json", stdout=write)
    os.close(write)
    assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.parametrize(
    "locale", [{"PYTHONIOENCODING": "latin-1"}, {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}], ids=str
)
def test_a_chinese_run_ends_well_whatever_the_encoding(bvf, locale):
    shown = bvf("topics", "show", "gender", "--lang", "zh", variables=locale)
    assert (shown.returncode, shown.stderr) == (0, b"")
    done = bvf(*CHINESE, variables=locale)
    assert (done.returncode, done.stderr) == (0, b"")
    groups = json.loads(bvf(*CHINESE, "--format", "json", variables=locale).stdout)["groups"]
    assert all(ord(char) > 0x3000 for group in groups for char in group["group"])
    wrong = bvf("run", "--topic", "性别", variables=locale)
    assert (wrong.returncode, b"Traceback" in wrong.stderr) == (2, False)
