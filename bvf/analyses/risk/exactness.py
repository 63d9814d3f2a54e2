"""Adds error bounds to a result from inexact probabilities: words were left out, or a server listed only a few."""

from collections.abc import Mapping

import numpy as np

from bvf.analyses.risk.result import Result
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
    """Return the result with error bounds added. Its intervals are widened by these bounds.

    The result is returned unchanged if all probabilities are exact, if J is not sublinear, or if p* comes from the
    model's own predictions, which are not exact either.
    """
    criterion, choices, predictions = study.criterion, study.choices, study.predictions
    p_star = predictions.chosen_reference
    if not result.deviation_bound or not criterion.sublinear or p_star is None or choices.reference == PRIOR:
        return result
    J = criterion_for(criterion.for_classes(predictions.classes), p_star)
    per_unit = leeway(J, p_star) / result.divisor
    weights = normalised_context_weights(predictions.context_weights, predictions.probabilities)
    row_of = study.measurement.record.asked.row_of
    rows = [row_of[name] for name in predictions.group_names]
    bounds = np.minimum(study.measurement.bounds[rows] * predictions.margin.most_classes, 1.0)  # of p, (X, C)
    of_groups = mean_over_contexts(per_unit * bounds, weights)
    common = mean_over_groups(bounds[..., np.newaxis], weights, predictions.group_weights)[:, 0]
    of_common = mean_over_contexts(per_unit * common, weights)
    shared = float(predictions.group_weights @ of_common)
    R = float(predictions.group_weights @ of_groups)
    apart = result.divisor / (result.particular_divisor or 1.0)  # scale of particular risks over that of others
    uncertainty = result.uncertainty
    within = _of_parts({"R": R, "shared": shared, "particular": apart * (R + shared)})
    intervals = _wider(uncertainty.intervals, within)
    groups = tuple(
        group.model_copy(
            update={"intervals": _wider(group.intervals, _of_parts({"r": own, "particular": apart * (own + common)}))}
        )
        for group, own, common in zip(result.groups, of_groups.tolist(), of_common.tolist(), strict=True)
    )
    *exact, rest = symbols(*RISK)
    note = f"{in_a_list(exact)} may be off by {R:.2g}, and {rest} by {2 * R:.2g}, as improbable words were left out" + (
        ": intervals are as much wider" if intervals else ""
    )
    return result.model_copy(
        update={
            "exact_within": {name: within[name] for name in RISK},
            "uncertainty": uncertainty.model_copy(update={"intervals": intervals}),
            "groups": groups,
            "notes": (*result.notes, note),
        }
    )


def _of_parts(totals: Mapping[str, float]) -> dict[str, float]:
    """Error bounds by field, from bounds of totals.

    The bound of a total holds for its bias, and half of it for its volatility.
    """
    return {
        field: bound * times
        for name, bound in totals.items()
        for field, times in ((name, 1.0), (f"{name}_bias", 1.0), (f"{name}_volatility", 2.0))
    }


def _wider(intervals: Mapping[str, Interval], within: Mapping[str, float]) -> dict[str, Interval]:
    return {
        name: each.model_copy(update={"low": each.low - within[name], "high": each.high + within[name]})
        for name, each in intervals.items()
    }
