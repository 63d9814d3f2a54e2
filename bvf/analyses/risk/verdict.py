"""What the page says of R^b, of differences between groups and of R: described, and judged by no limit of bvf's."""

from bvf.analyses.risk.controls.tables import against_controls
from bvf.analyses.risk.result import Result
from bvf.analyses.risk.sentences import (
    beside_neutral,
    by_kinds,
    changes_of_side,
    furthest,
    if_alike,
    leans,
    sentences,
    without_a_word,
)
from bvf.domain.scale import ends_at_1
from bvf.interfaces.analysis import Verdict
from bvf.results.columns import figure_text
from bvf.study.candidate_mass import low_mass
from bvf.study.uncertainty import few_units
from bvf.tables.quantities import symbol
from bvf.tables.words import counted, these

HEADLINES = {
    "R_bias": "How far mean predictions are from p*",
    "particular_bias": "How far groups are apart on average",
    "R": "How far predictions are from p* in single contexts",
}
"""What each figure describes. A model that is fair in every sense that matters may have any of them above 0."""


def verdicts(result: Result) -> list[Verdict]:
    """Return descriptions of R^b, of the bias of differences between groups (if defined), and of R."""
    scale = f"what {result.criterion} gives, which has no upper end that all models share"
    if ends_at_1(result.scale):
        scale = "0 is a model that always predicts p*, and 1 one that is certain of a stereotype everywhere"
    of_parts = sentences(result)[:-1]
    together = [f"{of_parts[0]}.", *if_alike(result)] if of_parts and result.shared is not None else []
    further = {
        "R_bias": [*together, *against_controls(result, "bias_")],
        "particular_bias": [*(f"{sentence}." for sentence in of_parts[1:]), *against_controls(result, "apart_")],
        "R": [
            f"{symbol('R')}: {scale}.",
            f"{sentences(result)[-1]}.",
            *(f"{line[:1].upper()}{line[1:]}." for line in (*by_kinds(result), *without_a_word(result))),
            *against_controls(result, ""),
        ],
    }
    sides = changes_of_side(result)
    findings = {
        "R_bias": [*beside_neutral(result), f"{leans(result)}."][0],
        "particular_bias": " ".join([*furthest(result), *result.among_words]),
        "R": f"Of {counted(len(result.groups), 'group')}, {sides}." if sides and result.number_of_contexts > 1 else "",
    }
    return [
        _described(result, field, further[field], findings[field])
        for field in HEADLINES
        if getattr(result, field) is not None
    ]


def _described(result: Result, field: str, further: list[str], finding: str) -> Verdict:
    why = _unknown(result, field)
    doubts = [f"{why[:1].upper()}{why[1:]}."] if why else []
    headline = f"{HEADLINES[field]}: {symbol(field)} is {figure_text(result, field)}."
    return Verdict("described", headline, (*doubts, *further), figure=field, finding=finding)


def _unknown(result: Result, field: str) -> str:
    """Why the figure says less than it seems to; empty if it has an interval that was tested, and the words count."""
    uncertainty = result.uncertainty
    if field not in uncertainty.intervals:
        why = uncertainty.why_none or "it has no interval"
        where = these(result.number_of_contexts, "context")
        return f"this holds in {where}; what others would give is not known: {why}"
    return low_mass(result.candidate_mass, result.generation) or few_units(uncertainty)
