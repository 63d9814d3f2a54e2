"""What the prompts of a table cover: each factor, each pair, all together; and which prompts a design lacks."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations, product
from math import prod
from typing import Annotated, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from pydantic import Field, model_validator

from bvf import BvfError
from bvf.domain import Count, Share
from bvf.stats import BoolArray, IntArray
from bvf_factors.reading.declared import NOT_THERE
from bvf_factors.reading.table import ABSENT, FactorColumn, Frozen, Table
from bvf_factors.regressing.model_matrix import Dependence, combined, dependences, same_rows

MOST_CELLS = 1_000_000
STRENGTHS = (2, 3)
Factors = tuple[FactorColumn, ...]
Cell = tuple[int, ...]
"""An index of a label per factor."""
Uncovered = dict[Cell, BoolArray]
"""Whether levels of some factors occur nowhere together and could, by the indices of these factors."""


@dataclass(frozen=True)
class Design:
    """The prompts that a design lacks."""

    factors: tuple[str, ...]
    strength: int  # 2 or 3: every combination of levels of that many factors occurs; 0: of all factors
    possible: int  # the number of such combinations that can occur
    filled: int  # the number of these combinations that have a prompt
    missing: tuple[tuple[str, ...], ...]  # levels of each missing prompt, in the order of the factors
    following: Mapping[str, str]  # factors that are left out because their level follows from another factor, by name

    def as_json(self) -> dict[str, Any]:
        """Return the design as JSON values."""
        missing = [dict(zip(self.factors, levels, strict=True)) for levels in self.missing]
        return {**asdict(self), "factors": list(self.factors), "missing": missing}

    def to_frame(self) -> pd.DataFrame:
        """Return a row per missing prompt and a column per factor."""
        return pd.DataFrame(list(self.missing), columns=list(self.factors))


def missing_prompts(table: Table, names: tuple[str, ...] = (), strength: int = 0) -> Design:
    """Return the prompts that are missing for a design of the named factors (by default all).

    Without names, factors that another factor decides are left out, such as a template's gender. A nested factor has
    levels only within what it is nested in. Strength 0 is a full design, of at most a million cells; with strength 2 or
    3, each combination of levels of that many factors occurs at least once.
    """
    chosen = table.chosen(names)
    following = {} if names else followers([each.name for each in chosen], dependences(table))
    factors = tuple(each for each in chosen if each.name not in following)
    rows = np.unique(np.column_stack([each.cells for each in factors]), axis=0)
    if strength == 0:
        possible, missing = _full(factors, rows)
        filled = possible - len(missing)
    elif strength in STRENGTHS and strength <= len(factors):
        uncovered, possible = _uncovered(factors, rows, strength)
        filled = possible - sum(int(each.sum()) for each in uncovered.values())
        missing = list(_covering(factors, uncovered))
    else:
        raise BvfError(
            f"a design of strength {strength} of {len(factors)} factors", "choose 2 or 3, and at least as many factors"
        )
    names_of_design = tuple(each.name for each in factors)
    return Design(names_of_design, strength, possible, filled, tuple(labelled_cells(factors, missing)), following)


def labelled_cells(factors: Factors, cells: Iterable[Sequence[int]]) -> Iterator[tuple[str, ...]]:
    """Yield the labels of cells. A cell is given as an index of a label per factor."""
    for cell in cells:
        yield tuple(each.labels[index] for each, index in zip(factors, cell, strict=True))


def followers(names: Sequence[str], dependences: Iterable[Dependence]) -> dict[str, str]:
    """Return the named factors that another one determines, by that one; of two that do so the second follows."""
    followed: dict[str, str] = {}
    for each in dependences:
        if each.decides in names and each.decided in names:
            followed.setdefault(each.decided, each.decides)
    return followed


def _full(factors: Factors, rows: IntArray) -> tuple[int, list[Cell]]:
    sizes = [len(each.labels) for each in factors]
    if prod(sizes) > MOST_CELLS:
        raise BvfError(
            f"a full design of {len(factors)} factors has up to {prod(sizes):,} cells: too many to list",
            "name fewer with --factor, or let every pair of levels occur: --strength 2",
        )
    there = set(map(tuple, rows.tolist()))
    possible = [cell for cell in product(*map(range, sizes)) if _can_be(factors, cell)]
    return len(possible), [cell for cell in possible if cell not in there]


def _can_be(factors: Factors, cell: Cell) -> bool:
    """Whether each nested factor, all of whose outer factors are there, is present exactly where these allow it."""
    level_of = {each.name: each.labels[index] for each, index in zip(factors, cell, strict=True)}
    for each in factors:
        known = [level_of[outer] in values for outer, values in each.within.items() if outer in level_of]
        if len(known) == len(each.within) and each.within and all(known) == (level_of[each.name] == NOT_THERE):
            return False
    return True


def _uncovered(factors: Factors, rows: IntArray, strength: int) -> tuple[Uncovered, int]:
    """The level combinations of ``strength`` factors without a prompt, by factors, and also how many can occur."""
    uncovered: Uncovered = {}
    possible = 0
    for chosen in combinations(range(len(factors)), strength):
        some = tuple(factors[index] for index in chosen)
        sizes = tuple(len(each.labels) for each in some)
        can_be = np.ones(sizes, dtype=bool)
        if any(each.within for each in some):
            for cell in product(*map(range, sizes)):
                can_be[cell] = _absence_explained(some, cell) and _can_be_within(factors, some, cell)
        possible += int(can_be.sum())
        can_be[tuple(rows[:, index] for index in chosen)] = False
        uncovered[chosen] = can_be
    return uncovered, possible


def _can_be_within(factors: Factors, some: Factors, cell: Cell) -> bool:
    """Whether levels of some factors can occur together for some levels of their outer factors."""
    outer = {name for each in some for name in each.within} - {each.name for each in some}
    others = tuple(each for each in factors if each.name in outer)
    rest = product(*(range(len(each.labels)) for each in others))
    return any(_can_be((*some, *others), (*cell, *more)) for more in rest)


def _absence_explained(factors: Factors, cell: Cell) -> bool:
    """Whether the outer factors of each absent nested factor are among factors. Their levels explain the absence."""
    names = {each.name for each in factors}
    return all(
        each.labels[index] != NOT_THERE or set(each.within) <= names or not each.within
        for each, index in zip(factors, cell, strict=True)
    )


def _covering(factors: Factors, uncovered: Uncovered) -> Iterator[Cell]:
    """Yield prompts that cover all combinations. Each level is chosen to cover the most new ones."""
    outer_first = sorted(range(len(factors)), key=lambda index: bool(factors[index].within))
    while True:
        most = max(uncovered, key=lambda chosen: int(uncovered[chosen].sum()))
        if not uncovered[most].any():
            return
        first = np.unravel_index(int(np.flatnonzero(uncovered[most])[0]), uncovered[most].shape)
        levels: dict[int, int] = dict(zip(most, map(int, first), strict=True))
        for index in outer_first:
            if index not in levels:
                levels[index] = _best(factors, index, levels, uncovered)
        for chosen, left in uncovered.items():
            left[tuple(levels[index] for index in chosen)] = False
        yield tuple(levels[index] for index in range(len(factors)))


def _best(factors: Factors, index: int, levels: dict[int, int], uncovered: Uncovered) -> int:
    """The level that adds the most new combinations with the levels chosen so far."""
    gains = np.zeros(len(factors[index].labels), dtype=np.intp)
    for chosen, left in uncovered.items():
        if index in chosen and all(other in levels for other in chosen if other != index):
            gains += left[tuple(slice(None) if other == index else levels[other] for other in chosen)]
    some, codes = tuple(factors[each] for each in levels), tuple(levels.values())
    allowed = [level for level in range(len(gains)) if _can_be((factors[index], *some), (level, *codes))]
    return max(allowed, key=lambda level: int(gains[level]))


Product = Annotated[int, Field(strict=True, ge=0, le=10**300)]
"""A product of counts, which may be larger than 64 bits hold."""
MOST_EMPTY = 1_000
MOST_LISTED = 100_000
"""The most cells that are searched for empty ones."""


class Covered(Frozen):
    """How many cells (combinations of levels) of some factors have prompts, and how evenly."""

    factors: tuple[str, ...]
    cells: Product = Field(description="N, the product of the numbers of levels that occur")
    possible: Product = Field(
        description="How many cells there can be: nested factors are there only within others, and a factor that "
        "another one decides has no cells of its own"
    )
    filled: Count = Field(description="The number of cells with a prompt")
    proportion: Share = Field(description="CP, the share of all cells that are filled (Eq. 1)")
    gini: Share = Field(description="GI of the numbers of prompts in all cells (Eq. 2)")
    possible_proportion: Share = Field(description="CP among the possible cells")
    possible_gini: Share = Field(description="GI among the possible cells")


class CoverageResult(Frozen):
    """What the prompts of a table cover."""

    rows: Count = Field(description="How many prompts there are")
    single: tuple[Covered, ...] = Field(description="Coverage of each factor")
    pairs: tuple[Covered, ...] = Field(description="Coverage of each pair of factors")
    joint: Covered | None = Field(description="Coverage of all factors together; None for a single factor")
    counts: dict[str, dict[str, Count]] = Field(description="Number of prompts of each level, by factor")
    decided: dict[str, str] = Field(
        description="For each factor whose level follows from another factor, that other factor"
    )
    same_rows: tuple[str, ...] = Field(
        description="Levels of several factors that have exactly the same rows, a sentence each"
    )
    constants: dict[str, str] = Field(description="Factors with only one level, and that level")
    unseen: dict[str, tuple[str, ...]] = Field(description="Values that are declared and have no prompt, by factor")

    @model_validator(mode="after")
    def _of_its_factors(self) -> "CoverageResult":
        for each, number in (*((one, 1) for one in self.single), *((pair, 2) for pair in self.pairs)):
            if len(each.factors) != number or not all(self.counts.get(name) for name in each.factors):
                raise ValueError(f"coverage of {list(each.factors)}: there are no counts of these factors")
        return self

    def to_frame(self) -> pd.DataFrame:
        """Return a row per factor, a row per pair of factors, and a row for all factors."""
        every = [*self.single, *self.pairs, *([self.joint] if self.joint else [])]
        return pd.DataFrame([{**each.model_dump(), "factors": " x ".join(each.factors)} for each in every])


def coverage(table: Table, names: tuple[str, ...] = ()) -> CoverageResult:
    """Return the coverage of factors (by default all) by the prompts of a table. It needs no outcome."""
    factors = table.chosen(names)
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice:
        raise BvfError(f"{twice} is named twice", "name it once")
    chosen = [each.name for each in factors]
    decide = dependences(table, chosen)
    return CoverageResult(
        rows=table.rows,
        single=tuple(covered((each,)) for each in factors),
        pairs=tuple(covered(pair, decide) for pair in combinations(factors, 2)),
        joint=covered(factors, decide) if len(factors) > 1 else None,
        counts={
            each.name: dict(zip(each.labels, np.bincount(each.cells, minlength=len(each.labels)).tolist(), strict=True))
            for each in factors
        },
        decided=followers(chosen, decide),
        same_rows=tuple(map(str, same_rows(table, chosen))),
        constants=dict(table.constants),
        unseen={each.name: each.unseen for each in factors if each.unseen},
    )


def covered(factors: Factors, decide: Sequence[Dependence] = ()) -> Covered:
    """Return how many cells (combinations of levels) of some factors have prompts, and how evenly.

    A nested factor has a level for its absence only if all its outer factors are given too; otherwise prompts without
    it are left out. ``decide``: factors whose level decides that of another factor, so that some cells are impossible.
    """
    levels, sizes = _levels(factors)
    counts, cells = prompts_per_cell(levels, sizes), prod(sizes)
    possible = max(_possible(factors, decide), len(counts))
    return Covered(
        factors=tuple(each.name for each in factors),
        cells=cells,
        possible=possible,
        filled=len(counts),
        proportion=len(counts) / cells,
        gini=gini(counts, cells),
        possible_proportion=len(counts) / possible,
        possible_gini=gini(counts, possible),
    )


def prompts_per_cell(levels: IntArray, sizes: tuple[int, ...]) -> NDArray[np.intp]:
    """Return the prompts of each filled cell, (C,), from the levels of each prompt, (P, F), and their numbers."""
    return np.unique(combined(list(levels.T), sizes), return_counts=True)[1]


def gini(counts: NDArray[np.integer], cells: int) -> float:
    """Return the Gini index of the numbers of prompts in all cells (Eq. 2). It is 0 if all cells have the same number.

    ``counts`` are the prompts of each cell that has any, shape (C,); ``cells`` is the number of all cells. Empty cells
    are not stored: they only shift the ranks of the others.

    >>> round(gini(np.array([4, 2, 3, 1]), 6), 4)
    0.5
    """
    if not counts.size:
        raise BvfError("there is no prompt: no cell is covered")
    ascending = np.sort(counts).astype(np.float64)
    above = np.arange(len(ascending), 0, -1) - 0.5  # N - k + 1/2, where empty cells have the first ranks
    return 1.0 - 2.0 * float(ascending @ above) / (float(ascending.sum()) * cells)


def cell_counts(first: FactorColumn, second: FactorColumn) -> pd.DataFrame:
    """Return the number of prompts per pair of levels: rows are levels of the first factor, columns of the second."""
    table = _counts(*_levels((first, second)))
    rows, columns = (each.labels[:size] for each, size in zip((first, second), table.shape, strict=True))
    return pd.DataFrame(table, index=list(rows), columns=list(columns))


def empty_cells(factors: Factors) -> list[tuple[str, ...]]:
    """Return the levels of the first 1,000 combinations without a prompt. Refuses more than 100,000 combinations."""
    levels, sizes = _levels(factors)
    if prod(sizes) > MOST_LISTED:
        raise BvfError(f"{prod(sizes):,} cells are too many to list the empty ones", "name fewer factors")
    return list(labelled_cells(factors, np.argwhere(_counts(levels, sizes) == 0)[:MOST_EMPTY].tolist()))


def _counts(levels: IntArray, sizes: tuple[int, ...]) -> IntArray:
    """The number of prompts of each cell, from the levels of each prompt, (P, F), in an array of these sizes."""
    return np.bincount(np.ravel_multi_index(tuple(levels.T), sizes), minlength=prod(sizes)).reshape(sizes)


def _labelled(factors: Factors) -> set[str]:
    """Names of the nested factors whose outer factors are all among ``factors``."""
    names = {each.name for each in factors}
    return {each.name for each in factors if each.within and set(each.within) <= names}


def _levels(factors: Factors) -> tuple[IntArray, tuple[int, ...]]:
    """Level indices in the rows included, shape (P', F), and the number of levels of each factor."""
    labelled = _labelled(factors)
    there = np.ones(len(factors[0].codes), dtype=bool)
    for each in factors:
        if each.name not in labelled:
            there &= each.codes != ABSENT
    columns = [(each.cells if each.name in labelled else each.codes)[there] for each in factors]
    sizes = tuple(len(each.labels if each.name in labelled else each.levels) for each in factors)
    return np.column_stack(columns), sizes


def _possible(factors: Factors, decide: Sequence[Dependence]) -> int:
    """The number of cells that can occur, given nesting and factors whose level another factor determines."""
    labelled, decided = _labelled(factors), followers([each.name for each in factors], decide)
    outer_names = {name for each in factors if each.name in labelled for name in each.within}
    outer = [each for each in factors if each.name in outer_names]
    nested = [each for each in factors if each.name in labelled]
    free = [each for each in factors if each not in outer and each not in nested and each.name not in decided]
    of_outer = 0
    for levels in product(*(each.levels for each in outer)):
        level_of = dict(zip((each.name for each in outer), levels, strict=True))
        there = (all(level_of[name] in values for name, values in each.within.items()) for each in nested)
        of_outer += prod(len(each.levels) if is_there else 1 for each, is_there in zip(nested, there, strict=True))
    return of_outer * prod(len(each.levels) for each in free)
