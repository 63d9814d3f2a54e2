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
from functools import cached_property

import numpy as np

from bvf import Criterion, Predictions, Result, load
from bvf.hooks import Plugins
from bvf.results import name_of, risk_criterion_of
from bvf.stats import (
    ContextSample,
    FloatArray,
    Sampled,
    criterion_for,
    mean_over_contexts,
    sampled_risk,
    subgradient,
    without_rounding,
)
from bvf.tables import NOTHING

GROUPS_NAMED = 3


@dataclass(frozen=True)
class Driver:
    """A context, its weight P(c), its contributions to R^b and R^v, and the groups (up to three) that contribute most.

    ``bias`` is below 0 if groups lean against their average in it.
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
    """The contexts that contribute most to bias and to volatility, all above 0, the largest contribution first.

    R^b and R^v are sums over all ``of`` contexts, of which ``adding_bias`` contribute above 0 to R^b.
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

    criterion: Criterion  # J, for p*
    weights: FloatArray  # P(C) over the contexts in which each group has an answer, (X, C)
    stereotypes: FloatArray  # s, (X, C, Y); 0 without an answer
    reference: FloatArray  # p*
    divisor: float  # of the scale
    sampled: Sampled | None = None  # of sampled answers and of thoughts, raw; None: p is exact, or not to be told

    def risk(self, s: FloatArray) -> FloatArray:
        """Return J towards m, shape (X, N), for stereotypes s of the groups, shape (X, N, Y)."""
        return self._towards_mean(s) / self.divisor

    @cached_property
    def by_shares(self) -> FloatArray:
        """J(s), (X, C); J(0) without an answer. Of sampled answers it holds their noise."""
        return self.risk(self.stereotypes)

    @property
    def risks(self) -> FloatArray:
        """J(s) without the noise of sampled answers, or E_k J(s) after thoughts, (X, C); J(0) without an answer."""
        found = None if self.sampled is None else self.sampled.without_noise
        return self.by_shares if found is None else found / self.divisor

    @cached_property
    def of_mean(self) -> FloatArray:
        """J(m), (X,)."""
        return self.criterion(self._mean)[:, 0] / self.divisor

    @cached_property
    def tangents(self) -> FloatArray:
        """J(m) + g (s - m), (X, C): what a context adds to the risk of the mean m."""
        parts = subgradient(self.criterion, self._mean, self.reference) * (self.stereotypes - self._mean)
        return np.asarray((self.criterion(self._mean) + parts.sum(axis=-1)) / self.divisor)

    def leaving_each_out(self, p_x: FloatArray) -> tuple[FloatArray, FloatArray]:
        """R and R^b without each context in turn, (C,) each; no context may be the only one of a group."""
        if self.sampled is not None:
            totals, of_means = self.sampled.leaving_each_out(p_x)
            return totals / self.divisor, of_means / self.divisor
        added, weights = self.weights * self.risks, self.weights[..., np.newaxis]
        of_means = self.criterion((self._mean - weights * self.stereotypes) / (1.0 - weights)) / self.divisor
        return p_x @ ((added.sum(axis=1, keepdims=True) - added) / (1.0 - self.weights)), p_x @ of_means

    @cached_property
    def _mean(self) -> FloatArray:
        """The mean stereotypes m, (X, 1, Y)."""
        return mean_over_contexts(self.stereotypes, self.weights)[:, np.newaxis]

    @cached_property
    def _towards_mean(self) -> Criterion:
        return self.criterion.towards(self._mean)


def judgement_of(result: Result, predictions: Predictions, plugins: Plugins | None = None) -> Judgement:
    """Return the values of a result's criterion J for its predictions p(y | x, c) and for the means of these."""
    criterion = risk_criterion_of(result, predictions.classes, plugins or load())
    weights = predictions.weights_of_group
    return Judgement(
        criterion=criterion_for(criterion, predictions.reference),
        weights=weights,
        stereotypes=np.where((weights > 0)[..., np.newaxis], predictions.stereotypes, 0.0),
        reference=predictions.reference,
        divisor=result.divisor,
        sampled=_sampled(result, predictions, criterion),
    )


def _sampled(result: Result, predictions: Predictions, criterion: Criterion) -> Sampled | None:
    answers = predictions.random
    if answers is None or (answers is predictions.answers and result.sampled is None):
        return None
    sample = ContextSample(predictions.context_weights, "template")
    return sampled_risk(answers, criterion, sample, group_weights=predictions.group_weights, scale="raw").risk


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
    """Return what each prompt adds to R^b and to R^v, (X, C) each; missing prompts add 0."""
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
