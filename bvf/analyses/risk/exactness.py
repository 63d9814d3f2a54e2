"""Adds error bounds to a result from inexact probabilities: words were left out, or a server listed only a few."""

from collections.abc import Mapping

import numpy as np

from bvf.analyses.risk.result import Result
from bvf.arrays import FloatArray
from bvf.stats.leeway import leeway, leeway_of_volatility
from bvf.stats.probabilities import mean_over_contexts, normalised_context_weights
from bvf.stats.risk import criterion_for, mean_over_groups
from bvf.study.averages import RISK
from bvf.study.reference import PRIOR
from bvf.study.study import Study
from bvf.study.uncertainty import Interval
from bvf.tables.symbols import symbols
from bvf.tables.words import in_a_list


def with_leeway(result: Result, study: Study) -> Result:
    """Return the result with error bounds added. Its intervals are widened by these bounds.

    The result is returned unchanged if all probabilities are exact, if J is not sublinear, or if p* comes from the
    model's own predictions, which are not exact either.
    """
    predictions = study.predictions
    p_star = predictions.chosen_reference
    is_exact = not result.deviation_bound or p_star is None or study.choices.reference == PRIOR
    if is_exact or not study.criterion.sublinear:
        return result
    of_groups = _bounds_of_groups(result, study)
    within = {f"R{field[1:]}": float(predictions.group_weights @ each) for field, each in of_groups["r"].items()}
    for part in ("shared", "particular"):
        within |= {field: float(predictions.group_weights @ each) for field, each in of_groups[part].items()}
    uncertainty, shown = result.uncertainty, of_groups["r"] | of_groups["particular"]
    intervals = _wider(uncertainty.intervals, within)
    groups = tuple(
        group.model_copy(
            update={"intervals": _wider(group.intervals, {field: float(each[x]) for field, each in shown.items()})}
        )
        for x, group in enumerate(result.groups)
    )
    *exact, rest = symbols(*RISK)
    note = (
        f"{in_a_list(exact)} may be off by {within['R']:.2g}, and {rest} by {within['R_volatility']:.2g}, as "
        f"improbable words were left out{': intervals are as much wider' if intervals else ''}"
    )
    return result.model_copy(
        update={
            "exact_within": {name: within[name] for name in RISK},
            "uncertainty": uncertainty.model_copy(update={"intervals": intervals}),
            "groups": groups,
            "notes": (*result.notes, note),
        }
    )


def _bounds_of_groups(result: Result, study: Study) -> dict[str, dict[str, FloatArray]]:
    """Error bounds of each group's risk r, shared and particular risk: by part and field, shape (X,) each."""
    predictions = study.predictions
    p_star = predictions.reference
    J = criterion_for(study.criterion.for_classes(predictions.classes), p_star)
    per_unit = leeway(J, p_star)
    weights = normalised_context_weights(predictions.context_weights, predictions.probabilities)
    row_of = study.measurement.record.asked.row_of
    rows = [row_of[name] for name in predictions.group_names]
    own = np.minimum(study.measurement.bounds[rows] * predictions.margin.most_classes, 1.0)  # of p, (X, C)
    in_common = mean_over_groups(own[..., np.newaxis], weights, predictions.group_weights)[:, 0]
    common = np.broadcast_to(in_common, own.shape)
    lean = predictions.lean
    together = np.broadcast_to(mean_over_groups(lean, weights, predictions.group_weights), lean.shape)
    off_by = {
        "r": (lean, own, result.divisor),
        "shared": (together, common, result.divisor),
        "particular": (lean - together, own + common, result.particular_divisor or 1.0),
    }
    bounds = dict[str, dict[str, FloatArray]]()
    for part, (off, by, divisor) in off_by.items():
        total = mean_over_contexts(per_unit * by, weights) / divisor
        volatility = leeway_of_volatility(J, p_star, off / p_star, by, weights) / divisor
        bounds[part] = {part: total, f"{part}_bias": total, f"{part}_volatility": volatility}
    return bounds


def _wider(intervals: Mapping[str, Interval], within: Mapping[str, float]) -> dict[str, Interval]:
    return {
        name: each.model_copy(update={"low": each.low - within[name], "high": each.high + within[name]})
        for name, each in intervals.items()
    }
