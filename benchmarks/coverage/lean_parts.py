"""How often intervals of the parts of the lean hold: ``python -m benchmarks coverage.lean_parts [--repetitions N]``.

Writes a table of docs/evidence/coverage.md and its raw figures; see `benchmarks.coverage.frame`.
"""

from functools import partial

import numpy as np

from benchmarks.coverage.frame import Rows, Simulation, cells, samples
from benchmarks.coverage.populations import TEMPLATES, Rng, occurrences, of_logits, zipf
from bvf.arrays import FloatArray
from bvf.stats.sampling.lean_parts import LeanParts

FIGURES = {
    "default": "default",
    "mean association": "association",
    "between groups": "spread_of_groups",
    "between contexts": "spread_of_contexts",
    "rest": "spread_of_rest",
}
CONTEXTS = 0.4


def source(groups: int, apart: float, rng: Rng) -> LeanParts:
    """Return every template of a source. ``apart`` is the standard deviation of mean logits over groups."""
    of_context = CONTEXTS * rng.normal(size=TEMPLATES)
    logits = 0.2 + apart * rng.normal(size=(groups, 1)) + of_context + 0.5 * rng.normal(size=(groups, TEMPLATES))
    neutral = of_context + 0.3 * rng.normal(size=TEMPLATES)
    return LeanParts(of_logits(logits), of_logits(neutral), np.full(groups, 1.0 / groups), zipf(TEMPLATES))


def ends_of(parts: LeanParts) -> dict[str, FloatArray]:
    """Return each figure with the ends of its interval, of the first class, shape (3,)."""
    return {name: getattr(parts, field).reshape(3, -1)[:, 0] for name, field in FIGURES.items()}


def measured(groups: int, apart: float, n: int, repetitions: int, rng: Rng) -> Rows:
    """How often each interval holds."""
    for whole, truth in samples(partial(source, groups, apart), ends_of, repetitions, rng):
        drawn = occurrences(n, rng, whole.context_weights)
        p, neutral = whole.probabilities[:, drawn.templates], whole.neutral[drawn.templates]
        found = ends_of(LeanParts(p, neutral, whole.group_weights, drawn.sample.weights, drawn.sample))
        yield {f"{name} holds": bool(low <= truth[name][0] <= high) for name, (_, low, high) in found.items()}


CELLS = cells("parts of the lean", measured, {"groups": (3, 24, 120), "apart": (0.0, 0.1, 0.3, 1.0), "n": (20, 80)})
main = Simulation(__doc__, "coverage/lean_parts.json", list(CELLS), 400, {"coverage.md": ()})
