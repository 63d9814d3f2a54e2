"""Rows of CSV files, as the recipes read and write them."""

import csv
from pathlib import Path

Row = dict[str, str]


def read(file: Path) -> list[Row]:
    return list(csv.DictReader(file.read_text(encoding="utf-8").splitlines()))


def write(rows: list[Row], file: Path) -> None:
    with file.open("w", encoding="utf-8", newline="") as out:
        table = csv.DictWriter(out, list(rows[0]), lineterminator="\n")
        table.writeheader()
        table.writerows(rows)
