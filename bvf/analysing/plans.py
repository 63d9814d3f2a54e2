"""How many contexts must be asked for an answer that is exact enough, with a finished run as a pilot."""

from pathlib import Path

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from bvf.analysing.baselines import Baseline, baseline_of
from bvf.analysing.config import AnalysisConfig
from bvf.analysing.formatting import decimals
from bvf.analysing.interval_rows import UNITS
from bvf.analysing.pilot import Figure, Pilot, pilot
from bvf.arrays import FloatArray
from bvf.errors import BvfError
from bvf.hooks.loader import Plugins
from bvf.interfaces.analysis import Section
from bvf.stats.planning import POWER, Need, detectable_reach, groups_for, interval_reach
from bvf.stats.samples import ContextSample

FIGURES = {"R": "R", "R_bias": "R^b", "R_volatility": "R^v"}
OF_GROUPS = {"R": "r", "R_bias": "r_bias", "R_volatility": "r_volatility"}
DIFFERENCES = ("R", "R_bias")
PRECISION, DETECT = 0.01, 0.02
NO_ERROR = 1e-9
"""What is rounding: contexts show no difference."""


class FigurePlan(BaseModel):
    """What it takes to know a figure."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    value: float
    half_width: float = Field(description="Of its interval now; where an end was cut at 0, of what it would be")
    contexts: int | None = Field(description="To be drawn in all for the precision; null: no number would do")
    units: int | None = Field(description="The set would have to have, all of them asked, for the precision; or null")
    detectable: float | None = Field(
        description="The smallest difference that would be found now; null: contexts show no error, or not for R^v"
    )
    contexts_to_detect: int | None = Field(None, description="To be drawn for the difference; null: no number would do")
    units_to_detect: int | None = Field(None, description="The set would have to have for the difference; or null")
    groups: int | None = Field(description="For the precision, if groups were a sample too; null: no number would do")


class PlanResult(BaseModel):
    """What it takes to know R, R^b and R^v of a model."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    folder: str
    against: str = Field("", description="A run whose paired errors were used; empty: another as noisy as this one")
    model: str
    topic: str
    language: str
    criterion: str
    level: float
    power: float
    precision: float
    detect: float
    draws: int | None = Field(description="Contexts that were drawn; null: all of the set were asked")
    set_contexts: int = Field(description="Contexts that the set has")
    set_units: float | None = Field(description="Occurrences (documents, templates) that it has; null: not known")
    unit: str = Field(description="What the set has so many of: occurrence, document, template")
    figures: dict[str, FigurePlan]


def plan_of(
    folder: Path | str,
    config: AnalysisConfig,
    plugins: Plugins,
    *,
    precision: float = PRECISION,
    detect: float = DETECT,
    against: str = "",
) -> PlanResult:
    """Return how many contexts must be drawn.

    Args:
        folder: Of a finished run.
        config: How it is analysed; what is not said is as in its newest result.
        plugins: Where criteria are looked up.
        precision: Half of the interval of R, R^b and R^v, each.
        detect: A difference of R or R^b to another model that is to be found with a probability of 0.8.
        against: The folder of that other model; empty: its contexts are taken to add noise of the same size, apart
            from those of this one.

    Raises:
        BvfError: The run says nothing of other contexts, or a number is not above 0.
    """
    for name, number in (("--precision", precision), ("--detect", detect)):
        if not 0.0 < number <= 1.0:
            raise BvfError(f"{name} {number:g}: is not between 0 and 1", f"write {name} 0.01, say")
    run = pilot(folder, config, plugins)
    if run.sample is None:
        why = run.result.uncertainty.undefined or "only the figures of risk can be planned for"
        raise BvfError(f"{folder} is no pilot: {why}", "bvf run --sample-contexts draws from a set that was mined")
    other = baseline_of(run, against, plugins) if against else None
    if other is not None and other.undefined:
        raise BvfError(f"{folder} and {against} are no pilot: {other.undefined}")
    drawn_from = run.sample.drawn_from
    units = run.sample.size if drawn_from is None else drawn_from.occurrences
    return PlanResult(
        folder=str(folder),
        against=against,
        model=run.result.model,
        topic=run.result.topic,
        language=run.result.language,
        criterion=run.result.criterion,
        level=run.choices.level,
        power=POWER,
        precision=precision,
        detect=detect,
        draws=run.result.uncertainty.draws if drawn_from is not None else None,
        set_contexts=len(run.measurement.record.asked.templates),
        set_units=units if units < float("inf") else None,
        unit=run.sample.unit if drawn_from is None else "occurrence",
        figures={field: _figure_plan(run, run.sample, other, field, precision, detect) for field in FIGURES},
    )


def plan_section(plan: PlanResult) -> Section:
    """Return the table: a row per question, a column per figure."""
    each, called = list(plan.figures.values()), UNITS.get(plan.unit, "occurrences")
    here = f"with {plan.draws:,} contexts drawn" if plan.draws is not None else "with these contexts"
    precise, found = f"for {plan.precision:g} more or less", f"to find a difference of {plan.detect:g}"
    rows = [
        ("now", *(decimals(one.value)[0] for one in each)),
        (f"give or take, {here}", *(decimals(one.half_width)[0] for one in each)),
        *_takes(plan, precise, called, [Need(one.contexts, one.units) for one in each]),
        ("smallest difference to be found so", *(decimals(one.detectable)[0] for one in each)),
        *_takes(
            plan,
            found,
            called,
            [None if one.detectable is None else Need(one.contexts_to_detect, one.units_to_detect) for one in each],
        ),
        (f"groups {precise}, were they drawn too", *(_number(one.groups, "none do") for one in each)),
    ]
    title = f"What it takes: {plan.topic} ({plan.language}), {plan.model}, criterion {plan.criterion}"
    return Section(title, ("", *FIGURES.values()), rows, notes=_notes(plan, called))


def _takes(plan: PlanResult, goal: str, called: str, needs: list[Need | None]) -> list[tuple[str, ...]]:
    """Rows of the contexts to be drawn for a goal, and of what is to be mined where no number of them would do."""
    contexts = ["" if need is None else _contexts(need.contexts, plan) for need in needs]
    units = ["" if need is None else _number(need.units, "") for need in needs]
    if plan.draws is None:
        return [(f"{called.split()[0]} in all {goal}", *units)]
    return [(f"contexts {goal}", *contexts), *([("or so many occurrences mined", *units)] if any(units) else [])]


def _figure_plan(
    run: Pilot, sample: ContextSample, other: Baseline | None, field: str, precision: float, detect: float
) -> FigurePlan:
    figure, level = Figure(field), run.choices.level
    influence, interval, value = run.influence(figure), run.interval(figure), run.value(figure)
    if influence is None or interval is None:
        raise BvfError(f"{run.measurement.folder} is no pilot: {field} has no interval")
    half = _half_width(interval.low, interval.high, value if interval.cross_fit is None else interval.cross_fit, value)
    need = interval_reach(sample, influence, half, level).needed(precision)
    difference: dict[str, float | int | None] = {"detectable": None}
    now, to_detect = _to_detect(sample, influence, other, figure, level, detect)
    if field in DIFFERENCES and now > NO_ERROR:
        difference = {"detectable": now, "contexts_to_detect": to_detect.contexts, "units_to_detect": to_detect.units}
    groups = run.result.groups
    of_groups = np.array([getattr(group, OF_GROUPS[field]) for group in groups])
    weights = np.array([group.weight for group in groups])
    return FigurePlan(
        value=value,
        half_width=half,
        contexts=need.contexts,
        units=need.units,
        groups=groups_for(of_groups, weights, precision, level),
        **difference,
    )


def _to_detect(
    sample: ContextSample, influence: FloatArray, other: Baseline | None, figure: Figure, level: float, detect: float
) -> tuple[float, Need]:
    """The smallest difference that would be found now, and what it takes to find another."""
    reach = detectable_reach(sample, influence, level, models=2)
    if other is not None:
        paired, both = other.influence(figure), other.pairing.sample
        if paired is not None and both is not None:
            reach = detectable_reach(both, paired, level)
    return reach.now, reach.needed(detect)


def _half_width(low: float, high: float, cross_fit: float, value: float) -> float:
    """Half of an interval; where its lower end was cut at 0, from the middle of both estimates to the upper end."""
    return (high - low) / 2.0 if low > 0.0 else max((high - low) / 2.0, high - (value + cross_fit) / 2.0)


def _contexts(contexts: int | None, plan: PlanResult) -> str:
    if contexts is None:
        return "none do"
    return f"all {plan.set_contexts:,}" if contexts >= plan.set_contexts else f"{contexts:,}"


def _number(number: int | None, none: str) -> str:
    return none if number is None else f"{number:,}"


def _notes(plan: PlanResult, called: str) -> list[str]:
    of = f"{plan.set_units:,.0f} {called}" if plan.set_units is not None else f"an unknown number of {called}"
    drawn = [
        f"The set has {plan.set_contexts:,} contexts and {of}. It is a sample itself,",
        "whose error remains however many are drawn. --sample-contexts 0 asks them all.",
    ]
    asked = [f"These contexts are a sample of {of}."]
    noise = f"paired with {plan.against}" if plan.against else "whose contexts are others, and as noisy"
    return [
        *(asked if plan.draws is None else drawn),
        f"Intervals of {plan.level:.0%}; differences are found with a chance of {plan.power:.0%}, to a model",
        f"{noise}.",
    ]
