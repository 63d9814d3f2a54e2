"""How often intervals hold the truth: ``python benchmarks/coverage/run.py [SCENE ...] [--repetitions N]``.

Scenes are intervals, rare, documents, nulls, power, bootstrap, draws, nulls of draws, certain, one side and
heavy tails; all if none is named. Measured cells are kept in build/coverage, and are not measured again with as
many repetitions. Writes raw figures and the plot to docs/evidence/coverage, and the tables of docs/evidence/coverage.md
and of comparisons in docs/evidence/decisions.md.
"""

import argparse
import json
import platform
import re
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path

import design_tables
import numpy as np
import scipy
import tables
from designs import design_cells
from draw import draw
from scenes import Cell, Record, cells

ROOT = Path(__file__).resolve().parents[2]
KEPT = ROOT / "build/coverage"
PAGES = ROOT / "docs/evidence"
OUT = PAGES / "coverage"
REPETITIONS = 300
Table = Callable[[list[Record]], str]
DIGITS = re.compile(r"(\.\d{6})\d+(?![\de])")


def main() -> None:
    every = [*cells(), *design_cells()]
    known = list(dict.fromkeys(cell.scene for cell in every))
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scenes", nargs="*", metavar="SCENE")
    parser.add_argument("--repetitions", type=int, default=REPETITIONS)
    asked = parser.parse_args()
    if unknown := set(asked.scenes) - set(known):
        parser.error(f"there is no scene {min(unknown)}; they are {', '.join(known)}")
    for scene in asked.scenes or known:
        measure(scene, [cell for cell in every if cell.scene == scene], asked.repetitions)
    write({scene: list(kept(scene).values()) for scene in known})


def measure(scene: str, wanted: list[Cell], repetitions: int) -> None:
    """Measure the cells of a scene that are not kept, and keep each at once."""
    records = kept(scene)
    for number, cell in enumerate(wanted, 1):
        if records.get(cell.name, {}).get("asked", 0) >= repetitions:
            continue
        began = time.perf_counter()
        records[cell.name] = {
            "asked": repetitions,
            "on": f"{machine()}, {date.today().isoformat()}",
            **cell.measured(repetitions),
        }
        keep(scene, records)
        print(f"{scene} {number}/{len(wanted)} {cell.name}: {time.perf_counter() - began:.1f} s", flush=True)


def kept(scene: str) -> dict[str, Record]:
    """Return the kept records of a scene."""
    file = KEPT / f"{scene}.json"
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}


def keep(scene: str, records: dict[str, Record]) -> None:
    """Write the records of a scene; a run that ends in the middle leaves the file as it was."""
    KEPT.mkdir(parents=True, exist_ok=True)
    whole = KEPT / f"{scene}.json.part"
    whole.write_text(json.dumps(records, indent=1) + "\n", encoding="utf-8")
    whole.replace(KEPT / f"{scene}.json")


def write(records: dict[str, list[Record]]) -> None:
    """Write the tables, the plot and the raw figures."""
    OUT.mkdir(exist_ok=True)
    written = json.dumps(records, separators=(",", ":")).replace("},{", "},\n{")
    (OUT / "coverage.json").write_text(DIGITS.sub(r"\1", written) + "\n", encoding="utf-8")
    put("coverage.md", "coverage", records, tables.COVERAGE | design_tables.COVERAGE)
    put("decisions.md", "comparisons", records, tables.COMPARISONS | design_tables.COMPARISONS)
    draw(records, OUT / "coverage.svg")


def put(file: str, name: str, records: dict[str, list[Record]], of_scenes: dict[str, Table]) -> None:
    """Write the tables of some scenes into a page, with the machines that they were measured on."""
    measured_on = "; ".join(dict.fromkeys(cell["on"] for scene in of_scenes for cell in records[scene]))
    put_text(file, name, f"{measured_on}.\n\n{tables.page(records, of_scenes)}")


def put_text(file: str, name: str, text: str) -> None:
    """Replace what a page has between the two markers of a name."""
    page = PAGES / file
    before, begin, rest = page.read_text(encoding="utf-8").partition(f"<!-- {name} -->")
    _, end, after = rest.partition(f"<!-- /{name} -->")
    page.write_text(f"{before}{begin}\n\n{text}\n\n{end}{after}", encoding="utf-8")


def machine() -> str:
    """Return one line on the machine; names of processors may not say which they are."""
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text().splitlines() if cpuinfo.exists() else []
    facts = {name.strip(): fact.strip() for name, _, fact in (line.partition(":") for line in lines)}
    name = facts.get("model name", platform.processor())
    kind = f" (family {facts['cpu family']}, model {facts['model']})" if "cpu family" in facts else ""
    return f"{name}{kind}, one thread, numpy {np.__version__}, scipy {scipy.__version__}"


if __name__ == "__main__":
    main()
