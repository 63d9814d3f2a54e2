"""What the Ray engine costs beyond its start: ``build/ray/bin/python benchmarks/ray/overhead.py [CONTEXTS [ROUNDS]]``.

The bundled causal model with a tolerance of 0.001: one worker of one thread against this process with one thread, in
turn. 834 contexts of 120 groups are 100,080 prompts. Two figures, both from the first finished shard to the last: the
sum of each shard's shortest time in all rounds; and the processor time of this process and its children, Ray's own
included, which other programs on the machine change little.
"""

import os

os.environ |= {"OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1"}

import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import psutil

import bvf
from bvf.measuring.run import Progress

ENGINES: dict[str, dict[str, object]] = {
    "local": {"engine": "local"},
    "ray": {"engine": "ray", "engine_options": {"workers": 1}},
}


@dataclass
class Measured:
    """A run: its prompts, the seconds to its first shard and of every other one, and processor seconds."""

    prompts: int
    start: float
    shards: np.ndarray
    processor: float
    files: list[str]


def main() -> None:
    contexts, rounds = (int(given) for given in [*sys.argv[1:], "834", "2"][:2])
    measurements: dict[str, list[Measured]] = {name: [] for name in ENGINES}
    with tempfile.TemporaryDirectory() as scratch:
        for number in range(rounds):
            for name, engine in ENGINES.items():
                one = measured(Path(scratch) / f"{name}-{number}", contexts, engine)
                measurements[name].append(one)
                print(
                    f"{name}: {one.prompts:,} prompts; first shard after {one.start:.1f} s, "
                    f"the others {one.shards.sum():.1f} s, {one.processor:.1f} s of a processor",
                    flush=True,
                )
    if len({tuple(one.files) for each in measurements.values() for one in each}) > 1:
        raise SystemExit("not the same bits")
    for what, cost in (
        ("time", lambda runs: np.min([one.shards for one in runs], axis=0).sum()),
        ("processor time", lambda runs: min(one.processor for one in runs)),
    ):
        local, ray = (cost(measurements[name]) for name in ENGINES)
        print(f"{what}: local {local:.2f} s, ray {ray:.2f} s: {ray / local - 1:+.1%}")


def measured(folder: Path, contexts: int, engine: dict[str, object]) -> Measured:
    """Measure once."""
    stamps: list[float] = []
    used: list[float] = []
    totals: list[int] = []

    def on_progress(now: Progress) -> None:
        totals.append(now.total)
        if now.done:
            stamps.append(time.perf_counter())
        if now.done and (len(stamps) == 1 or now.done == now.total):
            used.append(processor_seconds())

    began = time.perf_counter()
    choices = {"contexts": "gender-all", "sample_contexts": 0, "limit_contexts": contexts, "tolerance": 1e-3}
    bvf.measure(bvf.MeasureConfig(out=str(folder), **choices, **engine), on_progress=on_progress)
    files = sorted(file.name for file in folder.glob("probabilities/*.parquet"))
    return Measured(totals[-1], stamps[0] - began, np.diff(stamps), used[-1] - used[0], files)


def processor_seconds() -> float:
    """Return the processor seconds of this process and its children."""
    this = psutil.Process()
    times = [process.cpu_times() for process in (this, *this.children(recursive=True))]
    return sum(each.user + each.system for each in times)


if __name__ == "__main__":
    main()
