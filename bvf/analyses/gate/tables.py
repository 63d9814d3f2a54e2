"""The decisions of a gate: as a table, sentences, lines of text, JUnit XML, and annotations of GitHub."""

from collections.abc import Mapping
from xml.etree import ElementTree

from bvf.analyses.gate.config import Bound
from bvf.analyses.gate.result import Decision, GateResult, Verdict
from bvf.domain.measurement import CandidateMass
from bvf.errors import in_one_line
from bvf.interfaces.section import Section
from bvf.results.figure import is_within
from bvf.results.result import Method
from bvf.tables.columns import Column, table
from bvf.tables.words import between, decimals, percent, warned

KEPT: Mapping[Bound, str] = {"max": "at most", "min": "at least", "no_worse": "at most"}
BROKEN: Mapping[Bound, str] = {"max": "more than", "min": "less than", "no_worse": "more than"}


def decision_section(result: GateResult) -> Section:
    """Return a table with a row per limit: verdict, figure, and a sentence with the reason."""
    columns: list[Column[Decision]] = [
        Column("verdict", lambda each: each.verdict),
        Column("figure", lambda each: each.figure),
        Column("why", lambda each: sentence(each, result.level)),
    ]
    title = f"{result.verdict}: {result.about}"
    warnings = warned(result.warnings)
    return table(title, columns, result.decisions, names=2, subtitle=[result.described], last="text", warnings=warnings)


def sentence(decision: Decision, level: float) -> str:
    """Return a sentence on why a limit is met, exceeded or undecided.

    For an undecided one, it adds what would decide it.
    """
    lies = dict.fromkeys(decimals(*(decision.between or [decision.value])))
    value = " to ".join(lies)
    less = f"{decision.figure} less that of the baseline is {value}"
    figure, which = (less, ", which ") if decision.bound == "no_worse" else (f"{decision.figure} {value}", " ")
    compared = f"{(KEPT if decision.verdict == 'pass' else BROKEN)[decision.bound]} {decision.limit:g}"
    if decision.low_mass:
        why = f"{decision.low_mass}, where {CandidateMass.FLOOR:.0%} is needed; --allow-low-mass decides all the same"
        return in_one_line(f"{_with_interval(figure, decision, level)}: {why}")
    if decision.low is None or decision.high is None:
        if decision.between and is_within(*decision.between, decision.limit) is None:
            return in_one_line(f"{figure}, as probabilities are not exact: {decision.limit:g} is among these")
        if decision.verdict == "cannot tell":
            options = "; ".join(filter(None, ("--as-is decides on the figure itself", decision.instead)))
            return in_one_line(f"{figure} has no interval: {decision.no_interval}; {options}")
        return in_one_line(f"{figure}{which}itself is {compared}; it has no interval: {decision.no_interval}")
    figure = _with_interval(figure, decision, level)
    if decision.verdict != "cannot tell":
        return in_one_line(f"{figure}{which}is {compared}")
    undecided = decision.few or f"the interval includes the limit {decision.limit:g}"
    settled = [decision.what_would_decide] if decision.set_contexts else []
    return in_one_line(f"{figure}: {'; '.join([undecided, *settled])}")


def _with_interval(figure: str, decision: Decision, level: float) -> str:
    if decision.low is None or decision.high is None:
        return figure
    as_if = f", {decision.as_if}" if decision.as_if else ""
    return f"{figure} ({percent(level)}{as_if}: {between(decision.low, decision.high)})"


ANNOTATIONS: Mapping[Verdict, str] = {"pass": "notice", "cannot tell": "warning", "fail": "error"}


def lines(result: GateResult) -> list[str]:
    """Return a line per warning, and then a line per limit: verdict and reason."""
    return [*warned(result.warnings), *(_decided(each, result) for each in result.decisions)]


def annotations(result: GateResult) -> list[str]:
    """Return a GitHub workflow command, which makes an annotation, per warning and per limit."""
    title = _escaped(f"bvf gate {result.model}").replace(":", "%3A").replace(",", "%2C")
    texts = [("warning", in_one_line(warning)) for warning in result.warnings]
    texts += [(ANNOTATIONS[each.verdict], _decided(each, result)) for each in result.decisions]
    return [f"::{kind} title={title}::{_escaped(text)}" for kind, text in texts]


def junit(result: GateResult) -> str:
    """Return JUnit XML with a test case per limit. An undecided limit is an error. Warnings are in ``system-err``."""
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
        if value not in ("", {}, ()):
            if isinstance(value, dict):
                value = "; ".join(f"{name}={','.join(words)}" for name, words in value.items())
            elif isinstance(value, tuple):
                value = ", ".join(value)
            ElementTree.SubElement(properties, "property", name=field, value=in_one_line(str(value)))
    for decision in result.decisions:
        name = in_one_line(f"{decision.figure} {decision.bound} {decision.limit:g}")
        case = ElementTree.SubElement(suite, "testcase", classname=in_one_line(result.model), name=name)
        if decision.verdict != "pass":
            tag = "failure" if decision.verdict == "fail" else "error"
            ElementTree.SubElement(case, tag, message=sentence(decision, result.level), type=decision.verdict)
    if result.warnings:
        ElementTree.SubElement(suite, "system-err").text = "\n".join(warned(result.warnings))
    ElementTree.indent(suite)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ElementTree.tostring(suite, encoding="unicode") + "\n"


def _decided(decision: Decision, result: GateResult) -> str:
    return f"{decision.verdict}: {sentence(decision, result.level)}"


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
