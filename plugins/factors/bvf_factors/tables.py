"""Results of factors as printed tables."""

from collections import Counter
from collections.abc import Iterator, Sequence

from bvf.interfaces.analysis import Section
from bvf.tables.columns import Column, both_ends, counted_gap, legend, table
from bvf.tables.words import between, counted, decimals, p_value, points
from bvf_factors.covering.coverage import MOST_EMPTY, CoverageResult, Covered
from bvf_factors.covering.designing import Design
from bvf_factors.rates.comparing import ModelComparison, Pair
from bvf_factors.rates.spread import Spread
from bvf_factors.rates.subgroups import Subgroup, Subgroups
from bvf_factors.reading.table import FactorColumn
from bvf_factors.regressing.importance import Importance, LevelEffect, TermTest
from bvf_factors.run import FactorsResult

INTERACTION = " : "
MOST_EMPTY_NAMED = 6
NUMBERS = {1: "one factor", 2: "two factors"}


def worst_first(pairs: Sequence[Covered]) -> list[Covered]:
    """Return pairs of factors, the worst covered first."""
    return sorted(pairs, key=lambda each: (each.possible_proportion, -each.possible_gini))


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
    pairs = worst_first(coverage.pairs)
    shown = pairs[: show or None]
    left = len(pairs) - len(shown)
    whole = [coverage.joint] if coverage.joint and len(coverage.joint.factors) > 2 else []
    rows = f"{counted(coverage.rows, 'prompt')}; fewest and most: prompts of a level."
    sections = [
        table(f"Coverage: {title}", single, coverage.single, subtitle=[rows], notes=list(_design_notes(coverage)))
    ]
    if shown:
        more = [f"{counted(left, 'more pair')}: --show all"] if left else []
        notes = [*more, f"{legend(COVERED[:4])} {POSSIBLE}"]
        sections.append(table("Combinations of levels, worst covered first", COVERED, shown, above=whole, notes=notes))
    return sections


COVERED: tuple[Column[Covered], ...] = (
    Column("factors", lambda each: " x ".join(each.factors) if len(each.factors) == 2 else "all factors"),
    Column("cells", lambda each: f"{each.cells:,}"),
    Column("filled", lambda each: f"{each.filled:,}"),
    Column("CP", lambda each: decimals(each.proportion)[0], "share of cells with a prompt"),
    Column("Gini", lambda each: decimals(each.gini)[0]),
    Column("possible", lambda each: f"{each.possible:,}"),
    Column("CP of it", lambda each: decimals(each.possible_proportion)[0]),
)
POSSIBLE = "Possible: cells that can occur; nested factors, and a factor that follows from another, exclude the others."


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
    of = NUMBERS.get(subgroups.order, f"{subgroups.order} factors")
    clear = _levels_of_one_factor(subgroups)
    columns: list[Column[Subgroup]] = [
        Column("subgroup", lambda each: _name(each, clear)),
        Column("prompts", lambda each: f"{each.rows:,}"),
        Column(what, lambda each: decimals(each.rate)[0]),
        *(OF_MEANS if is_number else OF_RATES),
        Column("p (BY)", lambda each: p_value(each.adjusted_p)),
    ]
    return table(
        f"Subgroups of {of}: {title}",
        columns,
        shown,
        subtitle=[
            f"{counted(len(tested), 'subgroup')} against {others}; {what} of all {subgroups.rate:.4f}; "
            f"{subgroups.level:.0%} intervals and p values "
            + (f"by {subgroups.cluster} (cluster-robust)." if subgroups.cluster else "as if prompts were independent.")
        ],
        notes=notes,
    )


OF_MEANS: tuple[Column[Subgroup], ...] = (
    Column("difference", lambda each: decimals(each.disparity, places=3)[0]),
    Column("interval", lambda each: between(each.low, each.high, 2)),
)
OF_RATES: tuple[Column[Subgroup], ...] = (
    Column("points", lambda each: "" if each.difference is None else points(each.difference)),
    Column("interval", lambda each: points_between(each.difference_low, each.difference_high)),
    Column("log disp.", lambda each: _starred(each.disparity, each.corrected)),
)


def points_between(low: float | None, high: float | None) -> str:
    """Return an interval of a difference of rates as text, in percentage points; empty for None."""
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
        (f"its {spread.level:.0%} interval", between(spread.low, spread.high)),
    ]
    if spread.above is not None:
        rows.append((f"share above {spread.above[1]:g}", *decimals(spread.above[0])))
    of = NUMBERS.get(spread.order, f"{spread.order} factors")
    few = f", without {spread.few} that have few prompts" if spread.few else ""
    return Section(
        f"Rates of subgroups of {of}", (f"{counted(spread.subgroups, 'subgroup')}{few}", ""), rows, notes=spread.notes
    )


def comparison_sections(title: str, comparison: ModelComparison) -> list[Section]:
    """Return tables of models' rates and distances, of their differences, and of the test of each pair."""
    interval, what = f"interval of {comparison.level:.0%}", "mean" if comparison.is_number else "rate"
    models: list[Column[str]] = [
        Column(comparison.by, str),
        Column(what, lambda name: decimals(comparison.rates[name])[0]),
        Column(interval, lambda name: between(*(comparison.intervals[name] or (None, None)))),
        Column(f"DM from {comparison.target:g}", lambda name: decimals(comparison.distances[name])[0]),
    ]
    of = NUMBERS.get(comparison.order, f"{comparison.order} factors")
    return [
        table(
            f"{comparison.by}: {title}",
            models,
            comparison.rates,
            notes=[f"intervals: by {comparison.cluster}, as answers to prompts of one {comparison.cluster} may depend"],
        ),
        _rate_differences(comparison, what, interval),
        table(
            "Do the rates of subgroups differ in their distribution?",
            PAIRS,
            comparison.pairs,
            subtitle=[
                f"Subgroups of {of} ({', '.join(comparison.factors)}). Answers exchanged by {comparison.cluster}: "
                f"{counted(comparison.clusters, 'value')} with more than one {comparison.by}."
            ],
            notes=comparison.notes,
        ),
    ]


def _rate_differences(comparison: ModelComparison, what: str, interval: str) -> Section:
    def difference(each: Pair) -> str:
        return decimals(each.difference)[0] if comparison.is_number else points(each.difference)

    def ends(each: Pair) -> str:
        return between(each.low, each.high) if comparison.is_number else points_between(each.low, each.high)

    columns = [
        Column[Pair]("pair", lambda each: f"{each.first} - {each.second}"),
        Column[Pair]("difference" if comparison.is_number else "points", difference),
        Column[Pair](interval, ends),
    ]
    return table(f"Differences of the {what}, the first less the second", columns, comparison.pairs,
                 notes=[f"each interval is for one difference alone, paired by {comparison.cluster}"])  # fmt: skip


PAIRS: tuple[Column[Pair], ...] = (
    Column("pair", lambda each: f"{each.first} : {each.second}"),
    Column("subgroups", lambda each: str(each.subgroups)),
    Column("KS", lambda each: decimals(each.ks)[0]),
    Column("p (KS)", lambda each: p_value(each.ks_p)),
    Column("p (exchange)", lambda each: p_value(each.p_value)),
    Column("Holm", lambda each: p_value(each.adjusted_p)),
)


def design_section(title: str, design: Design, show: int) -> Section:
    """Return a table of the prompts that a design lacks."""
    kind = "every combination of levels" if not design.strength else f"each combination of {design.strength} levels"
    missing = design.missing[: show or None]
    left = len(design.missing) - len(missing)
    notes = [f"{counted(left, 'more prompt')}: --show all, or -o FILE.csv"] if left else []
    notes += [f"{name} follows from {other}." for name, other in design.following.items()]
    return Section(
        f"Missing prompts: {title}",
        design.factors,
        missing,
        names=len(design.factors),
        subtitle=[
            f"{kind} once: {design.filled:,} of {design.possible:,} are there; "
            f"{counted(len(design.missing), 'prompt')} would fill the rest."
        ],
        notes=notes,
    )


def empty_section(title: str, factors: Sequence[FactorColumn], cells: Sequence[tuple[str, ...]], show: int) -> Section:
    """Return a table of the combinations of levels that have no prompt."""
    shown = cells[: show or None]
    left = len(cells) - len(shown)
    more = f"{counted(left, 'more combination')}{' or more' if len(cells) == MOST_EMPTY else ''}: --show all"
    return Section(
        f"Combinations without a prompt: {title}",
        [each.name for each in factors],
        shown,
        names=len(factors),
        notes=[more] if left else [],
    )


def result_sections(title: str, result: FactorsResult, show: int, *, is_number: bool) -> list[Section]:
    """Return the tables of all results."""
    of_subgroups = [subgroup_section(title, each, show, is_number=is_number) for each in result.subgroups]
    matters = importance_sections(title, result.importance, show) if result.importance else []
    covered = coverage_sections(title, result.coverage, show)
    return [*covered, *of_subgroups, spread_section(result.spread), *matters]


def importance_sections(title: str, importance: Importance, show: int) -> list[Section]:
    """Return tables of the test of each factor, and of the largest and smallest coefficients of levels."""
    shown = both_ends(sorted(importance.effects, key=lambda each: -each.coefficient), show, counted_gap)
    effects = [each for each in shown if isinstance(each, LevelEffect)]
    clusters = (
        f"{importance.clusters:,} values of {importance.cluster}" if importance.cluster else "prompts by themselves"
    )
    reasons = (*(each.undefined for each in importance.tests), *(each.undefined for each in effects))
    undefined = dict.fromkeys(filter(None, reasons))
    separated = any(each.separated for each in effects)
    return [
        table(
            f"Factors: {title}",
            TESTS,
            importance.tests,
            names=2,
            subtitle=[f"{importance.method}; {importance.rows:,} prompts; errors by {clusters}."],
            notes=[*([importance.rough] if importance.rough else []), *undefined],
        ),
        table(
            f"Levels against their reference: {title}",
            EFFECTS,
            shown,
            notes=[
                "Coefficients are log odds ratios, or differences where the outcome is a number.",
                *(["* no prompt or every prompt deviates: by Firth's penalty"] if separated else []),
                *_in_no_prompt(importance.empty),
            ],
        ),
    ]


def _in_no_prompt(combinations: Sequence[str]) -> list[str]:
    """A note on the combinations of an interaction that have no coefficient."""
    if not combinations:
        return []
    left = len(combinations) - MOST_EMPTY_NAMED
    more = f", and {left:,} more" if left > 0 else ""
    named = ", ".join(combinations[:MOST_EMPTY_NAMED])
    return [f"In no prompt, and so without a coefficient: {named}{more}."]


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


def _levels_of_one_factor(subgroups: Subgroups) -> set[str]:
    """The levels whose name only one factor has; empty for subgroups of one factor."""
    pairs = {pair for each in subgroups.found for pair in zip(each.factors, each.levels, strict=True)}
    times = Counter(level for _, level in pairs)
    return {level for level, number in times.items() if number == 1} if subgroups.order > 1 else set()


def _name(each: Subgroup, clear: set[str]) -> str:
    """Name of a subgroup: ``factor=level, ...``. Levels in ``clear`` go without the name of their factor."""
    pairs = zip(each.factors, each.levels, strict=True)
    return ", ".join(level if level in clear else f"{factor}={level}" for factor, level in pairs)


def _design_notes(coverage: CoverageResult) -> Iterator[str]:
    for name, other in coverage.decided.items():
        yield f"{name} follows from {other}: their effects cannot be separated in one model."
    for sentence in coverage.same_rows:
        yield f"{sentence}."
    for name, level in coverage.constants.items():
        yield f'{name} is "{level}" everywhere, and set aside.'
    for name, values in coverage.unseen.items():
        yield f"{name}: declared and never seen: {', '.join(values)}."
