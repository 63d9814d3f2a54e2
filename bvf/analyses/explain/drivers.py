"""Contributions of contexts to bias and volatility.

R is a sum over groups x and contexts c: P(x) P(c) J(s). Let m = E_c[s] be the mean stereotype of a group and g a
subgradient of J there. The tangent of J at m, J(m) + g (s - m), splits the contribution of a context in two parts:

    bias        P(x) P(c) [J(m) + g (s - m)]           sums to R^b, as s - m is 0 on average
    volatility  P(x) P(c) [J(s) - J(m) - g (s - m)]    sums to R^v, and is never negative for a convex J

The first is large where the model leans as it does on average, and negative where it leans to the opposite side. The
second is the distance of J from its tangent: for two classes and ``linf`` it is 0 in every context in which a group
leans to the same side as on average, and positive where it changes sides. At a kink of J the tangent is not unique, so
for a group whose mean prediction is p* one of several possible splits is used.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bvf.analyses.risk.result import Result
from bvf.arrays import FloatArray
from bvf.hooks.loader import Plugins, load
from bvf.interfaces.criterion import Criterion
from bvf.results.again import risk_criterion_of
from bvf.results.names import name_of
from bvf.stats.probabilities import mean_over_contexts, without_rounding
from bvf.stats.risk import criterion_for
from bvf.stats.subgradients import subgradient
from bvf.study.predictions import Predictions
from bvf.tables.words import NOTHING

GROUPS_NAMED = 3


@dataclass(frozen=True)
class Driver:
    """A context, and its contributions to R^b (bias) and R^v (volatility).

    Args:
        context: The text of the context.
        weight: P(c).
        bias: Its contribution to R^b; negative if groups lean against their average in it.
        volatility: Its contribution to R^v.
        groups: The groups that contribute most in this context, three at most.
    """

    context: str
    weight: float
    bias: float
    volatility: float
    groups: tuple[str, ...]

    @property
    def risk(self) -> float:
        """The contribution of the context to R."""
        return self.bias + self.volatility


@dataclass(frozen=True)
class Drivers:
    """The contexts that contribute most to bias and to volatility.

    Args:
        model: The name of the model.
        topic: The topic of the groups.
        bias: The contexts with the largest contributions to R^b, all above 0, the largest first.
        volatility: The contexts with the largest contributions to R^v, all above 0, the largest first.
        R_bias: R^b, the sum of the contributions of all contexts.
        R_volatility: R^v, the sum of the contributions of all contexts.
        of: Number of all contexts.
        adding_bias: Number of contexts with a contribution to R^b above 0.
        adding_volatility: Number of contexts with a contribution to R^v above 0.
    """

    model: str
    topic: str
    bias: tuple[Driver, ...]
    volatility: tuple[Driver, ...]
    R_bias: float
    R_volatility: float
    of: int
    adding_bias: int
    adding_volatility: int


@dataclass(frozen=True)
class Judgement:
    """Values of the criterion J, on the scale of the result, for every prediction and for every group's mean."""

    weights: FloatArray  # P(C) over the contexts in which each group has an answer, (X, C)
    risks: FloatArray  # J(s), (X, C); J(0) without an answer
    tangents: FloatArray  # J(m) + g (s - m), (X, C): what a context adds to the risk of the mean m
    of_mean: FloatArray  # J(m), (X,)
    without: FloatArray  # J(m) without each context, (X, C); NaN where it is the only one
    J: Criterion  # towards m, for p*
    divisor: float  # of the scale

    def risk(self, s: FloatArray) -> FloatArray:
        """Return J on the scale of the result, shape (X, N), for stereotypes s of the groups, shape (X, N, Y)."""
        return self.J(s) / self.divisor


def judgement_of(result: Result, predictions: Predictions, plugins: Plugins | None = None) -> Judgement:
    """Return the values of a result's criterion J for its predictions p(y | x, c) and for the means of these."""
    criterion = risk_criterion_of(result, predictions.classes, plugins or load())
    J = criterion_for(criterion, predictions.reference)
    weights = predictions.weights_of_group
    s = np.where((weights > 0)[..., np.newaxis], predictions.stereotypes, 0.0)
    mean = mean_over_contexts(s, weights)[:, np.newaxis]
    of_mean = J(mean)
    with np.errstate(invalid="ignore", divide="ignore"):
        without = J((mean - weights[..., np.newaxis] * s) / (1.0 - weights)[..., np.newaxis])
    towards_mean = J.towards(mean)
    return Judgement(
        J=towards_mean,
        divisor=result.divisor,
        weights=weights,
        risks=towards_mean(s) / result.divisor,
        tangents=(of_mean + (subgradient(J, mean, predictions.reference) * (s - mean)).sum(axis=2)) / result.divisor,
        of_mean=of_mean[:, 0] / result.divisor,
        without=without / result.divisor,
    )


def drivers(result: Result, predictions: Predictions, judged: Judgement, show: int) -> Drivers:
    """Return the ``show`` contexts that contribute most to R^b (bias), and as many for R^v (volatility); 0: all."""
    bias, volatility = contributions(result, judged)
    by_bias, by_volatility = (_largest(part.sum(axis=0)) for part in (bias, volatility))
    number = show or len(predictions.contexts)
    return Drivers(
        model=name_of(result),
        topic=result.topic,
        bias=tuple(_driver(c, predictions, bias, volatility, by=bias) for c in by_bias[:number]),
        volatility=tuple(_driver(c, predictions, bias, volatility, by=volatility) for c in by_volatility[:number]),
        R_bias=float(bias.sum()),
        R_volatility=float(volatility.sum()),
        of=len(predictions.contexts),
        adding_bias=len(by_bias),
        adding_volatility=len(by_volatility),
    )


def contributions(result: Result, judged: Judgement) -> tuple[FloatArray, FloatArray]:
    """Return the contributions of each group and context to R^b (bias) and to R^v (volatility), shape (X, C) each.

    They sum to R^b and R^v of the result; missing prompts contribute 0.
    """
    share = np.array([group.weight for group in result.groups])[:, np.newaxis] * judged.weights
    return share * judged.tangents, share * without_rounding(judged.risks - judged.tangents, judged.risks)


def _largest(added: FloatArray) -> Sequence[int]:
    """Indices of the contexts with a contribution above 0, the largest contribution first."""
    return [int(c) for c in np.argsort(-added, kind="stable") if added[c] > NOTHING * np.abs(added).sum()]


def _driver(c: int, read: Predictions, bias: FloatArray, volatility: FloatArray, *, by: FloatArray) -> Driver:
    most = np.argsort(-by[:, c], kind="stable")[:GROUPS_NAMED]
    return Driver(
        context=read.contexts[c],
        weight=float(read.context_weights[c]),
        bias=float(bias[:, c].sum()),
        volatility=float(volatility[:, c].sum()),
        groups=tuple(read.group_names[x] for x in most if by[x, c] > 0),
    )
