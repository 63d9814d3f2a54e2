"""The decisions of a gate: as a table, sentences, lines of text, JUnit XML, and annotations of GitHub."""

from collections.abc import Mapping
from xml.etree import ElementTree

from bvf.analyses.gate.result import Decision, GateResult, Verdict
from bvf.errors import in_one_line
from bvf.interfaces.section import Section
from bvf.results.result import Method
from bvf.tables.columns import Column, table
from bvf.tables.words import warned


def decision_section(result: GateResult) -> Section:
    """Return a table with a row per limit: verdict, figure, and a sentence with the reason."""
    columns: list[Column[Decision]] = [
        Column("verdict", lambda each: each.verdict),
        Column("figure", lambda each: each.figure),
        Column("why", lambda each: each.why(result.level)),
    ]
    title = f"{result.verdict}: {result.about}"
    warnings = warned(result.warnings)
    return table(title, columns, result.decisions, names=2, subtitle=[result.described], last="text", warnings=warnings)


ANNOTATIONS: Mapping[Verdict, str] = {"pass": "notice", "cannot tell": "warning", "fail": "error"}


def annotations(result: GateResult) -> list[str]:
    """Return a GitHub workflow command, which makes an annotation, per warning and per limit."""
    title = _escaped(f"bvf gate {result.model}").replace(":", "%3A").replace(",", "%2C")
    texts = [("warning", in_one_line(warning)) for warning in result.warnings]
    texts += [(ANNOTATIONS[each.verdict], each.said(result.level)) for each in result.decisions]
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
            ElementTree.SubElement(case, tag, message=decision.why(result.level), type=decision.verdict)
    if result.warnings:
        ElementTree.SubElement(suite, "system-err").text = "\n".join(warned(result.warnings))
    ElementTree.indent(suite)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ElementTree.tostring(suite, encoding="unicode") + "\n"


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
