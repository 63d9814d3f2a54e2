"""Plans how many contexts are needed for a given precision. A finished run is the pilot."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Unpack

import numpy as np

from bvf import AnalysisConfig, BvfError, load
from bvf.domain import Goal, checked_number, settings_of
from bvf.hooks import Plugins
from bvf.results import Baseline, Figure, Figures, baseline_of, capped, config_in, figures_in, method_of, name_of
from bvf.stats import POWER, ContextSample, detectable_reach, groups_for, interval_reach
from bvf.study import VOLATILITY, AnalysisKeywords
from bvf_insights.plan.result import FigurePlan, PlanResult

ROUNDING = 1e-9
"""A detectable difference below this counts as 0: the contexts show no error."""


def plan(  # noqa: PLR0913 - each is a choice of its own
    folder: Path | str,
    config: AnalysisConfig | None = None,
    *,
    precision: float = 0.01,
    detect: float = 0.02,
    against: Path | str = "",
    plugins: Plugins | None = None,
    preferred: Sequence[str] = (),
    **choices: Unpack[AnalysisKeywords],
) -> PlanResult:
    """Return how many contexts must be drawn to reach a goal, for each of R, R^b (bias) and R^v (volatility).

    Args:
        folder: The folder of a finished run, which is the pilot.
        config: Choices of the analysis, where they are not the run's own; or give keywords instead.
        precision: Half the width of the intervals of R, R^b and R^v, in about half of all runs.
        detect: A difference of R or R^b to another model, to be found with a chance of 80 %.
        against: The folder of that model, asked alike; empty: a model as noisy as this one, in other contexts.
        plugins: Where criteria and analyses are looked up; what is installed if None.
        preferred: Plugins whose criterion is used where neither the user nor the run names one.
        choices: Fields of `bvf.AnalysisConfig`.

    Raises:
        BvfError: The run cannot be a pilot (the message says why), or a goal is not a number above 0.
    """
    against, plugins = str(against), plugins or load()
    config = settings_of(AnalysisConfig, config, choices, "plan")
    for name, number in (("--precision", precision), ("--detect", detect)):
        checked_number(number, Goal, name)
    run, config = figures_in(folder, config, plugins, preferred), config_in(folder, config, plugins)
    if run.sample is None:
        mined = "bvf run --sample-contexts draws from a set that was mined"
        hint = "; ".join(filter(None, (mined, run.uncertainty.instead)))
        if not run.undefined:
            hint = "an analysis gives them by its method `sampled`"
        raise BvfError(f"{folder} cannot be the pilot: {run.undefined or 'its analysis gives no intervals'}", hint)
    other = baseline_of(run, against, config, plugins, preferred) if against else None
    if other is not None and other.undefined:
        raise BvfError(f"{folder} and {against} cannot be pilots: {other.undefined}")
    drawn_from = run.sample.drawn_from
    units = run.sample.size if drawn_from is None else drawn_from.occurrences
    return PlanResult(
        folder=str(folder),
        against=against,
        model=name_of(run.result),
        topic=run.result.topic,
        language=run.result.language,
        power=POWER,
        precision=precision,
        detect=detect,
        draws=run.result.uncertainty.draws if drawn_from is not None else None,
        set_contexts=run.asked.every_context,
        set_units=units if units < float("inf") else None,
        number_of_groups=len(run.result.groups),
        in_common=other.in_common if other else None,
        set_unit=run.sample.unit if drawn_from is None else "occurrence",
        figures=dict(_figure_plans(run, run.sample, other, precision, detect)),
        **method_of(run.result, run.asked),
    )


def _figure_plans(
    run: Figures, sample: ContextSample, other: Baseline | None, precision: float, detect: float
) -> Iterator[tuple[str, FigurePlan]]:
    first, weights = run.averages[0], np.array([group.weight for group in run.result.groups])
    for place, (field, of_group) in enumerate(zip(first.names, first.of_group or ("", "", ""), strict=True)):
        if field:
            fields = _to_be_precise(run, sample, field, precision) | {"detectable": None, "groups": None}
            if place != VOLATILITY:
                fields |= _to_detect(run, sample, other, Figure(field), detect)
            if of_group:
                of_groups = np.array([getattr(group, of_group) for group in run.result.groups])
                fields["groups"] = groups_for(of_groups, weights, precision, run.study.choices.level)
            yield field, FigurePlan(**fields)


def _to_be_precise(run: Figures, sample: ContextSample, field: str, precision: float) -> dict[str, Any]:
    """Fields of a `FigurePlan`: the figure, its half-width, and the contexts needed for ``precision``."""
    figure, level = Figure(field), run.study.choices.level
    influence, interval, value = run.influence(figure), run.interval(figure), run.value(figure)
    if influence is None or interval is None:
        raise BvfError(f"{run.study.measurement.folder} cannot be the pilot: {field} has no interval")
    half = _half_width(interval.low, interval.high, value if interval.cross_fit is None else interval.cross_fit, value)
    noise = min(run.excess(figure) / 2.0, half)
    reach = interval_reach(sample, influence, half - noise, level, run.rare(figure)).further(noise)
    need = reach.needed(precision)
    return {
        "value": value,
        "half_width": half,
        "by_noise": noise,
        "contexts": capped(need.contexts, run.asked),
        "units": need.units,
        "too_small": need.too_small,
    }


def _to_detect(
    run: Figures, sample: ContextSample, other: Baseline | None, figure: Figure, detect: float
) -> dict[str, Any]:
    """Fields of a `FigurePlan` for ``detect``: the detectable difference, and the contexts; empty without an error."""
    level, influence = run.study.choices.level, run.influence(figure)
    if influence is None:
        return {}
    reach = detectable_reach(sample, influence, level).further(2.0 * run.excess(figure))
    if other is not None:
        paired, both, found = other.influence(figure), other.pairing.sample, other.difference(figure)
        if paired is not None and both is not None and found is not None:
            noise = min(other.excess(figure) / 2.0, float(found.detectable))
            reach = detectable_reach(both, paired, level, float(found.detectable) - noise).further(noise)
    if reach.now <= ROUNDING:
        return {}
    need = reach.needed(detect)
    return {
        "detectable": reach.now,
        "contexts_to_detect": capped(need.contexts, run.asked),
        "units_to_detect": need.units,
        "too_small_to_detect": need.too_small,
    }


def _half_width(low: float, high: float, cross_fit: float, value: float) -> float:
    """Half the width of an interval; if it is cut at 0, its reach above the estimate, if that is more."""
    return (high - low) / 2.0 if low > 0.0 else max((high - low) / 2.0, high - (value + cross_fit) / 2.0)
