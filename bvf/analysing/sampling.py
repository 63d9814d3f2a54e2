"""What the contexts of a measurement are a sample of, and what intervals follow from it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

import numpy as np

from bvf.analysing.result import Interval, ResultBase, Uncertainty
from bvf.arrays import FloatArray
from bvf.domain.measurement import Asked, Measurement
from bvf.errors import BvfError
from bvf.interfaces.analysis import Choices
from bvf.interfaces.criterion import Criterion
from bvf.stats.context_sets import unseen_mass
from bvf.stats.intervals import Decomposition, Sampled
from bvf.stats.samples import ContextSample, DrawnFrom, Unit

R = TypeVar("R", bound=ResultBase)
FEWEST = 10
"""The fewest units from which anything is said about their source."""
WHOLE = 1e-9


def uncertainty_of(measurement: Measurement, choices: Choices) -> Uncertainty:
    """Return what the figures of a measurement hold for, without any interval yet."""
    asked = measurement.record.asked
    counts = [each.count for each in asked.templates]
    sampled = asked.sampling.occurrences is not None and _are_whole(counts)
    known = {
        "level": choices.level,
        "draws": None if asked.draws is None else asked.draws.number,
        "occurrences": asked.sampling.occurrences,
        "documents": asked.sampling.documents,
        "share": _share(asked),
        "unseen_mass": unseen_mass(counts) if sampled and _share(asked) == 1.0 else None,
    }
    why = why_no_sample(measurement, choices)
    if why:
        return Uncertainty(estimand="set", undefined=why, **known)
    sample = context_sample(measurement, choices)
    estimand: Literal["source", "templates"] = "templates" if sample.unit == "template" else "source"
    return Uncertainty(estimand=estimand, unit=sample.unit, units=sample.size, **known)


def context_sample(measurement: Measurement, choices: Choices) -> ContextSample:
    """Return the contexts as a sample of their source, or of templates where that is chosen.

    Raises:
        BvfError: They are no sample of anything; says why.
    """
    why = why_no_sample(measurement, choices)
    if why:
        raise BvfError(f"no interval: {why}", "bvf run --sample-contexts draws from a set that was mined")
    return sample_by(measurement, choices.unit or ("occurrence" if measurement.replicates is None else "document"))


def sample_by(measurement: Measurement, unit: Unit) -> ContextSample:
    """Return the contexts as a sample with this unit; only where `why_no_sample` finds that they are one."""
    asked, replicates = measurement.record.asked, measurement.replicates
    contexts = asked.in_order
    counts = np.array([each.count for each in contexts])
    if unit == "template":
        return ContextSample(asked.context_weights, unit)
    if asked.draws is not None:
        drawn = np.array([float(each.drawn) for each in contexts])
        source = DrawnFrom(asked.sampling.occurrences or np.inf, counts, replicates if unit == "document" else None)
        return ContextSample(drawn, unit, drawn_from=source)
    return ContextSample(counts, unit, replicates if unit == "document" else None, asked.sampling.documents)


def as_templates(measurement: Measurement) -> ContextSample | None:
    """Return the contexts as if templates themselves had been drawn; None for fewer than two."""
    weights = measurement.record.asked.context_weights
    return ContextSample(weights, "template") if np.count_nonzero(weights) > 1 else None


Names = tuple[str, str, str]
"""Fields for the total, for the risk of the mean over contexts, and for the rest."""


@dataclass(frozen=True)
class Part:
    """Something whose figures get intervals.

    Args:
        sampled: What contexts add to it.
        names: Fields of the result.
        of_group: Fields of each group; none where groups have no such figures.
    """

    sampled: Sampled
    names: Names
    of_group: Names | None


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


def named_intervals(estimates: Decomposition, names: Names, at: int | tuple[()] = ()) -> dict[str, Interval]:
    """Return intervals by the names of their fields; those of group ``at`` where there are estimates for each."""
    return {
        name: Interval(
            low=float(each.low[at]),
            high=float(each.high[at]),
            cross_fit=None if each.cross_fit is None else float(each.cross_fit[at]),
        )
        for name, each in zip(names, (estimates.total, estimates.of_mean, estimates.rest), strict=True)
    }


def _leaving_one_out(part: Part, group_weights: FloatArray) -> dict[str, tuple[float, float]]:
    """The smallest and the largest figure when each context is left out."""
    totals, of_means = part.sampled.leaving_each_out(group_weights)
    rest = of_means - totals if part.sampled.J.concave else totals - of_means
    figures = {name: each[np.isfinite(each)] for name, each in zip(part.names, (totals, of_means, rest), strict=True)}
    return {name: (float(each.min()), float(each.max())) for name, each in figures.items() if len(each)}


def why_no_sample(measurement: Measurement, choices: Choices) -> str:
    """Return why nothing can be said of more than these contexts; empty: something can."""
    asked, unit = measurement.record.asked, choices.unit
    if isinstance(choices.criterion, Criterion) and choices.criterion.curvature == "neither":
        return f"the criterion {choices.criterion_name} is neither convex nor concave: R^b may err to any side"
    if len(asked.in_order) == 1:
        return "there is one context"
    if unit == "template":
        effective = ContextSample(asked.context_weights, unit).size
        return f"there are only {effective:.1f} effective templates" if effective < FEWEST else ""
    sampling, share = asked.sampling, _share(asked)
    if sampling.written:
        return "the contexts were written, not sampled"
    if sampling.cut:
        return "the contexts are the most frequent of a source whose rest is not known"
    if share is not None and share < 1.0:
        return f"the contexts are {share:.1%} of those of their source, chosen, not drawn"
    if sampling.occurrences is None or not _are_whole([each.count for each in asked.templates]):
        return "the weights of the contexts are no counts, so that nobody knows how many were seen"
    if unit == "document" and measurement.replicates is None:
        return "nothing is known of the documents that the contexts are from"
    units = sampling.occurrences if asked.draws is None else asked.draws.number
    return f"there are only {units:g} occurrences" if units < FEWEST else ""


def _share(asked: Asked) -> float | None:
    """Share of the matches of the source that the set covers; None: not known."""
    occurrences, total = asked.sampling.occurrences, sum(each.count for each in asked.templates)
    if occurrences is None:
        return None
    return 1.0 if total >= occurrences * (1.0 - WHOLE) else total / occurrences


def _are_whole(counts: list[float]) -> bool:
    return all(float(count).is_integer() for count in counts)
