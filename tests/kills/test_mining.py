"""Mining that is killed at any moment: the same result, no process left, and nothing mined twice that was stored."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest
from helpers.process_groups import have_ended

TOY_MINER = str(Path(__file__).resolve().parents[1] / "data" / "toy_miner.py")
VERBS = ("said", "wrote", "knew", "swore")
PIECES, PER_PIECE, LENGTH = 24, 2, 50_000
SECONDS_FOR_ORPHANS = 10


class Mining:
    """A mining by two workers in a folder of its own, and a log of the documents that were mined."""

    def __init__(self, folder, environment):
        self.folder, self.environment = folder, environment
        rows = [
            {"id": f"d{n}", "text": f"The nurse {VERBS[n % 4]} that she left. {'again ' * (LENGTH // 6)}."}
            for n in range(PIECES * PER_PIECE)
        ]
        (folder / "c.jsonl").write_text("\n".join(map(json.dumps, rows)))

    def start(self, out, log, seconds):
        command = ["mine", "c.jsonl", "-o", out, "--matches", f"{out}.jsonl", "--plugin", TOY_MINER, "--workers", "2"]
        with (self.folder / "stderr").open("w") as stderr:
            return subprocess.Popen(
                [sys.executable, "-m", "bvf", *command, "-q"],
                cwd=self.folder,
                env={**self.environment, "TOY_COUNT": str(self.folder / log), "TOY_SECONDS": str(seconds)},
                stdout=subprocess.DEVNULL,
                stderr=stderr,
                start_new_session=True,
            )

    def finish(self, out, log):
        process = self.start(out, log, 0)
        assert process.wait(timeout=120) == 0, (self.folder / "stderr").read_text()

    def mined(self, log):
        """Documents that a worker began to mine; a line that was cut off by a kill counts for none."""
        file = self.folder / log
        return [line.split() for line in file.read_text().splitlines()] if file.exists() else []

    def stored(self, out):
        """Documents whose findings are kept."""
        documents = set()
        for file in self.folder.glob(f"{out}.part/*"):
            with suppress(FileNotFoundError):  # mining has just ended, and taken it away
                if "." in file.name:
                    continue
                documents |= {json.loads(line)["document"] for line in file.read_text().splitlines()[1:-1]}
        return documents

    def outputs(self, out):
        """Set, record, and matches in any order; None if one of them is not there yet."""
        files = [self.folder / name for name in (out, out.replace(".csv", ".mining.json"), f"{out}.jsonl")]
        return [sorted(file.read_text().splitlines()) for file in files] if all(f.exists() for f in files) else None


def kill(process, how):
    process.send_signal(how)
    process.wait(timeout=60)
    ended = have_ended(process.pid, SECONDS_FOR_ORPHANS)
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    assert ended


def wait_for_a_moment(mining, process, rng):
    """Until a number of pieces are stored that was drawn, and a little longer."""
    already = len(mining.stored("killed.csv"))
    goal = already + PER_PIECE * rng.choice([0, 0, 1, 1, 2, 3])
    deadline = time.monotonic() + 60
    while goal and len(mining.stored("killed.csv")) < goal and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.01)
    time.sleep(rng.random() * rng.choice([0.02, 0.2, 4]))


@pytest.mark.parametrize("kills", [3, pytest.param(50, marks=pytest.mark.long)])
def test_mining_that_is_killed_again_and_again_ends_with_the_same(tmp_path, environment, kills):
    rng = random.Random(kills)
    mining = Mining(tmp_path, environment)
    mining.finish("whole.csv", "log")
    for number in range(kills):
        stored = mining.stored("killed.csv")
        process = mining.start("killed.csv", f"log{number}", 0.1)
        wait_for_a_moment(mining, process, rng)
        kill(process, rng.choice([signal.SIGKILL, signal.SIGTERM]))
        again = {document for documents in mining.mined(f"log{number}") for document in documents}
        assert not again & stored
        if mining.outputs("killed.csv"):
            assert mining.outputs("killed.csv") == mining.outputs("whole.csv")
            (tmp_path / "killed.csv").unlink()
    mining.finish("killed.csv", "last")
    assert mining.outputs("killed.csv") == mining.outputs("whole.csv")
    assert not (tmp_path / "killed.csv.part").exists()
