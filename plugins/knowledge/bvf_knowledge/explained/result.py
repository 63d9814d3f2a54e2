"""The explanation of a result of knowledge, returned by `bvf.explain` and printed by ``bvf explain --format json``."""

from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from bvf.domain import Finite, Level, Record, Share
from bvf.tables import Finding

if TYPE_CHECKING:
    import pandas as pd

Decision = Literal["helps", "hurts", "better", "worse", "tied"]


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

    tables: ClassVar[str] = "bvf_knowledge.explained.tables:sections"
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
