"""How fast scoring is: ``make bench``, or ``python -m benchmarks speed.run [W1 W4 ...]``.

All figures of a row are of one process run on the same prompts, words and weights, with two threads. Other programs are
measured with the Python that PEERS names; none without it. Writes docs/evidence/performance.md and
docs/evidence/performance.
"""

import gc
import os
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import torch

from benchmarks.pages import PAGES, Record, drawing, keep, kept, machine, markdown, put
from benchmarks.speed.limit import shares_of_limits
from benchmarks.speed.peers import answered
from benchmarks.speed.plain_loop import Plain
from benchmarks.speed.timing import clock, fastest, timed
from benchmarks.speed.workloads import Workload, pairs_of, spread, workloads
from bvf.builtin.engines.processes import Processes
from bvf.files.folder import Folder
from bvf.files.shard_files import Rows
from bvf.interfaces.backend import Tolerance
from bvf.measuring.questions import blocks_of
from bvf.measuring.scoring import scoring_of

THREADS = 2
TOLERANCES = (1e-3, 5e-3)
OUT = PAGES / "performance"
PEERS = os.environ.get("PEERS", "")
PROMPTS = {"W1": 6000, "W2": 500, "W3": 1500, "W4": 6000, "W5": 120}
PLAIN_PROMPTS = {"W1": 600, "W2": 8, "W3": 600, "W4": 24, "W5": 3}
PEER_PROMPTS = {"W2": {"lm-evaluation-harness": 24, "minicons": 6}, "W4": {"lm-evaluation-harness": 96, "minicons": 24}}
WITHIN_PROMPTS = 20_000
SHARDS = 4
REPEATS = 3


def main(*names: str) -> None:
    torch.set_num_threads(THREADS)
    with tempfile.TemporaryDirectory() as scratch:
        rows = [measured(workload, Path(scratch)) for workload in workloads(names, Path(scratch))]
    on = machine(f"{THREADS} threads", "float32", f"torch {torch.__version__}")
    keep(OUT / "speed.json", {"date": f"{date.today()}", "machine": on, "workloads": rows})
    figures = kept(OUT / "speed.json")
    put("performance.md", "speed", page(figures))
    draw(figures["workloads"], OUT / "speed.svg")


def measured(workload: Workload, scratch: Path) -> Record:
    """Measure one workload in prompts per second: bvf and the plain loop in turn, then the others."""
    backend: Any = workload.backend()
    prompts = workload.prompts(PROMPTS[workload.name])
    few = spread(prompts, PLAIN_PROMPTS[workload.name])
    plain = Plain.read(workload.folder, workload.kind)
    loop = plain.first_tokens if all(len(plain.tokens(word)) == 1 for word in workload.words) else plain.whole_words
    exactly = partial(backend.word_logprobs, words=workload.words, absolute=False)
    exactly(few[:2])
    compute = ComputeClock(backend)
    gc.freeze()  # as where shards are scored
    both = [(compute.run(lambda: exactly(prompts)), timed(lambda: loop(few, workload.words))) for _ in range(REPEATS)]
    (seconds, host, _, _), (of_loop, by_loop) = map(fastest, zip(*both, strict=True))
    exact = workload.p(exactly(few))
    alone = {
        "options": "",
        "bvf": len(prompts) / seconds,
        "host": host,
        "limits": shares_of_limits(workload, backend, prompts, seconds),
        "difference": float(np.abs(exact - workload.p(by_loop)).max()),
    }
    of_bvf = [alone, *more_of_bvf(workload, backend, compute, scratch)] if workload.name == "W4" else [alone]
    others = {name: spread(prompts, number) for name, number in PEER_PROMPTS.get(workload.name, {}).items() if PEERS}
    row = {
        "workload": workload.name,
        "summary": workload.summary,
        "words": len(workload.words),
        "bvf": of_bvf,
        "plain": len(few) / of_loop,
        "others": {
            name: len(some) / answered(PEERS, name, workload.folder, pairs_of(some, workload.words))[0]
            for name, some in others.items()
        },
    }
    print(row, flush=True)
    return row


def more_of_bvf(workload: Workload, backend: Any, compute: "ComputeClock", scratch: Path) -> Iterator[Record]:
    """Measure bvf with tolerances, on more prompts, and by one process per thread."""
    prompts = workload.prompts(WITHIN_PROMPTS)
    groups = np.unique([prompt.group for prompt in prompts], return_inverse=True)[1]
    for tolerance in TOLERANCES:
        allowed = Tolerance(tolerance, groups, np.ones(len(prompts)))
        work = partial(backend.answers, prompts, workload.words, workload.class_of_word, allowed)
        seconds, host, questions, answers = fastest([compute.run(work) for _ in range(REPEATS)])
        exact = backend.word_logprobs(prompts[:2000], workload.words, absolute=False)
        apart = np.abs(workload.p(exact) - workload.p(answers.logp[:2000])).max()
        yield {
            "options": f"--tolerance {tolerance:g}",
            "bvf": len(prompts) / seconds,
            "host": host,
            "limits": shares_of_limits(workload, backend, prompts, seconds, questions),
            "difference": float(apart),
            "bound": float(answers.bounds.max()),
        }
    for tolerance in (0.0, *TOLERANCES):
        option = f"--tolerance {tolerance:g} " if tolerance else ""
        rate = rate_of_processes(workload, tolerance, scratch)
        yield {"options": f"{option}--engine processes:{THREADS}", "bvf": rate}


def rate_of_processes(workload: Workload, tolerance: float, scratch: Path) -> float:
    """Measure bvf in processes, once all of them work; shards are those of a run, and stored."""
    plan = replace(workload.plan, config=workload.plan.config.model_copy(update={"tolerance": tolerance}))
    columns = Rows.names_of(plan.asked.classes)
    work = scoring_of(plan, Folder(scratch).sub(f"shards-{tolerance:g}"), workload.name, columns, backend=None)
    every = blocks_of(plan.questions.shards(), on_accelerator=False)
    blocks = every[len(every) // 2 :][: 2 * THREADS + REPEATS * SHARDS]
    came = [time.perf_counter() for _ in Processes(str(THREADS)).map(blocks, work)]
    seconds = min(late - early for early, late in pairwise(came[2 * THREADS - 1 :: SHARDS]))
    return SHARDS * sum(blocks[0].sizes) / seconds


class ComputeClock:
    """The seconds of the model and its head, and the number of states that the head scored; the host does the rest."""

    def __init__(self, backend: Any) -> None:
        self._seconds, self._questions = 0.0, 0
        head = getattr(backend.readout, "head", None)
        for owner, name in ((backend.model, "forward"), (head, "logits"), (head, "log_softmax_at")):
            if owner is not None:
                setattr(owner, name, self._wrapped(getattr(owner, name), counts=name == "log_softmax_at"))

    def run(self, work: Callable[[], Any]) -> tuple[float, float, int, Any]:
        """Return the seconds of a call, the share of the host, the number of questions, and the answer."""
        self._seconds, self._questions = 0.0, 0
        seconds, answer = timed(work)
        return seconds, 1.0 - self._seconds / seconds, self._questions, answer

    def _wrapped(self, compute: Callable[..., Any], *, counts: bool) -> Callable[..., Any]:
        def timed_compute(*args: Any, **options: Any) -> Any:
            self._questions += len(args[0]) if counts else 0
            began = clock()
            answer = compute(*args, **options)
            self._seconds += clock() - began
            return answer

        return timed_compute


def page(figures: Record) -> str:
    """Return the machine and two tables: prompts per second, and their shares of the limits."""
    rows = figures["workloads"]
    others = list(dict.fromkeys(name for row in rows for name in row["others"]))
    products = list(dict.fromkeys(name for row in rows for run in row["bvf"] for name in run.get("limits", {})))
    speeds = [["prompts a second", "bvf", "plain loop", *others]]
    shares = [["", "words", *(f"of {name}'s limit" for name in products), "host", "difference"]]
    for row in rows:
        rates = [row["plain"], *(row["others"].get(name) for name in others)]
        for run in row["bvf"]:
            title = f" with `{run['options']}`" if run["options"] else f": {row['summary']}"
            name = f"{row['workload']}{title}"
            compared = [
                f"{rate:.3g} ({run['bvf'] / rate:.3g} ×)" if rate and not run["options"] else "" for rate in rates
            ]
            speeds.append([name, f"{run['bvf']:.4g}", *compared])
            if "host" in run:
                bound = f" (bound {run['bound']:.1g})" if "bound" in run else ""
                known = {name: f"{share:.2f}" for name, (_, share) in run["limits"].items()}
                of_limits = [known.get(product, "") for product in products]
                difference = f"{run['difference']:.1g}{bound}"
                shares.append([name, str(row["words"]), *of_limits, f"{run['host']:.2f}", difference])
    return f"{figures['machine']}, {figures['date']}.\n\n{markdown(speeds)}\n\n{markdown(shares)}"


def draw(rows: Sequence[Record], file: Path) -> None:
    """Draw prompts a second of every program and workload, on a logarithmic scale."""
    bars: list[tuple[str, str, float]] = []
    for row in rows:
        rates = [(f"bvf {run['options']}".rstrip(), run["bvf"]) for run in row["bvf"]]
        rates += [("plain loop", row["plain"]), *row["others"].items()]
        bars += [(row["workload"], name, rate) for name, rate in rates]
    with drawing(file, figsize=(7, 0.28 * len(bars) + 2)) as (figure, axes):
        colours = {name: f"C{at}" for at, name in enumerate(dict.fromkeys(name for _, name, _ in bars))}
        for y, (_, name, rate) in enumerate(bars):
            axes.barh(-y, rate, color=colours[name], label=name if name not in [bar[1] for bar in bars[:y]] else "")
            axes.text(rate * 1.1, -y, f"{rate:,.0f}" if rate >= 100 else f"{rate:.3g}", va="center", fontsize=8)
        axes.set_yticks([-y for y in range(len(bars))], [workload for workload, _, _ in bars])
        axes.set_xscale("log")
        axes.set_xlim(right=5 * max(rate for _, _, rate in bars))
        axes.set_xlabel("prompts a second")
        figure.legend(loc="outside lower center", ncols=2, fontsize=8)
        axes.spines[["top", "right"]].set_visible(False)
