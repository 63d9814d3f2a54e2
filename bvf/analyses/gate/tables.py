"""What a gate decided, as a table and in sentences."""

from collections.abc import Mapping

from bvf.analyses.gate.config import Bound
from bvf.analyses.gate.result import Decision, GateResult
from bvf.errors import in_one_line
from bvf.interfaces.section import Section
from bvf.results.below import UNITS
from bvf.results.method import percent
from bvf.stats.planning import ENOUGH
from bvf.tables.columns import Column, table
from bvf.tables.words import between, decimals

KEPT: Mapping[Bound, str] = {"max": "at most", "min": "at least", "no_worse": "at most"}
BROKEN: Mapping[Bound, str] = {"max": "more than", "min": "less than", "no_worse": "more than"}


def decision_section(result: GateResult) -> Section:
    """Return a row per limit: its verdict, its figure, and what was decided in a sentence."""
    columns: list[Column[Decision]] = [
        Column("verdict", lambda each: each.verdict),
        Column("figure", lambda each: each.figure),
        Column("why", lambda each: sentence(each, result.level)),
    ]
    title = f"{result.verdict}: {result.topic} ({result.language}), {result.model}"
    return table(title, columns, result.decisions, names=2, said=[result.said], last="text")


def sentence(decision: Decision, level: float) -> str:
    """Return what was decided of one limit, by intervals of a level."""
    (value,) = decimals(decision.value)
    less = f"{decision.figure} less that of the baseline is {value}"
    figure = less if decision.bound == "no_worse" else f"{decision.figure} {value}"
    if decision.low is None or decision.high is None:
        return in_one_line(_without_interval(decision, figure))
    figure = f"{figure} ({percent(level)}: {between(decision.low, decision.high)})"
    if decision.verdict != "cannot tell":
        return in_one_line(f"{figure}{_which(decision)}is {_kept_or_broken(decision)}")
    undecided = f"the interval includes the limit {decision.limit:g}"
    return in_one_line(f"{figure}: {undecided}; {_what_would_do(decision)}")


def _kept_or_broken(decision: Decision) -> str:
    words = KEPT if decision.verdict == "pass" else BROKEN
    return f"{words[decision.bound]} {decision.limit:g}"


def _which(decision: Decision) -> str:
    return ", which " if decision.bound == "no_worse" else " "


def _without_interval(decision: Decision, figure: str) -> str:
    if decision.verdict == "cannot tell":
        return f"{figure} has no interval: {decision.no_interval}; --as-is decides on the figure itself"
    itself = f"itself is {_kept_or_broken(decision)}"
    return f"{figure}{_which(decision)}{itself}; it has no interval: {decision.no_interval}"


def _what_would_do(decision: Decision) -> str:
    of_runs = f" for {' and '.join(decision.extend)}" if decision.extend else ""
    if decision.too_small:
        return f"{decision.draws} contexts are too few to tell how many would do: --sample-contexts {ENOUGH}{of_runs}"
    if decision.contexts is not None and decision.contexts >= decision.set_contexts:
        return (
            f"if it stays so, all {decision.set_contexts:,} contexts of the set would do: --sample-contexts 0{of_runs}"
        )
    if decision.contexts is not None:
        more = decision.contexts - (decision.draws or 0)
        return f"if it stays so, {more:,} more contexts would do: --sample-contexts {decision.contexts}{of_runs}"
    if decision.units is not None:
        of = f"{decision.units:,} {UNITS.get(decision.set_unit, 'occurrences')}"
        return f"no number of contexts of this set would do: if it stays so, one of {of} would"
    return "no number of contexts would do: the figure is on the limit, or nearly so"
