"""Compares models: do the deviation rates of their subgroups have one distribution?"""

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from math import prod
from typing import Any

import numpy as np
import pandas as pd
from pydantic import Field

from bvf import BvfError
from bvf.domain import Count, Finite, Level, Share
from bvf.stats import FloatArray, IntArray, holm, student_quantile
from bvf.tables import counted
from bvf_factors.clusters import ENOUGH_CLUSTERS, effective_clusters
from bvf_factors.rates.spread import checked_target, distance_to
from bvf_factors.reading.table import FactorColumn, Frozen, Table, cell_of_rows, factor_sets

DRAWS = 1_000
USUAL_ORDER = 2
MOST_COUNTS = 2**27
ROUNDING = 1e-9
Ends = tuple[float, float]


class Pair(Frozen):
    """The comparison of two models, ``first`` and ``second``, in their deviation rates over prompts and subgroups."""

    first: str
    second: str
    difference: Finite = Field(description="The rate of the first over all prompts less that of the second")
    low: Finite | None = Field(
        description="Lower end of its interval by cluster, paired; None: nothing varies, or most rows are of one "
        "cluster"
    )
    high: Finite | None
    subgroups: Count = Field(description="The number of subgroups with enough prompts of both models")
    ks: Finite = Field(
        description="The largest distance of the two distribution functions of rates (Kolmogorov and Smirnov)"
    )
    ks_p: Share = Field(description="Its p value as in the paper, which takes rates as independent; they are not")
    p_value: Share = Field(
        description="Permutation p value of ``ks``: the answers of the two models are exchanged, cluster by cluster"
    )
    adjusted_p: Share = Field(description="``p_value``, adjusted for all pairs (Holm 1979)")


class ModelComparison(Frozen):
    """Deviation rates of models, and the comparison of each pair of models."""

    by: str = Field(description="The factor whose levels are compared, such as ``model``")
    factors: tuple[str, ...] = Field(description="The other factors, of which subgroups are made")
    order: Count = Field(description="The number of factors that each subgroup is made of")
    rates: dict[str, Finite] = Field(description="The rate over all prompts, by model")
    intervals: dict[str, tuple[Finite, Finite] | None] = Field(
        description="Their intervals by cluster, by model; None: nothing varies, or most rows are of one cluster"
    )
    level: Level = Field(description="Confidence level of the intervals, of each by itself")
    is_number: bool = Field(description="The outcome is a number, and rates are its means")
    distances: dict[str, Finite] = Field(description="DM, the mean distance from the target C, by model")
    spread: dict[str, tuple[Finite, ...]] = Field(description="The rates of its subgroups, ascending, by model")
    target: Finite
    clusters: Count = Field(description="How many values of the column ``cluster`` have answers of more than one model")
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
    others = _other_factors(table, by, factors)
    sets = factor_sets(others, min(USUAL_ORDER, len(others)) if order is None else order)
    counts = _counts(table, outcome, models, sets)
    overall = Rates.of(outcome, models.codes, table.clusters, are_shares=not table.is_number)
    pairs = list(combinations(range(len(models.levels)), 2))
    tested = [
        _tested([models.levels[each] for each in pair], counts[pair[0]], counts[pair[1]], fewest, seed, draws)
        for pair in pairs
    ]
    adjusted = holm(np.array([each["p_value"] for each in tested])).tolist()
    by_model = (np.sort(_rates(of_model.sum(axis=1), fewest)) for of_model in counts)
    of_subgroups = {name: tuple(rates.tolist()) for name, rates in zip(models.levels, by_model, strict=True)}
    shared = int(((counts[:, 0].sum(axis=2) > 0).sum(axis=0) > 1).sum())
    return ModelComparison(
        by=by,
        factors=tuple(each.name for each in others),
        order=len(sets[0]),
        rates=dict(zip(models.levels, overall.values.tolist(), strict=True)),
        intervals={name: overall.interval(index, level) for index, name in enumerate(models.levels)},
        level=level,
        is_number=table.is_number,
        distances={name: distance_to(rates, target) for name, rates in of_subgroups.items()},
        spread=of_subgroups,
        target=target,
        clusters=shared,
        cluster=table.cluster,
        pairs=tuple(
            Pair(
                first=models.levels[one],
                second=models.levels[other],
                **overall.difference(one, other, level),
                **found,
                adjusted_p=adjusted_p,
            )
            for (one, other), found, adjusted_p in zip(pairs, tested, adjusted, strict=True)
        ),
        notes=tuple(_notes(shared, table.cluster)),
    )


def _other_factors(table: Table, by: str, factors: Sequence[str]) -> tuple[FactorColumn, ...]:
    """The factors that subgroups are made of, where models can be compared."""
    if not table.cluster:
        raise BvfError(
            "models are compared on the same prompts, and no cluster is declared",
            'name the column: cluster = "template"',
        )
    if table.factor(by).within:
        raise BvfError(f"{by} is nested, so that some rows have no level of it: its levels cannot be compared")
    if by in factors:
        raise BvfError(f"{by} is what is compared: subgroups are made of other factors", f"leave {by} out")
    others = tuple(each for each in table.chosen(factors) if each.name != by)
    if not others:
        raise BvfError(f"{by} is the only factor: subgroups are made of others", "declare another factor")
    return others


def _notes(shared: int, cluster: str) -> Iterator[str]:
    yield "The p value of KS takes subgroups as independent, as the paper does; the other p value exchanges answers."
    if shared < ENOUGH_CLUSTERS:
        yield f"Only {shared} values of {cluster} have answers of several models."


@dataclass(frozen=True)
class Rates:
    """Rates of models, and the influence of each cluster on them: answers to its prompts may depend on each other."""

    values: FloatArray  # the rate of each model over its prompts, shape (M,)
    influences: FloatArray  # by how much each cluster moves the rate, shape (M, G); 0 where a model has no prompt
    prompts: FloatArray  # how many prompts of a cluster a model has, shape (M, G)
    are_shares: bool  # outcomes are yes and no, so that rates are 0 to 1

    @classmethod
    def of(cls, outcome: FloatArray, models: IntArray, clusters: IntArray, *, are_shares: bool) -> "Rates":
        """Return the rates of models, from the outcome, the model and the cluster of each row."""
        shape = int(models.max()) + 1, int(clusters.max()) + 1
        place = models * shape[1] + clusters
        rows, sums = (np.bincount(place, of, shape[0] * shape[1]).reshape(shape) for of in (None, outcome))
        total = rows.sum(axis=1, keepdims=True)
        values = sums.sum(axis=1, keepdims=True) / total
        return cls(values[:, 0], (sums - values * rows) / total, rows.astype(np.float64), are_shares)

    def interval(self, model: int, level: float) -> Ends | None:
        """Return the interval of the rate of a model; None if nothing varies, or one cluster has most of its rows."""
        ends = _ends(float(self.values[model]), self.influences[model], self.prompts[[model]], level)
        return (max(ends[0], 0.0), min(ends[1], 1.0)) if ends and self.are_shares else ends

    def difference(self, first: int, second: int, level: float) -> dict[str, float | None]:
        """Return the difference of two models' rates, and the ends of its interval. Models are paired by cluster."""
        value = float(self.values[first] - self.values[second])
        influences = self.influences[first] - self.influences[second]
        low, high = _ends(value, influences, self.prompts[[first, second]], level) or (None, None)
        return {"difference": value, "low": low, "high": high}


def _ends(value: float, influences: FloatArray, prompts: FloatArray, level: float) -> Ends | None:
    """The interval by Student's t of one model, or of a difference, by the smaller of Kish's numbers less 1."""
    clusters = int(np.count_nonzero(prompts.any(axis=0)))
    freedom = float(effective_clusters(prompts).min()) - 1.0
    if freedom < 1.0 or np.allclose(influences, 0.0, atol=1e-12):
        return None
    error = np.sqrt(clusters / (clusters - 1) * (influences**2).sum())
    reach = float(student_quantile(0.5 + level / 2.0, freedom) * error)
    return value - reach, value + reach


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
    names: Sequence[str], mine: FloatArray, theirs: FloatArray, fewest: int, seed: int, draws: int
) -> dict[str, Any]:
    """What a pair's subgroups tell, from prompts and outcomes of each model, shape (2, G, S)."""
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
    for exchanged in _exchanges(len(shared), None if exact else draws, seed):
        moved = np.tensordot(change, exchanged, axes=(1, 0))
        distance = ks_distance(_rates(my_counts + moved), _rates(their_counts - moved))
        as_large, total = as_large + (distance >= observed - ROUNDING), total + 1
    p = as_large / total if exact else (1 + as_large) / (1 + total)
    ks_p = ks_p_value(my_rates, their_rates)
    return {"subgroups": int(enough.sum()), "ks": observed, "ks_p": ks_p, "p_value": float(p)}


def _rates(counts: FloatArray, fewest: int = 1) -> FloatArray:
    """Rates of the subgroups with at least ``fewest`` prompts. ``counts``: prompts and outcomes of all, (2, S)."""
    prompts, outcomes = counts[:, counts[0] >= fewest]
    rates: FloatArray = outcomes / np.maximum(prompts, 1.0)
    return rates


def _exchanges(clusters: int, draws: int | None, seed: int) -> Iterator[FloatArray]:
    """Yield choices of clusters, all or random ones: 1 if its answers are exchanged between models, else 0."""
    if draws is None:
        yield from (np.array(each) for each in product((0.0, 1.0), repeat=clusters))
        return
    generator = np.random.default_rng(seed)
    for _ in range(draws):
        yield (generator.random(clusters) < 0.5).astype(np.float64)


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
