"""The result of the analysis of knowledge: figures of a model and of each subject."""

from typing import ClassVar, Literal

from pydantic import Field

from bvf import BvfError, GroupResult, Interval, ResultBase
from bvf.domain import Count, Finite, Record, Share
from bvf.interfaces import Quantity
from bvf.tables import OF_KNOWLEDGE, OF_SUBJECTS


class KnowledgeRow(Record):
    """Mastery, confidence gap, accuracy and consistency of a reference model, in the same limit."""

    name: str
    mastery: Finite
    gap: Finite
    accuracy: Share
    consistency: Finite
    corrected_mastery: Finite | None = Field(None, description="null: an older version wrote the result")

    @property
    def confidence_gap(self) -> float:
        """``gap`` under the name that it has in results."""
        return self.gap

    @property
    def expected_score(self) -> float:
        """What is left of mastery without the gap."""
        return self.mastery - self.gap


class GroupKnowledge(GroupResult):
    """One subject: its true answer, and the scores of it (Appendix E.1).

    ``says`` is the answer that is most probable under E_c[p]; None for a tie. ``corrected_says`` is that one after what
    the model prefers to answer whatever the subject is taken out; None also where this is undefined.
    """

    truth: str
    says: str | None
    mastery: Finite
    expected_score: Finite
    confidence_gap: Finite
    consistency: Finite | None
    right: Share | None = Field(None, description="Share of wordings with the true answer on top")
    corrected_mastery: Finite | None = None
    corrected_says: str | None = None
    exported: ClassVar[tuple[Quantity, ...]] = OF_SUBJECTS
    described_by: ClassVar[tuple[str, ...]] = ("truth", "says", "corrected_says")


class KnowledgeResult(ResultBase):
    """Mastery, expected score and confidence gap of a model (Appendix E.1), and of each subject.

    All figures are weighted by P(X).
    """

    schema_: Literal["bvf.knowledge/3"] = Field("bvf.knowledge/3", alias="schema")
    mastery: Finite
    expected_score: Finite
    confidence_gap: Finite
    accuracy: Share = Field(description="Share of subjects whose true answer is the most probable one under E_c[p]")
    consistency: Finite | None = Field(
        description="Share of the pairs of contexts with the same answer on top, right or wrong; null for one context"
    )
    corrected_mastery: Finite | None = Field(
        None,
        description="Mastery after p(y | x, c) is divided by the prior q(y | c) of the answer, fitted to the wrong "
        "answers of the other subjects; null: there are fewer than 10 subjects or 3 answers, or one answer is true for "
        "all others",
    )
    seed: Count = Field(0, description="Of the draw of distractors")
    distractors: Count = Field(0, description="Wrong answers that a subject chooses among; 0: all answers of the topic")
    chance: Share = Field(description="Accuracy of an answer drawn at random from those that a subject chooses among")
    most_frequent_answer: str | None = Field(
        description="The answer that the model gives for most subjects; null if it gives none"
    )
    subjects_with_it: Count = Field(description="Number of subjects for which the model gives that answer")
    in_short: ClassVar[tuple[str, ...]] = ("mastery", "confidence_gap", "accuracy")
    over_subjects: dict[str, Interval] = Field(
        {},
        description="Intervals for other subjects of the kind in these wordings; empty: there are fewer than 24",
    )
    exported: ClassVar[tuple[Quantity, ...]] = OF_KNOWLEDGE
    metric_kind: ClassVar[str] = "knowledge"
    references: tuple[KnowledgeRow, ...] = Field(description="Reference models on the same scale")
    groups: tuple[GroupKnowledge, ...]

    @property
    def guesser(self) -> KnowledgeRow:
        """The reference model that draws an answer for each wording."""
        return self.references[0]


def knowledge_only(result: ResultBase) -> KnowledgeResult:
    """Return the result if it is one of knowledge, else raise `BvfError`."""
    if not isinstance(result, KnowledgeResult):
        raise BvfError(
            f"{result.folder or result.model}: its analysis, by {result.criterion}, has no figures of knowledge",
            "--criterion knowledge:sqrt analyses answers that are true or false by knowledge",
        )
    return result
