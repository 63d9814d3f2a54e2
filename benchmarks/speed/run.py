"""How fast scoring is: ``make bench``, or ``python -m benchmarks speed.run [W1 W4 ...]``.

All figures of a row are of one process run on the same prompts, words and weights, with two threads. Other programs are
measured with the Python that PEERS names; none without it. Writes docs/evidence/performance.md and its raw figures.
"""

import gc
import os
import tempfile
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch

from benchmarks.pages import PAGES, Record, keep, kept, machine, markdown, put
from benchmarks.speed.limit import shares_of_limits
from benchmarks.speed.peers import answered
from benchmarks.speed.plain_loop import Plain
from benchmarks.speed.timing import fastest, timed
from benchmarks.speed.workloads import Workload, pairs_of, spread, workloads

THREADS = 2
OUT = PAGES / "performance"
PEERS = os.environ.get("PEERS", "")
PROMPTS = {"W1": 6000, "W2": 500, "W3": 1500, "W4": 6000, "W5": 120}
PLAIN_PROMPTS = {"W1": 600, "W2": 8, "W3": 600, "W4": 24, "W5": 3}
PEER_PROMPTS = {"W2": {"lm-evaluation-harness": 24}, "W4": {"lm-evaluation-harness": 96}}
REPEATS = 3


def main(*names: str) -> None:
    torch.set_num_threads(THREADS)
    with tempfile.TemporaryDirectory() as scratch:
        rows = [measured(workload) for workload in workloads(names, Path(scratch))]
    on = machine(f"{THREADS} threads", "float32", f"torch {torch.__version__}")
    keep(OUT / "speed.json", {"date": f"{date.today()}", "machine": on, "workloads": rows})
    figures = kept(OUT / "speed.json")
    put("performance.md", "speed", page(figures))


def measured(workload: Workload) -> Record:
    """Measure one workload in prompts per second: bvf and the plain loop in turn, then the others."""
    backend: Any = workload.backend()
    prompts = workload.prompts(PROMPTS[workload.name])
    few = spread(prompts, PLAIN_PROMPTS[workload.name])
    plain = Plain.read(workload.folder, workload.kind)
    loop = plain.first_tokens if all(len(plain.tokens(word)) == 1 for word in workload.words) else plain.whole_words
    exactly = partial(backend.word_logprobs, words=workload.words, absolute=False)
    exactly(few[:2])
    gc.freeze()  # as where shards are scored
    both = [(timed(lambda: exactly(prompts)), timed(lambda: loop(few, workload.words))) for _ in range(REPEATS)]
    (seconds, _), (of_loop, by_loop) = map(fastest, zip(*both, strict=True))
    exact = workload.p(exactly(few))
    others = {name: spread(prompts, number) for name, number in PEER_PROMPTS.get(workload.name, {}).items() if PEERS}
    row = {
        "workload": workload.name,
        "summary": workload.summary,
        "words": len(workload.words),
        "bvf": len(prompts) / seconds,
        "limits": shares_of_limits(workload, backend, prompts, seconds),
        "difference": float(np.abs(exact - workload.p(by_loop)).max()),
        "plain": len(few) / of_loop,
        "others": {
            name: len(some) / answered(PEERS, name, workload.folder, pairs_of(some, workload.words))[0]
            for name, some in others.items()
        },
    }
    print(row, flush=True)
    return row


def page(figures: Record) -> str:
    """Return the machine and two tables: prompts per second, and their shares of the limits."""
    rows = figures["workloads"]
    others = list(dict.fromkeys(name for row in rows for name in row["others"]))
    products = list(dict.fromkeys(name for row in rows for name in row["limits"]))
    speeds = [["prompts per second", "bvf", "plain loop", *others]]
    shares = [["", "words", *(f"of {name}'s limit" for name in products), "difference"]]
    for row in rows:
        name, rates = f"{row['workload']}: {row['summary']}", [row["plain"], *map(row["others"].get, others)]
        beside = [f"{rate:.3g} ({row['bvf'] / rate:.3g} ×)" if rate else "" for rate in rates]
        speeds.append([name, f"{row['bvf']:.4g}", *beside])
        of_limits = [f"{row['limits'][name][1]:.2f}" if name in row["limits"] else "" for name in products]
        shares.append([name, str(row["words"]), *of_limits, f"{row['difference']:.1g}"])
    return f"{figures['machine']}, {figures['date']}.\n\n{markdown(speeds)}\n\n{markdown(shares)}"
