"""What a plan says, as a table: a row per question, a column per figure."""

from collections.abc import Sequence

from bvf.analyses.plan.analysis import DIFFERENCES, FIGURES
from bvf.analyses.plan.result import FigurePlan, PlanResult
from bvf.interfaces.analysis import Section
from bvf.results.method import percent
from bvf.results.shown import UNITS
from bvf.stats.planning import ENOUGH, Need
from bvf.tables.words import decimals

NONE_DO, CANNOT_TELL, NO_ERROR_SEEN, NOT_PLANNED = "none do", "cannot tell", "no error seen", "not planned"
"""Texts of cells without a number."""
REASONS = {
    CANNOT_TELL: f"Cannot tell: this pilot is too small: fewer than {ENOUGH} contexts do not show the set's own error.",
    NO_ERROR_SEEN: "No error seen: all contexts say the same.",
    NOT_PLANNED: "Not planned: differences of R^v.",
}


def plan_section(plan: PlanResult) -> Section:
    """Return the table: a row per question, a column per figure."""
    each, called = list(plan.figures.values()), UNITS.get(plan.set_unit, "occurrences")
    here = f"{plan.draws:,} contexts drawn" if plan.draws is not None else "in these contexts"
    differences = [_difference_or_why(field, one) for field, one in plan.figures.items()]
    to_detect = [Need(one.contexts_to_detect, one.units_to_detect, one.too_small_to_detect) for one in each]
    precise = [Need(one.contexts, one.units, one.too_small) for one in each]
    rows = [
        ("now", *(decimals(one.value)[0] for one in each)),
        (f"give or take, {here}", *(decimals(one.half_width)[0] for one in each)),
        *_takes(plan, f"for ±{plan.precision:g}", called, precise),
        (_found_in(plan), *differences),
        *_takes(
            plan,
            f"for a {plan.detect:g} difference",
            called,
            [
                why if one.detectable is None else need
                for one, need, why in zip(each, to_detect, differences, strict=True)
            ],
        ),
        (
            f"groups for ±{plan.precision:g}, if drawn too",
            *(_number(one.groups, "only one" if plan.groups == 1 else NONE_DO) for one in each),
        ),
    ]
    title = f"What it takes: {plan.topic} ({plan.language}), {plan.model}"
    return Section(title, ("", *FIGURES.values()), rows, said=[plan.said], notes=_notes(plan, called, rows))


def _takes(plan: PlanResult, goal: str, called: str, needs: Sequence[Need | str]) -> list[tuple[str, ...]]:
    """Rows of the contexts to be drawn for a goal, and of what is to be mined where no number of contexts would do.

    Where there is no number, a text says why.
    """
    units = [need if isinstance(need, str) else _units(need) for need in needs]
    if plan.draws is None:
        return [(f"{called.split()[0]} {goal}", *units)]
    contexts = [need if isinstance(need, str) else _contexts(need, plan) for need in needs]
    mined = any(isinstance(need, Need) and need.units is not None for need in needs)
    return [(f"contexts {goal}", *contexts), *([(f"or {called.split()[0]} mined", *units)] if mined else [])]


def _found_in(plan: PlanResult) -> str:
    """The name of the row of differences, with what they are of where that is not all of the run."""
    both = plan.in_common
    if both is None or (both.draws, both.groups, both.contexts_left_out) == (plan.draws, plan.groups, 0):
        return "smallest difference found so"
    contexts = f"{both.contexts:,} contexts" if both.draws is None else f"{both.draws:,} draws"
    return f"difference, {contexts}, {both.groups:,} groups"


def _difference_or_why(field: str, one: FigurePlan) -> str:
    if one.detectable is not None:
        return decimals(one.detectable)[0]
    return NO_ERROR_SEEN if field in DIFFERENCES else NOT_PLANNED


def _contexts(need: Need, plan: PlanResult) -> str:
    if need.contexts is None:
        return CANNOT_TELL if need.too_small else NONE_DO
    return f"all {plan.set_contexts:,}" if need.contexts >= plan.set_contexts else f"{need.contexts:,}"


def _units(need: Need) -> str:
    if need.units is None and need.contexts is not None:
        return "not needed"
    return CANNOT_TELL if need.too_small else _number(need.units, NONE_DO)


def _number(number: int | None, none: str) -> str:
    return none if number is None else f"{number:,}"


def _notes(plan: PlanResult, called: str, rows: Sequence[Sequence[str]]) -> list[str]:
    of = f"{plan.set_units:,.0f} {called}" if plan.set_units is not None else f"an unknown number of {called}"
    drawn = (
        f"The set has {plan.set_contexts:,} contexts and {of}. It is a sample itself, whose error remains however many "
        "are drawn. --sample-contexts 0 asks them all."
    )
    asked = f"These contexts are a sample of {of}."
    noise = (
        f"to the model of {plan.against}, in what both were asked."
        if plan.against
        else "to a model as noisy as this one, in contexts of its own. That is an upper bound: bvf compare "
        "pairs the contexts of two runs, and then fewer usually do. --against DIR plans with a run of the other model."
    )
    cells = {cell for row in rows for cell in row}
    return [
        asked if plan.draws is None else drawn,
        f"Intervals of {percent(plan.level)}. Differences: {noise}",
        f"One is found with a chance of {plan.power:.0%} where it alone is tested; Holm's adjustment in bvf compare, "
        "for several figures and pairs, makes that less.",
        "Groups: so many, if those asked were drawn by chance from more of their kind.",
        *(note for cell, note in REASONS.items() if cell in cells),
    ]
