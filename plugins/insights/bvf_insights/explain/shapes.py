"""Describes how r^b (bias) and r^v (volatility) are distributed over groups (Figures 10 and 16 of the paper).

Many groups have r^v = 0; their share is reported, and laws are fitted to the other values of r^v. No law is fitted to
r^b, as it is an absolute value for two classes. Groups have the same contexts, so their values are not
independent, and tests that assume independence are only approximate.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np
import scipy
from bvf_report.pictures.risk.sides import sides_decide

from bvf import Predictions, Result
from bvf.hooks import Plugins
from bvf.stats import Exact, FloatArray, holm, mean_over_contexts, spearman, without_rounding
from bvf.tables import counted
from bvf_insights.explain.drivers import judgement_of
from bvf_insights.explain.result import FittedLaw, LawPair, Shape, Shapes
from bvf_insights.stats.laws import Law, fitted_laws, vuong

FEWEST = 10
"""The fewest different values of r^v above 0 for which a law is fitted."""
PLACES = 400
"""Number of quantiles by which the distribution of deviations over groups and contexts is represented."""
SAME = 1e-9
"""Values whose logarithms differ by less than this count as equal."""


def shapes_of(result: Result, predictions: Predictions, plugins: Plugins | None = None) -> Shapes:
    """Return the distributions over groups of r^b (bias) and r^v (volatility), and standard laws fitted to r^v."""
    level = result.uncertainty.level
    r_bias, r_volatility = (np.array([getattr(g, name) for g in result.groups]) for name in ("r_bias", "r_volatility"))
    p_x = np.array([group.weight for group in result.groups])
    alike = volatility_if_alike(result, predictions, plugins)
    zero = int((r_volatility == 0.0).sum())
    ends = scipy.stats.binomtest(zero, len(p_x)).proportion_ci(level, method="exact")
    too_few, laws, pairs = compared_laws(r_volatility[r_volatility > 0.0], 1.0 - level)
    return Shapes(
        groups=len(p_x),
        sides=result.sides,
        measured=_shape(r_volatility, r_bias, p_x),
        alike=_shape(alike, r_bias, p_x),
        sides_decide=sides_decide(result),
        spearman_of_alike=spearman(r_volatility, alike),
        zero_share=zero / len(p_x),
        zero_low=float(ends.low),
        zero_high=float(ends.high),
        positive=int((r_volatility > 0.0).sum()),
        too_few=too_few,
        laws=laws,
        pairs=pairs,
    )


def volatility_if_alike(result: Result, predictions: Predictions, plugins: Plugins | None = None) -> FloatArray:
    """Return the r^v (volatility) that groups would have, (X,), if deviations from their means had one distribution.

    The deviations p - E_c[p] of all groups and contexts are pooled, and represented by `PLACES` weighted quantiles.
    Negative probabilities are set to 0, and the others are rescaled.
    """
    predictions = predictions.against_mean_reference()
    answers, weights = predictions.every_answer
    mean = mean_over_contexts(answers, weights)
    deviations = (answers - mean[:, np.newaxis])[weights > 0]
    share = (np.array([group.weight for group in result.groups])[:, np.newaxis] * weights)[weights > 0]
    order = np.argsort(deviations[:, 0], kind="stable")
    reached = np.cumsum(share[order]) / share.sum()
    chosen = np.searchsorted(reached, (np.arange(PLACES) + 0.5) / PLACES)
    p = np.maximum(mean[:, np.newaxis] + deviations[order[chosen]], 0.0)
    p, even = p / p.sum(axis=-1, keepdims=True), np.full(PLACES, 1.0 / PLACES)
    moved = replace(predictions, probabilities=p, basis=Exact(), context_weights=even)
    judged = judgement_of(result, moved, plugins)
    r = (judged.weights * judged.risks).sum(axis=1)
    return without_rounding(r - judged.of_mean, r)


def compared_laws(values: FloatArray, alpha: float) -> tuple[str, tuple[FittedLaw, ...], tuple[LawPair, ...]]:
    """Return why no law is fitted (empty: some are), the fitted laws, best first, and tests of all pairs."""
    different = 1 + int((np.diff(np.sort(np.log(values))) > SAME).sum()) if len(values) else 0
    if different < FEWEST:
        values_above = counted(different, "different value")
        return f"too few groups for a law of r^v: {values_above} above 0, and it takes {FEWEST}", (), ()
    laws = sorted(fitted_laws(values), key=lambda law: -law.log_likelihood)
    fitted = [
        FittedLaw(law=law.name, parameters=dict(law.parameters), log_likelihood=law.log_likelihood) for law in laws
    ]
    return "", tuple(fitted), _pairs(laws, alpha)


def _shape(r_volatility: FloatArray, r_bias: FloatArray, p_x: FloatArray) -> Shape:
    return Shape(
        R_volatility=float(p_x @ r_volatility),
        zero=int((r_volatility == 0.0).sum()),
        spearman=spearman(r_bias, r_volatility),
    )


def _pairs(laws: Sequence[Law], alpha: float) -> tuple[LawPair, ...]:
    pairs = list(combinations(laws, 2))
    tests = [vuong(*pair) for pair in pairs]
    adjusted = holm(np.array([p_value for _, p_value in tests]))
    return tuple(
        LawPair(
            law=better.name,
            other=other.name,
            log_ratio=better.log_likelihood - other.log_likelihood,
            z=z,
            p_value=p_value,
            adjusted_p=float(p),
            decision="better" if p < alpha else "tied",
        )
        for (better, other), (z, p_value), p in zip(pairs, tests, adjusted, strict=True)
    )
