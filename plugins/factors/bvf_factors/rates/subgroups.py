"""Subgroups: prompts that share levels of some factors, and the disparity of deviations in them (Eq. 3)."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Literal

import numpy as np
import pandas as pd
from pydantic import Field

from bvf.domain import Count, Finite, Level, Share
from bvf.stats import BoolArray, FloatArray, IntArray, benjamini_yekutieli
from bvf_factors.rates.spread import CORRECTION, Disparity, difference_of_means, log_disparity
from bvf_factors.reading.table import FactorColumn, Frozen, Table, cell_of_rows, factor_sets

Against = Literal["all", "parent"]
FEWEST_ROWS = 10
FEWEST_EXPECTED = 1.0
"""The fewest deviations that a subgroup, and what it is compared with, would have at the rate of all prompts."""
MOST_COUNTED = 2**22
"""The most cells that are counted in one array; of more, the filled ones are found by sorting."""
NO_ERROR = 1e-9


class Subgroup(Frozen):
    """Prompts that share a level of each of some factors."""

    factors: tuple[str, ...] = Field(description="Names of k different factors")
    levels: tuple[str, ...]
    rows: Count = Field(description="How many prompts it has")
    rate: Finite = Field(
        description="The share of its prompts in which the model deviates; for a numeric outcome, its mean"
    )
    disparity: Finite | None = Field(
        description="Log odds of deviating minus those of the others; for a numeric outcome, a difference of means"
    )
    error: Finite | None = Field(
        description="Standard error of ``disparity``: by cluster; as if prompts were independent where none is "
        "declared, or where the subgroup is ``corrected``"
    )
    low: Finite | None = Field(description="Lower end of the interval of ``disparity``")
    high: Finite | None
    p_value: Share | None = Field(description="p value of the test that ``disparity`` is 0")
    adjusted_p: Share | None = Field(
        description="The false discovery rate at which it is found (Benjamini, Yekutieli 2001); None for few prompts"
    )
    corrected: bool = Field(description="Half a prompt was added to each of the four counts, as one was 0")
    few: bool = Field(description="It has too few prompts to be tested")
    difference: Finite | None = Field(None, description="Its rate, or mean, less that of what it is compared with")
    difference_low: Finite | None = Field(
        None, description="Lower end of the interval of ``difference``, whose error is as that of ``disparity``"
    )
    difference_high: Finite | None = None

    @property
    def name(self) -> str:
        """The name of a subgroup, such as ``age=old, style=doubt``."""
        return ", ".join(f"{factor}={level}" for factor, level in zip(self.factors, self.levels, strict=True))


class Subgroups(Frozen):
    """All subgroups of one size."""

    order: Count = Field(description="k, the number of factors that each subgroup is made of")
    against: Against = Field(
        description="What each is compared with: all other prompts, or those that share all but its last level"
    )
    level: Level = Field(description="Confidence level of the intervals")
    rate: Finite = Field(description="The rate of all prompts together")
    found: tuple[Subgroup, ...] = Field(description="The subgroups, largest disparity first")
    cluster: str = Field(
        "",
        description="The column by whose values errors are computed; empty: prompts are taken as independent, as "
        "none is declared or each prompt has one of its own",
    )

    def to_frame(self) -> pd.DataFrame:
        """Return a row per subgroup. Its factors and levels are texts."""
        rows = [
            {"subgroup": each.name, **each.model_dump(exclude={"factors", "levels"})}
            | dict(zip(each.factors, each.levels, strict=True))
            for each in self.found
        ]
        return pd.DataFrame(rows)


def subgroups(
    table: Table,
    order: int = 1,
    *,
    factors: Sequence[str] = (),
    against: Against = "all",
    level: float = 0.95,
    fewest: int = FEWEST_ROWS,
) -> Subgroups:
    """Return all subgroups that share levels of ``order`` different factors.

    The factors are ``factors``, by default all.

    Subgroups overlap, so their tests depend on each other: p values are adjusted by Benjamini and Yekutieli's method.
    ``all`` compares a subgroup with all other prompts, ``parent`` with those that have the same levels of all but the
    last factor, in the order of ``factors``. A subgroup is tested only if it and the prompts that it is compared with
    have at least ``fewest`` prompts each, and enough expected deviations. Errors are by cluster if any cluster has
    several prompts.
    """
    outcome = table.deviations()
    total = np.array([table.rows, outcome.sum(), (outcome**2).sum()], dtype=np.float64)
    parts = [cells_of(each, outcome, against) for each in factor_sets(table.chosen(factors), order)]
    mine = np.concatenate([cells.counts for cells in parts], axis=1)
    theirs = np.concatenate([cells.counts_of_others(total) for cells in parts], axis=1)
    rate, smaller = total[1] / total[0], np.minimum(mine[0], theirs[0])
    few = smaller < fewest
    if not table.is_number:
        few |= smaller * rate < FEWEST_EXPECTED
    disparities = _disparity(mine, theirs, table.is_number)
    differences = disparities if table.is_number else _differences(mine, theirs, disparities.corrected)
    if table.dependent:
        errors = [cluster_errors(table, outcome, cells) for cells in parts]
        of_differences, of_odds, freedom = (np.concatenate(each) for each in zip(*errors, strict=True))
        differences = differences.with_error(of_differences, freedom)
        disparities = differences if table.is_number else disparities.with_error(of_odds, freedom)
    found = _found(parts, mine, disparities, differences, few, level)
    cluster = table.cluster if table.dependent else ""
    return Subgroups(order=order, against=against, level=level, rate=float(rate), found=found, cluster=cluster)


@dataclass(frozen=True)
class Cells:
    """The filled cells of some factors."""

    factors: tuple[FactorColumn, ...]
    levels: IntArray  # index of each factor's level in each cell, shape (S, F)
    counts: FloatArray  # of each cell the number of rows, and the sums of the outcome and of its square, shape (3, S)
    # a number per cell that is equal for cells compared with each other, (S,); None: each is compared with all
    # other rows
    parents: IntArray | None

    def counts_of_others(self, total: FloatArray) -> FloatArray:
        """Return the counts of the prompts that each cell is compared with, shape (3, S). ``total``: of all, (3,)."""
        if self.parents is None:
            return np.asarray(total[:, np.newaxis] - self.counts)
        return np.stack([np.bincount(self.parents, here)[self.parents] - here for here in self.counts])


def cells_of(factors: tuple[FactorColumn, ...], outcome: FloatArray, against: Against = "all") -> Cells:
    """Return the filled cells of some factors. Rows in which a factor is absent are in no cell."""
    cells, there, sizes = cell_of_rows(factors)
    if not there.all():
        cells, outcome = cells[there], outcome[there]
    if prod(sizes) > MOST_COUNTED:
        filled, cells = np.unique(cells, return_inverse=True)
    else:
        filled = np.arange(prod(sizes))
    counts = np.stack([np.bincount(cells, of, len(filled)).astype(float) for of in (None, outcome, outcome**2)])
    some = counts[0] > 0
    levels = np.stack(np.unravel_index(filled[some], sizes), axis=1)
    parents: IntArray | None = None
    if against == "parent" and len(factors) > 1:
        parents = np.unique(levels[:, :-1], axis=0, return_inverse=True)[1].ravel()
    return Cells(factors, levels, counts[:, some], parents)


def _disparity(mine: FloatArray, theirs: FloatArray, is_number: bool) -> Disparity:
    """The disparity of each subgroup; NaN where it has no comparison prompts."""
    there = theirs[0] > 0
    some, others = mine[:, there], theirs[:, there]
    found = difference_of_means(some, others) if is_number else log_disparity(some[1], some[0], others[1], others[0])
    value, error = np.full(len(there), np.nan), np.full(len(there), np.nan)
    corrected = np.zeros(len(there), dtype=bool)
    value[there], error[there], corrected[there] = found.value, found.error, found.corrected
    return Disparity(value, error, corrected)


def _differences(mine: FloatArray, theirs: FloatArray, corrected: BoolArray) -> Disparity:
    """The difference between the rates of each subgroup and its others. The error assumes independent prompts."""
    with np.errstate(invalid="ignore", divide="ignore"):
        rates, squares = [], []
        for rows, deviations, _ in (mine, theirs):
            share = (deviations + CORRECTION * corrected) / (rows + 2.0 * CORRECTION * corrected)
            rates.append(deviations / rows)
            squares.append(share * (1.0 - share) / rows)
        return Disparity(rates[0] - rates[1], np.sqrt(squares[0] + squares[1]), corrected)


def _found(
    parts: Sequence[Cells],
    mine: FloatArray,
    disparities: Disparity,
    differences: Disparity,
    few: BoolArray,
    level: float,
) -> tuple[Subgroup, ...]:
    """The subgroups, largest disparity first; those with few prompts are last."""
    tested = ~few & np.isfinite(disparities.p_value)
    adjusted = np.full(len(few), np.nan)
    if tested.any():
        adjusted[tested] = benjamini_yekutieli(disparities.p_value[tested])
    figures = {"disparity": disparities.value, "error": disparities.error, "p_value": disparities.p_value}
    figures |= {"adjusted_p": adjusted, "difference": differences.value}
    figures["low"], figures["high"] = disparities.interval(level)
    figures["difference_low"], figures["difference_high"] = differences.interval(level)
    names = [(cells.factors, codes) for cells in parts for codes in cells.levels.tolist()]
    return tuple(
        Subgroup(
            factors=tuple(factor.name for factor in names[i][0]),
            levels=tuple(factor.levels[code] for factor, code in zip(*names[i], strict=True)),
            rows=int(mine[0][i]),
            rate=float(mine[1][i] / mine[0][i]),
            corrected=bool(disparities.corrected[i]),
            few=bool(few[i]),
            **{name: float(values[i]) if np.isfinite(values[i]) else None for name, values in figures.items()},
        )
        for i in np.lexsort((-np.nan_to_num(disparities.value, nan=-np.inf), few))
    )


def cluster_errors(table: Table, outcome: FloatArray, cells: Cells) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return cluster-robust standard errors of subgroups against others (Liang, Zeger 1986), and their freedom, (S,).

    The errors are those of the difference of rates, or of means, and of the difference of log odds; NaN if clusters are
    too few or do not vary, of log odds also where one of the four counts is 0. The degrees of freedom of t are one less
    than Kish's number of clusters of the subgroup, or of the others if that is smaller, as for levels of a regression.
    """
    flat, there, sizes = cell_of_rows(cells.factors)
    x = np.searchsorted(np.ravel_multi_index(tuple(cells.levels.T), sizes), flat[there])
    number, size = int(table.clusters.max()) + 1, len(cells.levels)
    every = np.ones(table.rows, dtype=bool) if cells.parents is None else there
    family = np.zeros(size, dtype=np.intp) if cells.parents is None else cells.parents
    of_row = np.zeros(table.rows, dtype=np.intp) if cells.parents is None else family[x]
    places, rows, sums = _sums(x * number + table.clusters[there], outcome[there])
    totals, all_rows, all_sums = _sums(of_row * number + table.clusters[every], outcome[every])
    x, parent = places // number, totals // number
    at = np.searchsorted(totals, family[x] * number + places % number)

    def of_family(values: FloatArray) -> FloatArray:
        return np.bincount(parent, values)[family].astype(np.float64)

    def of_cell(values: FloatArray) -> FloatArray:
        return np.bincount(x, values, size).astype(np.float64)

    with np.errstate(divide="ignore", invalid="ignore"):
        n, outcomes, _ = cells.counts
        others_n = of_family(all_rows) - n
        p, others_p = outcomes / n, (of_family(all_sums) - outcomes) / others_n
        whole = all_sums[at] - others_p[x] * all_rows[at]
        inside, outside = sums - p[x] * rows, whole - (sums - others_p[x] * rows)
        squares = of_family(all_sums**2) - 2 * others_p * of_family(all_sums * all_rows)
        elsewhere = np.maximum(squares + others_p**2 * of_family(all_rows**2) - of_cell(whole**2), 0.0)
        clusters = of_family(np.ones(len(totals)))
        family_n = n + others_n
        correction = clusters / (clusters - 1.0) * (family_n - 1.0) / (family_n - 2.0)  # as in a regression
        squares_outside = of_family(all_rows**2) - of_cell(all_rows[at] ** 2 - (all_rows[at] - rows) ** 2)
        freedom = np.minimum(n**2 / of_cell(rows**2), others_n**2 / squares_outside) - 1.0

        def error(of_inside: FloatArray, of_outside: FloatArray) -> FloatArray:
            here = of_cell((of_inside[x] * inside - of_outside[x] * outside) ** 2)
            found = np.sqrt(correction * (here + of_outside**2 * elsewhere))
            known: FloatArray = np.where((freedom >= 1.0) & np.isfinite(found) & (found > NO_ERROR), found, np.nan)
            return known

        of_odds = error(1.0 / (n * p * (1.0 - p)), 1.0 / (others_n * others_p * (1.0 - others_p)))
        return error(1.0 / n, 1.0 / others_n), of_odds, freedom


def _sums(keys: IntArray, outcome: FloatArray) -> tuple[IntArray, FloatArray, FloatArray]:
    """The distinct keys, ascending, and the number of rows and the sum of outcomes of each."""
    different, place = np.unique(keys, return_inverse=True)
    return different, np.bincount(place).astype(np.float64), np.bincount(place, outcome).astype(np.float64)
