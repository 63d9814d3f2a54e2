"""Adds intervals and the sensitivity to single contexts to a result."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import numpy as np

from bvf.arrays import BoolArray, FloatArray
from bvf.domain.record import Record
from bvf.interfaces.analysis import Analysis
from bvf.results.result import ResultBase
from bvf.stats.comparing.highest import may_be_highest
from bvf.stats.figures.each_group import each_group
from bvf.stats.sampling.samples import ContextSample
from bvf.study.averages import Averages, Names, named_intervals
from bvf.study.sample import as_templates
from bvf.study.study import Study
from bvf.study.uncertainty import Interval

R = TypeVar("R", bound=ResultBase)
PLACES = 9
"""Figures that differ by less are equal: their groups stay in the order of the result, however values were rounded."""


def with_intervals(result: R, study: Study, analysis: Analysis[Any]) -> R:
    """Return the result with intervals, and for its first figures also the range over removals of one context."""
    uncertainty, fields = result.uncertainty, dict[str, Any]()
    group_weights, level = study.predictions.group_weights, study.choices.level
    templates = as_templates(study.measurement)
    if templates is not None and (whole := next(iter(analysis.sampled(study, templates)), None)) is not None:
        fields["as_templates"] = named_intervals(whole.sampled.estimates(group_weights, level), whole.names)
        fields["leaving_one_out"] = _leaving_one_out(whole, group_weights)
    of_groups: list[dict[str, Interval]] = [{} for _ in result.groups]
    if study.sample is not None:
        intervals, fields["highest"] = dict[str, Interval](), dict[str, tuple[str, ...]]()
        for part in analysis.sampled(study, study.sample):
            intervals |= named_intervals(part.sampled.estimates(group_weights, level), part.names)
            if part.of_group is not None:
                each = part.sampled.estimates(each_group(len(result.groups)), level)
                of_groups = [of_group | named_intervals(each, part.of_group, x) for x, of_group in enumerate(of_groups)]
                fields["highest"] |= _highest(result, part.of_group, may_be_highest(part.sampled, each, level))
        fields["intervals"] = intervals
    groups = tuple(
        group.model_copy(update={"intervals": of_group})
        for group, of_group in zip(result.groups, of_groups, strict=True)
    )
    return result.model_copy(update={"uncertainty": uncertainty.model_copy(update=fields), "groups": groups})


def _highest(result: ResultBase, fields: Names, masks: Sequence[BoolArray]) -> dict[str, tuple[str, ...]]:
    """The names of the groups in a mask, by the field that they may have the highest value of, highest first."""
    named = dict[str, tuple[str, ...]]()
    for field, mask in zip(fields, masks, strict=False):  # there is no mask for the difference of the two fields
        if field and len(result.groups) > 1 and getattr(result.groups[0], field) is not None:
            kept = [group for group, may_be in zip(result.groups, mask.tolist(), strict=True) if may_be]
            named[field] = tuple(
                each.group for each in sorted(kept, key=lambda group: -round(getattr(group, field), PLACES))
            )
    return named


def within_range(result: R, study: Study, analysis: Analysis[Any], together: Mapping[str, float]) -> R:
    """Return the result with intervals clipped to the values that figures can have. No interval loses its figure.

    What widens intervals (noise of sampling, words left out) does not know that range. ``together`` has upper bounds of
    figures over all groups, by field, where groups cannot all reach their own bounds at once.
    """
    if not result.uncertainty.intervals and not any(group.intervals for group in result.groups):
        return result
    weights = study.predictions.context_weights
    averages = analysis.sampled(study, study.sample or ContextSample(weights, "template"))
    p_x = study.predictions.group_weights
    most = {name: float(part.sampled.most(p_x)) for part in averages for name in part.names}
    most = {name: min(value, together.get(name, value)) for name, value in most.items()}
    each = each_group(len(result.groups))
    most_of = {name: part.sampled.most(each).tolist() for part in averages for name in part.of_group or ()}
    of_groups = [{name: values[x] for name, values in most_of.items()} for x in range(len(result.groups))]
    uncertainty = result.uncertainty
    groups = tuple(
        group.model_copy(update={"intervals": _clipped(group, group.intervals, highest)})
        for group, highest in zip(result.groups, of_groups, strict=True)
    )
    clipped = uncertainty.model_copy(update={"intervals": _clipped(result, uncertainty.intervals, most)})
    return result.model_copy(update={"uncertainty": clipped, "groups": groups})


def _clipped(holder: Record, intervals: Mapping[str, Interval], most: Mapping[str, float]) -> dict[str, Interval]:
    """The intervals of figures, fields of ``holder``, clipped to the range from 0 to ``most``."""
    return {
        name: each.within(max(most[name], getattr(holder, name))) if name in most else each
        for name, each in intervals.items()
    }


def _leaving_one_out(part: Averages, group_weights: FloatArray) -> dict[str, tuple[float, float]]:
    """The smallest and largest value of each figure, by name, over removals of one context."""
    totals, of_means = part.sampled.leaving_each_out(group_weights)
    rest = of_means - totals if part.sampled.J.concave else totals - of_means
    figures = {name: each[np.isfinite(each)] for name, each in zip(part.names, (totals, of_means, rest), strict=True)}
    return {name: (float(each.min()), float(each.max())) for name, each in figures.items() if len(each)}
