"""The columns of a regression on factors, and their distinct rows."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bvf import BvfError
from bvf.stats import BoolArray, FloatArray, IntArray
from bvf_factors.reading.table import ABSENT, FactorColumn, Table

LARGEST_CODE = 2**62
INTERCEPT = "intercept"


@dataclass(frozen=True)
class Column:
    """A column of a model matrix. It is 1 where a factor (or both of an interaction) has the column's level, else 0."""

    factors: tuple[str, ...]
    levels: tuple[str, ...]

    @property
    def term(self) -> str:
        """The factors, such as ``stigma : gender``."""
        return " : ".join(self.factors)

    @property
    def level(self) -> str:
        """The levels, such as ``deaf : female``."""
        return " : ".join(self.levels)

    @property
    def name(self) -> str:
        """The levels and their factors, such as ``stigma=deaf : gender=female``."""
        return " : ".join(f"{factor}={level}" for factor, level in zip(self.factors, self.levels, strict=True))


@dataclass(frozen=True)
class ModelMatrix:
    """Reference coding of factors. It has each distinct row once.

    Args:
        columns: The K - 1 columns after the intercept.
        values: Distinct rows, shape (D, K), 0 or 1; the first column is 1.
        pattern: Index of the distinct row that each row of the table has, shape (P,).
        counts: How many rows of the table each distinct row stands for, shape (D,).
        empty: Combinations of an interaction that are in no row, and therefore have no column.
    """

    columns: tuple[Column, ...]
    values: FloatArray
    pattern: IntArray
    counts: IntArray
    empty: tuple[Column, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all columns, the intercept first."""
        return (INTERCEPT, *(column.name for column in self.columns))

    @property
    def terms(self) -> tuple[str, ...]:
        """Factors and interactions, in the order of the columns. Last stand interactions that have no column."""
        return tuple(dict.fromkeys(column.term for column in (*self.columns, *self.empty)))

    def of_term(self, term: str) -> list[int]:
        """Return the indices of a term's columns."""
        return [index for index, column in enumerate(self.columns, start=1) if column.term == term]


def model_matrix(
    table: Table, factors: Sequence[str] | None = None, interactions: Sequence[tuple[str, str]] = ()
) -> ModelMatrix:
    """Return the model matrix of factors (by default all). It has a column per level other than the reference.

    An interaction has a column per pair of such levels. Where a nested factor is absent, all of its columns are 0; the
    columns of the factor that it is nested in distinguish its absence from its reference level.
    """
    names = [each.name for each in table.factors] if factors is None else list(factors)
    chosen = {name: table.factor(name) for name in names}
    _refuse(table, names, chosen, interactions)
    pattern = combined([each.cells for each in chosen.values()], [len(each.labels) for each in chosen.values()])
    _, first, pattern, counts = np.unique(pattern, return_index=True, return_inverse=True, return_counts=True)
    codes = {name: each.codes[first] for name, each in chosen.items()}
    columns, values, empty = list[Column](), [np.ones(len(first), dtype=bool)], list[Column]()
    for term in [*((name,) for name in names), *interactions]:
        for column, at in _columns([chosen[name] for name in term], codes):
            if at.any():
                columns.append(column)
                values.append(at)
            else:
                empty.append(column)
    return ModelMatrix(tuple(columns), np.stack(values, axis=1).astype(np.float64), pattern, counts, tuple(empty))


def combined(codes: Sequence[IntArray], sizes: Sequence[int]) -> IntArray:
    """Return one number per row, different for each combination of codes. ``sizes`` are the numbers of their values.

    >>> combined([np.array([0, 1, 1]), np.array([2, 0, 2])], [2, 3]).tolist()
    [2, 3, 5]
    """
    key, possible = np.zeros(len(codes[0]), dtype=np.intp), 1
    for code, size in zip(codes, sizes, strict=True):
        if possible * size > LARGEST_CODE:
            seen, key = np.unique(key, return_inverse=True)
            possible = len(seen)
        key, possible = key * size + code, possible * size
    return key


def _columns(factors: list[FactorColumn], codes: dict[str, IntArray]) -> list[tuple[Column, BoolArray]]:
    made = [(Column((), ()), np.ones(len(codes[factors[0].name]), dtype=bool))]
    for factor in factors:
        made = [
            (Column((*column.factors, factor.name), (*column.levels, level)), at & (codes[factor.name] == index))
            for column, at in made
            for index, level in enumerate(factor.levels)
            if index != factor.reference
        ]
    return made


def _refuse(
    table: Table, names: list[str], chosen: dict[str, FactorColumn], interactions: Sequence[tuple[str, str]]
) -> None:
    if not names:
        raise BvfError("the model has no factor", f"choose among {', '.join(each.name for each in table.factors)}")
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise BvfError(f"{twice} is in the model twice", "name it once")
    for name, factor in chosen.items():
        outer = next((each for each in factor.within if each not in chosen and each not in table.constants), None)
        if outer is not None and (factor.codes == ABSENT).any():
            raise BvfError(f"{name} is within {outer}, which is not in the model", f"add {outer}")
    for first, second in interactions:
        stray = next((name for name in (first, second) if name not in chosen), None)
        if stray is not None:
            raise BvfError(f"{first} : {second}: {stray} is not in the model", f"add {stray} to the factors")
        if first == second or list(map(set, interactions)).count({first, second}) > 1:
            raise BvfError(f"{first} : {second} is not an interaction, or occurs twice", "name two factors, once")
