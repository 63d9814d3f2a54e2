"""What a gate decided, as lines, as JUnit XML, and as annotations of GitHub."""

from collections.abc import Mapping
from xml.etree import ElementTree

from bvf.analysing.formatting import between, decimals
from bvf.analysing.gates import Bound, Decision, GateResult, Verdict
from bvf.analysing.interval_rows import UNITS
from bvf.errors import in_one_line

ANNOTATIONS: Mapping[Verdict, str] = {"pass": "notice", "cannot tell": "warning", "fail": "error"}
KEPT: Mapping[Bound, str] = {"max": "at most", "min": "at least", "no_worse": "at most"}
BROKEN: Mapping[Bound, str] = {"max": "more than", "min": "less than", "no_worse": "more than"}


def lines(result: GateResult) -> list[str]:
    """Return a line per limit: whether the figure keeps to it, its interval, and what it would take to tell."""
    return [f"{decision.verdict}: {sentence(decision)}" for decision in result.decisions]


def sentence(decision: Decision) -> str:
    """Return what was decided of one limit."""
    of = f"{decision.figure} less that of the baseline" if decision.bound == "no_worse" else decision.figure
    (value,) = decimals(decision.value)
    if decision.low is None or decision.high is None:
        return in_one_line(_without_interval(decision, f"{of} {value}"))
    figure = f"{of} {value} ({between(decision.low, decision.high)})"
    if decision.verdict != "cannot tell":
        return in_one_line(f"{figure} is {_kept_or_broken(decision)}")
    either = f"{KEPT[decision.bound]} {decision.limit:g}, or not"
    return in_one_line(f"{figure} may be {either}; {_what_would_do(decision)}")


def annotations(result: GateResult) -> list[str]:
    """Return a workflow command of GitHub per limit, which it shows beside the change."""
    title = _escaped(f"bvf gate {result.model}").replace(":", "%3A").replace(",", "%2C")
    return [
        f"::{ANNOTATIONS[each.verdict]} title={title}::{_escaped(f'{each.verdict}: {sentence(each)}')}"
        for each in result.decisions
    ]


def junit(result: GateResult) -> str:
    """Return a test case per limit as JUnit XML; what nobody can tell is an error there."""
    verdicts = [decision.verdict for decision in result.decisions]
    suite = ElementTree.Element(
        "testsuite",
        name=in_one_line(f"bvf gate {result.folder}"),
        tests=str(len(verdicts)),
        failures=str(verdicts.count("fail")),
        errors=str(verdicts.count("cannot tell")),
    )
    for decision in result.decisions:
        name = in_one_line(f"{decision.figure} {decision.bound} {decision.limit:g}")
        case = ElementTree.SubElement(suite, "testcase", classname=in_one_line(result.model), name=name)
        if decision.verdict != "pass":
            tag = "failure" if decision.verdict == "fail" else "error"
            ElementTree.SubElement(case, tag, message=sentence(decision), type=decision.verdict)
    ElementTree.indent(suite)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ElementTree.tostring(suite, encoding="unicode") + "\n"


def _kept_or_broken(decision: Decision) -> str:
    words = KEPT if decision.verdict == "pass" else BROKEN
    return f"{words[decision.bound]} {decision.limit:g}"


def _without_interval(decision: Decision, figure: str) -> str:
    if decision.verdict == "cannot tell":
        return f"{figure} has no interval: {decision.no_interval}; --as-is decides on the figure itself"
    return f"{figure} itself is {_kept_or_broken(decision)}; it has no interval: {decision.no_interval}"


def _what_would_do(decision: Decision) -> str:
    if decision.contexts is not None and decision.contexts >= decision.set_contexts:
        return f"if it stays so, all {decision.set_contexts:,} contexts of the set would do: --sample-contexts 0"
    if decision.contexts is not None:
        more = max(decision.contexts - (decision.draws or 0), 1)
        return f"if it stays so, {more:,} more contexts would do: --sample-contexts {decision.contexts}"
    if decision.units is not None:
        of = f"{decision.units:,} {UNITS.get(decision.set_unit, 'occurrences')}"
        return f"no number of contexts of this set would do: if it stays so, one of {of} would"
    return "no number of contexts would do: the figure is on the limit, or nearly so"


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
