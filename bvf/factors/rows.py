"""Results of factors as printed tables."""

from collections import Counter
from collections.abc import Iterator, Sequence

from bvf.factors.comparing import ModelComparison
from bvf.factors.covering import MOST_EMPTY, CoverageResult, Covered
from bvf.factors.designing import Design
from bvf.factors.importance import Importance, LevelEffect
from bvf.factors.run import FactorsResult
from bvf.factors.spread import Spread
from bvf.factors.subgroups import Subgroup, Subgroups
from bvf.factors.table import FactorColumn
from bvf.interfaces.analysis import Section
from bvf.tables.words import between, counted, decimals, ends

SMALLEST_P = 1e-4
INTERACTION = " : "
SUBGROUPS_OF = {1: "of one factor", 2: "of two factors"}


def coverage_sections(title: str, coverage: CoverageResult, show: int) -> list[Section]:
    """Return what prompts cover: a row per factor, then the pairs that are covered worst, and all factors together."""
    single = [
        (
            each.factors[0],
            str(each.cells),
            f"{min(coverage.counts[each.factors[0]].values()):,}",
            f"{max(coverage.counts[each.factors[0]].values()):,}",
            *decimals(each.gini),
        )
        for each in coverage.single
    ]
    pairs = sorted(coverage.pairs, key=lambda each: (each.possible_proportion, -each.possible_gini))
    shown, _ = ends(pairs, show) if show == 0 else (pairs[:show], ())
    rows = [_covered_row(" x ".join(each.factors), each) for each in shown]
    above = [_covered_row("all factors", coverage.joint)] if coverage.joint and len(coverage.joint.factors) > 2 else []
    sections = [
        Section(
            f"Coverage: {title}",
            ("factor", "levels", "fewest", "most", "Gini"),
            single,
            said=[f"{counted(coverage.rows, 'prompt')}; fewest and most: prompts of a level."],
            notes=list(_design_notes(coverage)),
        )
    ]
    if rows:
        left = len(pairs) - len(rows)
        sections.append(
            Section(
                "Combinations of levels, worst covered first",
                ("factors", "cells", "filled", "CP", "Gini", "possible", "CP of it"),
                rows,
                above=above,
                notes=[
                    *([f"{counted(left, 'more pair')}: --show all"] if left else []),
                    "CP: share of cells with a prompt. Possible: without cells that nesting excludes, or that a factor "
                    "excludes which decides another.",
                ],
            )
        )
    return sections


def subgroup_section(title: str, subgroups: Subgroups, show: int, *, is_number: bool = False) -> Section:
    """Return the subgroups with the largest and the smallest disparities."""
    tested = [each for each in subgroups.found if not each.few]
    few = len(subgroups.found) - len(tested)
    first, last = ends(tested, show)
    gap = [("…", *("",) * 5)] if last else []
    clear = _levels_of_one_factor(subgroups)
    rows = [
        *(_subgroup_row(each, clear) for each in first),
        *gap,
        *(_subgroup_row(each, clear) for each in last),
    ]
    what = "mean" if is_number else "rate"
    notes = [f"{counted(few, 'subgroup')} with few prompts: not tested."] if few else []
    if any(each.corrected for each in (*first, *last)):
        notes.append("* half a prompt was added to each count, as one was 0")
    others = "all other prompts" if subgroups.against == "all" else "prompts that differ in the last factor alone"
    of = SUBGROUPS_OF.get(subgroups.order, f"of {subgroups.order} factors")
    return Section(
        f"Subgroups {of}: {title}",
        ("subgroup", "prompts", what, "difference" if is_number else "log disp.", "interval", "p (BY)"),
        rows,
        said=[
            f"{counted(len(tested), 'subgroup')} against {others}; {what} of all {subgroups.rate:.4f}; "
            f"{subgroups.level:.0%} intervals as if prompts were independent."
        ],
        notes=notes,
    )


def spread_section(spread: Spread) -> Section:
    """Return how the rates of subgroups are spread, and DM."""
    rates = spread.rates
    quantiles = [rates[round(share * (len(rates) - 1))] for share in (0.0, 0.25, 0.5, 0.75, 1.0)]
    rows = [
        ("lowest, quartiles, highest", "  ".join(decimals(*quantiles))),
        (f"DM, mean distance from {spread.target:g}", *decimals(spread.distance)),
        (f"its {spread.level:.0%} interval", between(spread.low, spread.high)),
    ]
    if spread.above is not None:
        rows.append((f"share above {spread.above[1]:g}", *decimals(spread.above[0])))
    of = SUBGROUPS_OF.get(spread.order, f"of {spread.order} factors")
    few = f", without {spread.few} that have few prompts" if spread.few else ""
    return Section(
        f"Rates of subgroups {of}", (f"{counted(spread.subgroups, 'subgroup')}{few}", ""), rows, notes=spread.notes
    )


def comparison_sections(title: str, comparison: ModelComparison) -> list[Section]:
    """Return the models, and each pair of them."""
    models = [(name, *decimals(comparison.rates[name], comparison.distances[name])) for name in comparison.rates]
    pairs = [
        (
            f"{each.first} : {each.second}",
            str(each.subgroups),
            *decimals(each.ks),
            p_text(each.ks_p),
            p_text(each.p_value),
            p_text(each.adjusted_p),
        )
        for each in comparison.pairs
    ]
    return [
        Section(f"{comparison.by}: {title}", (comparison.by, "rate", f"DM from {comparison.target:g}"), models),
        Section(
            "Do the rates of subgroups differ in their distribution?",
            ("pair", "subgroups", "KS", "p (KS)", "p (exchange)", "Holm"),
            pairs,
            said=[
                f"Answers exchanged by {comparison.cluster}: {counted(comparison.clusters, 'value')} "
                "with more than one model."
            ],
            notes=comparison.notes,
        ),
    ]


def design_section(title: str, design: Design, show: int) -> Section:
    """Return the prompts that are missing."""
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
        said=[
            f"{kind} once: {design.filled:,} of {design.possible:,} are there; "
            f"{counted(len(design.missing), 'prompt')} would fill the rest."
        ],
        notes=notes,
    )


def empty_section(title: str, factors: Sequence[FactorColumn], cells: Sequence[tuple[str, ...]], show: int) -> Section:
    """Return the combinations of levels that have no prompt."""
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
    """Return everything that the factors say."""
    of_subgroups = [subgroup_section(title, each, show, is_number=is_number) for each in result.subgroups]
    matters = importance_sections(title, result.importance, show) if result.importance else []
    covered = coverage_sections(title, result.coverage, show)
    return [*covered, *of_subgroups, spread_section(result.spread), *matters]


def importance_sections(title: str, importance: Importance, show: int) -> list[Section]:
    """Return what each factor explains, and the levels with the largest and the smallest coefficients."""
    tests = [
        (each.term, each.reference, str(each.levels), *decimals(each.statistic, places=2), p_text(each.p_value))
        for each in importance.tests
    ]
    effects = sorted(importance.effects, key=lambda each: -each.coefficient)
    first, last = ends(effects, show)
    gap = [("…", *("",) * 5)] if last else []
    clusters = (
        f"{importance.clusters:,} values of {importance.cluster}" if importance.cluster else "prompts by themselves"
    )
    reasons = (*(each.undefined for each in importance.tests), *(each.undefined for each in (*first, *last)))
    undefined = dict.fromkeys(filter(None, reasons))
    separated = any(each.separated for each in (*first, *last))
    return [
        Section(
            f"Factors: {title}",
            ("factor", "reference", "levels", "F", "p"),
            tests,
            names=2,
            said=[f"{importance.method}; {importance.rows:,} prompts; errors by {clusters}."],
            notes=[*([importance.rough] if importance.rough else []), *undefined],
        ),
        Section(
            f"Levels against their reference: {title}",
            ("level", "prompts", "mean", "coefficient", "interval", "p (Holm)"),
            [*map(_effect_row, first), *gap, *map(_effect_row, last)],
            notes=[
                "Coefficients are log odds ratios, or differences where the outcome is a number.",
                *(["* no prompt or every prompt deviates: by Firth's penalty"] if separated else []),
            ],
        ),
    ]


def p_text(p: float | None) -> str:
    """Return a p value with four decimals, or that it is smaller."""
    return "" if p is None else "<.0001" if p < SMALLEST_P else f"{p:.4f}"


def _effect_row(each: LevelEffect) -> tuple[str, ...]:
    interval = "" if each.low is None or each.high is None else between(each.low, each.high, 2)
    value = decimals(each.coefficient, places=3)[0] + ("*" if each.separated else "")
    name = each.level if INTERACTION in each.term else f"{each.term}={each.level}"
    return (name, f"{each.rows:,}", *decimals(each.mean), value, interval, p_text(each.adjusted_p))


def _covered_row(name: str, covered: Covered) -> tuple[str, ...]:
    return (
        name,
        f"{covered.cells:,}",
        f"{covered.filled:,}",
        *decimals(covered.proportion, covered.gini),
        f"{covered.possible:,}",
        *decimals(covered.possible_proportion),
    )


def _levels_of_one_factor(subgroups: Subgroups) -> set[str]:
    """Levels that only one factor has, so that they identify it; none for subgroups of one factor."""
    pairs = {pair for each in subgroups.found for pair in zip(each.factors, each.levels, strict=True)}
    times = Counter(level for _, level in pairs)
    return {level for level, number in times.items() if number == 1} if subgroups.order > 1 else set()


def _subgroup_row(each: Subgroup, clear: set[str]) -> tuple[str, ...]:
    pairs = zip(each.factors, each.levels, strict=True)
    name = ", ".join(level if level in clear else f"{factor}={level}" for factor, level in pairs)
    interval = "" if each.low is None or each.high is None else between(each.low, each.high, 2)
    disparity = decimals(each.disparity, places=3)[0] + ("*" if each.corrected else "")
    return (name, f"{each.rows:,}", *decimals(each.rate), disparity, interval, p_text(each.adjusted_p))


def _design_notes(coverage: CoverageResult) -> Iterator[str]:
    for name, other in coverage.decided.items():
        yield f"{name} follows from {other}: their effects cannot be told apart in one model."
    for sentence in coverage.same_rows:
        yield f"{sentence}."
    for name, level in coverage.constants.items():
        yield f'{name} is "{level}" everywhere, and set aside.'
    for name, values in coverage.unseen.items():
        yield f"{name}: declared and never seen: {_listed(values)}."


def _listed(values: Sequence[str]) -> str:
    return ", ".join(values)
