"""Ctrl-C, SIGTERM and SIGKILL at any moment: how to go on is said, no process is left, and nothing is lost."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from contextlib import suppress

import pytest
from helpers.fixtures import TOY
from helpers.process_groups import have_ended

import bvf

ENGINES = ["local", "processes:2"]
HANGS = 300
"""Seconds after which something hangs, on a machine of any speed."""


@pytest.fixture
def started(tmp_path, toy):
    """Start a run in a group of its own; all of the group is ended after the test."""
    processes = []

    def start(engine="local", *, out="out", seconds="0", group=30, more=(), before=""):
        options = ["--plugin", toy, "--model", "toy:hash", "--contexts", "gender", "--engine", engine]
        options += ["--limit-groups", str(group)]
        code = f"import sys; sys.argv[0] = 'bvf'\n{before}\nfrom bvf.cli import main\nif __name__ == '__main__': main()"
        (tmp_path / "start.py").write_text(code)
        process = subprocess.Popen(
            [sys.executable, str(tmp_path / "start.py"), "run", *options, "--out", out, "--format", "json", *more],
            cwd=tmp_path,
            env={"PATH": "", "TOY_SECONDS": seconds, "TOY_COUNT": f"{tmp_path / out}.count", "OMP_NUM_THREADS": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        processes.append(process)
        return process

    yield start
    for process in processes:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def run_to_the_end(folder):
    """Run in this process what `started` does for 120 groups."""
    return bvf.run(model="toy:hash", plugin=str(TOY), contexts="gender", limit_groups=120, out=str(folder))


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The result of a run that no signal stops."""
    return run_to_the_end(tmp_path_factory.mktemp("whole") / "out")


def names(folder):
    return {file.name for file in shards(folder)}


def wait_for_more(process, folder):
    """Wait until another shard is stored, or the run has ended."""
    before, result = names(folder), folder / "result.json"
    wait_until(lambda: process.poll() is not None or result.exists() or names(folder) > before)


def wait_until(true, process=None):
    deadline = time.monotonic() + HANGS
    while not true():
        assert time.monotonic() < deadline
        assert process is None or process.poll() is None, process.communicate()
        time.sleep(0.02)


def shards(folder):
    return sorted(folder.glob("probabilities/*.parquet"))


@pytest.mark.parametrize(
    ("engine", "number", "code"), [("local", signal.SIGTERM, 143), ("processes:2", signal.SIGINT, 130)]
)
def test_a_signal_says_the_command_that_goes_on(started, tmp_path, engine, number, code):
    process = started(engine, seconds="2", group=120, out="the out")
    wait_until(lambda: shards(tmp_path / "the out"), process)
    process.send_signal(number)  # to the parent alone, as a scheduler does
    out, err = process.communicate(timeout=HANGS)
    assert (process.returncode, out) == (code, "")
    assert have_ended(process.pid, HANGS)
    line = err.splitlines()[-1]
    assert line.startswith("interrupted; what is finished is kept, go on with: bvf run --plugin ")
    assert line.endswith(f"--engine {engine} --limit-groups 120 --out 'the out' --format json")
    assert "Traceback" not in err
    before = len(shards(tmp_path / "the out"))
    assert run_to_the_end(tmp_path / "the out").prompts == 1160
    assert 0 < before < len(shards(tmp_path / "the out"))


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_during_imports_is_no_traceback(started, tmp_path, number, code):
    hook = (
        "class Slow:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'numpy':\n"
        f"            import os, signal; os.kill(os.getpid(), {int(number)})\n"
        "sys.meta_path.insert(0, Slow())\n"
    )
    process = started(before=hook)
    _, err = process.communicate(timeout=HANGS)
    assert process.returncode == code
    assert err.startswith("interrupted; what is finished is kept, go on with: bvf run ")
    assert len(err.splitlines()) == 1


def test_a_signal_that_is_ignored_stays_ignored(started):
    process = started(before="import os, signal; signal.signal(2, signal.SIG_IGN); os.kill(os.getpid(), 2)")
    out, err = process.communicate(timeout=HANGS)
    assert process.returncode == 0, err
    assert json.loads(out)["prompts"] == 300


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("kills", [2, pytest.param(50, marks=pytest.mark.long)])
def test_kills_at_random_moments_change_nothing(started, whole, tmp_path, engine, kills):
    draw = random.Random(kills)
    for kill in range(1, kills + 1):
        process = started(engine, out="cut", seconds="0.3", group=120)
        stored = names(tmp_path / "cut")
        for _ in range(kill % 3):
            wait_for_more(process, tmp_path / "cut")
        time.sleep(draw.uniform(0, 0.3))
        drawn = draw.choice([signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
        process.send_signal(drawn if kill > 1 else signal.SIGKILL)
        process.communicate(timeout=HANGS)
        assert have_ended(process.pid, HANGS)
        assert stored <= names(tmp_path / "cut")
        if (tmp_path / "cut" / "result.json").exists():
            for file in [*shards(tmp_path / "cut")[1:], tmp_path / "cut" / "result.json"]:
                file.unlink()
    (tmp_path / "cut.count").unlink(missing_ok=True)
    missing = names(whole.folder) - names(tmp_path / "cut")
    full = [name for name in missing if not name.startswith("00009")]  # the last shard is shorter
    resumed = json.loads(started(engine, out="cut", group=120).communicate(timeout=HANGS)[0])
    expected = whole.model_dump(mode="json", by_alias=True)
    assert {**resumed, "notes": []} == {**expected, "notes": []}
    assert resumed["notes"] == expected["notes"] or engine != "local"
    assert [file.name for file in shards(tmp_path / "cut")] == [file.name for file in shards(whole.folder)]
    count = tmp_path / "cut.count"  # not there where the last kill came when all was scored
    scored = [int(line) for line in count.read_text().split()] if count.exists() else []
    assert scored.count(128) == len(full)
