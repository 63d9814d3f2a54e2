"""Turns rows of files into a table of factors. Errors name the place of a value that is missing or not declared."""

import re
from collections import Counter
from collections.abc import Iterable

import numpy as np

from bvf import BvfError
from bvf.domain import Declaration, value_text
from bvf.errors import nearest
from bvf.files import NOT_THERE, DeclaredReader, FactorReader, Row
from bvf.stats import IntArray
from bvf_factors.reading.table import ABSENT, FactorColumn, Table
from bvf_factors.reading.units import LogRow

QUESTION = "question"
"""What clusters are called where several logs name their questions in different columns."""
NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?")


def tabulate(rows: Iterable[Row], declaration: Declaration, *, drop_missing: bool = False) -> Table:
    """Return the table of the given rows. ``drop_missing`` leaves out, and counts, rows in which a value is missing.

    Where no cluster is declared and rows of logs repeat questions, questions are the clusters.
    """
    reading = _Reading(declaration)
    for row in rows:
        reading.add(row)
    if reading.missing and not drop_missing:
        reading.refuse_gaps()
    if reading.rows == reading.dropped:
        raise BvfError("there are no rows" if not reading.rows else f"all {reading.rows:,} rows lack a value")
    made = [_factor_column(reading.reader.factors[name], codes) for name, codes in reading.factors.items()]
    varied = tuple(each for each in made if len(each.labels) > 1)
    if not varied:
        raise BvfError("no factor has two levels: there is nothing to compare")
    cluster = declaration.cluster or reading.repeated
    return Table(
        declaration.title,
        varied,
        {each.name: each.levels[0] for each in made if len(each.labels) == 1},
        np.array(reading.outcomes, dtype=np.float64) if declaration.outcome else None,
        declaration.outcome is not None and declaration.outcome.number,
        (reading.questions if cluster and not declaration.cluster else reading.clusters).made(),
        cluster,
        dict(reading.missing),
    )


class _Reading:
    """The values of the rows that were read so far."""

    def __init__(self, declaration: Declaration) -> None:
        self.reader = DeclaredReader(declaration)
        self.factors = {name: _Codes() for name in self.reader.factors}
        self.outcomes: list[float] = []
        self.clusters, self.questions = _Codes(), _Codes()
        self.missing: Counter[str] = Counter()
        self.rows = self.dropped = 0
        self._cluster = declaration.cluster
        self._first_missing: dict[str, str] = {}
        self._columns: set[str] = set()

    @property
    def repeated(self) -> str:
        """The column of the questions that rows of logs repeat; empty: they repeat none."""
        if len(self.questions.index) == len(self.questions.codes):
            return ""
        return next(iter(self._columns)) if len(self._columns) == 1 else QUESTION

    def add(self, row: Row) -> None:
        """Read a row, or count it and leave it out if a value is missing."""
        self.rows += 1
        levels, outcome = self.reader.levels(row), self.reader.outcome
        cluster = value_text(row.values[self._cluster]) if self._cluster else str(self.rows)
        deviates = outcome.value(row) if outcome else 0.0
        gaps = [self.reader.factors[name].column for name, value in levels.items() if value is None]
        gaps += [outcome.column] if outcome and deviates is None else []
        gaps += [self._cluster] if cluster is None else []
        if gaps or deviates is None:
            self.missing.update(gaps)
            self.dropped += 1
            for column in gaps:
                self._first_missing.setdefault(column, row.where)
            return
        for name, value in levels.items():
            self.factors[name].add(value)
        self.clusters.add(cluster)
        if isinstance(row, LogRow):
            self._columns.add(row.unit.column)
        self.questions.add(row.unit.question if isinstance(row, LogRow) else self.rows)
        self.outcomes.append(deviates)

    def refuse_gaps(self) -> None:
        """Raise `BvfError` for the column that lacks the most values."""
        column, times = self.missing.most_common(1)[0]
        raise BvfError(
            f'{self._first_missing[column]}: no value in column "{column}", and in {times:,} rows of {self.rows:,}; '
            f"{self.dropped:,} rows lack one",
            "correct them, or leave such rows out with --drop-missing",
        )


class _Codes:
    """Values as numbers, in the order of their first occurrence."""

    def __init__(self) -> None:
        self.index: dict[object, int] = {}
        self.codes: list[int] = []

    def add(self, value: object) -> None:
        self.codes.append(self.index.setdefault(value, len(self.index)))

    def made(self) -> IntArray:
        return np.array(self.codes, dtype=np.intp)


def _factor_column(reader: FactorReader, values: _Codes) -> FactorColumn:
    factor = reader.factor
    seen = [str(value) for value in values.index if value != NOT_THERE or not factor.within]
    levels = tuple(value for value in factor.values if value in set(seen)) or tuple(sorted(seen, key=_order))
    place = {value: index for index, value in enumerate(levels)}
    order = np.array([place.get(str(value), ABSENT) for value in values.index], dtype=np.intp)
    codes = order[values.made()]
    unseen = tuple(value for value in factor.values if value not in place)
    reference = _reference(reader, levels, codes)
    return FactorColumn(reader.name, factor.type, levels, reference, codes, factor.within, unseen)


def _reference(reader: FactorReader, levels: tuple[str, ...], codes: IntArray) -> int:
    """Index of the declared reference, or of the most frequent level."""
    named = reader.factor.reference
    if not levels:
        within = ", ".join(f"{outer} = {' or '.join(values)}" for outer, values in reader.factor.within.items())
        raise BvfError(f"{reader.name} is in no row: none is within {within}")
    if not named:
        return int(np.bincount(codes[codes != ABSENT], minlength=len(levels)).argmax())
    if named not in levels:
        raise BvfError(f'{reader.name}: the reference "{named}" does not occur', nearest(named, list(levels)))
    return levels.index(named)


def _order(text: str) -> tuple[int, float, str]:
    """Sort key of levels: numbers by their value, before texts."""
    return (0, float(text), text) if NUMBER.fullmatch(text) else (1, 0.0, text)
