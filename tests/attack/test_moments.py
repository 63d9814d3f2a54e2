"""Each command that writes, killed before each of its writes; and, under strace, each file that it opens."""

import os
import random
import re
import shutil
import signal
import subprocess
import sys
from contextlib import chdir
from pathlib import Path

import pytest
from helpers.contents import bytes_in
from helpers.fixtures import TOY
from helpers.watched import ENVIRONMENT, ROOT

import bvf

MINER = TOY.with_name("toy_miner.py")
SET = "template,count,verb\n" + "".join(f"In {year} the [X] said that [Y],{year},said\n" for year in range(1900, 1930))
KILLED_BY = 256 - signal.SIGKILL
CORPUS = "The nurse said that she left.\n" * 5
GIVEN = f"--model toy:hash --limit-groups 5 --contexts set.csv --plugin {TOY} --quiet --out".split()
COMMANDS = {
    "run": ("run", *GIVEN, "new"),
    "prior": ("run", *GIVEN, "run", "--reference", "prior"),
    "part": ("run", *GIVEN, "parts", "--part", "1/2"),
    "merge": ("merge", "parts"),
    "analyse": ("analyse", "run", "--criterion", "lk:2", "--save-as", "squares"),
    "report": ("report", "run", "--light", "-o", "page.html"),
    "site": ("report", "run", "other", "--site", "site", "--light"),
    "frame": ("contexts", "frame", "set.csv", "--by", "year=1990,2030", "-o", "framed.csv"),
    "merge of sets": ("contexts", "merge", "set.csv", "other.csv", "-o", "all.csv"),
    "placebo": ("contexts", "placebo", "set.csv", "-o", "placebo.csv"),
    "export of a set": ("contexts", "export", "set.csv", "--licence", "CC0-1.0", "-o", "cited", "--force"),
    "export": ("export", "run", "other", "--to", "datasets", "-o", "data", "--force"),
    "plot": ("plot", "run", "--kind", "lean", "-o", "figure.png"),
    "mine": ("mine", "corpus.txt", "-o", "mined.csv", "--matches", "m.jsonl", "--plugin", str(MINER), "--workers", "1"),
}
READING = ("show --details run", "verify run", "compare run other", "explain run", "contexts show set.csv")
READERS = {command: command.split() for command in READING}
CHANGING = r"O_WRONLY|O_RDWR|O_CREAT| (rename|unlink|mkdir|rmdir|link|symlink|truncate|chmod|utime)\w*\("
SYSTEM = ("/usr/", "/lib", "/etc/", "/proc/", "/sys/", "/dev/", "/var/cache/", sys.base_prefix, str(ROOT), *ENVIRONMENT)
KILLED = """
import os, signal, sys
from bvf.cli import main
CHANGES = {"os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.link", "os.symlink", "os.truncate", "os.utime"}
done = 0
def before(event, arguments):
    global done
    if event in CHANGES or event == "open" and (arguments[2] or 0) & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
        done += 1
        if done == last:
            os.kill(os.getpid(), signal.SIGKILL)
sys.addaudithook(before)
try:
    main()
finally:
    print(done, file=sys.stderr)
"""


@pytest.fixture(scope="module")
def right(tmp_path_factory):
    """What the commands read: texts, sets, two runs, and a run of which both parts are scored."""
    values = {"contexts": "set.csv", "plugin": (str(TOY),), "limit_groups": 5}
    with chdir(folder := tmp_path_factory.mktemp("right")):
        for name, text in {"set.csv": SET, "other.csv": SET.replace("In", "By"), "corpus.txt": CORPUS}.items():
            Path(name).write_text(text)
        for model, out in (("hash", "run"), ("alike", "other")):
            bvf.run(**values, model=f"toy:{model}", out=out)
        for part in ("1/2", "2/2"):
            bvf.run_part(**values, model="toy:hash", out="parts", part=part)
    return folder


@pytest.mark.parametrize("kills", [1, pytest.param(100, marks=pytest.mark.long)])
@pytest.mark.parametrize("called", COMMANDS)
def test_a_kill_before_any_write_changes_nothing(process, right, tmp_path, called, kills):
    def fresh():
        shutil.rmtree(tmp_path / "here", ignore_errors=True)
        shutil.copytree(right, tmp_path / "here")

    def run(last=0):
        """Run the command, killed before this write; 0: not at all. Return its exit code, and what it says."""
        script = f"import sys\nsys.argv, last = {['bvf', *COMMANDS[called]]}, {last}\n{KILLED}"
        done = process("-c", script, cwd=tmp_path / "here", variables={"SOURCE_DATE_EPOCH": "0"})
        return done.returncode, done.stderr

    fresh()
    code, said = run()
    whole, writes = bytes_in(tmp_path, "invocations"), int(said.split()[-1])
    assert code == 0
    for last in random.Random(called).sample(range(1, writes + 1), min(kills, writes)):
        fresh()
        assert run(last)[0] == KILLED_BY, last
        for half in tmp_path.rglob("*.tmp"):
            os.utime(half, (0, 0))  # long ago, so that it is not of a process that still writes
        assert (run()[0], bytes_in(tmp_path, "invocations")) == (0, whole), last


@pytest.mark.long
@pytest.mark.parametrize("called", [*COMMANDS, *READERS])
def test_no_file_from_elsewhere_is_opened_and_nothing_connects(environment, right, tmp_path, called):
    strace = ["strace", "-f", "-y", "--seccomp-bpf", "-o", tmp_path / "calls", "-e", "trace=file,connect"]
    if not shutil.which("strace") or subprocess.run([*strace, "true"], check=False).returncode:
        pytest.skip("strace is not there, or may not watch processes")
    here = shutil.copytree(right, tmp_path / "here")
    command = [sys.executable, "-m", "bvf", *{**COMMANDS, **READERS}[called]]
    usual = {**environment, "PYTHONDONTWRITEBYTECODE": "1"}
    subprocess.run([*strace, *command], cwd=here, env=usual, check=True, capture_output=True, timeout=600)
    calls = [call for call in (tmp_path / "calls").read_text().splitlines() if " = -1 " not in call]
    around = {str(folder) for folder in here.parents}
    own = (str(tmp_path.resolve()), "/dev/null")
    assert [call for call in calls if "sa_family=AF_INET" in call] == []
    opened = {path for call in calls for path in re.findall(r" = \d+<(/[^>]*)>$", call)}
    assert any(path.startswith(f"{here.resolve()}/") for path in opened)
    assert {path for path in opened - around if not path.startswith((*own, *SYSTEM))} == set()
    changing = [call for call in calls if re.search(CHANGING, call)]
    touched = {path for call in changing for path in re.findall(r'[<"](/[^>"]*)[>"]', call)}
    assert {path for path in touched if not path.startswith(own)} == set()
