"""The result of the analysis of knowledge, figures of a model and of each subject, and its tables."""

from collections.abc import Sequence
from typing import ClassVar, Literal

from pydantic import Field

from bvf import BvfError, GroupResult, Interval, ResultBase, Section
from bvf.domain import Count, Finite, Record, Share
from bvf.interfaces import Quantity
from bvf.results import PLACES, figures_section, group_columns, interval_of, model_in_title, name_of, result_columns
from bvf.results import models_section as models_overview
from bvf.tables import (
    BY_FIELD,
    Column,
    both_ends,
    counted,
    counted_gap,
    decimals,
    figure,
    if_rounded,
    legend,
    some_of,
    symbol,
    table,
)

SCORES = ("mastery", "expected_score", "confidence_gap")
SHARES = ("accuracy", "consistency")
CORRECTED = "corrected_mastery"
ABOVE = (
    "Above the rule: limits of infinitely many wordings; the guesser draws an answer for each, so its mean is the "
    "share of answers that are true."
)


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

    If several are true, the scores are those of any of them, whose probabilities are added. ``says`` is the answer that
    is most probable under E_c[p]; None for a tie. ``corrected_says`` is that one after what the model prefers to answer
    whatever the subject is taken out; None also where this is undefined.
    """

    truth: str = Field(description="The true answer; several stand with *or* between them")
    truths: tuple[str, ...] = Field((), description="Every true answer; empty: an older version wrote the result")
    chance: Share | None = Field(None, description="Accuracy of an answer drawn at random; null: as ``truths``")
    says: str | None
    mastery: Finite
    expected_score: Finite
    confidence_gap: Finite
    consistency: Finite | None
    right: Share | None = Field(None, description="Share of wordings with a true answer on top")
    corrected_mastery: Finite | None = None
    corrected_says: str | None = None
    exported: ClassVar[tuple[Quantity, ...]] = tuple(BY_FIELD[name] for name in (*SCORES, "consistency", CORRECTED))
    described_by: ClassVar[tuple[str, ...]] = ("truth", "says", "corrected_says")

    @property
    def true_answers(self) -> tuple[str, ...]:
        """The names of all true answers."""
        return self.truths or (self.truth,)

    def is_true(self, answer: str | None) -> bool:
        """Whether an answer is one of the true ones; None, a tie, is not."""
        return answer in self.true_answers


class KnowledgeResult(ResultBase):
    """Mastery, expected score and confidence gap of a model (Appendix E.1), and of each subject.

    All figures are weighted by P(X).
    """

    schema_: Literal["bvf.knowledge/3"] = Field("bvf.knowledge/3", alias="schema")
    mastery: Finite
    expected_score: Finite
    confidence_gap: Finite
    accuracy: Share = Field(description="Share of subjects of which the most probable answer under E_c[p] is true")
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
        {}, description="Intervals for other subjects of the kind in these wordings; empty: there are fewer than 24"
    )
    exported: ClassVar[tuple[Quantity, ...]] = tuple(BY_FIELD[name] for name in (*SCORES, *SHARES, CORRECTED))
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


FIGURES: tuple[Column[KnowledgeResult | KnowledgeRow], ...] = (
    *map(figure, (*SCORES, *SHARES)),
    figure(CORRECTED, optional=True, spare=True),
)


OVERVIEW: dict[str, Column[KnowledgeResult | KnowledgeRow]] = {
    **{name: figure(name, PLACES) for name in (*SCORES, "accuracy")},
    "consistency": Column(symbol("consistency"), lambda each: decimals(each.consistency, places=PLACES)[0] or "-"),
    CORRECTED: figure(CORRECTED, PLACES, optional=True, spare=True),
}


ANSWERS: tuple[Column[GroupKnowledge], ...] = (
    Column("truth", lambda each: each.truth),
    Column("says", lambda each: each.says or "-"),
)


def models_section(results: Sequence[KnowledgeResult]) -> Section:
    """Return the table with a row per reference model and per result."""
    first, names = results[0], result_columns(results)
    return table(
        f"Knowledge: {_title(first)}",
        [*names, *FIGURES],
        results,
        names=len(names),
        above=first.references,
        notes=[f"{legend(FIGURES[: len(SCORES)])} {ABOVE}"],
    )


def subject_section(result: KnowledgeResult, show: int) -> Section:
    """Return a table of the least and best known subjects, ``show`` in all (0: all)."""
    number = len(result.groups)
    return table(
        f"{name_of(result)}: subjects, least known first{some_of(show or number, number)}",
        [*group_columns("subject"), *ANSWERS, *map(figure, SCORES), figure(CORRECTED, optional=True, spare=True)],
        both_ends(least_known_first(result), show),
        names=4,
        subtitle=[sentence(result)],
    )


def overview(results: Sequence[KnowledgeResult], show: int) -> list[Section]:
    """Return tables of figures and subjects of one result; for several results, a table with a row per result."""
    if len(results) > 1:
        above = results[0].references[:1]
        return [models_overview(_title(results[0]), results, SCORES[0], list(OVERVIEW.values()), above)]
    (result,) = results
    guesser = result.guesser
    figures = {
        field: (column.text(result), column.text(guesser))
        for field, column in OVERVIEW.items()
        if not column.optional or column.text(result)
    }
    texts = [OVERVIEW[name].text(result) for name in SCORES]
    title = _title(result, f"{model_in_title(result)}, ")
    notes = [f"Mastery = expected + gap{if_rounded(*texts)}.", *_on_corrected(result)]
    first = figures_section(result, title, figures, notes, "subject", result.over_subjects)
    return [first, _subjects_at_both_ends(result, show)]


def _title(result: KnowledgeResult, of_model: str = "") -> str:
    among = f", {counted(result.distractors, 'distractor')}" if result.distractors else ""
    return f"{result.topic} ({result.language}), {of_model}criterion {result.criterion}{among}"


def _subjects_at_both_ends(result: KnowledgeResult, show: int) -> Section:
    sampled = any("mastery" in group.intervals for group in result.groups)
    mastery, *parts = (figure(name, PLACES, spare=sampled) for name in SCORES)
    parts.append(figure(CORRECTED, PLACES, optional=True, spare=True))
    return table(
        sentence(result),
        [*group_columns("least known first"), *ANSWERS, mastery, interval_of("mastery", result, show), *parts],
        both_ends(least_known_first(result), show, counted_gap),
        names=4,
    )


def _on_corrected(result: KnowledgeResult) -> list[str]:
    """A sentence on what the corrected mastery is, and how many answers are right by it; none if it is undefined."""
    if result.corrected_mastery is None:
        return []
    right = sum(group.is_true(group.corrected_says) for group in result.groups)
    of_all = f"{right} of {counted(len(result.groups), 'subject')}"
    return [f"Corrected: mastery without a preference for some answers; {of_all} would then have the true one on top."]


def least_known_first(result: KnowledgeResult) -> list[GroupKnowledge]:
    """Return the subjects in ascending order of their mastery."""
    return sorted(result.groups, key=lambda group: group.mastery)


def sentence(result: KnowledgeResult) -> str:
    """Return a sentence on the accuracy of guessing, and on the answer that the model gives for most subjects."""
    most_frequent = "no answer is on top of any subject"
    if result.subjects_with_it == 1 < len(result.groups):
        most_frequent = "no answer is on top of two subjects"
    elif result.most_frequent_answer is not None:
        of_all = f"{result.subjects_with_it} of {counted(len(result.groups), 'subject')}"
        most_frequent = f"most frequent answer: {result.most_frequent_answer} ({of_all})"
    return f"{result.chance:.1%} would be right by chance; {most_frequent}"
