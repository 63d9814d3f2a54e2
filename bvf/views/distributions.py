"""How the probabilities of classes are spread over contexts, group by group (Figures 10 and 16 of the paper)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bvf.analyses.risk.result import risk_only
from bvf.arrays import FloatArray
from bvf.errors import BvfError, nearest
from bvf.results.again import Distribution, distribution_of
from bvf.results.result import ResultBase
from bvf.stats.probabilities import mean_over_contexts
from bvf.views.leanings import shown_places

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
BINS = 40


@dataclass(frozen=True)
class Distributions:
    """The probability of each class over contexts, each by its weight.

    Args:
        model: Whose probabilities they are.
        topic: Of the groups.
        classes: Y.
        groups: X, in the order of `bvf.views.leanings.leanings`, or as they were named.
        quantiles: At 5, 25, 50, 75 and 95 %, shape (X, Y, 5).
        means: E_c[p], shape (X, Y).
        p_star: p*, shape (X, Y).
        shares: The share of contexts in each bin, shape (X, Y, 40); sums to 1 over the last axis.
        edges: Edges of the bins, from 0 to 1, shape (41,).
        contexts: How many contexts there are.
        of: How many groups the result has.
    """

    model: str
    topic: str
    classes: tuple[str, ...]
    groups: tuple[str, ...]
    quantiles: FloatArray
    means: FloatArray
    p_star: FloatArray
    shares: FloatArray
    edges: FloatArray
    contexts: int
    of: int


def distributions(
    result: ResultBase, groups: Sequence[str] | None = None, show: int = 0, *, predictions: Distribution | None = None
) -> Distributions:
    """Return how probabilities are spread over contexts.

    A quantile is the smallest probability that has at least that share of the weight at or below it.

    Args:
        result: Of risk.
        groups: Names of groups, in the wanted order; None: all.
        show: How many of all, half of them from each end of their order; 0: all.
        predictions: The predictions of the result, where they have been read; None: they are read.

    Raises:
        BvfError: It is no result of risk, its predictions cannot be read, or it has no such group.
    """
    of_risk = risk_only(result)
    read = predictions or distribution_of(of_risk)
    places = shown_places(of_risk, None, show) if groups is None else [_place(name, read.groups) for name in groups]
    p, weights = read.p[places], read.weights_of_group[places]
    edges = np.linspace(0.0, 1.0, BINS + 1)
    shape = (len(places), len(read.classes))
    quantiles, shares = np.empty((*shape, len(QUANTILES))), np.empty((*shape, BINS))
    for x, y in np.ndindex(shape):
        there = weights[x] > 0
        quantiles[x, y] = _quantiles(p[x, there, y], weights[x, there])
        shares[x, y] = np.histogram(p[x, there, y], edges, weights=weights[x, there])[0]
    return Distributions(
        model=of_risk.model,
        topic=of_risk.topic,
        classes=read.classes,
        groups=tuple(read.groups[x] for x in places),
        quantiles=quantiles,
        means=mean_over_contexts(p, weights),
        p_star=read.mean_p_star[places],
        shares=shares,
        edges=edges,
        contexts=of_risk.number_of_contexts,
        of=len(of_risk.groups),
    )


def _place(name: str, groups: Sequence[str]) -> int:
    if name not in groups:
        raise BvfError(f'the result has no group "{name}"', nearest(name, list(groups)))
    return groups.index(name)


def _quantiles(p: FloatArray, weights: FloatArray) -> FloatArray:
    order = np.argsort(p, kind="stable")
    reached = np.cumsum(weights[order])
    place = np.searchsorted(reached, np.array(QUANTILES) * reached[-1] * (1.0 - 1e-12))
    quantiles: FloatArray = p[order][place]
    return quantiles
