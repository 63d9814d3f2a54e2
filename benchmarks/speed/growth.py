"""Time and memory of whole runs as they grow: ``python benchmarks/speed/growth.py [--short-words] PROMPTS ...``.

The bundled causal model, with tokenising and writing, every size in a process of its own; templates are a seeded sample
of those of the authors of the paper. With --short-words four words of one token are asked instead of all.
"""

import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from workloads import MINED

GROUPS = 119
SHORT = {"male": ("he", "his"), "female": ("she", "her")}


def main() -> None:
    options = [argument for argument in sys.argv[1:] if argument.startswith("--")]
    sizes = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
    if "--one" in options:
        return one(int(sizes[0]), short_words="--short-words" in options)
    print(f"{'prompts':>10} {'seconds':>9} {'prompts/s':>10} {'peak GB':>8}")
    for size in sizes:
        subprocess.run([sys.executable, __file__, "--one", *options, size], check=True)
    return None


def one(size: int, *, short_words: bool) -> None:
    """Measure one run, from the first shard on."""
    import pandas as pd

    import bvf

    templates = pd.read_csv(MINED)
    sampled = templates.sample(min(round(size / GROUPS), len(templates)), random_state=np.random.RandomState(0))
    with tempfile.TemporaryDirectory() as scratch:
        contexts = Path(scratch, "contexts.csv")
        sampled.to_csv(contexts, index=False)
        began: list[float] = []
        result = bvf.run(
            bvf.RunConfig(
                contexts=str(contexts),
                limit_groups=GROUPS,
                words=SHORT if short_words else {},
                tolerance=0.0 if short_words else 1e-3,
                out=str(Path(scratch, "run")),
            ),
            on_progress=lambda _: began.append(time.perf_counter()),
        )
        seconds = time.perf_counter() - began[0]
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(f"{result.prompts:>10,} {seconds:>9.1f} {result.prompts / seconds:>10,.0f} {peak:>8.2f}", flush=True)


if __name__ == "__main__":
    main()
