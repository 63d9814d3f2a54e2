"""Compares models: do the deviation rates of their subgroups have one distribution?"""

import warnings
from collections.abc import Iterator, Sequence
from itertools import combinations, product
from math import prod
from typing import Any

import numpy as np
import pandas as pd
from pydantic import BaseModel, ConfigDict

from bvf.arrays import FloatArray
from bvf.domain.numbers import Count, Finite, Level, Share
from bvf.errors import BvfError
from bvf.stats.comparing.adjusting import holm
from bvf.tables.words import counted
from bvf_factors.rates.clustered import rates_of
from bvf_factors.rates.disparity import checked_target, distance_to
from bvf_factors.reading.cells import cell_of_rows, factor_sets
from bvf_factors.reading.table import ENOUGH_CLUSTERS, FactorColumn, Table

DRAWS = 1_000
USUAL_ORDER = 2
MOST_COUNTS = 2**27
ROUNDING = 1e-9


class Pair(BaseModel):
    """The comparison of two models, ``first`` and ``second``, in their deviation rates over prompts and subgroups.

    Attributes:
        difference: The rate of the first over all prompts less that of the second.
        low: Lower end of its interval by cluster, paired; None: nothing varies between clusters.
        high: Upper end of that interval.
        subgroups: The number of subgroups with enough prompts of both models.
        ks: The largest distance of the two distribution functions of rates (Kolmogorov and Smirnov).
        ks_p: Its p value as in the paper, which takes rates as independent; they are not.
        p_value: Permutation p value of ``ks``: the answers of the two models are exchanged, cluster by cluster.
        adjusted_p: ``p_value``, adjusted for all pairs (Holm 1979).
    """

    model_config = ConfigDict(frozen=True)

    first: str
    second: str
    difference: Finite
    low: Finite | None
    high: Finite | None
    subgroups: Count
    ks: Finite
    ks_p: Share
    p_value: Share
    adjusted_p: Share


class ModelComparison(BaseModel):
    """Deviation rates of models, and the comparison of each pair of models.

    Attributes:
        by: The factor whose levels are compared, such as ``model``.
        factors: The other factors, of which subgroups are made.
        order: The number of factors that each subgroup is made of.
        rates: The rate over all prompts, by model.
        intervals: Their intervals by cluster, by model; None: nothing varies between clusters.
        level: Confidence level of the intervals, of each by itself.
        is_number: The outcome is a number, and rates are its means.
        distances: DM, the mean distance from the target C, by model.
        spread: The rates of its subgroups, ascending, by model.
        clusters: How many values of the column ``cluster`` have answers of more than one model.
    """

    model_config = ConfigDict(frozen=True)

    by: str
    factors: tuple[str, ...]
    order: Count
    rates: dict[str, Finite]
    intervals: dict[str, tuple[Finite, Finite] | None]
    level: Level
    is_number: bool
    distances: dict[str, Finite]
    spread: dict[str, tuple[Finite, ...]]
    target: Finite
    clusters: Count
    cluster: str
    pairs: tuple[Pair, ...]
    notes: tuple[str, ...] = ()

    def to_frame(self) -> pd.DataFrame:
        """Return a row per pair of models."""
        return pd.DataFrame([each.model_dump() for each in self.pairs])


def compare_models(  # noqa: PLR0913 - what a user may choose
    table: Table,
    by: str = "model",
    order: int | None = None,
    *,
    factors: Sequence[str] = (),
    target: float = 0.0,
    level: float = 0.95,
    fewest: int = 10,
    seed: int = 0,
    draws: int = DRAWS,
) -> ModelComparison:
    """Return how models differ in their rate, and in the distribution of their subgroups' rates.

    Models are the levels of the factor ``by``. Subgroups are made of ``order`` other factors, of those in ``factors``
    or of all, and have at least ``fewest`` prompts of each model; ``order`` is by default 2, or 1 if there is one other
    factor. The table's clusters identify prompts that all models answered. ``target`` is C, of DM. ``draws`` is the
    number of random exchanges if there are too many to try them all.
    """
    checked_target(target, table.is_number)
    outcome, models = table.deviations(), table.factor(by)
    if not table.cluster:
        raise BvfError(
            "models are compared on the same prompts, and no cluster is declared",
            'name the column: cluster = "template"',
        )
    if models.within:
        raise BvfError(f"{by} is nested, so that some rows have no level of it: its levels cannot be compared")
    others = _others(table, by, factors)
    sets = factor_sets(others, min(USUAL_ORDER, len(others)) if order is None else order)
    counts = _counts(table, outcome, models, sets)
    overall = rates_of(outcome, models.codes, table.clusters, are_shares=not table.is_number)
    made = [
        Pair(
            first=models.levels[one],
            second=models.levels[other],
            **overall.difference(one, other, level),
            **_tested((models.levels[one], models.levels[other]), counts[one], counts[other], fewest, seed, draws),
        )
        for one, other in combinations(range(len(models.levels)), 2)
    ]
    adjusted = holm(np.array([each.p_value for each in made]))
    of_subgroups = {name: _rates_of_subgroups(counts[index], fewest) for index, name in enumerate(models.levels)}
    shared = int(((counts[:, 0].sum(axis=2) > 0).sum(axis=0) > 1).sum())
    return ModelComparison(
        by=by,
        factors=tuple(each.name for each in others),
        order=len(sets[0]),
        rates=dict(zip(models.levels, overall.values.tolist(), strict=True)),
        intervals={name: overall.interval(index, level) for index, name in enumerate(models.levels)},
        level=level,
        is_number=table.is_number,
        distances={name: distance_to(rates_of_model, target) for name, rates_of_model in of_subgroups.items()},
        spread=of_subgroups,
        target=target,
        clusters=shared,
        cluster=table.cluster,
        pairs=tuple(each.model_copy(update={"adjusted_p": float(p)}) for each, p in zip(made, adjusted, strict=True)),
        notes=tuple(_notes(shared, table.cluster)),
    )


def _rates_of_subgroups(counts: FloatArray, fewest: int) -> tuple[float, ...]:
    """The rates of a model's subgroups with at least ``fewest`` prompts, lowest first."""
    prompts, sums = counts.sum(axis=1)
    enough = prompts >= fewest
    return tuple(map(float, np.sort(sums[enough] / np.maximum(prompts[enough], 1.0))))


def ks_distance(first: FloatArray, second: FloatArray) -> float:
    """Return the largest distance of the distribution functions of two lists of numbers.

    >>> ks_distance(np.array([0.1, 0.2, 0.6, 0.9]), np.array([0.05, 0.1, 0.3, 0.5]))
    0.5
    """
    at = np.concatenate([first, second])
    below = [np.searchsorted(np.sort(each), at, side="right") / len(each) for each in (first, second)]
    return float(np.abs(below[0] - below[1]).max())


def ks_p_value(first: FloatArray, second: FloatArray) -> float:
    """Return the p value of the Kolmogorov-Smirnov test. It is exact, or asymptotic where scipy cannot count paths."""
    from scipy.stats import ks_2samp

    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "ks_2samp: Exact calculation unsuccessful", RuntimeWarning)
        return float(ks_2samp(first, second).pvalue)


def _others(table: Table, by: str, names: Sequence[str]) -> tuple[FactorColumn, ...]:
    """The factors that make subgroups: the named ones, by default all, except ``by``."""
    if by in names:
        raise BvfError(f"{by} is what is compared: subgroups are made of other factors", f"leave {by} out")
    others = tuple(each for each in table.chosen(names) if each.name != by)
    if not others:
        raise BvfError(f"{by} is the only factor: subgroups are made of others", "declare another factor")
    return others


def _counts(
    table: Table, outcome: FloatArray, models: FactorColumn, sets: Sequence[tuple[FactorColumn, ...]]
) -> FloatArray:
    """Number of prompts and sum of outcomes per model, cluster and subgroup, shape (M, 2, G, S)."""
    number = int(table.clusters.max()) + 1
    shape = len(models.levels), number
    made, most = [], MOST_COUNTS // prod(shape)
    for factors in sets:
        cells, there, _ = cell_of_rows(factors)
        filled, place = np.unique(cells[there], return_inverse=True)
        most -= len(filled)
        if most < 0:
            order = len(factors)
            raise BvfError(
                f"{number:,} values of {table.cluster} and their subgroups of {counted(order, 'factor')} are too many "
                "to exchange",
                f"choose --order {order - 1}" if order > 1 else "declare a cluster with fewer values",
            )
        where = (models.codes[there] * number + table.clusters[there]) * len(filled) + place
        size = prod(shape) * len(filled)
        sums = [np.bincount(where, of, size).reshape(*shape, -1) for of in (None, outcome[there])]
        made.append(np.stack(sums, axis=1))
    return np.concatenate(made, axis=3)


def _tested(
    names: tuple[str, str], mine: FloatArray, theirs: FloatArray, fewest: int, seed: int, draws: int
) -> dict[str, Any]:
    """The fields of a pair of models that describe their subgroups.

    Each model is given by prompts and outcomes per cluster and subgroup, shape (2, G, S).
    """
    enough = (mine[0].sum(axis=0) >= fewest) & (theirs[0].sum(axis=0) >= fewest)
    if not enough.any():
        most = int(np.minimum(mine[0].sum(axis=0), theirs[0].sum(axis=0)).max(initial=0.0))
        raise BvfError(
            f"{names[0]} and {names[1]}: no subgroup has {counted(fewest, 'prompt')} of each",
            f"the largest has {most}: choose a smaller --order, or --fewest {most}" if most else "they share no level",
        )
    mine, theirs = mine[..., enough], theirs[..., enough]
    my_counts, their_counts = mine.sum(axis=1), theirs.sum(axis=1)
    my_rates, their_rates = _rates(my_counts), _rates(their_counts)
    observed = ks_distance(my_rates, their_rates)
    shared = np.flatnonzero(mine[0].any(axis=1) & theirs[0].any(axis=1))
    change, exact = (theirs - mine)[:, shared], 2 ** len(shared) <= draws
    as_large = total = 0
    for exchanged in _all_exchanges(len(shared)) if exact else _drawn_exchanges(len(shared), draws, seed):
        moved = np.tensordot(change, exchanged, axes=(1, 0))
        distance = ks_distance(_rates(my_counts + moved), _rates(their_counts - moved))
        as_large, total = as_large + (distance >= observed - ROUNDING), total + 1
    p = as_large / total if exact else (1 + as_large) / (1 + total)
    return {
        "subgroups": int(enough.sum()),
        "ks": observed,
        "ks_p": ks_p_value(my_rates, their_rates),
        "p_value": float(p),
        "adjusted_p": float(p),
    }


def _rates(counts: FloatArray) -> FloatArray:
    """Rates of the subgroups that have prompts. ``counts`` are prompts and outcomes of all subgroups, shape (2, S)."""
    prompts, outcomes = counts[:, counts[0] > 0]
    rates: FloatArray = outcomes / prompts
    return rates


def _all_exchanges(clusters: int) -> Iterator[FloatArray]:
    """Yield every choice of clusters: 1 if a cluster's answers are exchanged between models, else 0."""
    return (np.array(each) for each in product((0.0, 1.0), repeat=clusters))


def _drawn_exchanges(clusters: int, draws: int, seed: int) -> Iterator[FloatArray]:
    generator = np.random.default_rng(seed)
    return ((generator.random(clusters) < 0.5).astype(np.float64) for _ in range(draws))


def _notes(shared: int, cluster: str) -> Iterator[str]:
    yield "The p value of KS takes subgroups as independent, as the paper does; the other p value exchanges answers."
    if shared < ENOUGH_CLUSTERS:
        yield f"Only {shared} values of {cluster} have answers of several models."
