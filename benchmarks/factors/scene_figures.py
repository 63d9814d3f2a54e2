"""Measures the scenes of a benchmark of factors one after the other, and writes their figures to a file of the docs."""

import argparse
import json
import platform
import time
from collections.abc import Callable, Iterable, Mapping
from datetime import date
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import scipy
import statsmodels

Record = dict[str, Any]
S = TypeVar("S")


def measure_scenes(
    description: str | None,
    scenes: Iterable[S],
    measured: Callable[[S, int, int], Record],
    out: Path,
    *,
    repetitions: int,
    **facts: object,
) -> None:
    """Measure every scene as the command line says, and write the figures to ``out`` after each of them.

    Args:
        description: What ``--help`` says of the benchmark.
        scenes: The scenes.
        measured: Returns the figures of a scene for a number of repetitions and a seed.
        out: The JSON file, whose folder is made if need be.
        repetitions: The number of repetitions by default.
        facts: What the file says besides date, machine and scenes.
    """
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--repetitions", type=int, default=repetitions)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    records = []
    out.parent.mkdir(exist_ok=True)
    for scene in scenes:
        began = time.perf_counter()
        records.append(measured(scene, options.repetitions, options.seed))
        print(f"{time.perf_counter() - began:.0f} s", json.dumps(records[-1]), flush=True)
        written = {"date": date.today().isoformat(), "machine": machine(), **facts, "scenes": records}
        out.write_text(json.dumps(written, indent=1) + "\n", encoding="utf-8")


def percent(counts: Mapping[str, float], repetitions: int) -> dict[str, float]:
    """Return counts in percent of the repetitions."""
    return {name: round(100.0 * count / repetitions, 2) for name, count in counts.items()}


def machine() -> str:
    """Return one line on the machine and the libraries."""
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text().splitlines() if cpuinfo.exists() else []
    facts = {name.strip(): fact.strip() for name, _, fact in (line.partition(":") for line in lines)}
    name = facts.get("model name", platform.processor())
    kind = f" (family {facts['cpu family']}, model {facts['model']})" if "cpu family" in facts else ""
    versions = f"numpy {np.__version__}, scipy {scipy.__version__}, statsmodels {statsmodels.__version__}"
    return f"{name}{kind}, one thread, {versions}"
