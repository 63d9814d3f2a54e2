"""BBQ's answers on the bundled model, by bvf and by lm-evaluation-harness: ``python -m benchmarks factors.bbq``.

The items are those of ``../shared/data/bbq`` in one category whose texts fit the model's 128 positions. Both programs
score the same pairs of a text and an answer in one run. PEERS names the Python of the other's environment, which
``make bench`` makes. Writes ``docs/evidence/factors/bbq.json``.
"""

import os
from datetime import date

import numpy as np
import torch
from bvf_factors.benchmarks.scoring import scores_of
from transformers import AutoTokenizer

from benchmarks.pages import PAGES, ROOT, keep, machine
from benchmarks.speed.peers import answered
from benchmarks.speed.timing import fastest, timed
from bvf import MeasureConfig
from bvf.hooks.loader import load
from bvf.measuring.plan import plan_of

DATA = ROOT.parent / "shared" / "data" / "bbq" / "data"
MODEL = ROOT / "languages" / "en" / "bvf_en" / "models" / "en-causal"
PEERS = os.environ.get("PEERS", str(ROOT / "build" / "peers" / "bin" / "python"))
CATEGORY, ITEMS, POSITIONS, REPEATS, THREADS = "Age", 400, 110, 3, 2


def main() -> None:
    torch.set_num_threads(THREADS)
    plugins = load()
    benchmark = plugins.benchmarks.make("bbq")
    tokenizer = AutoTokenizer.from_pretrained(MODEL)
    every = [item for item in benchmark.items(DATA / f"{CATEGORY}.jsonl") if item.values["condition"] == "ambiguous"]
    fitting = [item for item in every if len(tokenizer(item.left).input_ids) <= POSITIONS][:ITEMS]
    backend = plan_of(MeasureConfig(model="bundled:en-causal"), plugins).model.load()
    scores_of(backend, fitting[:8], benchmark.asks, "sum", "en")
    runs = [timed(lambda: scores_of(backend, fitting, benchmark.asks, "sum", "en")) for _ in range(REPEATS)]
    seconds, ours = fastest(runs)
    pairs = [  # with a space before an answer unless it begins a line
        (item.left.rstrip(" "), [f"{'' if item.left[-1].isspace() else ' '}{choice}" for choice in item.choices])
        for item in fitting
    ]
    others, theirs = answered(PEERS, "lm-evaluation-harness", MODEL, pairs, options={"add_bos_token": True})
    both = list(zip(ours, theirs, strict=True))
    figures = {
        "category": CATEGORY,
        "items": len(fitting),
        "of": len(every),
        "seconds": {"bvf": round(seconds, 2), "lm-evaluation-harness": round(others, 2)},
        # Without the log p of the line's end, which the harness adds to all answers.
        "largest difference of log p between answers": max(float(np.ptp(np.subtract(a, b))) for a, b in both),
        "same answer on top": float(np.mean([np.argmax(a) == np.argmax(b) for a, b in both])),
        "machine": machine(f"{THREADS} threads"),
        "date": f"{date.today()}",
    }
    keep(PAGES / "factors/bbq.json", figures)
    print(figures)
