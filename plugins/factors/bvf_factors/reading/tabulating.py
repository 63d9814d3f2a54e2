"""Turns rows of files into a table of factors; errors name the place of what is missing, not declared or wrong."""

import re
from collections import Counter
from collections.abc import Iterable

import numpy as np

from bvf.arrays import IntArray
from bvf.domain.factors import Declaration, Factor, value_text
from bvf.errors import BvfError, nearest
from bvf.files.declared import NOT_THERE, DeclaredReader, FactorReader
from bvf.files.table_files import Row
from bvf_factors.reading.table import ABSENT, FactorColumn, Table

NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?")


def tabulate(rows: Iterable[Row], declaration: Declaration, *, drop_missing: bool = False) -> Table:
    """Return the table that rows make.

    Args:
        rows: Of one file or several; every one has the columns of all factors that are not nested.
        declaration: The factors and the outcome.
        drop_missing: Leave rows out in which a value is missing, and count them.

    Raises:
        BvfError: There is no row; a column is not there; a value is missing, is not declared, or is neither yes nor
            no; a reference does not occur; or no factor has two levels.
    """
    reading = _Reading(declaration)
    for row in rows:
        reading.add(row)
    if reading.missing and not drop_missing:
        reading.refuse_gaps()
    if reading.rows == reading.dropped:
        raise BvfError("there are no rows" if not reading.rows else f"all {reading.rows:,} rows lack a value")
    made = [column.made() for column in reading.factors.values()]
    varied = tuple(each for each in made if len(each.labels) > 1)
    if not varied:
        raise BvfError("no factor has two levels: there is nothing to compare")
    return Table(
        declaration.title,
        varied,
        {each.name: each.levels[0] for each in made if len(each.labels) == 1},
        np.array(reading.outcomes, dtype=np.float64) if declaration.outcome else None,
        declaration.outcome is not None and declaration.outcome.number,
        reading.clusters.made(),
        declaration.cluster,
        dict(reading.missing),
    )


class _Reading:
    """Rows as they are read, one after another."""

    def __init__(self, declaration: Declaration) -> None:
        self.reader = DeclaredReader(declaration)
        self.factors = {name: _Column(reader) for name, reader in self.reader.factors.items()}
        self.outcomes: list[float] = []
        self.clusters = _Codes()
        self.missing: Counter[str] = Counter()
        self.rows = self.dropped = 0
        self._cluster = declaration.cluster
        self._first_missing: dict[str, str] = {}

    def add(self, row: Row) -> None:
        """Read a row; one in which a value is missing is counted and left out."""
        self.rows += 1
        levels, outcome = self.reader.levels(row), self.reader.outcome
        cluster = value_text(row.values[self._cluster]) if self._cluster else str(self.rows)
        deviates = outcome.value(row) if outcome else 0.0
        gaps = [self.reader.factors[name].column for name, value in levels.items() if value is None]
        gaps += [outcome.column] if outcome and deviates is None else []
        gaps += [self._cluster] if cluster is None else []
        if gaps or deviates is None:
            self._leave_out(gaps, row)
            return
        for name, value in levels.items():
            self.factors[name].add(value)
        self.clusters.add(cluster)
        self.outcomes.append(deviates)

    def _leave_out(self, gaps: list[str], row: Row) -> None:
        self.missing.update(gaps)
        self.dropped += 1
        for column in gaps:
            self._first_missing.setdefault(column, row.where)

    def refuse_gaps(self) -> None:
        """Raise `BvfError` for the column that lacks most values."""
        column, times = self.missing.most_common(1)[0]
        raise BvfError(
            f'{self._first_missing[column]}: no value in column "{column}", and in {times:,} rows of {self.rows:,}; '
            f"{self.dropped:,} rows lack one",
            "mend them, or leave such rows out with --drop-missing",
        )


class _Codes:
    """Texts as numbers, in the order in which they come."""

    def __init__(self) -> None:
        self.index: dict[object, int] = {}
        self.codes: list[int] = []

    def add(self, value: object) -> None:
        self.codes.append(self.index.setdefault(value, len(self.index)))

    def made(self) -> IntArray:
        return np.array(self.codes, dtype=np.intp)


class _Column:
    """One factor: its values of all rows, as numbers."""

    def __init__(self, reader: FactorReader) -> None:
        self.name, self.factor = reader.name, reader.factor
        self._codes = _Codes()

    def add(self, value: str | None) -> None:
        self._codes.add(value)

    def made(self) -> FactorColumn:
        seen = [str(value) for value in self._codes.index if value != NOT_THERE or not self.factor.within]
        levels = tuple(value for value in self.factor.values if value in set(seen)) or tuple(sorted(seen, key=_order))
        place = {value: index for index, value in enumerate(levels)}
        order = np.array([place.get(str(value), ABSENT) for value in self._codes.index], dtype=np.intp)
        codes = order[self._codes.made()]
        return FactorColumn(
            self.name,
            self.factor.type,
            levels,
            self._reference(levels, codes),
            codes,
            self.factor.within,
            tuple(value for value in self.factor.values if value not in place),
        )

    def _reference(self, levels: tuple[str, ...], codes: IntArray) -> int:
        named = self.factor.reference
        if not levels:
            raise BvfError(f"{self.name} is nowhere: no row is within {_conditions(self.factor)}")
        if not named:
            return int(np.bincount(codes[codes != ABSENT], minlength=len(levels)).argmax())
        if named not in levels:
            raise BvfError(f'{self.name}: the reference "{named}" does not occur', nearest(named, list(levels)))
        return levels.index(named)


def _conditions(factor: Factor) -> str:
    return ", ".join(f"{outer} = {' or '.join(values)}" for outer, values in factor.within.items())


def _order(text: str) -> tuple[int, float, str]:
    """Sort key: numbers by their value, before texts."""
    return (0, float(text), text) if NUMBER.fullmatch(text) else (1, 0.0, text)
