"""Rows of CSV files, as the recipes read and write them."""

import csv
from pathlib import Path

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
