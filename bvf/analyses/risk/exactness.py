"""Error bounds of figures from inexact probabilities: words were left out, or a server listed only a few."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from bvf.arrays import FloatArray
from bvf.domain.scale import Scale, ends_at_1
from bvf.results.contribution import NOTHING, Contribution
from bvf.results.intervals import Change
from bvf.stats.figures.leeway import leeway, leeway_of_volatility
from bvf.stats.figures.probabilities import mean_over_contexts, normalised_context_weights
from bvf.stats.figures.risk import criterion_for, mean_over_groups
from bvf.stats.sampling.sampled_risk import SampledRisk
from bvf.study.averages import PARTICULAR, RISK, RISK_OF_GROUP, SHARED, Averages, Names
from bvf.study.reference import PRIOR
from bvf.study.study import Study
from bvf.study.uncertainty import Interval
from bvf.tables.quantities import symbols
from bvf.tables.words import in_a_list


def leeway_of(study: Study) -> tuple[Contribution, Change]:
    """Return the error bounds of figures with a note on them, and the change that widens intervals by these bounds.

    Nothing is added if all probabilities are exact, if J is not sublinear, or if p* comes from the model's own
    predictions, which are not exact either.
    """
    of_groups = error_bounds(study)
    if not of_groups:
        return NOTHING, lambda name, interval, x: interval
    p_x = study.predictions.group_weights
    within = {
        field: float(p_x @ each)
        for names in (RISK, SHARED, PARTICULAR)
        for field, each in zip(names, of_groups[names], strict=True)
    }
    within_group = {
        field: each
        for names, fields in ((RISK, RISK_OF_GROUP), (PARTICULAR, PARTICULAR))
        for field, each in zip(fields, of_groups[names], strict=True)
    }
    *exact, rest = symbols(*RISK)
    possible = {name: _possible(within[name], getattr(study.risk, name), study.choices.scale) for name in RISK}
    note = (
        f"{in_a_list(exact)} may be off by {max(possible['R'], possible['R_bias']):.2g}, and {rest} by "
        f"{possible['R_volatility']:.2g}, as "
        f"improbable words were left out{': intervals are as much wider' if study.sample is not None else ''}"
    )

    def wider(name: str, interval: Interval, x: int | None) -> Interval:
        return interval.further(within[name] if x is None else float(within_group[name][x]))

    return Contribution({"exact_within": possible}, notes=(note,)), wider


def _possible(bound: float, value: float, scale: Scale) -> float:
    """The bound on how far a figure may be off, at most as far as the ends of the scale are."""
    return min(bound, max(value, 1.0 - value)) if ends_at_1(scale) else bound


def with_error_bounds(averages: Sequence[Averages], study: Study, sampled: SampledRisk) -> list[Averages]:
    """Return averages of a risk with the error bounds of probabilities that are not exact."""
    bounds = _bounds_of_groups(study, sampled.divisor, sampled.particular_divisor)
    return [replace(each, within=bounds.get(each.names)) for each in averages]


def error_bounds(study: Study) -> dict[Names, FloatArray]:
    """Return error bounds of each group's risk, bias and volatility, shape (3, X), by the names of these figures.

    Empty if all probabilities are exact, if J is not sublinear, or if p* comes from the model's own predictions.
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
    if p_star is None or study.choices.reference == PRIOR or not study.criterion.sublinear:
        return {}
    own = np.minimum(predictions.bounds * predictions.margin.most_classes, 1.0)  # of p, (X, C)
    if not own.any():
        return {}
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
