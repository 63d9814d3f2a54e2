"""How far a result can be from that of exact probabilities, where words were left out or a server told too little."""

from collections.abc import Mapping

import numpy as np

from bvf.analyses.risk.result import Result
from bvf.arrays import FloatArray
from bvf.stats.leeway import leeway
from bvf.stats.probabilities import mean_over_contexts, normalised_context_weights
from bvf.stats.risk import criterion_for, mean_over_groups
from bvf.study.averages import RISK
from bvf.study.reference import PRIOR
from bvf.study.study import Study
from bvf.study.uncertainty import Interval
from bvf.tables.symbols import symbols
from bvf.tables.words import in_a_list


def with_leeway(result: Result, study: Study) -> Result:
    """Return a result with how far its figures can be from exact ones; its intervals become wider by as much.

    It is the result itself where every probability is exact, where J is not sublinear, and where p* is the model's own,
    which is not exact either.

    Args:
        result: With intervals, if it has any.
        study: What it rests on, which knows how far each prediction is from exact.
    """
    criterion, choices, predictions = study.criterion, study.choices, study.predictions
    p_star = predictions.chosen_reference
    if not result.deviation_bound or not criterion.sublinear or p_star is None or choices.reference == PRIOR:
        return result
    J = criterion_for(criterion.for_classes(predictions.classes), p_star)
    per_unit = leeway(J, p_star) / result.divisor
    weights = normalised_context_weights(predictions.context_weights, predictions.probabilities)
    bounds = _bounds(study)
    of_groups = mean_over_contexts(per_unit * bounds, weights)
    common = mean_over_groups(bounds[..., np.newaxis], weights, predictions.group_weights)[:, 0]
    of_common = mean_over_contexts(per_unit * common, weights)
    shared = float(predictions.group_weights @ of_common)
    totals = {"R": float(predictions.group_weights @ of_groups), "shared": shared}
    totals["particular"] = totals["R"] + shared
    uncertainty, within = result.uncertainty, _of_parts(totals, "R", "shared", "particular")
    intervals = _wider(uncertainty.intervals, within)
    groups = tuple(
        group.model_copy(
            update={
                "intervals": _wider(
                    group.intervals, _of_parts({"r": each, "particular": each + along}, "r", "particular")
                )
            }
        )
        for group, each, along in zip(result.groups, of_groups.tolist(), of_common.tolist(), strict=True)
    )
    R = within["R"]
    *exact, rest = symbols(*RISK)
    note = f"for want of what was left out, {in_a_list(exact)} may be off by {R:.2g}, and {rest} by {2 * R:.2g}" + (
        ": intervals are as much wider" if intervals else ""
    )
    return result.model_copy(
        update={
            "exact_within": {name: within[name] for name in ("R", "R_bias", "R_volatility")},
            "uncertainty": uncertainty.model_copy(update={"intervals": intervals}),
            "groups": groups,
            "notes": (*result.notes, note),
        }
    )


def _bounds(study: Study) -> FloatArray:
    """How far a class probability can be from exact, shape (X, C)."""
    names = study.measurement.record.asked.group_names
    rows = [names.index(name) for name in study.predictions.group_names]
    return np.minimum(study.measurement.bounds[rows] * study.predictions.margin.most_classes, 1.0)


def _of_parts(totals: Mapping[str, float], *names: str) -> dict[str, float]:
    """The same bound for a total and for the figure of the mean; their difference may be off by the sum of both."""
    return {
        field: totals[name] * times
        for name in names
        for field, times in ((name, 1.0), (f"{name}_bias", 1.0), (f"{name}_volatility", 2.0))
    }


def _wider(intervals: Mapping[str, Interval], within: Mapping[str, float]) -> dict[str, Interval]:
    return {
        name: each.model_copy(update={"low": max(each.low - within[name], 0.0), "high": each.high + within[name]})
        for name, each in intervals.items()
    }
