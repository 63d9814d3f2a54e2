"""How often decisions are right: ``python benchmarks/coverage/decisions.py [SCENE ...] [--repetitions N]``.

Scenes are highest, gates, planned and slopes; all if none is named. Measured cells are kept in build/coverage, and are
not measured again with as many repetitions. Writes docs/statistics/decisions.json, and the tables of
docs/statistics.md.
"""

import argparse
import json
from datetime import date

from decision_scenes import decision_cells
from decision_tables import page
from run import OUT, PAGE, kept, machine, measure

MARKERS = ("<!-- decisions -->", "<!-- /decisions -->")
REPETITIONS = 200


def main() -> None:
    every = list(decision_cells())
    known = list(dict.fromkeys(cell.scene for cell in every))
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scenes", nargs="*", metavar="SCENE", choices=[*known, []])
    parser.add_argument("--repetitions", type=int, default=REPETITIONS)
    asked = parser.parse_args()
    for scene in asked.scenes or known:
        measure(scene, [cell for cell in every if cell.scene == scene], asked.repetitions)
    records = {scene: list(kept(scene).values()) for scene in known}
    facts = {"date": date.today().isoformat(), "machine": machine()}
    written = json.dumps({**facts, **records}, separators=(",", ":")).replace("},{", "},\n{")
    (OUT / "decisions.json").write_text(written + "\n", encoding="utf-8")
    before, begin, rest = PAGE.read_text(encoding="utf-8").partition(MARKERS[0])
    _, end, after = rest.partition(MARKERS[1])
    text = f"{facts['machine']}, {facts['date']}.\n\n{page(records)}"
    PAGE.write_text(f"{before}{begin}\n\n{text}\n\n{end}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
