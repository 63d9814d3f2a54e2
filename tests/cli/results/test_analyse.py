"""What prints the result of a stored run takes the options of output that `bvf run` has."""

import os
import shutil

import pytest


@pytest.mark.parametrize("name", ["analyse", "merge", "show"])
def test_a_command_on_a_folder_may_be_quiet_as_a_run_is(name, result, command):
    printed, quiet = command(name, result.folder), command(name, result.folder, "-q")
    assert (quiet.code, quiet.out, quiet.err) == (0, printed.out, "")


@pytest.mark.parametrize("name", ["show", "analyse", "verify", "explain", "plan"])
def test_without_a_folder_a_command_takes_the_newest_in_runs_and_says_so(
    name, result, command, refused, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    line, hint = refused(name).splitlines()
    assert line == "error: no DIR is given, and no finished run is in runs"
    assert hint.endswith(f"bvf {name} DIR")
    for age, each in enumerate(("b", "a", "c")):
        shutil.copytree(result.folder, tmp_path / "runs" / each)
        os.utime(tmp_path / "runs" / each / "result.json", (2_000_000_000 - age,) * 2)
    newest, named = command(name), command(name, "runs/b")
    assert (newest.code, newest.out) == (named.code, named.out)
    assert newest.err == f"runs/b: the newest run\n{named.err}"
    assert "Missing argument" in command("gate", "--max", "R=1").err  # another run must not pass for one that failed
