"""How often intervals of the parts of the lean hold: ``python -m benchmarks coverage.lean_parts [--repetitions N]``.

Writes a table of docs/evidence/coverage.md and its raw figures; see `benchmarks.coverage.frame`.
"""

from collections.abc import Iterator
from functools import partial
from itertools import product

import numpy as np

from benchmarks.coverage.frame import Cell, Simulation, Table, means, number, percent, samples
from benchmarks.coverage.populations import TEMPLATES, Rng, occurrences, of_logits, zipf
from benchmarks.pages import Record
from bvf.arrays import FloatArray
from bvf.stats.sampling.lean_parts import LeanParts

SIZES = (20, 80)
FIGURES = {
    "default": "default",
    "mean association": "association",
    "between groups": "spread_of_groups",
    "between contexts": "spread_of_contexts",
    "rest": "spread_of_rest",
}
GROUPS, CONTEXTS = "between groups", 0.4


def source(groups: int, apart: float, rng: Rng) -> LeanParts:
    """Return every template of a source. ``apart`` is the standard deviation of mean logits over groups."""
    of_context = CONTEXTS * rng.normal(size=TEMPLATES)
    logits = 0.2 + apart * rng.normal(size=(groups, 1)) + of_context + 0.5 * rng.normal(size=(groups, TEMPLATES))
    neutral = of_context + 0.3 * rng.normal(size=TEMPLATES)
    return LeanParts(of_logits(logits), of_logits(neutral), np.full(groups, 1.0 / groups), zipf(TEMPLATES))


def of(parts: LeanParts) -> dict[str, FloatArray]:
    """Return each figure with the ends of its interval, of the first class, shape (3,)."""
    return {name: getattr(parts, field).reshape(3, -1)[:, 0] for name, field in FIGURES.items()}


def measured(groups: int, apart: float, n: int, repetitions: int, rng: Rng) -> Record:
    """How often each interval holds, and the spread between groups on average beside the true one."""
    rows = list[Record]()
    for whole, truth in samples(partial(source, groups, apart), of, repetitions, rng):
        drawn = occurrences(n, rng, whole.context_weights)
        p, neutral = whole.probabilities[:, drawn.templates], whole.neutral[drawn.templates]
        found = of(LeanParts(p, neutral, whole.group_weights, drawn.sample.weights, drawn.sample))
        held = {f"{name} holds": bool(low <= truth[name][0] <= high) for name, (_, low, high) in found.items()}
        rows.append(held | {"found": found[GROUPS][0], "true": truth[GROUPS][0]})
    return means(rows)


def cells() -> Iterator[Cell]:
    for groups, apart, n in product((3, 24, 120), (0.0, 0.1, 0.3, 1.0), SIZES):
        facts = {"groups": groups, "apart": apart, "n": n}
        yield Cell("parts of the lean", facts, partial(measured, groups, apart, n))


HELD = [(f"{name} holds", percent(f"{name} holds")) for name in FIGURES]
OF_GROUPS = [(GROUPS, number("found", ".3f")), ("true", number("true", ".3f"))]
TABLE = Table("parts of the lean", {"groups": "{groups}", "apart": "{apart:g}"}, [*HELD, *OF_GROUPS])
main = Simulation(__doc__, "coverage/lean_parts.json", list(cells()), 400, {"coverage.md": ()}, (TABLE,))
