"""Error bounds of figures from inexact probabilities: words were left out, or a server listed only a few."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from bvf.arrays import FloatArray
from bvf.domain.scale import ends_at_1
from bvf.results.contribution import NOTHING, Contribution, Values
from bvf.results.intervals import Change
from bvf.stats.figures.leeway import leeway, leeway_of_volatility
from bvf.stats.figures.probabilities import mean_over_contexts, normalised_context_weights
from bvf.stats.figures.risk import criterion_for, mean_over_groups
from bvf.stats.sampling.sampled_risk import SampledRisk
from bvf.study.reference import PRIOR
from bvf.study.study import PARTICULAR, RISK, RISK_OF_GROUP, SHARED, Averages, Names, Study
from bvf.study.uncertainty import Interval
from bvf.tables.quantities import symbols
from bvf.tables.words import between, in_a_list

CLOSE = 0.1
"""Figures that may be off by more are not given, but the ends between which they lie: their first decimal is open."""


def leeway_of(study: Study) -> tuple[Contribution, Change]:
    """Return the error bounds of figures with a note on them, and the change that widens intervals by these bounds.

    Nothing is added where `error_bounds` has none.
    """
    off, p_x = off_by(study), study.predictions.group_weights
    if not off:
        return NOTHING, lambda name, interval, x: interval
    *exact, rest = symbols(*RISK)
    values = {name: getattr(study.risk, name) for name in RISK}
    ends = ends_of_figures(study, off, values, p_x, close=-1.0)
    possible = {name: max(value - ends[name][0], ends[name][1] - value) for name, value in values.items()}
    note = (
        f"{in_a_list(exact)} may be off by {max(possible['R'], possible['R_bias']):.2g}, and {rest} by "
        f"{possible['R_volatility']:.2g}, as "
        f"improbable words were left out{': intervals are as much wider' if study.sample is not None else ''}"
    )

    def wider(name: str, interval: Interval, x: int | None) -> Interval:
        return interval.further(float(off[name] @ p_x if x is None else off[name][x]))

    return Contribution({"exact_within": possible}, notes=(note,)), wider


def known_roughly(study: Study, figures: Contribution) -> Contribution:
    """Return the ends between which figures lie that may be off by more than `CLOSE`, with a warning if R is one."""
    off, p_x = off_by(study), study.predictions.group_weights
    known = ends_of_figures(study, off, figures.fields, p_x)
    low, high = known.get("R", (None, None))
    why = f"R is known only to lie within {between(low, high, 2)}: the bounds of the probabilities of words are wide"
    alone = zip(figures.of_groups, np.eye(len(p_x)), strict=True)
    of_groups = [{"between": ends_of_figures(study, off, values, weights)} for values, weights in alone]
    return Contribution({"between": known}, of_groups, warnings=(why,) if "R" in known else ())


def ends_of_figures(
    study: Study, off: Mapping[str, FloatArray], values: Values, weights: FloatArray, close: float = CLOSE
) -> dict[str, tuple[float, float]]:
    """Return the ends on the scale between which figures lie that may be off by more than ``close``, by field.

    ``off`` is of `off_by`, and ``weights`` are of the groups, shape (X,).
    """
    most = 1.0 if ends_at_1(study.choices.scale) else math.inf
    return {
        field: (max(value - by, 0.0), max(value, min(value + by, most)))
        for field, each in off.items()
        if (by := float(each @ weights)) > close and (value := values.get(field)) is not None
    }


def off_by(study: Study) -> dict[str, FloatArray]:
    """Return how far figures may be off in each group, shape (X,), by field of the result or of its groups."""
    bounds = error_bounds(study) if study.is_of_risk else {}
    bounds |= {RISK_OF_GROUP: bounds[RISK]} if bounds else {}
    return {field: each for names in bounds for field, each in zip(names, bounds[names], strict=True)}


def with_error_bounds(averages: Sequence[Averages], study: Study, sampled: SampledRisk) -> list[Averages]:
    """Return averages of a risk with the error bounds of probabilities that are not exact."""
    bounds = _bounds_of_groups(study, sampled.divisor, sampled.particular_divisor)
    return [replace(each, within=bounds.get(each.names)) for each in averages]


def error_bounds(study: Study) -> dict[Names, FloatArray]:
    """Return error bounds of each group's risk, bias and volatility, shape (3, X), by the names of these figures.

    Empty if all probabilities are exact, or nothing is known: if J is not sublinear, or p* is the model's own. There,
    1 for all figures of the unit scale if probabilities are off by more than `CLOSE` on average: all are possible.
    """
    parts = study.risk.parts
    return _bounds_of_groups(study, study.risk.divisor, 1.0 if parts is None else parts.particular_divisor)


def error_bounds_of_risk(study: Study, divisor: float) -> FloatArray:
    """Return error bounds of R, R^b and R^v, shape (3,), as `error_bounds` does, but faster; 0 where it has none."""
    bounds = _bounds_of_groups(study, divisor, 1.0, (RISK,))
    return bounds[RISK] @ study.predictions.group_weights if bounds else np.zeros(len(RISK))


def _bounds_of_groups(
    study: Study, divisor: float, particular_divisor: float, wanted: Sequence[Names] = (RISK, SHARED, PARTICULAR)
) -> dict[Names, FloatArray]:
    predictions, p_star = study.predictions, study.predictions.chosen_reference
    own = np.minimum(predictions.bounds * predictions.margin.most_classes, 1.0)  # of p, (X, C)
    if not own.any():
        return {}
    if p_star is None or study.choices.reference == PRIOR or not study.criterion.sublinear:
        is_open = ends_at_1(study.choices.scale) and own.mean() > CLOSE
        return dict.fromkeys(wanted, np.ones((len(RISK), len(own)))) if is_open else {}
    J = criterion_for(study.criterion.for_classes(predictions.classes), p_star)
    per_unit = leeway(J, p_star)
    weights = normalised_context_weights(predictions.context_weights, predictions.probabilities)
    in_common = mean_over_groups(own[..., np.newaxis], weights, predictions.group_weights)[:, 0]
    common = np.broadcast_to(in_common, own.shape)
    lean = predictions.lean
    together = np.broadcast_to(mean_over_groups(lean, weights, predictions.group_weights), lean.shape)
    off_by = {
        RISK: (lean, own, divisor),
        SHARED: (together, common, divisor),
        PARTICULAR: (lean - together, own + common, particular_divisor),
    }
    bounds = dict[Names, FloatArray]()
    for names in wanted:
        off, by, its_divisor = off_by[names]
        total = mean_over_contexts(per_unit * by, weights)
        volatility = leeway_of_volatility(J, p_star, off / p_star, by, weights)
        bounds[names] = np.stack([total, total, volatility]) / its_divisor
    return bounds
