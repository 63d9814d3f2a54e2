"""BBQ's answers on the bundled model, by bvf and by lm-evaluation-harness: ``python benchmarks/factors/bbq.py``.

The items are those of ``../shared/data/bbq`` in one category whose texts fit the model's 128 positions. Both programs
score the same pairs of a text and an answer in one run. PEERS names the Python of the other's environment, which
``make bench`` makes. Writes ``docs/evidence/factors/bbq.json``.
"""

import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import torch

from bvf.interfaces.benchmark import Item

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT.parent / "shared" / "data" / "bbq" / "data"
MODEL = ROOT / "languages" / "en" / "bvf_en" / "models" / "en-causal"
OUT = ROOT / "docs" / "evidence" / "factors" / "bbq.json"
PEERS = os.environ.get("PEERS", str(ROOT / "build" / "peers" / "bin" / "python"))
CATEGORY, ITEMS, POSITIONS, REPEATS, THREADS = "Age", 400, 110, 3, 2


def main() -> None:
    from bvf_factors.benchmarks.scoring import scores_of
    from transformers import AutoTokenizer

    from bvf import MeasureConfig
    from bvf.asking.model import choose_model
    from bvf.hooks.loader import load
    from bvf.measuring.topics import find_topic

    torch.set_num_threads(THREADS)
    plugins = load()
    benchmark = plugins.benchmarks.make("bbq")
    tokenizer = AutoTokenizer.from_pretrained(MODEL)
    every = [item for item in benchmark.items(DATA / f"{CATEGORY}.jsonl") if item.values["condition"] == "ambiguous"]
    fitting = [item for item in every if len(tokenizer(item.left).input_ids) <= POSITIONS][:ITEMS]
    topic = find_topic("gender", plugins, plugins.languages.find("en").make())
    backend = choose_model(MeasureConfig(model="bundled:en-causal"), topic, plugins).load()
    scores_of(backend, fitting[:8], benchmark.asks, "sum", "en")
    seconds = []
    for _ in range(REPEATS):
        began = time.perf_counter()
        ours = scores_of(backend, fitting, benchmark.asks, "sum", "en")
        seconds.append(time.perf_counter() - began)
    theirs = other([(item.left.rstrip(" "), _as_written(item)) for item in fitting])
    apart = max(_apart(a, b) for a, b in zip(ours, theirs["logp"], strict=True))
    same = float(np.mean([np.argmax(a) == np.argmax(b) for a, b in zip(ours, theirs["logp"], strict=True)]))
    facts = {
        "category": CATEGORY,
        "items": len(fitting),
        "of": len(every),
        "seconds": {"bvf": round(min(seconds), 2), "lm-evaluation-harness": round(theirs["seconds"], 2)},
        "ratio": round(theirs["seconds"] / min(seconds), 2),
        "largest difference of log p between answers": apart,
        "same answer on top": same,
        "machine": f"{platform.machine()}, {THREADS} threads",
        "date": datetime.now(UTC).date().isoformat(),
    }
    text = json.dumps(facts, indent=1) + "\n"
    OUT.write_text(text, encoding="utf-8")
    sys.stdout.write(text)


def _as_written(item: Item) -> list[str]:
    """The answers of an item, with a space before them unless they begin a line."""
    return [choice if item.left[-1].isspace() else f" {choice}" for choice in item.choices]


def _apart(ours: Sequence[float], theirs: Sequence[float]) -> float:
    """Largest difference of log p, without the log p of the line's end, which the harness adds to all answers."""
    return float(np.ptp(np.subtract(ours, theirs)))


def other(pairs: list[tuple[str, list[str]]]) -> dict[str, object]:
    """Return seconds and log p of the harness for texts with their answers."""
    task = {"folder": str(MODEL), "threads": THREADS, "pairs": pairs, "repeats": REPEATS}
    program = [PEERS, str(Path(__file__).with_name("bbq_peer.py"))]
    done = subprocess.run(program, input=json.dumps(task), capture_output=True, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


if __name__ == "__main__":
    main()
