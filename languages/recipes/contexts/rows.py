"""Rows of CSV files, as the recipes read and write them, and how a model leans in their templates."""

import csv
from pathlib import Path
from typing import Any

import numpy as np

import bvf
from bvf.files import Replicates
from bvf.files.contexts.sampling import replicates_of

Row = dict[str, str]


def read(file: Path) -> list[Row]:
    return list(csv.DictReader(file.read_text(encoding="utf-8").splitlines()))


def write(rows: list[Row], file: Path) -> None:
    with file.open("w", encoding="utf-8", newline="") as out:
        table = csv.DictWriter(out, list(rows[0]), lineterminator="\n")
        table.writeheader()
        table.writerows(rows)


def write_set(rows: list[Row], whole: Replicates, file: Path) -> None:
    """Write rows as a context set, and beside it the part of the replicates of a larger set that is theirs."""
    write(rows, file)
    texts = tuple(row["template"] for row in rows)
    places = [whole.templates.index(text) for text in texts]
    Replicates(texts, whole.counts[places], whole.redrawn[places]).write(replicates_of(file))


def neutral_leans(language: str, contexts: Path, model: str, out: Path, **choices: Any) -> dict[str, float]:
    """Return p(male) - p(female) in each template of a set, on average over the topic's neutral subjects.

    A measurement that is in ``out`` goes on where it was stopped.
    """
    topic = bvf.find_topic("gender", bvf.load(), language).with_neutral_subjects()
    asked = {"model": model, "topic": topic, "lang": language, "contexts": str(contexts), "out": str(out)}
    measured = bvf.measure(**asked, tolerance=0.0, threads=1, **choices)
    male, female = np.moveaxis(np.asarray(measured.probabilities), -1, 0)
    templates = (each.template for each in measured.record.asked.templates)
    return dict(zip(templates, (male - female).mean(axis=0).tolist(), strict=True))
