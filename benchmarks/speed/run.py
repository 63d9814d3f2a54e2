"""How fast scoring is: ``make bench``, or ``python benchmarks/speed/run.py [W1 W4 ...]``.

All figures of a row are of one process run on the same prompts, words and weights, with two threads. Other programs are
measured with the Python that PEERS names; none without it. Writes docs/evidence/performance.md and
docs/evidence/performance.
"""

import gc
import json
import os
import platform
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import torch
from draw import draw
from limit import limits_of
from peers import answered
from plain_loop import Plain
from workloads import ROOT, Workload, workloads

from bvf.arrays import FloatArray
from bvf.builtin.engines.processes import Processes
from bvf.domain.prompt import Prompt
from bvf.interfaces.tolerance import Tolerance
from bvf.measuring.scoring import scoring_of
from bvf.stats.figures.probabilities import class_probabilities

THREADS = 2
TOLERANCES = (1e-3, 5e-3)
OUT = ROOT / "docs/evidence/performance"
PAGE = ROOT / "docs/evidence/performance.md"
MARKERS = ("<!-- speed -->", "<!-- /speed -->")
PEERS = os.environ.get("PEERS", "")
PROMPTS = {"W1": 6000, "W2": 500, "W3": 1500, "W4": 6000, "W5": 120}
PLAIN_PROMPTS = {"W1": 600, "W2": 8, "W3": 600, "W4": 24, "W5": 3}
PEER_PROMPTS = {
    "W2": {"lm-evaluation-harness": 24, "minicons": 6},
    "W4": {"lm-evaluation-harness": 96, "minicons": 24},
}
WITHIN_PROMPTS = 20_000
SHARDS = 4
REPEATS = 3


@dataclass
class Share:
    """The share of a limit that was reached: by whose products, at how many operations per second."""

    products: str
    gflops: float
    share: float


@dataclass
class Within:
    """Prompts per second with a tolerance, the bound that was reached, and the difference from exact probabilities.

    The limits are of the questions that were asked.
    """

    tolerance: float
    bvf: float
    host_share: float
    bound: float
    difference: float
    limits: list[Share] = field(default_factory=list)


@dataclass
class Together:
    """Prompts per second by one process per thread, of one thread each."""

    tolerance: float
    bvf: float

    @property
    def options(self) -> str:
        """The options of ``bvf run`` for it."""
        return f"{f'--tolerance {self.tolerance:g} ' if self.tolerance else ''}--engine processes:{THREADS}"


@dataclass
class Row:
    """The figures of a workload; rates are prompts per second."""

    workload: str
    summary: str
    words: int
    bvf: float = 0.0
    plain: float = 0.0
    others: dict[str, float] = field(default_factory=dict)
    limits: list[Share] = field(default_factory=list)
    host_share: float | None = None
    within: list[Within] = field(default_factory=list)
    together: list[Together] = field(default_factory=list)
    difference: float = 0.0


def main() -> None:
    torch.set_num_threads(THREADS)
    with tempfile.TemporaryDirectory() as scratch:
        rows = [measured(workload, Path(scratch)) for workload in workloads(sys.argv[1:], Path(scratch))]
    OUT.mkdir(exist_ok=True)
    record = {"date": date.today().isoformat(), "machine": machine(), "rows": [asdict(row) for row in rows]}
    (OUT / "speed.json").write_text(json.dumps(record, indent=1) + "\n")
    table = f"{record['machine']}, {record['date']}.\n\n{table_of(rows)}"
    before, begin, rest = PAGE.read_text(encoding="utf-8").partition(MARKERS[0])
    _, end, after = rest.partition(MARKERS[1])
    PAGE.write_text(f"{before}{begin}\n\n{table}\n\n{end}{after}", encoding="utf-8")
    draw(rows, OUT / "speed.svg")
    print(table)


def measured(workload: Workload, scratch: Path) -> Row:
    """Measure one workload: bvf and the plain loop in turn, then the others."""
    backend: Any = workload.backend()
    row = Row(workload.name, workload.summary, len(workload.words))
    prompts = workload.prompts(PROMPTS[workload.name])
    few = spread(prompts, PLAIN_PROMPTS[workload.name])
    plain = Plain(workload)
    loop = plain.first_pieces if all(len(plain.pieces(word)) == 1 for word in workload.words) else plain.whole_words
    backend.word_logprobs(few[:2], workload.words, absolute=False)
    clock = ComputeClock(backend)
    gc.freeze()  # as where shards are scored
    for _ in range(REPEATS):
        seconds, _ = timed(lambda: backend.word_logprobs(prompts, workload.words, absolute=False))
        if len(prompts) / seconds > row.bvf:
            row.bvf, row.host_share = len(prompts) / seconds, 1.0 - clock.taken() / seconds
        clock.reset()
        seconds, expected = timed(lambda: loop(few, workload.words))
        row.plain = max(row.plain, len(few) / seconds)
    row.limits = shares_of_limits(workload, backend, prompts, row.bvf)
    exact = probabilities(workload, backend.word_logprobs(few, workload.words, absolute=False))
    row.difference = float(np.abs(exact - probabilities(workload, expected)).max())
    if workload.name == "W4":
        row.within = [within(workload, backend, clock, tolerance) for tolerance in TOLERANCES]
        row.together = [together(workload, tolerance, scratch) for tolerance in (0.0, *TOLERANCES)]
    for name, number in PEER_PROMPTS.get(workload.name, {}).items() if PEERS else ():
        row.others[name] = peer(name, workload, backend, spread(prompts, number))
    print(row, flush=True)
    return row


def within(workload: Workload, backend: Any, clock: "ComputeClock", tolerance: float) -> Within:
    """Measure bvf with a tolerance, on more prompts."""
    prompts = workload.prompts(WITHIN_PROMPTS)
    groups = np.unique([prompt.group for prompt in prompts], return_inverse=True)[1]
    allowed = Tolerance(tolerance, groups, np.ones(len(prompts)))
    best, host_share = 0.0, 0.0
    for _ in range(REPEATS):
        clock.reset()
        seconds, answers = timed(lambda: backend.answers(prompts, workload.words, workload.class_of_word, allowed))
        if len(prompts) / seconds > best:
            best, host_share = len(prompts) / seconds, 1.0 - clock.taken() / seconds
    limits = shares_of_limits(workload, backend, prompts, best, clock.questions)
    exact = backend.word_logprobs(prompts[:2000], workload.words, absolute=False)
    difference = np.abs(probabilities(workload, exact) - probabilities(workload, answers.logp[:2000])).max()
    return Within(tolerance, best, host_share, float(answers.bounds.max()), float(difference), limits)


def shares_of_limits(
    workload: Workload, backend: Any, prompts: list[Prompt], rate: float, questions: int | None = None
) -> list[Share]:
    """Return the shares of the limits that a rate of prompts per second is."""
    limits = limits_of(backend.model, workload.kind, backend.cutter.cut(prompts, workload.words), questions)
    return [Share(limit.products, limit.rate, rate * limit.seconds / len(prompts)) for limit in limits]


def together(workload: Workload, tolerance: float, scratch: Path) -> Together:
    """Measure bvf in processes, once all of them work; shards are those of a run, and stored."""
    config = workload.plan.config.model_copy(update={"tolerance": tolerance})
    plan = replace(workload.plan, config=config)
    folder = scratch / f"shards-{tolerance:g}"
    folder.mkdir()
    work = scoring_of(plan, folder, workload.name, keeps_words=False, backend=None)
    every = plan.questions.shards()
    shards = every[len(every) // 2 :][: 2 * THREADS + REPEATS * SHARDS]
    came = [time.perf_counter() for _ in Processes(str(THREADS)).map(shards, work)]
    fastest = min(late - early for early, late in pairwise(came[2 * THREADS - 1 :: SHARDS]))
    return Together(tolerance, SHARDS * (shards[0].stop - shards[0].start) / fastest)


def peer(name: str, workload: Workload, backend: Any, prompts: list[Prompt]) -> float:
    """Return the prompts per second of another program; print how far its probabilities are from those of bvf."""
    questions = {"lefts": [prompt.left for prompt in prompts], "words": workload.words}
    seconds, logp = answered(PEERS, name, {"folder": str(workload.folder), **questions, "threads": THREADS})
    ours = probabilities(workload, backend.word_logprobs(prompts, workload.words, absolute=False))
    difference = np.abs(ours - probabilities(workload, np.array(logp))).max()
    print(f"{workload.name} {name}: class probabilities differ by {difference:.1g}")
    return len(prompts) / seconds


class ComputeClock:
    """The seconds of the model and its head, and the number of states that the head scored; the host does the rest."""

    def __init__(self, backend: Any) -> None:
        self.reset()
        backend.model.forward = self._wrapped(backend.model.forward)
        head = getattr(backend.readout, "head", None)
        if head is not None:
            head.logits = self._wrapped(head.logits)
            head.log_softmax_at = self._wrapped(self._counted(head.log_softmax_at))

    def reset(self) -> None:
        """Set both to 0."""
        self._seconds = 0.0
        self.questions = 0

    def taken(self) -> float:
        """Return the seconds since the last reset."""
        return self._seconds

    def _counted(self, log_softmax_at: Callable[..., Any]) -> Callable[..., Any]:
        def counting(states: torch.Tensor, *args: Any) -> Any:
            self.questions += len(states)
            return log_softmax_at(states, *args)

        return counting

    def _wrapped(self, compute: Callable[..., Any]) -> Callable[..., Any]:
        def timed_compute(*args: Any, **options: Any) -> Any:
            began = time.perf_counter()
            answer = compute(*args, **options)
            self._seconds += time.perf_counter() - began
            return answer

        return timed_compute


def probabilities(workload: Workload, logp: FloatArray) -> FloatArray:
    """Return p(y | x, c), shape (P, Y)."""
    return class_probabilities(logp, workload.class_of_word, len(workload.plan.questions.classes))


def spread(prompts: list[Prompt], number: int) -> list[Prompt]:
    """Return ``number`` of the prompts, evenly spread."""
    return prompts[:: max(1, len(prompts) // number)][:number]


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """Return the seconds and the answer."""
    began = time.perf_counter()
    answer = work()
    return time.perf_counter() - began, answer


def machine() -> str:
    """Return one line on the machine; names of processors may not say which they are."""
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text().splitlines() if cpuinfo.exists() else []
    facts = {name.strip(): fact.strip() for name, _, fact in (line.partition(":") for line in lines)}
    name = facts.get("model name", platform.processor())
    kind = f" (family {facts['cpu family']}, model {facts['model']})" if "cpu family" in facts else ""
    return f"{name}{kind}, {THREADS} threads, float32, torch {torch.__version__}"


def table_of(rows: list[Row]) -> str:
    """Return the rows as two Markdown tables: prompts per second, and their shares of the limits."""
    others = list(dict.fromkeys(name for row in rows for name in row.others))
    products = list(dict.fromkeys(limit.products for row in rows for limit in row.limits))
    speeds = [["prompts a second", "bvf", "plain loop", *others]]
    shares = [["", "words", *(f"of {name}'s limit" for name in products), "host", "difference"]]
    for row in rows:
        alone = [(f"{row.workload}: {row.summary}", row, f"{row.difference:.1g}")]
        alone += [
            (
                f"{row.workload} with `--tolerance {loose.tolerance:g}`",
                loose,
                f"{loose.difference:.1g} (bound {loose.bound:.1g})",
            )
            for loose in row.within
        ]
        for name, each, difference in alone:
            limits = of_limits(each.limits, products)
            shares.append([name, str(row.words), *limits, f"{each.host_share:.2f}", difference])
        rates = [(name, each.bvf) for name, each, _ in alone]
        rates += [(f"{row.workload} with `{each.options}`", each.bvf) for each in row.together]
        speeds += [[name, f"{rate:.4g}", *compared(rate, row, others)] for name, rate in rates]
    return f"{markdown(speeds)}\n\n{markdown(shares)}"


def of_limits(limits: list[Share], products: list[str]) -> list[str]:
    """Return the share of each limit; empty for products without one."""
    known = {limit.products: f"{limit.share:.2f} of {limit.gflops:.0f} GFLOP/s" for limit in limits}
    return [known.get(each, "") for each in products]


def compared(rate: float, row: Row, others: list[str]) -> list[str]:
    """Return the speeds of the plain loop and other programs, and how many times as fast bvf is."""
    rates = [row.plain, *(row.others.get(name) for name in others)]
    return [f"{other:.3g} ({rate / other:.3g} ×)" if other else "" for other in rates]


def markdown(lines: list[list[str]]) -> str:
    """Return lines of cells as a Markdown table."""
    written = [f"| {' | '.join(line)} |" for line in lines]
    return "\n".join([written[0], "|---" * len(lines[0]) + "|", *written[1:]])


if __name__ == "__main__":
    main()
