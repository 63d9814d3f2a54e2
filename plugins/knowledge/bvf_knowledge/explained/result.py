"""The explanation of a result of knowledge, returned by `bvf.explain`, and its tables."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from pydantic import Field

from bvf import Section
from bvf.domain import Finite, Level, Record, Share
from bvf.results import PLACES
from bvf.tables import (
    Column,
    Finding,
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
from bvf_knowledge.result import SCORES

if TYPE_CHECKING:
    import pandas as pd

Decision = Literal["helps", "hurts", "better", "worse", "tied"]
SHOWN = 8
VARYING = {
    "subject": "how well a subject is known on average",
    "wording": "what a wording does to all alike",
    "both": "what it does to some and not to others",
}


class KnowledgeVarying(Record):
    """One variance component of the probability of the true answer: subjects, wordings, or their interaction."""

    what: Literal["subject", "wording", "both"] = Field(
        description="subject: how well it is known on average; wording: what it does to all subjects alike; both: what "
        "a wording does to some subjects and not to others"
    )
    deviation: Finite = Field(description="Standard deviation that it causes, in probability of the true answer")
    share: Share = Field(description="Of the variance")
    low: Share | None = Field(
        None, description="Lower end of the interval of the share, for other wordings; null: none"
    )
    high: Share | None = None


class Effect(Record):
    """What a wording or a subject does to the expected score.

    The ends of the interval, p and the decision are null where there is no sample to test in.
    """

    right: Share = Field(description="Share of its prompts with the true answer on top")
    expected_score: Finite = Field(description="Mean score of the true answer")
    difference: Finite = Field(description="That score less the mean of the others")
    low: Finite | None = None
    high: Finite | None = None
    adjusted_p: Share | None = Field(None, description="By Holm, for all wordings, or for all subjects")
    decision: Decision | None = Field(None, description="By the adjusted p")


class WordingEffect(Effect):
    """What a wording does, in the same subjects as all other wordings. Tests are for other subjects of the kind."""

    wording: str
    weight: Share = Field(description="P(c)")
    mastery_without: Finite = Field(description="Mastery if the wording is left out")
    gap_without: Finite = Field(description="Confidence gap if the wording is left out")


class SubjectEffect(Effect):
    """How well a subject is known, in the same wordings as all others. Tests are for other wordings of the question."""

    subject: str
    gloss: str = ""
    truth: str
    instead: str | None = Field(description="The wrong answer that is on top most often; null: none is")
    confidence_gap: Finite


class KnowledgeExplanation(Finding):
    """What makes a model's knowledge vary: variance components, and the effect of each wording and each subject."""

    tables: ClassVar[str] = "bvf_knowledge.explained.result:sections"
    schema_: Literal["bvf.knowledge-explanation/1"] = Field("bvf.knowledge-explanation/1", alias="schema")
    model: str
    topic: str
    language: str
    criterion: str
    level: Level
    mastery: Finite
    expected_score: Finite
    confidence_gap: Finite
    varying: tuple[KnowledgeVarying, ...]
    wordings: tuple[WordingEffect, ...] = Field(description="In descending order of their score")
    subjects: tuple[SubjectEffect, ...] = Field(description="In descending order of their score")
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def to_frame(self) -> "pd.DataFrame":
        """Return a data frame with a row per wording, and then one per subject; ``kind`` says which."""
        import pandas as pd

        wordings = [{"kind": "wording", **each.model_dump()} for each in self.wordings]
        return pd.DataFrame([*wordings, *({"kind": "subject", **each.model_dump()} for each in self.subjects)])


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
