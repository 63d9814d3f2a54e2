"""Turns rows of files into a table of factors; errors name the place of what is missing, not declared or wrong."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping

import numpy as np

from bvf.arrays import FloatArray, IntArray
from bvf.domain.factors import Declaration, Factor, Outcome, value_text
from bvf.errors import BvfError, nearest
from bvf.factors.table import ABSENT, NO, NOT_THERE, YES, FactorColumn, Table
from bvf.files.parsing import shortened
from bvf.files.table_files import Row

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
    made = [reader.made() for reader in reading.readers.values()]
    varied = tuple(each for each in made if len(each.labels) > 1)
    if not varied:
        raise BvfError("no factor has two levels: there is nothing to compare")
    return Table(
        declaration.title,
        varied,
        {each.name: each.levels[0] for each in made if len(each.labels) == 1},
        reading.outcome.made() if reading.outcome else None,
        declaration.outcome is not None and declaration.outcome.number,
        reading.clusters.made(),
        declaration.cluster,
        dict(reading.missing),
    )


class _Reading:
    """Rows as they are read, one after another."""

    def __init__(self, declaration: Declaration) -> None:
        self.readers = {name: _Reader(name, declaration) for name in declaration.factors}
        self.outcome = _OutcomeReader(declaration.outcome) if declaration.outcome else None
        self.clusters = _Codes()
        self.missing: Counter[str] = Counter()
        self.rows = self.dropped = 0
        self._cluster = declaration.cluster
        self._first_missing: dict[str, str] = {}
        self._plain = [reader for reader in self.readers.values() if not reader.factor.within]
        self._nested = [reader for reader in self.readers.values() if reader.factor.within]
        columns = [reader.column for reader in self._plain]
        columns += [*(self.outcome.columns if self.outcome else ()), *filter(None, [declaration.cluster])]
        self._needed = dict.fromkeys(columns)

    def add(self, row: Row) -> None:
        """Read a row; one in which a value is missing is counted and left out."""
        self.rows += 1
        for column in self._needed:
            if column not in row.values:
                raise BvfError(f'{row.where}: there is no column "{column}"', nearest(column, list(row.values)))
        levels = {reader.name: reader.value(row) for reader in self._plain}
        for reader in self._nested:
            levels[reader.name] = reader.value(row) if reader.applies(levels) else NOT_THERE
        cluster = value_text(row.values[self._cluster]) if self._cluster else str(self.rows)
        deviates = self.outcome.value(row) if self.outcome else 0.0
        gaps = [self.readers[name].column for name, value in levels.items() if value is None]
        gaps += [self.outcome.column] if self.outcome and deviates is None else []
        gaps += [self._cluster] if cluster is None else []
        if gaps:
            self._leave_out(gaps, row)
            return
        for name, value in levels.items():
            self.readers[name].add(value)
        self.clusters.add(cluster)
        if self.outcome and deviates is not None:
            self.outcome.add(deviates)

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


class _Reader:
    """Reads one factor."""

    def __init__(self, name: str, declaration: Declaration) -> None:
        self.name, self.column, self.factor = name, declaration.column_of(name), declaration.factors[name]
        self._known: dict[object, str | None] = {}
        self._codes = _Codes()

    def applies(self, levels: Mapping[str, str | None]) -> bool:
        """Whether a nested factor is there, given the values of others."""
        return all(levels[outer] in values for outer, values in self.factor.within.items())

    def value(self, row: Row) -> str | None:
        """The factor's value; None where the cell is empty."""
        raw = row.values.get(self.column)
        raw = value_text(raw) if isinstance(raw, bool) else raw  # True would be found as 1
        try:
            return self._known[raw]
        except KeyError:
            level = self._known[raw] = self._named(raw, row.where)
            return level
        except TypeError:
            raise BvfError(
                f'{row.where}: column "{self.column}" of {self.name} holds a {type(raw).__name__}, not a value'
            ) from None

    def _named(self, raw: object, where: str) -> str | None:
        text, factor = value_text(raw), self.factor
        if text is None:
            return None
        if factor.rules:
            value = next((rule.value for rule in factor.rules if re.search(rule.match, text)), factor.otherwise)
            if not value:
                raise BvfError(
                    f'{where}: no rule of {self.name} is found in "{shortened(text)}"',
                    'add a rule, or say what it is then: otherwise = "none"',
                )
            text = value
        text = factor.map.get(text, text)
        if factor.values and text not in factor.values:
            raise BvfError(
                f'{where}: {self.name} is "{shortened(text)}", which is not declared',
                nearest(text, list(factor.values)),
            )
        return text

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


class _OutcomeReader:
    """Reads the outcome."""

    def __init__(self, outcome: Outcome) -> None:
        self.outcome, self.column = outcome, outcome.column
        self._values: list[float] = []
        self._judge = self._way()

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(filter(None, (self.column, self.outcome.differs_from)))

    def value(self, row: Row) -> float | None:
        """1 where the answer deviates, 0 where it does not, or the number; None where a cell is empty."""
        text = value_text(row.values[self.column])
        return None if text is None else self._judge(text, row)

    def add(self, value: float) -> None:
        self._values.append(value)

    def made(self) -> FloatArray:
        return np.array(self._values, dtype=np.float64)

    def _way(self) -> "Callable[[str, Row], float | None]":
        outcome = self.outcome
        if outcome.yes:
            return lambda text, row: float(text in outcome.yes)
        if outcome.differs_from:
            return self._differs
        if outcome.match:
            pattern = re.compile(outcome.match)
            return lambda text, row: float(pattern.search(text) is not None)
        if outcome.number or outcome.above is not None:
            return self._number
        return self._yes_or_no

    def _differs(self, text: str, row: Row) -> float | None:
        desired = value_text(row.values[self.outcome.differs_from])
        return None if desired is None else float(text != desired)

    def _number(self, text: str, row: Row) -> float:
        number = row.number(self.column)
        if not np.isfinite(number):
            raise BvfError(f'{row.where}: "{text}" in column "{self.column}" is not a number')
        return number if self.outcome.above is None else float(number > self.outcome.above)

    def _yes_or_no(self, text: str, row: Row) -> float:
        word = text.lower()
        if word not in (*YES, *NO):
            raise BvfError(
                f'{row.where}: the outcome is "{shortened(text)}", neither yes nor no',
                f'say which values deviate: [outcome], column = "{self.column}", yes = ["{shortened(text)}"]',
            )
        return float(word in YES)


def _conditions(factor: Factor) -> str:
    return ", ".join(f"{outer} = {' or '.join(values)}" for outer, values in factor.within.items())


def _order(text: str) -> tuple[int, float, str]:
    """Sort key: numbers by their value, before texts."""
    return (0, float(text), text) if NUMBER.fullmatch(text) else (1, 0.0, text)
