"""Coverage by the prompts of a table: of each factor, each pair of factors, and all factors together."""

from collections.abc import Sequence
from itertools import combinations, islice, product
from math import prod

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from pydantic import Field, model_validator

from bvf import BvfError
from bvf.domain import Count, Product, Share
from bvf.stats import IntArray
from bvf_factors.covering.designing import Factors, followers, labelled_cells
from bvf_factors.reading.table import ABSENT, FactorColumn, Frozen, Table
from bvf_factors.regressing.model_matrix import Dependence, dependences, same_rows

MOST_CELLS = 2**62
"""The most cells that an integer of 64 bits can number."""
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
    if prod(sizes) < MOST_CELLS:
        return np.unique(np.ravel_multi_index(tuple(levels.T), sizes), return_counts=True)[1]
    return np.unique(levels, axis=0, return_counts=True)[1]


def gini(counts: NDArray[np.integer], cells: int) -> float:
    """Return the Gini index of the numbers of prompts in all cells (Eq. 2). It is 0 if all cells have the same number.

    ``counts`` are the prompts of each cell that has any, shape (C,); ``cells`` is the number of all cells. Empty cells
    are not stored: they only shift the ranks of the others.

    >>> round(gini(np.array([4, 2, 3, 1]), 6), 4)
    0.5
    """
    if not counts.size:
        raise BvfError("there is no prompt: no cell is covered")
    if counts.size > cells:
        raise BvfError(f"{counts.size} combinations have prompts, and only {cells} are possible")
    ascending = np.sort(counts).astype(np.float64)
    above = np.arange(len(ascending), 0, -1) - 0.5  # N - k + 1/2, where empty cells have the first ranks
    return 1.0 - 2.0 * float(ascending @ above) / (float(ascending.sum()) * cells)


def cell_counts(first: FactorColumn, second: FactorColumn) -> pd.DataFrame:
    """Return the number of prompts per pair of levels: rows are levels of the first factor, columns of the second."""
    levels, sizes = _levels((first, second))
    table = np.bincount(np.ravel_multi_index(tuple(levels.T), sizes), minlength=prod(sizes)).reshape(sizes)
    rows, columns = (each.labels[:size] for each, size in zip((first, second), sizes, strict=True))
    return pd.DataFrame(table, index=list(rows), columns=list(columns))


def empty_cells(factors: Factors) -> list[tuple[str, ...]]:
    """Return the levels of the first 1,000 combinations without a prompt. Refuses more than 100,000 combinations."""
    levels, sizes = _levels(factors)
    if prod(sizes) > MOST_LISTED:
        raise BvfError(f"{prod(sizes):,} cells are too many to list the empty ones", "name fewer factors")
    filled = set(map(tuple, np.unique(levels, axis=0).tolist()))
    empty = (cell for cell in product(*map(range, sizes)) if cell not in filled)
    return list(labelled_cells(factors, islice(empty, MOST_EMPTY)))


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
