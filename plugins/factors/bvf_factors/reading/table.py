"""A table of prompts and answers as numbers: the level of each factor, and the outcome, in each row."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations

import numpy as np
from pydantic import BaseModel, ConfigDict

from bvf import BvfError
from bvf.domain import Declaration, value_text
from bvf.errors import nearest
from bvf.files import Row
from bvf.stats import BoolArray, FloatArray, IntArray
from bvf.tables import counted
from bvf_factors.clusters import effective_clusters
from bvf_factors.reading.declared import NO, NOT_THERE, YES, DeclaredReader, FactorReader
from bvf_factors.reading.rows import LogRow

ABSENT = -1
"""The level of a nested factor in a row where it does not apply."""
QUESTION = "question"
"""What clusters are called where several logs name their questions in different columns."""
NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?")


class Frozen(BaseModel):
    """A result that is written as JSON."""

    model_config = ConfigDict(frozen=True, populate_by_name=True)


@dataclass(frozen=True)
class FactorColumn:
    """A factor of a table."""

    name: str
    levels: tuple[str, ...]  # the values that occur
    reference: int  # index of the level that others are compared with
    codes: IntArray  # index of the level in each row, shape (P,); `ABSENT` where a nested factor is absent
    # for a nested factor, the values of its outer factors with which it is present, by outer factor
    within: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    unseen: tuple[str, ...] = ()  # values that are declared and do not occur

    @property
    def labels(self) -> tuple[str, ...]:
        """The levels of the factor. For a nested factor, the label of rows in which it is absent follows."""
        return (*self.levels, NOT_THERE) if self.within else self.levels

    @cached_property
    def cells(self) -> IntArray:
        """Index of the label in each row, 0 or more, shape (P,)."""
        return np.where(self.codes == ABSENT, len(self.levels), self.codes) if self.within else self.codes


@dataclass(frozen=True)
class Table:
    """Rows with factors and an outcome."""

    title: str
    factors: tuple[FactorColumn, ...]  # the factors with two levels or more
    constants: Mapping[str, str]  # the one level of every other factor, by name
    # 1 where an answer deviates and 0 elsewhere, or a number, shape (P,); None: there are no answers
    outcome: FloatArray | None
    is_number: bool
    clusters: IntArray  # index of the cluster of each row, shape (P,)
    cluster: str = ""  # the column that names clusters; empty: every row is a cluster of its own
    # the number of rows that were left out because a value was missing, by column
    dropped: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()  # sentences on the rows that were taken from logs

    @property
    def rows(self) -> int:
        """P, the number of rows."""
        return len(self.clusters)

    @property
    def dependent(self) -> bool:
        """Whether any cluster has several rows, whose answers may depend on each other."""
        return bool(self.cluster) and int(self.clusters.max()) + 1 < self.rows

    @property
    def effective(self) -> float:
        """Kish's number of clusters."""
        return float(effective_clusters(np.bincount(self.clusters)))

    def factor(self, name: str) -> FactorColumn:
        """Return a factor by name. Refuses one that has a single level."""
        if name in self.constants:
            raise BvfError(f'{name} is "{self.constants[name]}" in all rows: it explains nothing', "leave it out")
        factor = next((each for each in self.factors if each.name == name), None)
        if factor is None:
            raise BvfError(f'there is no factor "{name}"', nearest(name, [each.name for each in self.factors]))
        return factor

    def chosen(self, names: Sequence[str]) -> tuple[FactorColumn, ...]:
        """Return the named factors in the order of their names, without repetitions. If none is named, all."""
        return tuple(self.factor(name) for name in dict.fromkeys(names)) or self.factors

    def deviations(self) -> FloatArray:
        """Return the outcome, shape (P,). Refuses one that is missing or the same in all rows."""
        if self.outcome is None:
            raise BvfError(
                "the declaration has no outcome", 'write, for example, outcome = "deviates", a column of yes and no'
            )
        if (self.outcome == self.outcome[0]).all():
            same = f"{self.outcome[0]:g}" if self.is_number else NO[0] if self.outcome[0] == 0.0 else YES[0]
            raise BvfError(f"the outcome is {same} in all {self.rows:,} rows: no factor can explain it")
        return self.outcome


def factor_sets(factors: Sequence[FactorColumn], order: int) -> list[tuple[FactorColumn, ...]]:
    """Return every set of ``order`` different factors, in their order. Refuses an order that no set can have."""
    if not 1 <= order <= len(factors):
        names = ", ".join(each.name for each in factors)
        raise BvfError(
            f"subgroups of {counted(order, 'factor')}: there {'is' if len(factors) == 1 else 'are'} {len(factors)} "
            f"({names})",
            "choose 1" if len(factors) == 1 else f"choose 1 to {len(factors)}",
        )
    return list(combinations(factors, order))


def cell_of_rows(factors: tuple[FactorColumn, ...]) -> tuple[IntArray, BoolArray, tuple[int, ...]]:
    """Return each row's cell, (P,); also whether the row has all factors, (P,); also each factor's number of levels.

    Cells are numbered as by `numpy.ravel_multi_index`; a row without one of the factors has any number.
    """
    sizes = tuple(len(each.levels) for each in factors)
    there = np.ones(len(factors[0].codes), dtype=bool)
    cells = np.zeros(len(there), dtype=np.intp)
    for each, size in zip(factors, sizes, strict=True):
        cells = cells * size + each.codes
        if each.within:
            there &= each.codes != ABSENT
    return cells, there, sizes


def without(table: Table, dropped: Mapping[str, tuple[str, ...]]) -> Table:
    """Return a table without the rows in which a factor has one of the given levels.

    A factor that loses its reference gets its most frequent level instead; one with a single level left is a constant.
    """
    kept = np.ones(table.rows, dtype=bool)
    for name, levels in dropped.items():
        kept &= ~np.isin(table.factor(name).cells, [_index(table.factor(name), level) for level in levels])
    if not kept.any():
        raise BvfError("every row is dropped", "drop fewer levels")
    left = [_kept(each, kept) for each in table.factors]
    if all(len(each.labels) == 1 for each in left):
        raise BvfError("no factor has two levels any more: there is nothing to compare")
    return replace(
        table,
        factors=tuple(each for each in left if len(each.labels) > 1),
        constants={**table.constants, **{each.name: each.labels[0] for each in left if len(each.labels) == 1}},
        outcome=None if table.outcome is None else table.outcome[kept],
        clusters=np.unique(table.clusters[kept], return_inverse=True)[1].ravel(),
    )


def with_references(table: Table, references: Mapping[str, str]) -> Table:
    """Return a table in which the given levels are the references of their factors."""
    chosen = {name: _index(table.factor(name), level) for name, level in references.items()}
    changed = [replace(each, reference=chosen.get(each.name, each.reference)) for each in table.factors]
    return replace(table, factors=tuple(changed))


def _index(factor: FactorColumn, level: str) -> int:
    if level not in factor.labels:
        raise BvfError(f'{factor.name} has no level "{level}"', nearest(level, list(factor.labels)))
    return factor.labels.index(level)


def _kept(factor: FactorColumn, rows: BoolArray) -> FactorColumn:
    codes = factor.codes[rows]
    counts = np.bincount(codes[codes != ABSENT], minlength=len(factor.levels))
    left = np.flatnonzero(counts)
    place = np.full(len(factor.levels) + 1, ABSENT, dtype=np.intp)  # ABSENT, -1, is the last index
    place[left] = np.arange(len(left))
    reference = factor.reference if counts[factor.reference] else int(counts.argmax())
    levels, within = tuple(factor.levels[index] for index in left), factor.within if (codes == ABSENT).any() else {}
    return replace(factor, levels=levels, reference=int(place[reference]), codes=place[codes], within=within)


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
    return FactorColumn(reader.name, levels, reference, codes, factor.within, unseen)


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
