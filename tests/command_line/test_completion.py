"""What a shell is told that completes a command line, as processes."""

import shlex
import shutil
import subprocess
import sys

import pytest
from helpers.warm import warm_bvf

BASH = shutil.which("bash")


@pytest.fixture
def bvf(tmp_path, environment):
    """Run ``bvf`` and return the finished process; a program ``bvf`` is on the path for shells."""
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "bvf").write_text(f'#!/bin/sh\nexec {shlex.join(warm_bvf())} "$@"\n')
    (programs / "bvf").chmod(0o755)
    environment["PATH"] = f"{programs}:{environment['PATH']}"

    def call(*arguments, command=("bvf",), **more):
        return subprocess.run(
            [*command, *arguments],
            cwd=tmp_path,
            env={**environment, **more},
            capture_output=True,
            text=True,
            timeout=600,
            executable=shutil.which(command[0], path=environment["PATH"]),
        )

    return call


def test_fish_asks_for_the_exit_code_whether_there_is_something_to_say(bvf):
    def code(line):
        asked = bvf(_BVF_COMPLETE="complete_fish", _TYPER_COMPLETE_FISH_ACTION="is-args", _TYPER_COMPLETE_ARGS=line)
        assert (asked.stdout, asked.stderr) == ("", "")
        return asked.returncode

    assert code("bvf ru") == 0
    assert code("bvf run nothing-begins-so") == 1


@pytest.mark.skipif(BASH is None, reason="there is no bash")
def test_bash_completes_after_the_script_that_it_is_shown(bvf):
    ask = "COMP_WORDS=(bvf run --limit-g); COMP_CWORD=2; _bvf_completion bvf; echo ${COMPREPLY[@]}"
    script = bvf(_BVF_COMPLETE="source_bash").stdout
    asked = bvf("-c", f"{script}\n{ask}", command=("bash",))
    assert asked.stdout == "--limit-groups\n", asked.stderr


@pytest.mark.skipif(BASH is None, reason="there is no bash")
def test_completion_is_installed_where_bash_reads_it(bvf, tmp_path):
    (tmp_path / ".bashrc").write_text("# mine\n")
    starts = f"{shlex.quote(sys.executable)} -m bvf"
    asked = bvf("-c", f"{starts} --show-completion; {starts} --install-completion; echo $?", command=("bash",))
    assert asked.stderr == ""
    script, installed = asked.stdout.split("complete -o default -F _bvf_completion bvf\n")
    assert installed.splitlines()[-1] == "0"
    begun = (tmp_path / ".bashrc").read_text()
    assert begun.startswith("# mine\n")
    (file,) = tmp_path.glob(".bash_completions/*")
    assert str(file) in begun
    assert file.read_text().startswith(script.strip())
    (tmp_path / "file").touch()
    refused = bvf("-c", f"{starts} --install-completion; exit $?", command=("bash",), HOME=str(tmp_path / "file"))
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr.startswith("error: completion cannot be installed: ")
