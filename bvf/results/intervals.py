"""The intervals of a result."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np

from bvf.arrays import FloatArray
from bvf.domain.measurement import Measurement
from bvf.interfaces.analysis import Choices
from bvf.results.result import ResultBase
from bvf.stats.samples import ContextSample
from bvf.study.parts import Part, named_intervals
from bvf.study.sample import as_templates, context_sample
from bvf.study.uncertainty import Interval

R = TypeVar("R", bound=ResultBase)


def with_intervals(
    result: R,
    measurement: Measurement,
    choices: Choices,
    group_weights: FloatArray,
    parts_of: Callable[[ContextSample], Sequence[Part]],
) -> R:
    """Return the result with the intervals of its figures, and with what depends on the choice of contexts.

    Args:
        result: Without them.
        measurement: What it rests on.
        choices: The unit and the level.
        group_weights: P(X), shape (X,).
        parts_of: What has intervals, given what contexts are a sample of; the first is the result as a whole.
    """
    uncertainty, fields = result.uncertainty, dict[str, Any]()
    templates = as_templates(measurement)
    if templates is not None:
        whole = parts_of(templates)[0]
        fields["as_templates"] = named_intervals(whole.sampled.estimates(group_weights, choices.level), whole.names)
        fields["leaving_one_out"] = _leaving_one_out(whole, group_weights)
    of_groups: list[dict[str, Interval]] = [{} for _ in result.groups]
    if not uncertainty.undefined:
        parts, intervals = parts_of(context_sample(measurement, choices)), dict[str, Interval]()
        for part in parts:
            intervals |= named_intervals(part.sampled.estimates(group_weights, choices.level), part.names)
            if part.of_group is not None:
                each = part.sampled.estimates(np.eye(len(result.groups)), choices.level)
                of_groups = [of_group | named_intervals(each, part.of_group, x) for x, of_group in enumerate(of_groups)]
        fields["intervals"] = intervals
    groups = tuple(
        group.model_copy(update={"intervals": of_group})
        for group, of_group in zip(result.groups, of_groups, strict=True)
    )
    return result.model_copy(update={"uncertainty": uncertainty.model_copy(update=fields), "groups": groups})


def _leaving_one_out(part: Part, group_weights: FloatArray) -> dict[str, tuple[float, float]]:
    """The smallest and the largest figure when each context is left out."""
    totals, of_means = part.sampled.leaving_each_out(group_weights)
    rest = of_means - totals if part.sampled.J.concave else totals - of_means
    figures = {name: each[np.isfinite(each)] for name, each in zip(part.names, (totals, of_means, rest), strict=True)}
    return {name: (float(each.min()), float(each.max())) for name, each in figures.items() if len(each)}
