"""How long commands take to start, beside the imports that they cannot do without: ``python benchmarks/start/run.py``.

All are started in turn, several times, so that a busy machine slows them alike; each figure is a median. On a machine
that others use too, processor seconds say more than the clock.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROUNDS = 9
LIBRARIES = ("-c", "import typer, pydantic, rich")
TORCH = ("-c", "import torch, transformers")
MODEL = ("-c", "import torch; from transformers import GPT2LMHeadModel, AutoTokenizer")
FEW = ("--limit-groups", "10", "--quiet", "--out")
ONE = ("--limit-contexts", "1", "--limit-groups", "1", "-q", "--out")
COMMANDS = {
    "bvf --help": (("-m", "bvf", "--help"), LIBRARIES),
    "bvf run --help": (("-m", "bvf", "run", "--help"), LIBRARIES),
    "bvf topics": (("-m", "bvf", "topics"), LIBRARIES),
    "a finished run, asked for again": (("-m", "bvf", "run", *FEW, "done"), TORCH),
    "bvf show of it": (("-m", "bvf", "show", "done"), TORCH),
    "a run of one prompt": (("-m", "bvf", "run", *ONE, "NEW"), MODEL),
}


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        seconds_of(("-m", "bvf", "run", *FEW, "done"), folder, "")
        started: dict[tuple[str, ...], list[tuple[float, float]]] = {}
        for number in range(ROUNDS):
            for command in {command for pair in COMMANDS.values() for command in pair}:
                started.setdefault(command, []).append(seconds_of(command, folder, f"new-{number}"))
    for which, kind in enumerate(("processor seconds", "seconds")):
        medians = {command: statistics.median(pair[which] for pair in pairs) for command, pairs in started.items()}
        print(kind)
        for name, (command, imports) in COMMANDS.items():
            ratio = medians[command] / medians[imports]
            print(f"{name:>32} {medians[command]:6.2f} {ratio:5.2f} x  {imports[1]} ({medians[imports]:.2f})")


def seconds_of(arguments: tuple[str, ...], folder: str, new: str) -> tuple[float, float]:
    """Return the processor seconds and the seconds of a Python with these arguments; it may keep compiled modules."""
    given = [new if each == "NEW" else each for each in arguments]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    before, began = os.times(), time.perf_counter()
    subprocess.run([sys.executable, *given], capture_output=True, check=True, cwd=Path(folder), env=environment)
    after, ended = os.times(), time.perf_counter()
    computed = after.children_user + after.children_system - before.children_user - before.children_system
    return computed, ended - began


if __name__ == "__main__":
    main()
