"""What a gate decided, as lines, as JUnit XML, and as annotations of GitHub."""

from collections.abc import Mapping
from xml.etree import ElementTree

from bvf.analyses.gate.config import Bound
from bvf.analyses.gate.result import Decision, GateResult, Verdict
from bvf.errors import in_one_line
from bvf.interfaces.analysis import Section
from bvf.results.method import Method, percent
from bvf.results.shown import UNITS
from bvf.stats.planning import ENOUGH
from bvf.tables.words import between, decimals

ANNOTATIONS: Mapping[Verdict, str] = {"pass": "notice", "cannot tell": "warning", "fail": "error"}
KEPT: Mapping[Bound, str] = {"max": "at most", "min": "at least", "no_worse": "at most"}
BROKEN: Mapping[Bound, str] = {"max": "more than", "min": "less than", "no_worse": "more than"}


def lines(result: GateResult) -> list[str]:
    """Return a line per limit: whether the figure keeps to it, its interval, and what it would take to tell."""
    return [f"{decision.verdict}: {sentence(decision, result.level)}" for decision in result.decisions]


def decision_section(result: GateResult) -> Section:
    """Return a row per limit: its verdict, its figure, and what was decided in a sentence."""
    rows = [(each.verdict, each.figure, sentence(each, result.level)) for each in result.decisions]
    title = f"{result.verdict}: {result.topic} ({result.language}), {result.model}"
    return Section(title, ("verdict", "figure", "why"), rows, names=2, said=[result.said], last="text")


def sentence(decision: Decision, level: float) -> str:
    """Return what was decided of one limit, by intervals of a level."""
    (value,) = decimals(decision.value)
    above = f"{decision.figure} is above that of the baseline by {value}"
    figure = above if decision.bound == "no_worse" else f"{decision.figure} {value}"
    if decision.low is None or decision.high is None:
        return in_one_line(_without_interval(decision, figure))
    figure = f"{figure} ({percent(level)}: {between(decision.low, decision.high)})"
    if decision.verdict != "cannot tell":
        return in_one_line(f"{figure}{_which(decision)}is {_kept_or_broken(decision)}")
    undecided = f"the interval holds the limit {decision.limit:g}, so nobody can tell"
    return in_one_line(f"{figure}: {undecided}; {_what_would_do(decision)}")


def annotations(result: GateResult) -> list[str]:
    """Return a workflow command of GitHub per limit, which it shows beside the change."""
    title = _escaped(f"bvf gate {result.model}").replace(":", "%3A").replace(",", "%2C")
    return [
        f"::{ANNOTATIONS[each.verdict]} title={title}::{_escaped(f'{each.verdict}: {sentence(each, result.level)}')}"
        for each in result.decisions
    ]


def junit(result: GateResult) -> str:
    """Return a test case per limit as JUnit XML; an undecided limit is an error there."""
    verdicts = [decision.verdict for decision in result.decisions]
    suite = ElementTree.Element(
        "testsuite",
        name=in_one_line(f"bvf gate {result.folder}"),
        tests=str(len(verdicts)),
        failures=str(verdicts.count("fail")),
        errors=str(verdicts.count("cannot tell")),
    )
    properties = ElementTree.SubElement(suite, "properties")
    for field in Method.model_fields:
        value = getattr(result, field)
        if value not in ("", {}):
            ElementTree.SubElement(properties, "property", name=field, value=in_one_line(_written(value)))
    for decision in result.decisions:
        name = in_one_line(f"{decision.figure} {decision.bound} {decision.limit:g}")
        case = ElementTree.SubElement(suite, "testcase", classname=in_one_line(result.model), name=name)
        if decision.verdict != "pass":
            tag = "failure" if decision.verdict == "fail" else "error"
            ElementTree.SubElement(case, tag, message=sentence(decision, result.level), type=decision.verdict)
    ElementTree.indent(suite)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ElementTree.tostring(suite, encoding="unicode") + "\n"


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


def _written(value: object) -> str:
    if isinstance(value, dict):
        return "; ".join(f"{name}={','.join(words)}" for name, words in value.items())
    return str(value)


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
