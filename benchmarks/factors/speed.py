"""How long the analyses of a table of a million rows take: ``python -m benchmarks factors.speed``.

Writes ``docs/evidence/factors/speed.json``. Each analysis runs in a process of its own, whose peak memory is reported.
"""

from datetime import date
from functools import partial

import numpy as np
from bvf_factors.covering import coverage
from bvf_factors.rates.spread import spread
from bvf_factors.rates.subgroups import subgroups
from bvf_factors.reading.table import FactorColumn, Table
from bvf_factors.regressing.importance import importance

from benchmarks.pages import PAGES, keep, machine
from benchmarks.speed.timing import in_a_process, timed

ROWS, CLUSTERS = 1_000_000, 500
SIZES = (30, 20, 12, 8, 6, 4, 3, 2)
ANALYSES = {
    "subgroups": partial(subgroups, order=2),
    "coverage": coverage,
    "spread": partial(spread, order=2),
    "importance": importance,
}


def table() -> Table:
    generator = np.random.default_rng(0)
    factors = tuple(
        FactorColumn(f"f{number}", tuple(f"v{level}" for level in range(size)), 0, codes)
        for number, size in enumerate(SIZES)
        for codes in [generator.integers(0, size, ROWS)]
    )
    outcome = (generator.random(ROWS) < 0.2).astype(np.float64)
    return Table("random", factors, {}, outcome, False, generator.integers(0, CLUSTERS, ROWS), "t")


def measured(analysis: str) -> dict[str, float]:
    """Seconds of one analysis, and the largest memory of its process in MiB."""
    rows = table()
    taken, _ = timed(lambda: ANALYSES[analysis](rows))
    return {"seconds": round(taken.seconds, 2), "MiB": round(taken.peak * 1e6 / 1024)}


def main() -> None:
    figures = {analysis: in_a_process(measured, analysis) for analysis in ANALYSES}
    print(figures)
    facts = {"date": f"{date.today()}", "machine": machine("one thread"), "rows": ROWS, "levels": SIZES}
    keep(PAGES / "factors/speed.json", {**facts, "clusters": CLUSTERS, "analyses": figures})
