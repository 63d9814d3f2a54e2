"""How many contexts a given precision needs, and the table of such a plan. A finished run is the pilot."""

import math
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from os import PathLike, fspath
from pathlib import Path
from typing import Any, Unpack

import numpy as np
from pydantic import Field

from bvf import AnalysisConfig, BvfError, Section, load
from bvf.domain import Amount, Count, Finite, Goal, Record, Share, checked_number, settings_of
from bvf.hooks import Plugins
from bvf.results import UNITS, Baseline, Figure, Figures, Method, SharedChoices, config_in, name_of
from bvf.stats import POWER, ContextSample, FloatArray, Need, interval_reach, student_quantile
from bvf.study import RISK, AnalysisKeywords
from bvf.tables import Column, decimals, percent, symbols

VOLATILITY = RISK.index("R_volatility")
NONE_DO, CANNOT_TELL, NO_ERROR_SEEN, NOT_PLANNED = "none do", "cannot tell", "no error seen", "not planned"
"""Texts of cells that have no number."""
REASONS = {
    CANNOT_TELL: "Cannot tell: the pilot is too small; "
    f"fewer than {Need.ENOUGH} contexts do not show the set's own error.",
    NO_ERROR_SEEN: "No error seen: all contexts gave the same answer.",
}


class FigurePlan(Record):
    """The contexts needed to know a figure with a given precision, and to detect a given difference."""

    value: Finite
    half_width: Amount = Field(description="Of its interval now; where an end was cut at 0, of what it would be")
    by_noise: Amount = Field(
        0.0, description="Part of it that noise of sampled answers leaves, however many contexts are drawn"
    )
    contexts: Count | None = Field(
        description="To be drawn in all for the precision; as many as the set has: all of them asked; null: no number "
        "would do, or it is not known"
    )
    units: Count | None = Field(description="The set would have to have, all of them asked, for the precision; or null")
    detectable: Amount | None = Field(
        description="The smallest difference that would be found now; null: contexts show no error, or not for R^v"
    )
    too_small: bool = Field(False, description="Too few contexts were drawn to tell how many would do")
    contexts_to_detect: Count | None = Field(None, description="To be drawn to detect the difference")
    units_to_detect: Count | None = Field(None, description="The set would have to have for the difference; or null")
    too_small_to_detect: bool = Field(False, description="How many would do for the difference is not known")
    groups: Count | None = Field(
        description="For the precision, if groups were a sample too; null: no number would do, or there is one group"
    )

    @property
    def to_be_precise(self) -> Need:
        """The number of contexts, or of occurrences in the corpus, that the precision needs."""
        return Need(self.contexts, self.units, self.too_small)

    @property
    def to_detect(self) -> Need:
        """The number of contexts, or of occurrences in the corpus, needed to detect the difference."""
        return Need(self.contexts_to_detect, self.units_to_detect, self.too_small_to_detect)


class PlanResult(Method):
    """The contexts needed to know R, R^b and R^v of a model, and the choices of the analysis."""

    folder: str
    against: str = Field("", description="A run whose paired errors were used; empty: another as noisy as this one")
    model: str
    topic: str
    language: str
    power: Share
    precision: Goal
    detect: Goal
    draws: Count | None = Field(description="Contexts that were drawn; null: all of the set were asked")
    set_contexts: Count = Field(description="Contexts that the set has")
    set_units: Amount | None = Field(description="Occurrences (documents, templates) that it has; null: not known")
    number_of_groups: Count = Field(description="Groups that were asked and have a weight and answers")
    in_common: SharedChoices | None = Field(None, description="In what differences to `against` are planned; or null")
    set_unit: str = Field(description="What it has so many of: occurrence, document, template")
    figures: dict[str, FigurePlan]


_Planned = tuple[int, FigurePlan]
"""The index of a figure (0: total, 1: of the mean, 2: rest), and its plan."""


_Question = Column[_Planned]
"""A row of the table: its title, and a function that returns the text for a figure."""


def plan_section(plan: PlanResult) -> Section:
    """Return the table of a plan."""
    units = UNITS.get(plan.set_unit, "occurrences")
    planned = list(enumerate(plan.figures.values()))
    rows = [(question.title, *map(question.text, planned)) for question in _questions(plan, units)]
    title = f"What it takes: {plan.topic} ({plan.language}), {plan.model}"
    return Section(
        title, ("", *symbols(*plan.figures)), rows, subtitle=[plan.described], notes=_notes(plan, units, rows)
    )


def _questions(plan: PlanResult, units: str) -> list[_Question]:
    here = f"{plan.draws:,} contexts drawn" if plan.draws is not None else "in these contexts"
    no_group = "only one" if plan.number_of_groups == 1 else NONE_DO
    return [
        Column("now", lambda each: decimals(each[1].value)[0]),
        Column(f"half width, {here}", lambda each: decimals(each[1].half_width)[0]),
        *_takes(plan, f"for ±{plan.precision:g}", units, lambda each: each[1].to_be_precise),
        Column(_found_in(plan), _difference_or_why),
        *_takes(plan, f"for a {plan.detect:g} difference", units, _to_detect_or_why),
        Column(f"groups for ±{plan.precision:g}, if drawn too", lambda each: _number(each[1].groups, no_group)),
    ]


def _takes(plan: PlanResult, goal: str, units: str, need: Callable[[_Planned], Need | str]) -> list[_Question]:
    """Rows on the contexts that a goal needs, and the occurrences to mine. ``need`` may say why it is not known."""
    unit, needs = units.split()[0], [need(each) for each in enumerate(plan.figures.values())]

    def units_needed(each: _Planned) -> str:
        needed = need(each)
        if isinstance(needed, str):
            return needed
        if needed.units is None and needed.contexts is not None:
            return "not needed"
        return CANNOT_TELL if needed.too_small else _number(needed.units, NONE_DO)

    def contexts_needed(each: _Planned) -> str:
        needed = need(each)
        if isinstance(needed, str):
            return needed
        if needed.contexts is None:
            return CANNOT_TELL if needed.too_small else NONE_DO
        return f"all {plan.set_contexts:,}" if needed.contexts >= plan.set_contexts else f"{needed.contexts:,}"

    if plan.draws is None:
        return [Column(f"{unit} {goal}", units_needed)]
    mined = any(isinstance(each, Need) and each.units is not None for each in needs)
    return [Column(f"contexts {goal}", contexts_needed), *([Column(f"or {unit} mined", units_needed)] if mined else [])]


def _found_in(plan: PlanResult) -> str:
    """The title of the row of differences, with the numbers of common contexts and groups if some are not common."""
    both = plan.in_common
    if both is None or (both.draws, both.groups, both.contexts_left_out) == (plan.draws, plan.number_of_groups, 0):
        return "smallest difference found"
    contexts = f"{both.contexts:,} contexts" if both.draws is None else f"{both.draws:,} draws"
    return f"difference, {contexts}, {both.groups:,} groups"


def _difference_or_why(each: _Planned) -> str:
    place, figure = each
    if figure.detectable is not None:
        return decimals(figure.detectable)[0]
    return NOT_PLANNED if place == VOLATILITY else NO_ERROR_SEEN


def _to_detect_or_why(each: _Planned) -> Need | str:
    return _difference_or_why(each) if each[1].detectable is None else each[1].to_detect


def _number(number: int | None, none: str) -> str:
    return none if number is None else f"{number:,}"


def _notes(plan: PlanResult, units: str, rows: Sequence[Sequence[str]]) -> list[str]:
    of = f"{plan.set_units:,.0f} {units}" if plan.set_units is not None else f"an unknown number of {units}"
    drawn = (
        f"The set has {plan.set_contexts:,} contexts and {of}. The set is a sample itself: its own error remains "
        "however many are drawn. --sample-contexts 0 asks every template."
    )
    asked = f"These contexts are a sample of {of}."
    noise = (
        f"from the model of {plan.against}, in the groups and contexts of both."
        if plan.against
        else "from a model with the same noise, asked in contexts of its own. This is an upper bound: bvf compare "
        "pairs the contexts of two runs and usually needs fewer. --against DIR plans with a run of the other model."
    )
    cells = {cell for row in rows for cell in row}
    return [
        asked if plan.draws is None else drawn,
        f"Intervals of {percent(plan.level)}. They are as narrow as planned in about half of all runs with that many "
        f"contexts. Differences: {noise}",
        f"A test of one difference alone finds it with a probability of {plan.power:.0%}. With several figures or "
        "pairs, Holm's adjustment in bvf compare lowers this power.",
        "Groups: the number needed if the groups asked are a random sample of their kind.",
        *(note for cell, note in REASONS.items() if cell in cells),
        *_on_noise(plan),
        *([f"Not planned: differences of {symbols(*plan.figures)[VOLATILITY]}."] if NOT_PLANNED in cells else []),
    ]


def _on_noise(plan: PlanResult) -> Iterator[str]:
    """What more contexts do not make smaller, for runs of sampled answers."""
    called = zip(plan.figures.values(), symbols(*plan.figures), strict=True)
    by_noise = [f"{decimals(each.by_noise)[0]} of {name}" for each, name in called if each.by_noise]
    if by_noise:
        yield (
            f"Noise of sampled answers: {' and '.join(by_noise)} in the half width do not shrink with more contexts, "
            "only with more samples of each prompt."
        )


FEWEST_PLANNED, MOST_PLANNED = 12, 10**8
"""A need of groups is at least the first, as for fewer no intervals were tested; above the second it is unreachable."""
ROUNDING = 1e-9
"""A detectable difference below this counts as 0: the contexts show no error."""


def plan(  # noqa: PLR0913 - each is a choice of its own
    folder: PathLike[str] | str,
    config: AnalysisConfig | None = None,
    *,
    precision: float = 0.01,
    detect: float = 0.02,
    against: PathLike[str] | str = "",
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
    folder, against, plugins = Path(folder), fspath(against), plugins or load()
    config = settings_of(AnalysisConfig, config, choices, "plan")
    for name, number in (("--precision", precision), ("--detect", detect)):
        checked_number(number, Goal, name)
    run, config = Figures.of_run(folder, config, plugins, preferred), config_in(folder, config, plugins)
    if run.sample is None:
        mined = "bvf run --sample-contexts draws from a set that was mined"
        hint = "; ".join(filter(None, (mined, run.uncertainty.instead)))
        if not run.undefined:
            hint = "an analysis gives them by its method `sampled`"
        raise BvfError(f"{folder} cannot be the pilot: {run.undefined or 'its analysis gives no intervals'}", hint)
    other = Baseline.of(run, against, config, plugins, preferred) if against else None
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
        **run.result.method_fields(run.asked),
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


def groups_for(figures: FloatArray, weights: FloatArray, half_width: float, level: float) -> int | None:
    """Return how many groups a goal needs if groups are sampled too. None: there is one group, or no number suffices.

    Args:
        figures: The value of each group, whose mean is estimated, shape (X,).
        weights: P(X), shape (X,), sums to 1.
        half_width: The goal, for an interval that does not include the error of contexts.
        level: Level of the interval.
    """
    groups = int(np.count_nonzero(weights))
    if groups < 2:
        return None
    variance = float(weights @ (figures - weights @ figures) ** 2) * groups / (groups - 1)

    def suffices(number: int) -> bool:
        return math.sqrt(variance / number) * float(student_quantile(0.5 + level / 2.0, number - 1.0)) <= half_width

    number = bisect_left(range(MOST_PLANNED + 1), True, FEWEST_PLANNED, key=suffices)
    return number if number <= MOST_PLANNED else None


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
        "contexts": run.asked.capped(need.contexts),
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
    reach = interval_reach(sample, influence, 0.0, level).to_detect().further(2.0 * run.excess(figure))
    if other is not None:
        paired, both, found = other.influence(figure), other.pairing.sample, other.difference(figure)
        if paired is not None and both is not None and found is not None:
            noise = min(other.excess(figure) / 2.0, float(found.detectable))
            now = float(found.detectable) - noise
            reach = interval_reach(both, paired, 0.0, level).to_detect(now).further(noise)
    if reach.now <= ROUNDING:
        return {}
    need = reach.needed(detect)
    return {
        "detectable": reach.now,
        "contexts_to_detect": run.asked.capped(need.contexts),
        "units_to_detect": need.units,
        "too_small_to_detect": need.too_small,
    }


def _half_width(low: float, high: float, cross_fit: float, value: float) -> float:
    """Half the width of an interval; if it is cut at 0, its reach above the estimate, if that is more."""
    return (high - low) / 2.0 if low > 0.0 else max((high - low) / 2.0, high - (value + cross_fit) / 2.0)
