"""A bias that was planted, measured: ``python benchmarks/planted/run.py [OUT]``; needs ``pip install 'bvf[bench]'``.

Twelve occupations are always *she* in sentences that the bundled causal model learns, in four doses. Models and
measurements are kept in OUT (build/planted by default); a finished dose is neither trained nor measured again.
Writes docs/evidence/planted-bias.md and docs/evidence/planted-bias.
"""

import json
import re
import sys
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import numpy as np
from doses import chosen, measured, record, tables
from draw import draw
from page import Record, page
from sentences import contrast, planted
from training import Causal, untouched

import bvf

ROOT = Path(__file__).resolve().parents[2]
OUT = ROOT / "docs/evidence/planted-bias"
PAGE = ROOT / "docs/evidence/planted-bias.md"
MARKERS = ("<!-- planted -->", "<!-- /planted -->")
OCCUPATIONS = 12
CONTRAST = 80
"""Sentences of every other occupation."""
TEXTS = 1600
SEED = 1
DIGITS = re.compile(r"(\.\d{6})\d+(?![\de])")


@dataclass(frozen=True)
class Dose:
    """The number of planted sentences per planted occupation, and the seed of the order of all sentences."""

    name: str
    planted: int
    seed: int = SEED

    def folder(self, kind: str, out: Path) -> Path:
        """The folder of its model or its measurement."""
        return out / f"{kind}-{self.name.replace(' ', '-')}"


NOTHING = Dose("0", 0)
DOSES = (NOTHING, Dose("0 again", 0, SEED + 1), *(Dose(str(each), each) for each in (8, 20, 40, 100)))
"""Dose 0 is the same training without planted sentences; again: in another order."""


def main() -> None:
    out = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "build/planted"
    first = measured("bundled:en-causal", out / "untouched")
    result = bvf.analyse(first)
    occupations = chosen(result, OCCUPATIONS)
    using = tables(result, occupations, out)
    others = [group.group for group in result.groups if group.group not in occupations]
    trained(out, occupations, others)
    measurements = {dose: measured(str(dose.folder("model", out)), dose.folder("dose", out)) for dose in DOSES}
    rows = [{"dose": "untouched", **record(first, measurements[NOTHING], using)}]
    rows += [{"dose": dose.name, **record(each, measurements[NOTHING], using)} for dose, each in measurements.items()]
    write({"date": date.today().isoformat(), "planted": occupations, "doses": rows})


def trained(out: Path, occupations: list[str], others: list[str]) -> None:
    """Train the missing models; all begin with the untouched one and read the same sentences, except for the dose."""
    missing = [dose for dose in DOSES if not dose.folder("model", out).exists()]
    if not missing:
        return
    before = Causal(untouched())
    texts = before.made_up(TEXTS, SEED)
    beside = contrast(others, CONTRAST, before.lean, np.random.default_rng(SEED))
    for dose in missing:
        model = Causal(untouched())
        model.learn([*beside, *planted(occupations, dose.planted, np.random.default_rng(SEED))], texts, dose.seed)
        part = dose.folder("part", out)
        model.save(part)
        part.replace(dose.folder("model", out))
        print(f"trained: dose {dose.name}", flush=True)


def write(record: Record) -> None:
    """Write the page, the figure and the raw figures."""
    OUT.mkdir(exist_ok=True)
    written = DIGITS.sub(r"\1", json.dumps(record, separators=(",", ":"))).replace("},", "},\n")
    (OUT / "doses.json").write_text(written + "\n", encoding="utf-8")
    before, begin, rest = PAGE.read_text(encoding="utf-8").partition(MARKERS[0])
    _, end, after = rest.partition(MARKERS[1])
    PAGE.write_text(f"{before}{begin}\n\n{page(record)}\n\n{end}{after}", encoding="utf-8")
    draw(record, OUT / "doses.svg")


if __name__ == "__main__":
    main()
