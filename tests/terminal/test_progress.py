"""What a run says while it is at work, where stderr is no terminal."""

import io
import re
import subprocess
import sys

import pytest
from rich.console import Console
from rich.text import Text

from bvf.measuring.stages import LOADING, SCORING
from bvf.terminal import progress

SLOW = """
import time
import numpy as np
from bvf import Backend, Capabilities, Provider, hookimpl
from bvf.terminal import progress
from bvf.interfaces.backend import ModelDescription

progress.SECONDS_TO_FIRST_LINE, progress.SECONDS_BETWEEN_LINES = 0.2, 0.3


class Slow(Backend):
    capabilities = Capabilities(reads_right=False)

    def __init__(self, request):
        time.sleep(0.7)

    def score(self, prompts, words, *, absolute):
        time.sleep(0.3 if len(prompts) < 100 else 0.5)
        return np.array([[-4.0 - len(str(prompt)) / 99 - len(word) for word in words] for prompt in prompts])


def described(request):
    time.sleep(0.5)
    return ModelDescription(Slow.capabilities)


@hookimpl
def bvf_backends():
    return [Provider("slow", Slow, "takes its time", describe=described)]
"""


@pytest.fixture
def lines(tmp_path, environment):
    (tmp_path / "slow.py").write_text(SLOW)
    command = [sys.executable, "-m", "bvf", "run", "--plugin", "./slow.py", "--model", "slow:ly", "--format", "csv"]
    command += ["--openings", "none", "--limit-contexts", "6"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, env=environment, check=True)
    return done.stderr.splitlines()


def test_a_log_says_what_is_done_before_the_first_prompt_and_how_fast_it_goes_after_it(lines):
    stages = [line.partition(": ")[2] for line in lines if line.startswith("slow:ly")]
    assert re.fullmatch(r"reading the model's files, after \d+ s", stages[0])
    for said in (
        "loading the weights",
        "checking some answers: part 1 of 3, 8 prompts together",
        "checking some answers: part 2 of 3, 2 prompts alone",
        r"checking some answers: part 3 of 3, the candidate mass in \d+ prompts",
        "0 of 714 prompts, the first are being scored",
    ):
        assert any(re.fullmatch(rf"{said}, after \d+ s", stage) for stage in stages), stages
    rates = [re.fullmatch(r"([\d,]+) of 714 prompts, [\d,.]+ prompts/s, [\d,.]+ min left", stage) for stage in stages]
    done = [int(each[1].replace(",", "")) for each in rates if each]
    assert done == sorted(done)
    assert done[0] > 0
    assert not [line for line in lines if "inf" in line or " 0 prompts/s" in line or " 0.0 prompts/s" in line]


@pytest.fixture
def clock(monkeypatch):
    """A list whose only item is the time."""
    now = [0.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    return now


def test_a_speed_counts_what_was_done_since_the_scoring_began(clock):
    """100 prompts of a study in 10 s, then 20 of its control in 4 s: 5 per second."""
    run = progress._Run("toy", "prompts", 0.0)
    for seconds, done, total, stage in ((0, 0, 100, SCORING), (10, 100, 100, SCORING), (10, 100, 140, LOADING)):
        clock[0] = seconds
        run.report(done, total, 0, stage)
    clock[0] = 30.0
    run.report(100, 140, 0, SCORING)
    clock[0] = 34.0
    run.report(120, 140, 0, SCORING)
    assert run.line() == "toy: 120 of 140 prompts, 5.0 prompts/s, 0.1 min left"


def test_a_later_command_of_one_process_counts_its_own_time(command, monkeypatch):
    real, late = progress.time.monotonic, [0.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: real() + late[0])
    assert command("run", "--model", "./no-such-folder").err.startswith("error: ")
    late[0] = 1000.0
    assert command("run", "--model", "./no-such-folder").err.startswith("error: ")


def test_the_time_that_is_left_does_not_depend_on_when_a_line_is_printed(clock):
    """Shards of 128 prompts take 100 s each: 90 s after the first of ten, 810 s are left."""
    run = progress._Run("m", "prompts", 0.0)
    run.report(0, 1280, 0, SCORING)
    clock[0] = 100.0
    run.report(128, 1280, 0, SCORING)
    for now, left in ((100.0, "15.0"), (190.0, "13.5"), (1200.0, "0.0")):
        clock[0] = now
        assert run.line() == f"m: 128 of 1,280 prompts, 1.3 prompts/s, {left} min left"
    clock[0] = 12.0
    all_there = progress._Run("m", "prompts", 0.0)
    all_there.report(1280, 1280, 1280, SCORING)
    assert all_there.line() == "m: 1,280 of 1,280 prompts, after 12 s"


def test_a_bar_says_how_long_slow_shards_take(clock, monkeypatch):
    """Ten shards of 128 prompts take 100 s each: rich's own column, which looks back 30 s, would stay empty."""
    monkeypatch.setattr(progress, "is_terminal", lambda stream: True)
    shown = io.StringIO()
    monkeypatch.setattr(progress, "HarmlessConsole", lambda **_: Console(file=shown, force_terminal=True, width=120))
    with progress.progress_bar("m", quiet=False) as report:
        report(0, 1280, 0, SCORING)
        for shard in (1, 2):
            clock[0] = 100.0 * shard
            report(128 * shard, 1280, 0, SCORING)
        clock[0] = 230.0
    assert "256/1,280, 1.3 prompts/s 0:12:50 left" in Text.from_ansi(shown.getvalue()).plain.replace("\x1b", "")
