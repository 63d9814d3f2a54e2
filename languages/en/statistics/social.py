"""Build the table of social factors: ``python social.py FOLDER [--into FOLDER]``, FOLDER with CPS and BLS tables."""

import argparse
import csv
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from build import MAPPING, TABLES, read_mapping, write_table
from build import read_table as read_employment

TITLES = MAPPING.with_name("titles.csv")
OCCUPATIONS = "occupations.csv"
ORIGINS = ("white", "black", "asian", "hispanic")
"""Of whom CPS Table 11 has shares, in its order. Who is Hispanic is counted in a race too."""
COLUMNS = ("group", "rows", "weekly_wage", "annual_wage", "women", "education_years", *ORIGINS)
YEARS = (10.0, 12.0, 13.0, 14.0, 16.0, 18.0, 21.0)
"""Years of schooling for the seven columns of Table 1.11, from less than a high school diploma to a doctorate."""
FOOTNOTE = re.compile(r"\s*\(\d+\)$")
NUMBER = re.compile(r"\$?[\d,]+(\.\d+)?")


class Published(NamedTuple):
    """A published figure of a row, and the number of persons as its weight."""

    value: float
    persons: float


class Matrix(NamedTuple):
    """A row of the National Employment Matrix: code, persons in thousands, median annual wage (None: unpublished)."""

    code: str
    persons: float
    wage: float | None


def main() -> None:
    """Read CPS Tables 11 and 39 and Tables 1.2 and 1.11 as CSV, and write wages, women and schooling by group."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="with CPS Tables 11 and 39 and Tables 1.2 and 1.11 as CSV")
    parser.add_argument("--into", type=Path, default=TABLES, help="folder to write to")
    arguments = parser.parse_args()
    print(f"{build(arguments.folder, arguments.into)} occupations, in {arguments.into / OCCUPATIONS}")


def build(folder: Path, into: Path) -> int:
    """Write the table of social factors, and return its number of groups."""
    mapping = {group: titles for group, titles in read_mapping(MAPPING).items() if titles}
    employment, elsewhere = read_employment(folder / "cpsaat11-2022.csv"), read_titles(TITLES)
    weekly, matrix = read_weekly(folder / "cpsaat39-2024.csv"), read_matrix(folder / "ep-table1.2-2024.csv")
    annual = {title: Published(row.wage, row.persons) for title, row in matrix.items() if row.wage is not None}
    women = {
        title: Published(row.percent_women / 100.0, row.employed)
        for title, row in employment.items()
        if row.percent_women is not None
    }
    schooling = Schooling(folder / "ep-table1.11-education-2015-16.csv", matrix, elsewhere)
    years = {
        title: Published(mean, employment[title].employed)
        for title in dict.fromkeys(title for titles in mapping.values() for title in titles)
        if (mean := schooling.years(title)) is not None
    }
    origins = read_origins(folder / "cpsaat11-2022.csv")
    rows = []
    for group, titles in mapping.items():
        in_matrix = list(dict.fromkeys(elsewhere[title].in_matrix for title in titles))
        wages = _mean(weekly, titles, 1), _mean(annual, in_matrix, 0)
        shares = [_mean(origins[origin], titles, 4) for origin in ORIGINS]
        rows.append((group, str(len(titles)), *wages, _mean(women, titles, 4), _mean(years, titles, 3), *shares))
    into.mkdir(parents=True, exist_ok=True)
    write_table(into / OCCUPATIONS, [COLUMNS, *rows])
    return len(rows)


def read_origins(file: Path) -> dict[str, dict[str, Published]]:
    """Return the published shares of white, black, Asian and Hispanic workers (CPS Table 11), by title."""
    lines = [line for line in _lines(file) if len(line) > 6 and NUMBER.fullmatch(line[1]) and NUMBER.match(line[3])]
    return {
        origin: {line[0].strip(): Published(_number(line[column]) / 100.0, _number(line[1])) for line in lines}
        for column, origin in enumerate(ORIGINS, 3)
    }


def read_weekly(file: Path) -> dict[str, Published]:
    """Return the published median weekly earnings of full-time workers (CPS Table 39), by title."""
    lines = [line for line in _lines(file) if len(line) > 2 and NUMBER.fullmatch(line[1])]
    return {line[0].strip(): Published(_number(line[2]), _number(line[1])) for line in lines if NUMBER.match(line[2])}


def read_matrix(file: Path) -> dict[str, Matrix]:
    """Return the rows of Table 1.2 by title in lower case. Of rows with one title, the first (a summary) is kept."""
    matrix: dict[str, Matrix] = {}
    for title, code, _, persons, *rest in _lines(file)[1:]:
        wage = _number(rest[7]) if NUMBER.fullmatch(rest[7]) else None
        matrix.setdefault(_plain(title), Matrix(code, _number(persons), wage))
    return matrix


class Schooling:
    """Mean years of education by title of the Current Population Survey.

    Table 1.11 has detailed occupations of an older classification. A title is looked up there by the names that
    ``titles.csv`` gives, else by its code in the employment matrix; a title for several occupations gets the mean of
    the codes below its own, weighted by numbers of persons in the matrix.
    """

    def __init__(self, file: Path, matrix: Mapping[str, Matrix], elsewhere: Mapping[str, "Elsewhere"]) -> None:
        rows = [(_plain(title), code, mean_years(shares)) for title, code, *shares in _lines(file)[1:]]
        self.by_title = {title: years for title, _, years in rows}
        self.by_code = {code: years for _, code, years in rows}
        self.matrix, self.elsewhere = matrix, elsewhere
        self.persons = {row.code: row.persons for row in matrix.values()}

    def years(self, title: str) -> float | None:
        """Return the mean years of education for a title; None if nothing is published."""
        means = [self.by_title[name] for name in self.elsewhere[title].in_education if name in self.by_title]
        if means:
            return sum(means) / len(means)
        row = self.matrix[self.elsewhere[title].in_matrix]
        if row.code in self.by_code:
            return self.by_code[row.code]
        stem = row.code.rstrip("0")
        below = [
            Published(years, self.persons[code])
            for code, years in self.by_code.items()
            if code.startswith(stem) and code in self.persons
        ]
        return _weighted(below) if row.code.endswith("0") and below else None


def mean_years(shares: Sequence[str]) -> float:
    """Return the mean years of education from seven percentages, which need not sum to 100.

    >>> round(mean_years(["8.6", "23.9", "21.0", "9.4", "22.8", "9.9", "4.2"]), 3)
    14.114
    """
    numbers = [float(share) for share in shares[: len(YEARS)]]
    return sum(share * years for share, years in zip(numbers, YEARS, strict=True)) / sum(numbers)


class Elsewhere(NamedTuple):
    """The names of a CPS title in the employment matrix and in Table 1.11."""

    in_matrix: str
    in_education: tuple[str, ...]


class _SameName(dict[str, Elsewhere]):
    def __missing__(self, title: str) -> Elsewhere:
        return Elsewhere(title.lower(), (title.lower(),))


def read_titles(file: Path) -> Mapping[str, Elsewhere]:
    """Return the names of CPS titles in the other tables. A title that the file lacks has the same name there."""
    with file.open(encoding="utf-8", newline="") as lines:
        elsewhere = _SameName()
        for row in csv.DictReader(lines):
            in_matrix = (row["matrix_title"] or row["title"]).lower()
            in_education = (row["education_title"] or row["title"]).lower()
            elsewhere[row["title"]] = Elsewhere(in_matrix, tuple(in_education.split(";")))
        return elsewhere


def _mean(published: Mapping[str, Published], titles: Iterable[str], places: int) -> str:
    """The mean over titles with a published figure, as text; empty if none has one. Persons are the weights."""
    known = [published[title] for title in titles if title in published]
    return f"{_weighted(known):.{places}f}" if known else ""


def _weighted(known: Sequence[Published]) -> float:
    return sum(each.value * each.persons for each in known) / sum(each.persons for each in known)


def _lines(file: Path) -> list[list[str]]:
    with file.open(encoding="utf-8-sig", newline="") as lines:
        return list(csv.reader(lines))


def _plain(title: str) -> str:
    return FOOTNOTE.sub("", title).strip().lower()


def _number(text: str) -> float:
    return float(text.replace("$", "").replace(",", ""))


if __name__ == "__main__":
    main()
