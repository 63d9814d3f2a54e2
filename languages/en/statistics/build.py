"""Build the tables of labour statistics: ``python build.py PATH/cpsaat11-2022.csv [--into FOLDER]``."""

import argparse
import csv
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
MAPPING = HERE / "mapping.csv"
TABLES = HERE.parent / "bvf_en" / "statistics"
YEAR = "2022"
NOT_PUBLISHED = "\N{EN DASH}"
PUBLISHED_PART = 0.9
"""A group gets a share of women if the rows that publish one employ at least this fraction of its persons.

CPS Table 11 has no share for fewer than 50,000 persons."""


class Row(NamedTuple):
    """A row of CPS Table 11: employed persons in thousands, and the percentage of women (None: not published)."""

    employed: int
    percent_women: float | None


def main() -> None:
    """Read CPS Table 11 of 2022 as CSV, and write employment and the percentage of women of each group as tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table", type=Path, help="CPS Table 11 of 2022 as CSV")
    parser.add_argument("--into", type=Path, default=TABLES, help="folder to write to")
    arguments = parser.parse_args()
    with_share, with_weight = build(arguments.table, arguments.into)
    print(f"{with_weight} occupations with employment, {with_share} with the share of women, in {arguments.into}")


def build(table: Path, folder: Path) -> tuple[int, int]:
    """Write the two tables into ``folder``.

    Returns the number of groups with a percentage of women, and with employment.
    """
    mapping, known = read_mapping(MAPPING), read_table(table)
    missing = sorted({title for titles in mapping.values() for title in titles} - set(known))
    if missing:
        raise SystemExit(f'{MAPPING.name} names the row "{missing[0]}", which the table has not')
    matched = {group: [known[title] for title in titles] for group, titles in mapping.items() if titles}
    weights = [(group, str(sum(row.employed for row in rows))) for group, rows in matched.items()]
    women = {group: share for group, rows in matched.items() if (share := share_of_women(rows)) is not None}
    shares = [(group, f"{1 - share:.4f}", f"{share:.4f}") for group, share in women.items()]
    folder.mkdir(parents=True, exist_ok=True)
    write_table(folder / "employment-2022.csv", [("group", "weight"), *weights])
    write_table(folder / "percent-women-2022.csv", [("group", "male", "female"), *shares])
    return len(shares), len(weights)


def read_mapping(file: Path) -> dict[str, tuple[str, ...]]:
    """Return the titles of each group's rows in CPS Table 11. A group without rows has an empty tuple."""
    with file.open(encoding="utf-8", newline="") as lines:
        return {row["group"]: tuple(filter(None, row["title"].split(";"))) for row in csv.DictReader(lines)}


def read_table(file: Path) -> dict[str, Row]:
    """Return the rows of CPS Table 11 by title, without headings and notes. Exits if it is another table."""
    with file.open(encoding="utf-8-sig", newline="") as lines:
        table = [line for line in csv.reader(lines) if len(line) > 2]
    if ["Occupation", YEAR] not in [line[:2] for line in table]:
        raise SystemExit(f"{file}: not CPS Table 11 of {YEAR}")
    fields = [line for line in table if line[2] and line[1].replace(",", "").isdigit()]
    return {
        title: Row(int(total.replace(",", "")), None if women == NOT_PUBLISHED else float(women))
        for title, total, women, *_ in fields
    }


def share_of_women(rows: Sequence[Row]) -> float | None:
    """Return the employment-weighted fraction of women, 0 to 1; None if published rows cover too few persons."""
    known = [(row.employed, row.percent_women) for row in rows if row.percent_women is not None]
    persons = sum(count for count, _ in known)
    if not known or persons < PUBLISHED_PART * sum(row.employed for row in rows):
        return None
    return sum(count * percent for count, percent in known) / persons / 100


def write_table(file: Path, rows: Iterable[Sequence[str]]) -> None:
    """Write rows as CSV. The first row is the header."""
    with file.open("w", encoding="utf-8", newline="") as lines:
        csv.writer(lines, lineterminator="\n").writerows(rows)


if __name__ == "__main__":
    main()
