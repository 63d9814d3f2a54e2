"""Results of factors as printed tables."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from bvf import Section
from bvf.tables import (
    Column,
    between,
    both_ends,
    counted,
    counted_gap,
    decimals,
    legend,
    p_value,
    percent,
    points,
    table,
)
from bvf_factors.covering import MOST_EMPTY, CoverageResult, Covered, Design
from bvf_factors.rates.comparing import ModelComparison, Pair
from bvf_factors.rates.spread import Spread
from bvf_factors.rates.subgroups import Subgroup, Subgroups
from bvf_factors.reading.table import FactorColumn
from bvf_factors.regressing.importance import Importance, LevelEffect, TermTest
from bvf_factors.run import FactorsResult

INTERACTION = " : "
MOST_EMPTY_NAMED = 6
MOST_FACTORS = 4
"""Factors in the short form of an analysis."""
POSSIBLE = "Possible: cells that can occur; nested factors, and a factor that follows from another, exclude the others."
T = TypeVar("T")


def overview(title: str, result: FactorsResult, show: int, *, is_number: bool) -> list[Section]:
    """Return two short tables: of the factors, and of ``show`` subgroups with the highest and lowest disparities."""
    groups = subgroup_section(title, result.subgroups[0], show, is_number=is_number)
    rest = [*groups.notes, "details: the same command with --details"]
    groups = replace(groups, title="Subgroups of one factor", subtitle=[], notes=rest)
    return [_factors(title, result, is_number=is_number), groups]


def result_sections(title: str, result: FactorsResult, show: int, *, is_number: bool) -> list[Section]:
    """Return the tables of all results."""
    return [
        *coverage_sections(title, result.coverage, show),
        *(subgroup_section(title, each, show, is_number=is_number) for each in result.subgroups),
        spread_section(result.spread),
        *(importance_sections(title, result.importance, show) if result.importance else []),
    ]


def _first(records: Sequence[T], show: int, what: str, end: str = ": --show all") -> tuple[Sequence[T], list[str]]:
    """The first ``show`` records (0: all), and a note on those that are left out."""
    left = len(records) - (show or len(records))
    return records[: show or None], [f"{counted(left, what)}{end}"] if left > 0 else []


def _of_factors(number: int) -> str:
    return {1: "one factor", 2: "two factors"}.get(number, f"{number} factors")


def _factors(title: str, result: FactorsResult, *, is_number: bool) -> Section:
    """A row per factor and interaction: its levels, their prompts, and a test that holds other factors constant."""
    tests = {each.term: each for each in result.importance.tests} if result.importance else {}
    p_values = {name: test.p_value for name, test in tests.items() if test.p_value is not None}
    factors = sorted((each.factors[0] for each in result.coverage.single), key=lambda name: p_values.get(name, 1.0))
    counts = result.coverage.counts
    columns: list[Column[str]] = [
        Column("factor", str),
        Column("levels", lambda name: str(len(counts[name])) if name in counts else ""),
        Column("fewest", lambda name: f"{min(counts[name].values()):,}" if name in counts else ""),
        Column("most", lambda name: f"{max(counts[name].values()):,}" if name in counts else ""),
        Column("F", lambda name: decimals(tests[name].statistic, places=2)[0] if name in tests else "", optional=True),
        Column("p", lambda name: p_value(tests[name].p_value) if name in tests else "", optional=True),
    ]
    said, spread, of = [], result.spread, "mean" if is_number else "rate"
    if result.coverage.pairs:
        worst = _worst_first(result.coverage.pairs)[0]
        said.append(
            f"Covered worst: {' x '.join(worst.factors)}, {worst.filled} of {worst.possible} combinations have a "
            f"prompt (CP {worst.possible_proportion:.3f})"
        )
    ends = between(spread.low, spread.high, 3)
    interval = f" ({percent(spread.level)}: {ends})" if ends else ""
    said.append(
        f"DM {spread.distance:.3f}{interval}: how far the {of} of "
        f"{spread.subgroups:,} subgroups of {'one factor' if spread.order == 1 else f'{spread.order} factors'} is from "
        f"{spread.target:g}"
    )
    shown, more = _first(factors, MOST_FACTORS, "more factor", ", by p: --details")
    return table(
        f"{title}: {result.rows:,} prompts, {of} {decimals(result.rate)[0]}",
        columns,
        [*shown, *(name for name in tests if name not in factors)],
        subtitle=said,
        notes=[
            *(["F and p: whether the levels of a factor differ, with all other factors held."] if tests else []),
            *dict.fromkeys(each.undefined for each in tests.values() if each.undefined),
            *more,
        ],
    )


def coverage_sections(title: str, coverage: CoverageResult, show: int) -> list[Section]:
    """Return two tables of coverage: of each factor, and of the worst pairs and all factors together."""
    of_levels = {each.factors[0]: coverage.counts[each.factors[0]].values() for each in coverage.single}
    single: list[Column[Covered]] = [
        Column("factor", lambda each: each.factors[0]),
        Column("levels", lambda each: str(each.cells)),
        Column("fewest", lambda each: f"{min(of_levels[each.factors[0]]):,}"),
        Column("most", lambda each: f"{max(of_levels[each.factors[0]]):,}"),
        Column("Gini", lambda each: decimals(each.gini)[0]),
    ]
    rows = f"{counted(coverage.rows, 'prompt')}; fewest and most: prompts of a level."
    sections = [
        table(f"Coverage: {title}", single, coverage.single, subtitle=[rows], notes=list(_design_notes(coverage)))
    ]
    shown, more = _first(_worst_first(coverage.pairs), show, "more pair")
    if shown:
        whole = [coverage.joint] if coverage.joint and len(coverage.joint.factors) > 2 else []
        notes = [*more, f"{legend(COVERED[:4])} {POSSIBLE}"]
        sections.append(table("Combinations of levels, worst covered first", COVERED, shown, above=whole, notes=notes))
    return sections


def _worst_first(pairs: Sequence[Covered]) -> list[Covered]:
    return sorted(pairs, key=lambda each: (each.possible_proportion, -each.possible_gini))


def _design_notes(coverage: CoverageResult) -> Iterator[str]:
    for name, other in coverage.decided.items():
        yield f"{name} follows from {other}: their effects cannot be separated in one model."
    for sentence in coverage.same_rows:
        yield f"{sentence}."
    for name, level in coverage.constants.items():
        yield f'{name} is "{level}" everywhere, and set aside.'
    for name, values in coverage.unseen.items():
        yield f"{name}: declared and never seen: {', '.join(values)}."


COVERED: tuple[Column[Covered], ...] = (
    Column("factors", lambda each: " x ".join(each.factors) if len(each.factors) == 2 else "all factors"),
    Column("cells", lambda each: f"{each.cells:,}"),
    Column("filled", lambda each: f"{each.filled:,}"),
    Column("CP", lambda each: decimals(each.proportion)[0], "share of cells with a prompt"),
    Column("Gini", lambda each: decimals(each.gini)[0]),
    Column("possible", lambda each: f"{each.possible:,}"),
    Column("CP of it", lambda each: decimals(each.possible_proportion)[0]),
)


def empty_section(title: str, factors: Sequence[FactorColumn], cells: Sequence[tuple[str, ...]], show: int) -> Section:
    """Return a table of the combinations of levels that have no prompt."""
    end = f"{' or more' if len(cells) == MOST_EMPTY else ''}: --show all"
    shown, more = _first(cells, show, "more combination", end)
    names = [each.name for each in factors]
    return Section(f"Combinations without a prompt: {title}", names, shown, names=len(names), notes=more)


def design_section(title: str, design: Design, show: int) -> Section:
    """Return a table of the prompts that a design lacks."""
    kind = "every combination of levels" if not design.strength else f"each combination of {design.strength} levels"
    missing, more = _first(design.missing, show, "more prompt", ": --show all, or -o FILE.csv")
    return Section(
        f"Missing prompts: {title}",
        design.factors,
        missing,
        names=len(design.factors),
        subtitle=[
            f"{kind} once: {design.filled:,} of {design.possible:,} are there; "
            f"{counted(len(design.missing), 'prompt')} would fill the rest."
        ],
        notes=[*more, *(f"{name} follows from {other}." for name, other in design.following.items())],
    )


def subgroup_section(title: str, subgroups: Subgroups, show: int, *, is_number: bool = False) -> Section:
    """Return a table of the subgroups with the largest and the smallest disparities."""
    tested = [each for each in subgroups.found if not each.few]
    few = len(subgroups.found) - len(tested)
    shown = both_ends(tested, show, counted_gap)
    what = "mean" if is_number else "rate"
    notes = [f"{counted(few, 'subgroup')} with few prompts: not tested."] if few else []
    if any(isinstance(each, Subgroup) and each.corrected for each in shown):
        independent = ", and prompts are taken as independent" if subgroups.cluster else ""
        notes.append(f"* half a prompt was added to each count, as one was 0{independent}")
    others = "all other prompts" if subgroups.against == "all" else "prompts that differ in the last factor alone"
    name = _short_names(subgroups)
    columns: list[Column[Subgroup]] = [
        Column("subgroup", name),
        Column("prompts", lambda each: f"{each.rows:,}"),
        Column(what, lambda each: decimals(each.rate)[0]),
        *(OF_MEANS if is_number else OF_RATES),
        Column("p (BY)", lambda each: p_value(each.adjusted_p)),
    ]
    errors = f"by {subgroups.cluster} (cluster-robust)." if subgroups.cluster else "as if prompts were independent."
    said = (
        f"{counted(len(tested), 'subgroup')} against {others}; {what} of all {subgroups.rate:.4f}; "
        f"{percent(subgroups.level)} intervals and p values {errors}"
    )
    return table(f"Subgroups of {_of_factors(subgroups.order)}: {title}", columns, shown, subtitle=[said], notes=notes)


def _short_names(subgroups: Subgroups) -> Callable[[Subgroup], str]:
    """Names of subgroups: ``factor=level, ...``. Of several factors, levels that one factor has alone go without it."""
    pairs = {pair for each in subgroups.found for pair in zip(each.factors, each.levels, strict=True)}
    times = Counter(level for _, level in pairs)

    def name(each: Subgroup) -> str:
        named = zip(each.factors, each.levels, strict=True)
        alone = subgroups.order > 1
        return ", ".join(level if alone and times[level] == 1 else f"{factor}={level}" for factor, level in named)

    return name


OF_MEANS: tuple[Column[Subgroup], ...] = (
    Column("difference", lambda each: decimals(each.disparity, places=3)[0]),
    Column("interval", lambda each: between(each.low, each.high, 2)),
)
OF_RATES: tuple[Column[Subgroup], ...] = (
    Column("points", lambda each: "" if each.difference is None else points(each.difference)),
    Column("interval", lambda each: _points_between(each.difference_low, each.difference_high)),
    Column("log disp.", lambda each: _starred(each.disparity, each.corrected)),
)


def _points_between(low: float | None, high: float | None) -> str:
    return f"{points(low)} to {points(high)}" if low is not None and high is not None else ""


def _starred(value: float | None, starred: bool) -> str:
    return decimals(value, places=3)[0] + ("*" if starred else "")


def spread_section(spread: Spread) -> Section:
    """Return a table of the spread of subgroups' rates, and of their mean distance from the target (DM)."""
    rates = spread.rates
    quantiles = [rates[round(share * (len(rates) - 1))] for share in (0.0, 0.25, 0.5, 0.75, 1.0)]
    rows = [
        ("lowest, quartiles, highest", "  ".join(decimals(*quantiles))),
        (f"DM, mean distance from {spread.target:g}", *decimals(spread.distance)),
        (f"its {percent(spread.level)} interval", between(spread.low, spread.high)),
    ]
    if spread.above is not None:
        rows.append((f"share above {spread.above[1]:g}", *decimals(spread.above[0])))
    few = f", without {spread.few} that have few prompts" if spread.few else ""
    columns = (f"{counted(spread.subgroups, 'subgroup')}{few}", "")
    return Section(f"Rates of subgroups of {_of_factors(spread.order)}", columns, rows, notes=spread.notes)


def comparison_sections(title: str, comparison: ModelComparison) -> list[Section]:
    """Return tables of models' rates and distances, of their differences, and of the test of each pair."""
    interval, what = f"interval of {percent(comparison.level)}", "mean" if comparison.is_number else "rate"
    by, cluster, is_number = comparison.by, comparison.cluster, comparison.is_number
    models: list[Column[str]] = [
        Column(by, str),
        Column(what, lambda name: decimals(comparison.rates[name])[0]),
        Column(interval, lambda name: between(*(comparison.intervals[name] or (None, None)))),
        Column(f"DM from {comparison.target:g}", lambda name: decimals(comparison.distances[name])[0]),
    ]
    differences: list[Column[Pair]] = [
        Column("pair", lambda each: f"{each.first} - {each.second}"),
        Column("difference", lambda each: decimals(each.difference)[0])
        if is_number
        else Column("points", lambda each: points(each.difference)),
        Column(interval, lambda each: (between if is_number else _points_between)(each.low, each.high)),
    ]
    depend = f"intervals: by {cluster}, as answers to prompts of one {cluster} may depend"
    alone = f"each interval is for one difference alone, paired by {cluster}"
    exchanged = (
        f"Subgroups of {_of_factors(comparison.order)} ({', '.join(comparison.factors)}). Answers exchanged by "
        f"{cluster}: {counted(comparison.clusters, 'value')} with more than one {by}."
    )
    first_less_second = f"Differences of the {what}, the first less the second"
    distribution = "Do the rates of subgroups differ in their distribution?"
    return [
        table(f"{by}: {title}", models, comparison.rates, notes=[depend]),
        table(first_less_second, differences, comparison.pairs, notes=[alone]),
        table(distribution, PAIRS, comparison.pairs, subtitle=[exchanged], notes=comparison.notes),
    ]


PAIRS: tuple[Column[Pair], ...] = (
    Column("pair", lambda each: f"{each.first} : {each.second}"),
    Column("subgroups", lambda each: str(each.subgroups)),
    Column("KS", lambda each: decimals(each.ks)[0]),
    Column("p (KS)", lambda each: p_value(each.ks_p)),
    Column("p (exchange)", lambda each: p_value(each.p_value)),
    Column("Holm", lambda each: p_value(each.adjusted_p)),
)


def importance_sections(title: str, importance: Importance, show: int) -> list[Section]:
    """Return tables of the test of each factor, and of the largest and smallest coefficients of levels."""
    shown = both_ends(sorted(importance.effects, key=lambda each: -each.coefficient), show, counted_gap)
    effects = [each for each in shown if isinstance(each, LevelEffect)]
    clusters = (
        f"{importance.clusters:,} values of {importance.cluster}" if importance.cluster else "prompts by themselves"
    )
    reasons = [*(each.undefined for each in importance.tests), *(each.undefined for each in effects)]
    undefined = dict.fromkeys(filter(None, reasons))
    said = f"{importance.method}; {importance.rows:,} prompts; errors by {clusters}."
    rough = [importance.rough] if importance.rough else []
    notes = ["Coefficients are log odds ratios, or differences where the outcome is a number."]
    if any(each.separated for each in effects):
        notes.append("* no prompt or every prompt deviates: by Firth's penalty")
    if importance.empty:
        left = len(importance.empty) - MOST_EMPTY_NAMED
        named = ", ".join(importance.empty[:MOST_EMPTY_NAMED]) + (f", and {left:,} more" if left > 0 else "")
        notes.append(f"In no prompt, and so without a coefficient: {named}.")
    return [
        table(f"Factors: {title}", TESTS, importance.tests, names=2, subtitle=[said], notes=[*rough, *undefined]),
        table(f"Levels against their reference: {title}", EFFECTS, shown, notes=notes),
    ]


TESTS: tuple[Column[TermTest], ...] = (
    Column("factor", lambda each: each.term),
    Column("reference", lambda each: each.reference),
    Column("levels", lambda each: str(each.levels)),
    Column("F", lambda each: decimals(each.statistic, places=2)[0]),
    Column("p", lambda each: p_value(each.p_value)),
)
EFFECTS: tuple[Column[LevelEffect], ...] = (
    Column("level", lambda each: each.level if INTERACTION in each.term else f"{each.term}={each.level}"),
    Column("prompts", lambda each: f"{each.rows:,}"),
    Column("mean", lambda each: decimals(each.mean)[0]),
    Column("coefficient", lambda each: _starred(each.coefficient, each.separated)),
    Column("interval", lambda each: between(each.low, each.high, 2)),
    Column("p (Holm)", lambda each: p_value(each.adjusted_p)),
)
