"""Prompts that a design lacks, for every combination of levels or for all pairs of levels."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations, product
from math import prod
from typing import Any

import numpy as np
import pandas as pd

from bvf import BvfError
from bvf.files import NOT_THERE
from bvf.stats import BoolArray, IntArray
from bvf_factors.reading.table import FactorColumn, Table
from bvf_factors.regressing.model_matrix import Dependence, dependences

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


def labelled_cells(factors: Factors, cells: Iterable[Cell]) -> Iterator[tuple[str, ...]]:
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
