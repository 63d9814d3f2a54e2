"""Measures the cells of a benchmark whose tables have a place of their own in a page of docs/evidence."""

import argparse
import json
from collections.abc import Callable, Sequence

from run import OUT, kept, measure, put_text
from scenes import Cell, Record


def measured_and_written(
    name: str, every: Sequence[Cell], page: Callable[[dict[str, list[Record]]], str], repetitions: int, description: str
) -> None:
    """Measure the scenes that the command line names (all if none), and write raw figures and tables.

    Args:
        name: Name of the page, of the file of raw figures, and of the markers around the tables.
        every: The cells of all scenes.
        page: Makes the tables from the records of each scene.
        repetitions: Samples per cell if the command line does not say how many.
        description: What ``--help`` says.
    """
    known = list(dict.fromkeys(cell.scene for cell in every))
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("scenes", nargs="*", metavar="SCENE", choices=[*known, []])
    parser.add_argument("--repetitions", type=int, default=repetitions)
    asked = parser.parse_args()
    for scene in asked.scenes or known:
        measure(scene, [cell for cell in every if cell.scene == scene], asked.repetitions)
    records = {scene: list(kept(scene).values()) for scene in known}
    measured_on = list(dict.fromkeys(cell["on"] for scene in known for cell in records[scene]))
    written = json.dumps(records, separators=(",", ":")).replace("},{", "},\n{")
    (OUT / f"{name}.json").write_text(written + "\n", encoding="utf-8")
    put_text(f"{name}.md", name, f"{'; '.join(measured_on)}.\n\n{page(records)}")
