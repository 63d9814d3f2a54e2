"""What prints the result of a stored run takes the options of output that `bvf run` has."""

import os
import shutil

import pytest


@pytest.mark.parametrize("name", ["analyse", "merge", "show"])
def test_a_command_on_a_folder_may_be_quiet_as_a_run_is(name, result, command):
    printed, quiet = command(name, result.folder), command(name, result.folder, "-q")
    assert (quiet.code, quiet.out, quiet.err) == (0, printed.out, "")


def test_show_without_a_folder_takes_the_newest_in_runs(result, command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    refused = command("show")
    assert (refused.code, refused.out) == (2, "")
    assert refused.err.startswith("error: no DIR is given, and no finished run is in runs\n")
    for age, name in enumerate(("b", "a", "c")):
        shutil.copytree(result.folder, tmp_path / "runs" / name)
        os.utime(tmp_path / "runs" / name / "result.json", (2_000_000_000 - age,) * 2)
    assert command("show").out == command("show", "runs/b").out
    assert "bvf show --details runs/b" in command("show").out
