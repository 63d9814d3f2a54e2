"""A bias that was planted, measured: ``python -m benchmarks planted.run [OUT]``; needs ``pip install 'bvf[bench]'``.

Twelve occupations are always *she* in sentences that the bundled causal model learns, in four doses. Models and
measurements are kept in OUT (build/planted by default); a finished dose is neither trained nor measured again.
Writes the tables of docs/evidence/planted-bias.md, and docs/evidence/planted-bias.
"""

from dataclasses import dataclass
from datetime import date
from functools import partial
from pathlib import Path

import numpy as np

import bvf
from benchmarks.pages import PAGES, ROOT, keep, kept, put
from benchmarks.planted.doses import chosen, measured, record, write_tables
from benchmarks.planted.page import draw, tables
from benchmarks.planted.sentences import contrast, planted
from benchmarks.planted.training import Causal, untouched

OUT = PAGES / "planted-bias"
OCCUPATIONS = 12
CONTRAST = 80
"""Sentences of every other occupation."""
TEXTS = 1600
SEED = 1


@dataclass(frozen=True)
class Dose:
    """The number of planted sentences per planted occupation, and the seed of the order of all sentences."""

    name: str
    planted: int
    seed: int = SEED

    def folder(self, kind: str, out: Path) -> Path:
        return out / f"{kind}-{self.name.replace(' ', '-')}"


NOTHING = Dose("0", 0)
DOSES = (NOTHING, Dose("0 again", 0, SEED + 1), *(Dose(str(each), each) for each in (8, 20, 40, 100)))
"""Dose 0 is the same training without planted sentences; again: in another order."""


def main(folder: str = str(ROOT / "build/planted")) -> None:
    out = Path(folder)
    first = measured("bundled:en-causal", out / "untouched")
    result = bvf.analyse(first)
    occupations = chosen(result, OCCUPATIONS)
    of_analyses = write_tables(result, occupations, out)
    train(out, occupations, [group.group for group in result.groups if group.group not in occupations])
    measurements = {dose: measured(str(dose.folder("model", out)), dose.folder("dose", out)) for dose in DOSES}
    doses = {"untouched": first, **{dose.name: measurement for dose, measurement in measurements.items()}}
    figures_of = partial(record, before=measurements[NOTHING], planted=occupations, tables=of_analyses)
    rows = [{"dose": name, **figures_of(each)} for name, each in doses.items()]
    keep(OUT / "doses.json", {"date": date.today().isoformat(), "planted": occupations, "doses": rows})
    figures = kept(OUT / "doses.json")
    for place, table in tables(figures).items():
        put("planted-bias.md", place, table)
    draw(figures, OUT / "doses.svg")


def train(out: Path, occupations: list[str], others: list[str]) -> None:
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
