"""The columns of a regression on factors, its distinct rows, and factors that a table cannot separate.

A regression whose columns depend on each other has no single solution, and solvers do not report it: they return one of
many, with errors of any size. So the rank of the model matrix is found first.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from scipy.linalg import qr, solve_triangular

from bvf import BvfError
from bvf.stats import BoolArray, FloatArray, IntArray
from bvf_factors.reading.table import ABSENT, FactorColumn, Table

LARGEST_CODE = 2**62
INTERCEPT = "intercept"
TOLERANCE = 1e-9
"""Below it, relative to the largest, a pivot is 0: entries are 0 and 1, rounding errors are far smaller."""
MOST_SHOWN = 3


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
    """Reference coding of factors. It has each distinct row once."""

    columns: tuple[Column, ...]  # the K - 1 columns after the intercept
    values: FloatArray  # distinct rows, shape (D, K), 0 or 1; the first column is 1
    pattern: IntArray  # index of the distinct row that each row of the table has, shape (P,)
    counts: IntArray  # how many rows of the table each distinct row stands for, shape (D,)
    empty: tuple[Column, ...] = ()  # combinations of an interaction that are in no row, and therefore have no column

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


@dataclass(frozen=True)
class Dependence:
    """A factor whose level determines another factor's level in every row. ``one_to_one``: and vice versa."""

    decides: str
    decided: str
    one_to_one: bool

    def __str__(self) -> str:
        if self.one_to_one:
            return f"{self.decides} and {self.decided} decide each other"
        return f"{self.decides} decides {self.decided}"


@dataclass(frozen=True)
class SameRows:
    """Pairs of a factor and a level with exactly the same rows."""

    levels: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        names = [f"{factor}={level}" for factor, level in self.levels]
        return f"{', '.join(names[:-1])} and {names[-1]} are the same rows"


def refuse_aliases(table: Table, matrix: ModelMatrix) -> None:
    """Raise `BvfError` if the columns of a table's model matrix are linearly dependent. It says why."""
    rank, null = _null_space(matrix.values)
    if not null:
        return
    chosen = [name for name in matrix.terms if name in {each.name for each in table.factors}]
    depend = dependences(table, chosen)
    known = {frozenset((each.decides, each.decided)) for each in depend}
    same = [
        each
        for each in same_rows(table, chosen)
        if any(frozenset((one, other)) not in known for (one, _), (other, _) in combinations(each.levels, 2))
    ]
    rest = _unexplained(matrix, same, depend)
    _, null = _null_space(matrix.values[:, rest])
    of_columns = [f"{_listed([matrix.names[rest[index]] for index in vector])} depend on each other" for vector in null]
    reasons = [*map(str, same), *map(str, depend), *of_columns]
    more = f"; and {len(reasons) - MOST_SHOWN} more" if len(reasons) > MOST_SHOWN else ""
    raise BvfError(
        f"the {len(matrix.names)} columns of the model have rank {rank} in {len(matrix.pattern):,} rows: "
        f"{'; '.join(reasons[:MOST_SHOWN])}{more}; their effects cannot be separated",
        _ways_out(same, depend),
    )


def _ways_out(same: Sequence[SameRows], depend: Sequence[Dependence]) -> str:
    ways = []
    if same:
        levels = same[0].levels
        nested = " and ".join(factor for factor, _ in levels[1:])
        dropped = "=".join(levels[-1])
        ways.append(
            f"drop those rows (--drop {dropped}) and choose another reference, or declare {nested} within the "
            f"other values of {levels[0][0]}"
        )
    if depend:
        first = depend[0]
        ways.append(f"leave {first.decided} or {first.decides} out; one of them may be the cluster instead")
    return "; ".join(ways) or "leave one of them out"


def dependences(table: Table, factors: Sequence[str] | None = None) -> list[Dependence]:
    """Return which factors (by default of all) determine others, except where declared nesting implies it."""
    decided = []
    for one, other, pairs in _pairs(table, factors):
        nested = other.name in one.within or one.name in other.within
        forth, back = (len(np.unique(pairs[:, side])) == len(pairs) for side in (0, 1))
        if (forth or back) and not nested:
            first, second = (one, other) if forth else (other, one)
            decided.append(Dependence(first.name, second.name, one_to_one=forth and back))
    return decided


def same_rows(table: Table, factors: Sequence[str] | None = None) -> list[SameRows]:
    """Return levels of different factors (by default all) that have exactly the same rows."""
    groups: dict[tuple[str, str], list[tuple[str, str]]] = {}
    home: dict[tuple[str, str], tuple[str, str]] = {}
    for one, other, pairs in _pairs(table, factors):
        alone = (np.bincount(pairs[:, 0])[pairs[:, 0]] == 1) & (np.bincount(pairs[:, 1])[pairs[:, 1]] == 1)
        for i, j in pairs[alone].tolist():
            if i < len(one.levels) and j < len(other.levels):
                first, second = (one.name, one.levels[i]), (other.name, other.levels[j])
                place = home.setdefault(first, first)
                if second not in home:
                    home[second] = place
                    groups.setdefault(place, [place]).append(second)
    return [SameRows(tuple(levels)) for levels in groups.values()]


def _pairs(table: Table, factors: Sequence[str] | None) -> Iterator[tuple[FactorColumn, FactorColumn, IntArray]]:
    """For each pair of factors, yield the two factors and the pairs of levels that occur together, shape (L, 2)."""
    chosen = table.factors if factors is None else [table.factor(name) for name in factors]
    for one, other in combinations(chosen, 2):
        size = len(other.labels)
        keys = np.unique(one.cells * size + other.cells)
        yield one, other, np.stack(np.divmod(keys, size), axis=1)


def _null_space(values: FloatArray) -> tuple[int, list[list[int]]]:
    """The rank of a matrix, and the columns involved in each linear dependence."""
    _, upper, order = qr(values, mode="economic", pivoting=True)
    pivots = np.abs(np.diag(upper))
    rank = int((pivots > TOLERANCE * pivots[0]).sum())
    weights = solve_triangular(upper[:rank, :rank], upper[:rank, rank:])
    return rank, [
        sorted([*order[:rank][np.abs(weights[:, index]) > TOLERANCE**0.5].tolist(), int(column)])
        for index, column in enumerate(order[rank:])
    ]


def _unexplained(matrix: ModelMatrix, same: Sequence[SameRows], depend: Sequence[Dependence]) -> list[int]:
    """The columns that are left. Aliases lose one column each, and factors that others determine lose all."""
    left = {index for each in depend for index in matrix.of_term(each.decided)}
    for group in same:
        for factor, level in group.levels[1:]:
            columns = [index for index in matrix.of_term(factor) if index not in left]
            left |= set([index for index in columns if matrix.columns[index - 1].level == level] or columns[:1])
    return [index for index in range(len(matrix.names)) if index not in left]


def _listed(names: Sequence[str]) -> str:
    shown = [name for name in names if name != INTERCEPT] or list(names)
    return ", ".join(shown[:8]) + (f" and {len(shown) - 8} more columns" if len(shown) > 8 else "")
