"""Disparity between a subgroup and others, the spread of their rates, and distances from a target (Eq. 4)."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from pydantic import Field
from scipy.sparse import csr_array, hstack
from scipy.stats import norm

from bvf import BvfError
from bvf.domain import Count, Finite, Level, Share, checked_number
from bvf.stats import BoolArray, FloatArray, IntArray, student_quantile, student_tail
from bvf.tables import counted
from bvf_factors.clusters import effective_clusters, few_clusters
from bvf_factors.reading.table import FactorColumn, Frozen, Table, cell_of_rows, factor_sets

CORRECTION = 0.5
"""Added to all four counts where one is 0 (Haldane and Anscombe), so that no odds are 0 or infinite."""
DRAWS, SPLITS = 1_000, 40
MOST_NUMBERS = 2**24
"""The most numbers in an array that counts how often each unit is drawn."""


@dataclass(frozen=True)
class Disparity:
    """The log disparity of subgroups: the log odds of deviating minus those of the others (Eq. 3)."""

    value: FloatArray  # above 0 where a subgroup has more deviations, shape (...)
    error: FloatArray  # its standard error (Woolf 1955), or that by cluster
    corrected: BoolArray  # whether counts were corrected, because one of them was 0
    freedom: FloatArray | None = None  # degrees of freedom of t; None: the distribution is normal

    @property
    def p_value(self) -> FloatArray:
        """The p value of the two-sided test that the disparity is 0; NaN where no error is known."""
        known = self.error > 0.0
        z = np.divide(np.abs(self.value), self.error, out=np.full(self.error.shape, np.nan), where=known)
        tail = norm.sf(z) if self.freedom is None else student_tail(z, self.freedom)
        return np.asarray(2.0 * tail, dtype=np.float64)

    def with_error(self, error: FloatArray, freedom: FloatArray) -> "Disparity":
        """Return the disparity with another error and degrees of freedom.

        Corrected counts keep their error, except where one cluster has most rows, which cannot show an error.
        """
        chosen = np.where(self.corrected & (freedom >= 1.0), self.error, error)
        return Disparity(self.value, chosen, self.corrected, np.maximum(freedom, 1.0))

    def interval(self, level: float) -> tuple[FloatArray, FloatArray]:
        """Return the lower and upper ends of the confidence intervals of this level."""
        one_side = 0.5 + level / 2.0
        quantile = norm.ppf(one_side) if self.freedom is None else student_quantile(one_side, self.freedom)
        reach = quantile * self.error
        return self.value - reach, self.value + reach


def log_disparity(
    deviations: ArrayLike, prompts: ArrayLike, others_deviations: ArrayLike, others_prompts: ArrayLike
) -> Disparity:
    """Return the log disparity of subgroups against others.

    The counts, of shape (...), are numbers of prompts in which the model deviates, and of all prompts, on each side.

    >>> apart = log_disparity(8, 20, 10, 80)
    >>> [round(float(each), 4) for each in (apart.value, apart.error, *apart.interval(0.95), apart.p_value)]
    [1.5404, 0.568, 0.4272, 2.6537, 0.0067]
    """
    inside, all_inside, outside, all_outside = (
        np.asarray(each, dtype=np.float64) for each in (deviations, prompts, others_deviations, others_prompts)
    )
    for some, every in ((inside, all_inside), (outside, all_outside)):
        if not ((some >= 0) & (some <= every) & (every > 0)).all():
            raise BvfError("deviations are below 0 or more than the prompts, or there is no prompt")
    table = np.stack(np.broadcast_arrays(inside, all_inside - inside, outside, all_outside - outside))
    corrected = (table == 0).any(axis=0)
    table = table + CORRECTION * corrected
    logs = np.log(table)
    return Disparity(logs[0] - logs[1] - logs[2] + logs[3], np.sqrt((1.0 / table).sum(axis=0)), corrected)


def difference_of_means(of_subgroups: Iterable[FloatArray], of_others: Iterable[FloatArray]) -> Disparity:
    """Return the difference of mean outcomes and its error, from rows, sums and sums of squares of each side."""
    mean, error = _mean(*of_subgroups)
    others_mean, others_error = _mean(*of_others)
    return Disparity(mean - others_mean, np.sqrt(error + others_error), np.zeros(mean.shape, dtype=bool))


def _mean(rows: FloatArray, sums: FloatArray, squares: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The mean and its squared standard error (NaN for one row)."""
    mean = sums / rows
    spread = np.maximum(squares - rows * mean**2, 0.0)
    return mean, np.divide(spread, rows * (rows - 1), out=np.full(rows.shape, np.nan), where=rows > 1)


def checked_target(target: float, is_number: bool) -> float:
    """Return C, the rate that is wanted: a share, or any finite number where the outcome is a number."""
    return float(checked_number(target, Finite if is_number else Share, "--target"))


def distance_to(rates: ArrayLike, target: float = 0.0) -> float:
    """Return DM (Eq. 4), the mean distance of the subgroups' deviation rates from a target C.

    It is the integral of |Q(p) - C| over p, Q the quantiles of the rates: their Wasserstein distance from C. All
    subgroups weigh the same, whatever their size.

    >>> round(distance_to([0.1, 0.2, 0.6, 0.9]), 2), round(distance_to([0.1, 0.2, 0.6, 0.9], 0.5), 2)
    (0.45, 0.3)
    """
    of_subgroups = np.asarray(rates, dtype=np.float64)
    if not of_subgroups.size:
        raise BvfError("there is no subgroup, and so no distance of rates from a target")
    return float(np.abs(of_subgroups - target).mean())


def sides_of(rates: FloatArray, target: float) -> FloatArray:
    """Return on which side of the target rates are, 1 or -1, shape (...); NaN: there is no rate."""
    return np.where(np.isnan(rates), np.nan, np.where(rates >= target, 1.0, -1.0))


@dataclass(frozen=True)
class _Units:
    """Prompts and outcomes of subgroups, per resampling unit (cluster or prompt) of the bootstrap."""

    rows: csr_array  # number of prompts, shape (G, S), sparse
    outcome: csr_array  # sum of their outcomes, shape (G, S), sparse
    # how many units there are of each kind, shape (G,): clusters are all different; single prompts with the
    # same levels and outcome are of one kind
    copies: IntArray

    @property
    def effective(self) -> float:
        """Kish's number of clusters, by their prompts in all subgroups."""
        return float(effective_clusters(self.rows.sum(axis=1)))

    def rates(self, times: FloatArray) -> FloatArray:
        """Rates of subgroups, shape (..., S), if resampling units occur ``times`` times, (..., G). NaN: no prompts."""
        rows, outcome = times @ self.rows, times @ self.outcome
        rates: FloatArray = np.divide(outcome, rows, out=np.full(rows.shape, np.nan), where=rows > 0)
        return rates

    def error(self, target: float, draws: int, generator: np.random.Generator) -> float:
        """The standard deviation of DM over bootstrap resamples that have a prompt of any subgroup.

        A rate may be on either side of the target in a resample, or stay on its side: the larger deviation counts.
        """
        units, sides = int(self.copies.sum()), sides_of(self.rates(self.copies.astype(np.float64)), target)
        at_a_time, found = max(1, MOST_NUMBERS // len(self.copies)), []
        for start in range(0, draws, at_a_time):
            number = min(at_a_time, draws - start)
            rates = self.rates(generator.multinomial(units, self.copies / units, size=number).astype(np.float64))
            off = rates[~np.isnan(rates).all(axis=1)] - target
            found.append(np.nanmean([np.abs(off), sides * off], axis=2))
        return float(np.concatenate(found, axis=1).std(axis=1, ddof=1).max())

    def cross_fit(self, target: float, generator: np.random.Generator) -> float:
        """DM with the side of each rate from one half of the units, and its distance to that side from the other half.

        It is the mean of both directions and of `SPLITS` splits, in which each unit is in either half with the same
        probability. A subgroup that is never in both halves has its distance in all units.
        """
        found = list[FloatArray]()
        for _ in range(SPLITS):
            half = generator.binomial(self.copies, 0.5).astype(np.float64)
            one, other = self.rates(half), self.rates(self.copies - half)
            found += [sides_of(one, target) * (other - target), sides_of(other, target) * (one - target)]
        crossed, known = np.array(found), ~np.isnan(found).all(axis=0)
        off = np.abs(self.rates(self.copies.astype(np.float64)) - target)
        off[known] = np.nanmean(crossed[:, known], axis=0)
        return float(off.mean())


class Spread(Frozen):
    """The deviation rates of subgroups of one size."""

    order: Count = Field(description="The number of factors that each subgroup is made of")
    subgroups: Count = Field(description="The number of subgroups with enough prompts")
    few: Count = Field(description="The number of subgroups with too few prompts")
    rates: tuple[Finite, ...] = Field(description="The rates of the subgroups with enough prompts, ascending")
    target: Finite = Field(description="C, the rate that is wanted")
    distance: Finite = Field(
        description="DM, the mean distance of the rates from the target (Eq. 4); subgroups count alike"
    )
    low: Finite | None = Field(
        description="Lower end of the interval of ``distance``; None: one cluster has most of the prompts"
    )
    high: Finite | None
    level: Level = Field(description="Confidence level of that interval")
    clusters: Count = Field(description="The number of clusters (else of prompts) that the bootstrap resamples")
    above: tuple[Finite, Finite] | None = Field(
        None, description="The share of subgroups whose rate is above a line, and the line; None: no line was given"
    )
    notes: tuple[str, ...] = Field((), description="What a reader should know")


def spread(  # noqa: PLR0913 - what a user may choose
    table: Table,
    order: int = 2,
    *,
    factors: Sequence[str] = (),
    target: float = 0.0,
    line: float | None = None,
    level: float = 0.95,
    fewest: int = 10,
    seed: int = 0,
    draws: int = DRAWS,
) -> Spread:
    """Return how far the rates of subgroups are from a target.

    Subgroups are made of ``order`` factors, of those in ``factors`` or of all, and have at least ``fewest`` prompts.
    ``target`` is C, the rate that is wanted; the share of subgroups whose rate is above ``line`` is reported.

    DM has a kink where a rate is C, at which a percentile bootstrap is inconsistent (Andrews 2000). So the interval of
    DM holds DM, which is too large on average, and the cross-fit DM, which is too small. It extends beyond them by
    Student's t times the error of a bootstrap with ``draws`` resamples of clusters, or of prompts if no cluster is
    declared. A resample without a prompt of any subgroup is left out.
    """
    checked_target(target, table.is_number)
    units, few = _units_of(table, factor_sets(table.chosen(factors), order), fewest)
    rates = units.rates(units.copies.astype(np.float64))
    low, high = _ends(units, table, target, level, seed, draws)
    return Spread(
        order=order,
        subgroups=len(rates),
        few=few,
        rates=tuple(map(float, np.sort(rates))),
        target=target,
        distance=distance_to(rates, target),
        low=low,
        high=high,
        level=level,
        clusters=int(units.copies.sum()),
        above=None if line is None else (float((rates > line).mean()), line),
        notes=tuple(_notes(rates, target, units, table.cluster)),
    )


def _ends(units: _Units, table: Table, target: float, level: float, seed: int, draws: int) -> tuple[Any, Any]:
    """The ends of the interval of DM; None: the prompts are of one cluster, or nearly so."""
    freedom = (units.effective if table.cluster else float(units.copies.sum())) - 1.0
    if freedom < 1.0:
        return None, None
    generator = np.random.default_rng(seed)
    reach = float(student_quantile(0.5 + level / 2.0, freedom)) * units.error(target, draws, generator)
    both = distance_to(units.rates(units.copies.astype(np.float64)), target), units.cross_fit(target, generator)
    most = np.inf if table.is_number else max(target, 1.0 - target)
    return max(min(both) - reach, 0.0), min(max(both) + reach, most)


def _units_of(table: Table, sets: Sequence[tuple[FactorColumn, ...]], fewest: int) -> tuple[_Units, int]:
    """The bootstrap units of subgroups with enough prompts, and the number of subgroups with too few."""
    outcome = table.deviations()
    if table.cluster:
        copies, unit_of_row = np.ones(int(table.clusters.max()) + 1, dtype=np.intp), table.clusters
    else:
        kinds = np.column_stack([*(each.cells for each in table.factors), np.unique(outcome, return_inverse=True)[1]])
        _, kind, copies = np.unique(kinds, axis=0, return_inverse=True, return_counts=True)
        unit_of_row = kind.ravel()
    made, few = [], 0
    for factors in sets:
        cells, there, _ = cell_of_rows(factors)
        _, place, number = np.unique(cells[there], return_inverse=True, return_counts=True)
        enough = number >= fewest
        few += int((~enough).sum())
        kept = enough[place]
        column = (np.cumsum(enough) - 1)[place[kept]]
        where = (unit_of_row[there][kept], column)
        shape = (len(copies), int(enough.sum()))
        each = 1.0 / copies[where[0]]
        made.append([csr_array((each * of, where), shape=shape) for of in (1.0, outcome[there][kept])])
    if not sum(rows.shape[1] for rows, _ in made):
        raise BvfError(
            f"no subgroup of {counted(len(sets[0]), 'factor')} has {counted(fewest, 'prompt')}",
            f"there are {table.rows:,} prompts in all",
        )
    rows, sums = (csr_array(hstack(parts, format="csr")) for parts in zip(*made, strict=True))
    return _Units(rows, sums, copies), few


def _notes(rates: FloatArray, target: float, units: _Units, cluster: str) -> Iterator[str]:
    if rates.min() < target < rates.max():
        yield f"The target {target:g} is among the rates: chance alone makes the distance larger."
    if not cluster:
        yield "No cluster is declared: the interval takes prompts as independent."
    elif few := few_clusters(int(np.count_nonzero(units.rows.sum(axis=1))), units.effective, cluster):
        yield f"{few}, so {'there is no interval' if units.effective < 2.0 else 'intervals are rough'}."
