"""A table of prompts and answers: the level of each factor in each row, and the outcome, as numbers."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from bvf.arrays import FloatArray, IntArray
from bvf.domain.factors import Declaration, Factor, FactorType, Outcome, value_text
from bvf.errors import BvfError, nearest
from bvf.files.parsing import shortened
from bvf.files.rows import Row

ABSENT = -1
"""The level of a nested factor in a row that is outside of what it is nested in."""
NOT_THERE = "-"
"""What that level is called."""
YES, NO = ("yes", "true", "1"), ("no", "false", "0")
NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?")


@dataclass(frozen=True)
class FactorColumn:
    """A factor of a table.

    Args:
        name: As declared.
        type: Likewise.
        levels: The values that occur.
        reference: Index of the level that others are compared with.
        codes: Index of the level in each row, shape (P,); `ABSENT` where a nested factor is not there.
        within: What it is nested in: by factor, the values where it is there.
        unseen: Values that are declared and do not occur.
    """

    name: str
    type: FactorType
    levels: tuple[str, ...]
    reference: int
    codes: IntArray
    within: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    unseen: tuple[str, ...] = ()

    @property
    def labels(self) -> tuple[str, ...]:
        """The levels, and after them one for rows where a nested factor is not there."""
        return (*self.levels, NOT_THERE) if self.within else self.levels

    @cached_property
    def cells(self) -> IntArray:
        """Index of the label in each row, 0 or more, shape (P,)."""
        return np.where(self.codes == ABSENT, len(self.levels), self.codes) if self.within else self.codes


@dataclass(frozen=True)
class Table:
    """Rows with factors and an outcome.

    Args:
        title: What the table is called.
        factors: Those with two levels or more.
        constants: The one level of every other factor, by name.
        outcome: 1 where an answer deviates and 0 elsewhere, or a number, shape (P,); None: there are no answers.
        is_number: The outcome is a number.
        clusters: Index of the cluster of each row, shape (P,).
        cluster: The column that named them; empty: every row is a cluster of its own.
        dropped: How many rows were left out because a value was missing, by column.
    """

    title: str
    factors: tuple[FactorColumn, ...]
    constants: Mapping[str, str]
    outcome: FloatArray | None
    is_number: bool
    clusters: IntArray
    cluster: str = ""
    dropped: Mapping[str, int] = field(default_factory=dict)

    @property
    def rows(self) -> int:
        """P, the number of rows."""
        return len(self.clusters)

    def factor(self, name: str) -> FactorColumn:
        """Return a factor by name.

        Raises:
            BvfError: There is none, or it has one level.
        """
        if name in self.constants:
            raise BvfError(f'{name} is "{self.constants[name]}" in all rows: it explains nothing', "leave it out")
        found = next((each for each in self.factors if each.name == name), None)
        if found is None:
            raise BvfError(f'there is no factor "{name}"', nearest(name, [each.name for each in self.factors]))
        return found

    def deviations(self) -> FloatArray:
        """Return the outcome, shape (P,).

        Raises:
            BvfError: There is none, or it is the same in all rows.
        """
        if self.outcome is None:
            raise BvfError("the declaration has no outcome", 'write, say, outcome = "deviates", a column of yes and no')
        if (self.outcome == self.outcome[0]).all():
            same = f"{self.outcome[0]:g}" if self.is_number else NO[0] if self.outcome[0] == 0.0 else YES[0]
            raise BvfError(f"the outcome is {same} in all {self.rows:,} rows: no factor can explain it")
        return self.outcome


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
    readers = {name: _Reader(name, declaration) for name in declaration.factors}
    outcome = _OutcomeReader(declaration.outcome) if declaration.outcome else None
    clusters, columns = _Codes(), [declaration.column_of(name) for name in declaration.factors]
    wanted = dict.fromkeys([*columns, *(outcome.columns if outcome else ()), *filter(None, [declaration.cluster])])
    missing: Counter[str] = Counter()
    first_missing: dict[str, str] = {}
    dropped, number = 0, 0
    plain = [reader for reader in readers.values() if not reader.factor.within]
    nested = [reader for reader in readers.values() if reader.factor.within]
    for number, row in enumerate(rows, start=1):
        if not all(column in row.values for column in wanted):
            _refuse_column(row, wanted, nested)
        found = {reader.name: reader.value(row) for reader in plain}
        for reader in nested:
            found[reader.name] = reader.value(row) if reader.applies(found) else NOT_THERE
        cluster = value_text(row.values[declaration.cluster]) if declaration.cluster else str(number)
        deviates = outcome.value(row) if outcome else 0.0
        gaps = [readers[name].column for name, value in found.items() if value is None]
        gaps += [outcome.column] if outcome and deviates is None else []
        gaps += [declaration.cluster] if cluster is None else []
        if gaps:
            missing.update(gaps)
            first_missing.setdefault(gaps[0], row.where)
            dropped += 1
            continue
        for name, value in found.items():
            readers[name].add(value, row.where)
        clusters.add(cluster)
        if outcome:
            outcome.add(deviates)
    if missing and not drop_missing:
        column, times = missing.most_common(1)[0]
        raise BvfError(
            f'{first_missing.get(column, "the table")}: no value in column "{column}", and in {times:,} rows of '
            f"{number:,}; {dropped:,} rows lack one",
            "mend them, or leave such rows out with --drop-missing",
        )
    if number == dropped:
        raise BvfError("there are no rows" if not number else f"all {number:,} rows lack a value")
    made = [reader.made() for reader in readers.values()]
    varied = tuple(each for each in made if len(each.labels) > 1)
    if not varied:
        raise BvfError("no factor has two levels: there is nothing to compare")
    return Table(
        declaration.title,
        varied,
        {each.name: each.levels[0] for each in made if len(each.labels) == 1},
        outcome.made() if outcome else None,
        declaration.outcome is not None and declaration.outcome.number,
        clusters.made(),
        declaration.cluster,
        dict(missing),
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
        self._codes, self._where = _Codes(), dict[str, str]()

    def applies(self, found: Mapping[str, str | None]) -> bool:
        """Whether a nested factor is there, given the values of others."""
        return all(found[outer] in values for outer, values in self.factor.within.items())

    def value(self, row: Row) -> str | None:
        """The factor's value; None where the cell is empty."""
        raw = row.values.get(self.column)
        raw = value_text(raw) if isinstance(raw, bool) else raw  # True would be found as 1
        try:
            return self._known[raw]
        except KeyError:
            found = self._known[raw] = self._named(raw, row.where)
            return found
        except TypeError:
            raise BvfError(
                f'{row.where}: column "{self.column}" of {self.name} holds a {type(raw).__name__}, not a value'
            ) from None

    def _named(self, raw: object, where: str) -> str | None:
        text, factor = value_text(raw), self.factor
        if text is None:
            return None
        if factor.rules:
            found = next((rule.value for rule in factor.rules if re.search(rule.match, text)), factor.otherwise)
            if not found:
                raise BvfError(
                    f'{where}: no rule of {self.name} is found in "{shortened(text)}"',
                    'add a rule, or say what it is then: otherwise = "none"',
                )
            text = found
        text = factor.map.get(text, text)
        if factor.values and text not in factor.values:
            raise BvfError(
                f'{where}: {self.name} is "{shortened(text)}", which is not declared',
                nearest(text, list(factor.values)),
            )
        return text

    def add(self, value: str | None, where: str) -> None:
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

    def add(self, value: float | None) -> None:
        assert value is not None
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


def _refuse_column(row: Row, wanted: Iterable[str], nested: "Iterable[_Reader]") -> None:
    """Raise `BvfError` for a column that is not there; that of a nested factor may be missing."""
    optional = {reader.column for reader in nested}
    for column in wanted:
        if column not in row.values and column not in optional:
            raise BvfError(f'{row.where}: there is no column "{column}"', nearest(column, list(row.values)))


def _conditions(factor: Factor) -> str:
    return ", ".join(f"{outer} = {' or '.join(values)}" for outer, values in factor.within.items())


def _order(text: str) -> tuple[int, float, str]:
    """Numbers by their value, before texts."""
    return (0, float(text), text) if NUMBER.fullmatch(text) else (1, 0.0, text)
