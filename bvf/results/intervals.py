"""The intervals of the figures of an analysis, and their sensitivity to single contexts."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from bvf.arrays import BoolArray, FloatArray, each_group
from bvf.results.contribution import Contribution, Values
from bvf.stats.comparing.comparison import may_be_highest
from bvf.stats.sampling.samples import ContextSample
from bvf.study.analysis import Analysis
from bvf.study.sample import as_templates
from bvf.study.study import Averages, Names, Study, named_intervals
from bvf.study.uncertainty import Interval

Change = Callable[[str, Interval, int | None], Interval]
"""Replaces the interval of a field: of all groups (None), or of the group with this index."""
PLACES = 9
"""Figures that differ by less are equal: their groups stay in the order of the result, however values were rounded."""


@dataclass(frozen=True)
class Intervals:
    """The intervals of the figures of an analysis, by field, and the sensitivity of figures to single contexts.

    Args:
        of_all: Intervals of figures over all groups.
        of_groups: Intervals of the figures of each group.
        as_templates: Those over all groups, if the templates themselves were the sample.
        others: Further values of `Uncertainty`, by field.
    """

    of_all: Mapping[str, Interval]
    of_groups: Sequence[Mapping[str, Interval]]
    as_templates: Mapping[str, Interval] = field(default_factory=dict)
    others: Mapping[str, Any] = field(default_factory=dict)

    def changed(self, change: Change) -> "Intervals":
        """Return the intervals with each replaced by ``change(field, interval, x)``; x: index of the group, or None."""
        return replace(
            self,
            of_all={name: change(name, each, None) for name, each in self.of_all.items()},
            of_groups=[
                {name: change(name, each, x) for name, each in of_group.items()}
                for x, of_group in enumerate(self.of_groups)
            ],
        )

    def beside(self, others: "Intervals") -> "Intervals":
        """Return the intervals with those of other figures added."""
        of_groups = [{**one, **more} for one, more in zip(self.of_groups, others.of_groups, strict=True)]
        return replace(self, of_all={**self.of_all, **others.of_all}, of_groups=of_groups)

    def as_contribution(self) -> Contribution:
        """Return the intervals as what they add to a result."""
        return Contribution(
            of_groups=[{"intervals": each} for each in self.of_groups],
            uncertainty={**self.others, "intervals": self.of_all, "as_templates": self.as_templates},
        )


def intervals_of(study: Study, analysis: Analysis[Any], figures: Contribution) -> Intervals:
    """Return the intervals of figures, and for the first ones also the range over removals of one context.

    ``figures`` has the values of the groups. Where contexts are no sample, there are no intervals.
    """
    of_groups: list[dict[str, Interval]] = [{} for _ in figures.of_groups]
    group_weights, level = study.predictions.group_weights, study.choices.level
    intervals, by_template, others = dict[str, Interval](), dict[str, Interval](), dict[str, Any]()
    templates = as_templates(study.measurement)
    if templates is not None and (whole := next(iter(analysis.sampled(study, templates)), None)) is not None:
        by_template = named_intervals(whole.sampled.estimates(group_weights, level), whole.names)
        others["leaving_one_out"] = _leaving_one_out(whole, group_weights)
    if study.sample is not None:
        others["highest"] = dict[str, tuple[str, ...]]()
        for part in analysis.sampled(study, study.sample):
            intervals |= named_intervals(part.sampled.estimates(group_weights, level), part.names)
            if part.of_group is not None:
                each = part.sampled.estimates(each_group(len(of_groups)), level)
                of_groups = [of_group | named_intervals(each, part.of_group, x) for x, of_group in enumerate(of_groups)]
                masks = may_be_highest(part.sampled, each, level)
                others["highest"] |= _highest(figures.of_groups, part.of_group, masks)
    return Intervals(intervals, of_groups, by_template, others)


def _highest(groups: Sequence[Values], fields: Names, masks: Sequence[BoolArray]) -> dict[str, tuple[str, ...]]:
    """The names of the groups in a mask, by the field that they may have the highest value of, highest first."""
    named = dict[str, tuple[str, ...]]()
    for name, mask in zip(fields, masks, strict=False):  # there is no mask for the difference of the two fields
        if name and len(groups) > 1 and groups[0].get(name) is not None:
            kept = [group for group, may_be in zip(groups, mask.tolist(), strict=True) if may_be]
            named[name] = tuple(each["group"] for each in sorted(kept, key=lambda group: -round(group[name], PLACES)))
    return named


def within_range(study: Study, analysis: Analysis[Any], figures: Contribution, together: Mapping[str, float]) -> Change:
    """Return the change that clips intervals to the values that figures can have. No interval loses its figure.

    What widens intervals (noise of sampling, words left out) does not know that range. ``together`` has upper bounds of
    figures over all groups, by field, where groups cannot all reach their own bounds at once.
    """
    weights, p_x = study.predictions.context_weights, study.predictions.group_weights
    averages = analysis.sampled(study, study.sample or ContextSample(weights, "template"))
    most = {name: float(part.sampled.most(p_x)) for part in averages for name in part.names}
    most = {name: min(value, together.get(name, value)) for name, value in most.items()}
    each = each_group(len(p_x))
    of_groups = {name: part.sampled.most(each).tolist() for part in averages for name in part.of_group or ()}

    def clipped(name: str, interval: Interval, x: int | None) -> Interval:
        highest = most.get(name) if x is None else of_groups[name][x] if name in of_groups else None
        if highest is None:
            return interval
        return interval.within(max(highest, (figures.fields if x is None else figures.of_groups[x])[name]))

    return clipped


def _leaving_one_out(part: Averages, group_weights: FloatArray) -> dict[str, tuple[float, float]]:
    """The smallest and largest value of each figure, by name, over removals of one context."""
    totals, of_means = part.sampled.leaving_each_out(group_weights)
    rest = of_means - totals if part.sampled.J.concave else totals - of_means
    figures = {name: each[np.isfinite(each)] for name, each in zip(part.names, (totals, of_means, rest), strict=True)}
    return {name: (float(each.min()), float(each.max())) for name, each in figures.items() if len(each)}
