"""Build the tables of labour statistics: ``python build.py PATH/cpsaat11-2022.csv [--into FOLDER]``."""

import argparse
import csv
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
MAPPING = HERE / "mapping.csv"
TABLES = HERE.parent / "bvf_en" / "statistics"
EMPLOYMENT = "employment-2022.csv"
PERCENT_WOMEN = "percent-women-2022.csv"
YEAR = "2022"
NOT_PUBLISHED = "\N{EN DASH}"
# Rows without a published share are small ones (below 50,000 persons). A group made of several rows gets a share
# if those with one employ at least this part of its persons.
PUBLISHED_PART = 0.9


class Row(NamedTuple):
    """A row of CPS Table 11: employed persons in thousands, and the percentage of women if it is published."""

    employed: int
    percent_women: float | None


def main() -> None:
    """Read the table as the bureau publishes it, and write the two tables of the language pack."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table", type=Path, help="CPS Table 11 of 2022 as CSV")
    parser.add_argument("--into", type=Path, default=TABLES, help="folder to write to")
    arguments = parser.parse_args()
    with_share, with_weight = build(arguments.table, arguments.into)
    print(f"{with_weight} occupations with employment, {with_share} with the share of women, in {arguments.into}")


def build(table: Path, folder: Path) -> tuple[int, int]:
    """Write both tables into ``folder``; return how many groups have a share of women, and how many a weight."""
    matched = _matched(read_mapping(MAPPING), read_table(table))
    weights = [(group, str(employed(rows))) for group, rows in matched.items()]
    shares = [(group, *_two_shares(rows)) for group, rows in matched.items() if share_of_women(rows) is not None]
    folder.mkdir(parents=True, exist_ok=True)
    _write(folder / EMPLOYMENT, ("group", "weight"), weights)
    _write(folder / PERCENT_WOMEN, ("group", "male", "female"), shares)
    return len(shares), len(weights)


def read_mapping(file: Path) -> dict[str, tuple[str, ...]]:
    """Return the row titles of each group; none for a group without a row."""
    with file.open(encoding="utf-8", newline="") as lines:
        return {row["group"]: tuple(filter(None, row["title"].split(";"))) for row in csv.DictReader(lines)}


def read_table(file: Path) -> dict[str, Row]:
    """Return the rows of CPS Table 11 by title; headings, notes and blank lines are no rows."""
    with file.open(encoding="utf-8-sig", newline="") as lines:
        table = [line for line in csv.reader(lines) if len(line) > 2]
    if ["Occupation", YEAR] not in [line[:2] for line in table]:
        raise SystemExit(f"{file}: not CPS Table 11 of {YEAR}")
    fields = [line for line in table if line[2] and line[1].replace(",", "").isdigit()]
    return {title: Row(int(total.replace(",", "")), _percent(women)) for title, total, women, *_ in fields}


def employed(rows: Sequence[Row]) -> int:
    """Return the employed persons of all rows together, in thousands."""
    return sum(row.employed for row in rows)


def share_of_women(rows: Sequence[Row]) -> float | None:
    """Return the share of women, 0 to 1: the mean over the rows, weighted by employment; None if too few publish it."""
    known = [(row.employed, row.percent_women) for row in rows if row.percent_women is not None]
    persons = sum(count for count, _ in known)
    if not known or persons < PUBLISHED_PART * employed(rows):
        return None
    return sum(count * percent for count, percent in known) / persons / 100


def _matched(mapping: Mapping[str, Sequence[str]], table: Mapping[str, Row]) -> dict[str, list[Row]]:
    missing = sorted({title for titles in mapping.values() for title in titles} - set(table))
    if missing:
        raise SystemExit(f'{MAPPING.name} names the row "{missing[0]}", which the table has not')
    return {group: [table[title] for title in titles] for group, titles in mapping.items() if titles}


def _two_shares(rows: Sequence[Row]) -> tuple[str, str]:
    women = share_of_women(rows) or 0.0
    return f"{1 - women:.4f}", f"{women:.4f}"


def _percent(text: str) -> float | None:
    return None if text == NOT_PUBLISHED else float(text)


def _write(file: Path, header: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    with file.open("w", encoding="utf-8", newline="") as lines:
        writer = csv.writer(lines, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


if __name__ == "__main__":
    main()
