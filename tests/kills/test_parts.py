"""Sixteen parts as real processes that begin in one moment, some of them killed: byte for byte what one run gives."""

import os
import random
import signal
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

from helpers.contents import bytes_in
from helpers.warm import warm_bvf

from bvf.files.folder import TEMPORARY

PARTS, KILLED, TWICE = 16, 5, 2
HANGS = 300
OPTIONS = ["--model", "toy:hash", "--contexts", "c.csv", "--words", "male=he", "--words", "female=she", "-q"]
CONTEXTS = "template,count\n" + "".join(f"In {year} the [X] said that [Y],{year}\n" for year in range(1900, 1960))


class Parts:
    """Commands that score parts, below one folder."""

    def __init__(self, folder, environment, toy):
        self.folder, self.environment, self.toy = folder, environment, toy
        (folder / "c.csv").write_text(CONTEXTS)

    def start(self, *arguments, seconds="0"):
        """Start ``bvf``; the file of this name will say under which number it runs."""
        number = len(list(self.folder.glob("*.pid")))
        file = self.folder / f"{number}.pid"
        file.touch()
        environment = {**self.environment, "TOY_SECONDS": seconds, "TOY_PID": str(file)}
        process = subprocess.Popen(
            [*warm_bvf(), *arguments],
            cwd=self.folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        return process, file

    def part(self, number, **how):
        return self.start("run", "--plugin", self.toy, *OPTIONS, "--out", "parts", "--part", f"{number}/{PARTS}", **how)

    def stored(self):
        return {file.name for file in self.folder.glob("parts/probabilities/*.parquet")}


def contents(folder):
    """Everything but who asked when, analyses made before all was asked, and what a killed process had begun."""
    found = bytes_in(folder, "invocations", "analyses")
    return {name: content for name, content in found.items() if not name.endswith(TEMPORARY)}


def kill(pid_file):
    """End a process that scores, without a chance to say anything."""
    deadline = time.monotonic() + HANGS
    while not (pid := pid_file.read_text()):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    time.sleep(random.random())
    with suppress(ProcessLookupError):
        os.kill(int(pid), signal.SIGKILL)


def test_sixteen_parts_of_which_five_are_killed_give_the_bytes_of_one_run(tmp_path, environment, toy):
    rng, parts = random.Random(16), Parts(tmp_path, environment, toy)
    whole, _ = parts.start("run", "--plugin", toy, *OPTIONS, "--out", "whole")
    order = rng.sample(range(1, PARTS + 1), PARTS)
    killed = set(order[:KILLED])
    begun = {number: parts.part(number, seconds="0.6" if number in killed else "0") for number in order}
    with ThreadPoolExecutor(KILLED) as pool:
        list(pool.map(kill, [begun[number][1] for number in killed]))
    for number, (process, _) in begun.items():
        out, err = process.communicate(timeout=HANGS)
        assert (process.returncode == 0) == (number not in killed), err
        assert number in killed or "of 48 are there" in out
    before = parts.stored()
    refused, _ = parts.start("merge", "parts")
    _, err = refused.communicate(timeout=HANGS)
    assert refused.returncode == 2
    assert err.startswith(f"error: parts: {48 - len(before)} of 48 shards are missing, parts ")
    again = [parts.part(number) for number in [*killed, *list(killed)[:TWICE]]]  # some twice at the same time
    for process, _ in again:
        _, err = process.communicate(timeout=HANGS)
        assert process.returncode == 0, err
    assert before < parts.stored()
    merged, _ = parts.start("merge", "parts")
    _, err = merged.communicate(timeout=HANGS)
    assert merged.returncode == 0, err
    asking_neutral, _ = parts.start("run", "--plugin", toy, *OPTIONS, "--out", "parts")
    shown, err = asking_neutral.communicate(timeout=HANGS)
    assert asking_neutral.returncode == 0, err
    assert shown.replace("--details parts", "--details whole") == whole.communicate(timeout=HANGS)[0]
    assert contents(tmp_path / "parts") == contents(tmp_path / "whole")
