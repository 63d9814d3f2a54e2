"""Tables of an explanation of knowledge."""

from collections.abc import Sequence
from typing import Any

from bvf import Section
from bvf.results import PLACES
from bvf.tables import (
    Column,
    between,
    both_ends,
    counted,
    decimals,
    figure,
    p_value,
    percents,
    some_of,
    symbol,
    table,
    warned,
)
from bvf_knowledge.explained.result import (
    Effect,
    KnowledgeExplanation,
    KnowledgeVarying,
    SubjectEffect,
    WordingEffect,
)
from bvf_knowledge.tables import SCORES

SHOWN = 8
VARYING = {
    "subject": "how well a subject is known on average",
    "wording": "what a wording does to all alike",
    "both": "what it does to some and not to others",
}


def sections(explanation: KnowledgeExplanation, show: int = SHOWN) -> list[Section]:
    """Return all tables of an explanation, with ``show`` subjects (0: all)."""
    return [_varying(explanation), _wordings(explanation), _subjects(explanation, show)]


def _varying(explanation: KnowledgeExplanation) -> Section:
    columns: list[Column[KnowledgeVarying]] = [
        Column("what makes answers vary", lambda each: VARYING[each.what]),
        Column("deviation", lambda each: decimals(each.deviation, places=PLACES)[0]),
        Column("share", lambda each: f"{each.share:.1%}"),
        Column("interval", lambda each: percents(each.low, each.high), optional=True),
    ]
    shown = ", ".join(f"{symbol(field)} {decimals(getattr(explanation, field), places=PLACES)[0]}" for field in SCORES)
    some = any(each.low is not None for each in explanation.varying)
    return table(
        f"Why {explanation.model} has its mastery: {explanation.topic} ({explanation.language}), "
        f"criterion {explanation.criterion}",
        columns,
        explanation.varying,
        subtitle=[f"{shown} in {counted(len(explanation.wordings), 'wording')}"],
        notes=[
            "share: of the variance of the probability of the true answer over subjects and wordings",
            *(["intervals are for other wordings: jackknife of the logit of the share"] if some else []),
            *explanation.notes,
        ],
        warnings=warned(explanation.warnings),
    )


def _wordings(explanation: KnowledgeExplanation) -> Section:
    columns: list[Column[Any]] = [
        figure("expected_score", PLACES),
        *_effect_columns(),
        Column[WordingEffect]("wording", lambda each: each.wording),
    ]
    return table(
        f"What each wording does, best first ({_decided(explanation.wordings, 'helps', 'hurts')})",
        columns,
        explanation.wordings,
        names=0,
        last="line",
        notes=_about(explanation.wordings, "subject by subject", "all wordings", "subjects of the kind"),
    )


def _subjects(explanation: KnowledgeExplanation, show: int) -> Section:
    number = len(explanation.subjects)
    columns: list[Column[Any]] = [
        Column[SubjectEffect]("subject", lambda each: each.subject),
        Column[SubjectEffect]("meaning", lambda each: each.gloss, optional=True),
        Column[SubjectEffect]("instead", lambda each: each.instead or "-"),
        *_effect_columns(),
    ]
    decided = _decided(explanation.subjects, "better", "worse")
    return table(
        f"How well each subject is known, best first ({decided}){some_of(show or number, number)}",
        columns,
        both_ends(explanation.subjects, show),
        names=3,
        notes=[
            "instead: the wrong answer that is on top most often",
            *_about(explanation.subjects, "wording by wording", "all subjects", "wordings of the question"),
        ],
    )


def _effect_columns() -> list[Column[Any]]:
    return [
        Column[Effect]("right", lambda each: f"{each.right:.0%}"),
        Column[Effect]("difference", lambda each: decimals(each.difference, places=PLACES)[0]),
        Column[Effect]("interval", lambda each: between(each.low, each.high, places=PLACES), optional=True),
        Column[Effect]("Holm p", lambda each: p_value(each.adjusted_p), optional=True),
        Column[Effect]("", lambda each: each.decision or "", optional=True),
    ]


def _decided(effects: Sequence[Effect], better: str, worse: str) -> str:
    """How many effects have each decision, as text."""
    if any(each.decision is None for each in effects):
        return "not tested"
    ups, downs = (sum(each.decision == decision for each in effects) for decision in (better, worse))
    return f"{ups} {better}, {downs} {worse}"


def _about(effects: Sequence[Effect], paired: str, family: str, others: str) -> list[str]:
    about = f"difference: of the expected score from the mean of the others, {paired}"
    if any(each.decision is None for each in effects):
        return [about]
    return [f"{about}; each interval is for one difference alone, for other {others}; p decides, adjusted for {family}"]
