"""How long the analyses of a table of a million rows take: ``python benchmarks/factors/speed.py``.

Writes ``docs/evidence/factors/speed.json``. Each analysis runs in a process of its own, whose peak memory is reported.
"""

import json
import platform
import resource
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from bvf_factors.reading.table import Table

ROOT = Path(__file__).resolve().parents[2]
OUT = ROOT / "docs" / "evidence" / "factors" / "speed.json"
ROWS, CLUSTERS = 1_000_000, 500
SIZES = (30, 20, 12, 8, 6, 4, 3, 2)
ANALYSES = ("subgroups", "coverage", "spread", "importance")


def table() -> "Table":
    """A table of eight factors with 85 levels, filled at random."""
    from bvf_factors.reading.table import FactorColumn, Table

    generator = np.random.default_rng(0)
    factors = tuple(
        FactorColumn(f"f{number}", "domain", tuple(f"v{level}" for level in range(size)), 0, codes)
        for number, size in enumerate(SIZES)
        for codes in [generator.integers(0, size, ROWS)]
    )
    outcome = (generator.random(ROWS) < 0.2).astype(np.float64)
    return Table("random", factors, {}, outcome, False, generator.integers(0, CLUSTERS, ROWS), "t")


def measured(analysis: str) -> dict[str, float]:
    """Seconds of one analysis, and the largest memory of its process in MiB."""
    from bvf_factors.covering.coverage import coverage
    from bvf_factors.rates.spread import spread
    from bvf_factors.rates.subgroups import subgroups
    from bvf_factors.regressing.importance import importance

    work = {
        "subgroups": lambda rows: subgroups(rows, 2),
        "coverage": coverage,
        "spread": lambda rows: spread(rows, 2),
        "importance": importance,
    }[analysis]
    rows = table()
    start = time.perf_counter()
    work(rows)
    seconds = time.perf_counter() - start
    return {"seconds": round(seconds, 2), "MiB": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)}


def main() -> None:
    """Measure all analyses, and write the figures."""
    if len(sys.argv) > 1:
        print(json.dumps(measured(sys.argv[1])))
        return
    analyses = {}
    for analysis in ANALYSES:
        done = subprocess.run([sys.executable, __file__, analysis], check=True, capture_output=True, text=True)
        analyses[analysis] = json.loads(done.stdout)
        print(analysis, analyses[analysis])
    facts = {
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "machine": platform.processor() or platform.machine(),
        "rows": ROWS,
        "levels": SIZES,
        "clusters": CLUSTERS,
        "analyses": analyses,
    }
    OUT.write_text(json.dumps(facts, indent=1) + "\n")


if __name__ == "__main__":
    main()
