"""Subgroups: prompts that share levels of some factors, and the disparity of deviations in them (Eq. 3)."""

from collections.abc import Sequence
from typing import Literal

import numpy as np
import pandas as pd
from pydantic import BaseModel, ConfigDict

from bvf.arrays import BoolArray, FloatArray, IntArray
from bvf.domain.numbers import Count, Finite, Level, Share
from bvf.stats.comparing.adjusting import benjamini_yekutieli
from bvf_factors.rates.cluster_errors import ClusterErrors, cluster_errors
from bvf_factors.rates.disparity import CORRECTION, Disparity, difference_of_means, log_disparity
from bvf_factors.reading.cells import Cells, cells_of, factor_sets
from bvf_factors.reading.table import Table

Against = Literal["all", "parent"]
FEWEST_ROWS = 10
FEWEST_EXPECTED = 1.0
"""The fewest deviations that a subgroup, and what it is compared with, would have at the rate of all prompts."""


class Subgroup(BaseModel):
    """Prompts that share a level of each of some factors.

    Attributes:
        factors: Names of k different factors.
        levels: Their levels here.
        rows: How many prompts it has.
        rate: The share of its prompts in which the model deviates; for a numeric outcome, its mean.
        disparity: Log odds of deviating minus those of the others; for a numeric outcome, a difference of means.
        error: Standard error of ``disparity``: by cluster; as if prompts were independent where none is declared, or
            where the subgroup is ``corrected``.
        low: Lower end of the interval of ``disparity``.
        high: Upper end of that interval.
        p_value: p value of the test that ``disparity`` is 0.
        adjusted_p: The false discovery rate at which it is found (Benjamini, Yekutieli 2001); None for few prompts.
        corrected: Half a prompt was added to each of the four counts, as one was 0.
        few: It has too few prompts to be tested.
        difference: Its rate, or mean, less that of what it is compared with.
        difference_low: Lower end of the interval of ``difference``, whose error is as that of ``disparity``.
        difference_high: Upper end of that interval.
    """

    model_config = ConfigDict(frozen=True)

    factors: tuple[str, ...]
    levels: tuple[str, ...]
    rows: Count
    rate: Finite
    disparity: Finite | None
    error: Finite | None
    low: Finite | None
    high: Finite | None
    p_value: Share | None
    adjusted_p: Share | None
    corrected: bool
    few: bool
    difference: Finite | None = None
    difference_low: Finite | None = None
    difference_high: Finite | None = None

    @property
    def name(self) -> str:
        """The name of a subgroup, such as ``age=old, style=doubt``."""
        return ", ".join(f"{factor}={level}" for factor, level in zip(self.factors, self.levels, strict=True))


class Subgroups(BaseModel):
    """All subgroups of one size.

    Attributes:
        order: k, the number of factors that each subgroup is made of.
        against: What each is compared with: all other prompts, or those that share all but its last level.
        level: Confidence level of the intervals.
        rate: The rate of all prompts together.
        found: The subgroups, largest disparity first.
        cluster: The column by whose values errors are computed; empty: prompts are taken as independent, as none is
            declared or each prompt has one of its own.
    """

    model_config = ConfigDict(frozen=True)

    order: Count
    against: Against
    level: Level
    rate: Finite
    found: tuple[Subgroup, ...]
    cluster: str = ""

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
    sets = factor_sets(table.chosen(factors), order)
    total = (float(table.rows), float(outcome.sum()), float((outcome**2).sum()))
    parts = [cells_of(each, outcome) for each in sets]
    parents = [_parents(cells, against) for cells in parts]
    others = [_others(cells, of_cells, total) for cells, of_cells in zip(parts, parents, strict=True)]
    each_has = [np.concatenate(arrays) for arrays in zip(*((c.rows, c.outcome, c.squares) for c in parts), strict=True)]
    others_have = [np.concatenate(arrays) for arrays in zip(*others, strict=True)]
    rate = total[1] / total[0]
    smaller = np.minimum(each_has[0], others_have[0])
    few = smaller < fewest
    if not table.is_number:
        few |= smaller * rate < FEWEST_EXPECTED
    disparities = _disparity(each_has, others_have, table.is_number)
    differences = disparities if table.is_number else _differences(each_has, others_have, disparities.corrected)
    if table.dependent:
        errors = [cluster_errors(table, outcome, *each) for each in zip(parts, parents, strict=True)]
        disparities, differences = _by_cluster(disparities, differences, errors, is_number=table.is_number)
    labels = [(cells.factors, levels) for cells in parts for levels in _names(table, cells)]
    made = _made(labels, each_has, disparities, differences, few, level)
    return Subgroups(
        order=order,
        against=against,
        level=level,
        rate=rate,
        found=made,
        cluster=table.cluster if table.dependent else "",
    )


def _made(
    labels: Sequence[tuple[tuple[str, ...], tuple[str, ...]]],
    mine: list[FloatArray],
    disparities: Disparity,
    differences: Disparity,
    few: BoolArray,
    level: float,
) -> tuple[Subgroup, ...]:
    """The subgroups, largest disparity first; those with few prompts are last."""
    low, high = disparities.interval(level)
    difference_low, difference_high = differences.interval(level)
    adjusted = _adjusted(disparities.p_value, ~few)
    order_of = np.lexsort((-np.nan_to_num(disparities.value, nan=-np.inf), few))
    return tuple(
        Subgroup(
            factors=labels[i][0],
            levels=labels[i][1],
            rows=int(mine[0][i]),
            rate=float(mine[1][i] / mine[0][i]),
            disparity=_finite(disparities.value[i]),
            error=_finite(disparities.error[i]),
            low=_finite(low[i]),
            high=_finite(high[i]),
            p_value=_finite(disparities.p_value[i]),
            adjusted_p=_finite(adjusted[i]),
            corrected=bool(disparities.corrected[i]),
            few=bool(few[i]),
            difference=_finite(differences.value[i]),
            difference_low=_finite(difference_low[i]),
            difference_high=_finite(difference_high[i]),
        )
        for i in order_of
    )


def _adjusted(p_values: FloatArray, wanted: BoolArray) -> FloatArray:
    """The p values of the wanted subgroups, adjusted by Benjamini-Yekutieli; NaN for the others."""
    tested = wanted & np.isfinite(p_values)
    adjusted = np.full(len(p_values), np.nan)
    if tested.any():
        adjusted[tested] = benjamini_yekutieli(p_values[tested])
    return adjusted


def _by_cluster(
    disparities: Disparity, differences: Disparity, errors: Sequence[ClusterErrors], *, is_number: bool
) -> tuple[Disparity, Disparity]:
    """The disparities and the differences, with cluster-robust standard errors."""
    of_odds, of_difference, freedom = (
        np.concatenate([getattr(each, name) for each in errors]) for name in ("of_log_odds", "of_difference", "freedom")
    )
    by_cluster = differences.with_error(of_difference, freedom)
    return by_cluster if is_number else disparities.with_error(of_odds, freedom), by_cluster


def _parents(cells: Cells, against: Against) -> IntArray | None:
    """A number per cell that is equal for cells compared with each other.

    If it is None, each is compared with all other rows.
    """
    if against == "all" or cells.levels.shape[1] == 1:
        return None
    parents: IntArray = np.unique(cells.levels[:, :-1], axis=0, return_inverse=True)[1].ravel()
    return parents


def _others(cells: Cells, parents: IntArray | None, total: tuple[float, float, float]) -> tuple[FloatArray, ...]:
    """The number of rows, and sums of outcomes and of their squares, of each cell's comparison prompts."""
    counts = (cells.rows, cells.outcome, cells.squares)
    if parents is None:
        return tuple(every - here for every, here in zip(total, counts, strict=True))
    return tuple(np.bincount(parents, weights=here)[parents] - here for here in counts)


def _differences(mine: list[FloatArray], others: list[FloatArray], corrected: BoolArray) -> Disparity:
    """The difference between the rates of each subgroup and its others. The error assumes independent prompts."""
    with np.errstate(invalid="ignore", divide="ignore"):
        rates = [deviations / rows for rows, deviations, _ in (mine, others)]
        shares = [
            (part[1] + CORRECTION * corrected) / (part[0] + 2.0 * CORRECTION * corrected) for part in (mine, others)
        ]
        squares = [share * (1.0 - share) / part[0] for share, part in zip(shares, (mine, others), strict=True)]
        return Disparity(rates[0] - rates[1], np.sqrt(squares[0] + squares[1]), corrected)


def _disparity(of_subgroup: list[FloatArray], others: list[FloatArray], is_number: bool) -> Disparity:
    """The disparity of each subgroup; NaN where it has no comparison prompts."""
    there = others[0] > 0
    mine, theirs = ([part[there] for part in parts] for parts in (of_subgroup, others))
    some = difference_of_means(mine, theirs) if is_number else log_disparity(mine[1], mine[0], theirs[1], theirs[0])
    value, error = np.full(len(there), np.nan), np.full(len(there), np.nan)
    corrected = np.zeros(len(there), dtype=bool)
    value[there], error[there], corrected[there] = some.value, some.error, some.corrected
    return Disparity(value, error, corrected)


def _names(table: Table, cells: Cells) -> list[tuple[str, ...]]:
    factors = [table.factor(name) for name in cells.factors]
    return [
        tuple(factor.levels[code] for factor, code in zip(factors, codes, strict=True))
        for codes in cells.levels.tolist()
    ]


def _finite(number: float) -> float | None:
    return float(number) if np.isfinite(number) else None
