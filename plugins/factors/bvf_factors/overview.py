"""The short form of an analysis: coverage, important factors, and the most disparate subgroups."""

from collections.abc import Sequence
from dataclasses import replace

from bvf.interfaces.section import Section
from bvf.tables.columns import Column, table
from bvf.tables.words import between, counted, decimals, p_value
from bvf_factors.run import FactorsResult
from bvf_factors.tables import subgroup_section, worst_first

MOST_FACTORS = 4
PLACES = 3


def overview(title: str, result: FactorsResult, show: int, *, is_number: bool) -> list[Section]:
    """Return two short tables: of the factors, and of ``show`` subgroups with the highest and lowest disparities."""
    first, *_ = result.subgroups
    groups = subgroup_section(title, first, show, is_number=is_number)
    rest = [*groups.notes, "details: the same command with --details"]
    groups = replace(groups, title="Subgroups of one factor", subtitle=[], notes=rest)
    return [_factors(title, result, is_number=is_number), groups]


def _factors(title: str, result: FactorsResult, *, is_number: bool) -> Section:
    """A row per factor and interaction: its levels, their prompts, and a test that holds other factors constant."""
    tests = {each.term: each for each in result.importance.tests} if result.importance else {}
    factors = [each.factors[0] for each in result.coverage.single]
    p_values = {name: test.p_value for name, test in tests.items() if test.p_value is not None}
    factors.sort(key=lambda name: p_values.get(name, 1.0))
    interactions = [name for name in tests if name not in factors]
    counts = result.coverage.counts
    columns: Sequence[Column[str]] = (
        Column("factor", lambda name: name),
        Column("levels", lambda name: str(len(counts[name])) if name in counts else ""),
        Column("fewest", lambda name: f"{min(counts[name].values()):,}" if name in counts else ""),
        Column("most", lambda name: f"{max(counts[name].values()):,}" if name in counts else ""),
        Column("F", lambda name: decimals(tests[name].statistic, places=2)[0] if name in tests else "", optional=True),
        Column("p", lambda name: p_value(tests[name].p_value) if name in tests else "", optional=True),
    )
    notes = ["F and p: whether the levels of a factor differ, with all other factors held."] if tests else []
    notes += dict.fromkeys(each.undefined for each in tests.values() if each.undefined)
    summary = [*_worst_covered(result), _spread(result, is_number=is_number)]
    what = "mean" if is_number else "rate"
    headline = f"{title}: {result.rows:,} prompts, {what} {decimals(result.rate)[0]}"
    left_out = len(factors) - MOST_FACTORS
    if left_out > 0:
        notes.append(f"{counted(left_out, 'more factor')}, by p: --details")
    return table(headline, columns, [*factors[:MOST_FACTORS], *interactions], subtitle=summary, notes=notes)


def _worst_covered(result: FactorsResult) -> list[str]:
    """The pair of factors with the worst coverage."""
    if not result.coverage.pairs:
        return []
    worst = worst_first(result.coverage.pairs)[0]
    share = decimals(worst.possible_proportion, places=PLACES)[0]
    return [
        f"Covered worst: {' x '.join(worst.factors)}, {worst.filled} of {worst.possible} combinations have a prompt "
        f"(CP {share})"
    ]


def _spread(result: FactorsResult, *, is_number: bool) -> str:
    """The mean distance of subgroups from the target, as a sentence."""
    spread, of = result.spread, "mean" if is_number else "rate"
    distance, interval = decimals(spread.distance, places=PLACES)[0], between(spread.low, spread.high, PLACES)
    factors = "one factor" if spread.order == 1 else f"{spread.order} factors"
    return (
        f"DM {distance} ({spread.level:.0%}: {interval}): how far the {of} of {spread.subgroups:,} subgroups of "
        f"{factors} is from {spread.target:g}"
    )
