"""Explains a result of knowledge: what subjects and wordings do to mastery, expected score and confidence gap."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bvf import BvfError, KnowledgeCriterion, Predictions, Study
from bvf.results import name_of, named_warnings
from bvf.stats import BoolArray, ContextSample, FloatArray, Sampled
from bvf_knowledge.explained.result import (
    Decision,
    KnowledgeExplanation,
    KnowledgeVarying,
    SubjectEffect,
    WordingEffect,
)
from bvf_knowledge.result import KnowledgeResult
from bvf_knowledge.stats.candidates import is_true
from bvf_knowledge.stats.intervals import FEWEST_SUBJECTS, Effects, component_shares, effects_of_rows
from bvf_knowledge.stats.knowledge import sampled_knowledge, top_answers, true_probabilities

WHAT = ("subject", "wording", "both")


def explain_knowledge(
    result: KnowledgeResult, study: Study, truth: BoolArray, criterion: KnowledgeCriterion
) -> KnowledgeExplanation:
    """Explain a result of knowledge from the probabilities of a study.

    Args:
        result: The result that is explained.
        study: The stored probabilities that it was computed from, among the answers that subjects choose among.
        truth: Which answers of each subject are true, shape (X, Y).
        criterion: The score J.

    Raises:
        BvfError: There is one subject or one wording, or none in which all subjects have an answer.
    """
    complete: BoolArray = np.logical_not(np.isnan(study.predictions.probabilities).any(axis=(0, 2)))
    if complete.sum() < 2 or len(result.groups) < 2:
        raise BvfError(
            f"{name_of(result)}: too few to explain: {len(result.groups)} of subjects, and {complete.sum()} of "
            "wordings in which all have an answer",
            "ask two of each or more",
        )
    table = _Table(study.predictions.in_contexts(complete), truth, criterion, result.uncertainty.level)
    shares = component_shares(
        table.true,
        table.predictions.group_weights,
        table.predictions.context_weights,
        table.predictions.sample,
        table.level,
    )
    return KnowledgeExplanation(
        model=name_of(result),
        topic=result.topic,
        language=result.language,
        criterion=result.criterion,
        level=result.uncertainty.level,
        mastery=result.mastery,
        expected_score=result.expected_score,
        confidence_gap=result.confidence_gap,
        varying=tuple(KnowledgeVarying(what=what, **each._asdict()) for what, each in zip(WHAT, shares, strict=True)),
        wordings=table.wordings(),
        subjects=table.subjects(result),
        warnings=named_warnings([result]),
        notes=tuple(_notes(result, table, int((~complete).sum()))),
    )


@dataclass(frozen=True)
class _Table:
    """Scores of subjects in wordings, none missing, and the effects of rows and columns on them."""

    predictions: Predictions
    truth: BoolArray
    criterion: KnowledgeCriterion
    level: float

    @property
    def true(self) -> FloatArray:
        """The probability of the true answer, (X, C)."""
        return true_probabilities(self.predictions.probabilities, self.truth)

    @property
    def scores(self) -> FloatArray:
        """J of that probability, (X, C)."""
        return np.asarray(self.criterion(self.true))

    @property
    def subjects_as_sample(self) -> ContextSample | None:
        """The subjects as a sample of their kind; None: they are too few."""
        sample = ContextSample(self.predictions.group_weights, "template")
        return sample if sample.size >= FEWEST_SUBJECTS - 1e-9 else None

    def wordings(self) -> tuple[WordingEffect, ...]:
        """Return the effects of wordings, the most helpful first."""
        read = self.predictions
        weights = read.group_weights
        found = effects_of_rows(self.scores.T, read.context_weights, weights, self.subjects_as_sample, self.level)
        right = weights @ is_true(top_answers(read.probabilities), self.truth)
        expected, mastery = self._sampled().leaving_each_out(weights)
        rows = [
            WordingEffect(
                wording=wording,
                weight=float(read.context_weights[c]),
                right=float(right[c]),
                mastery_without=float(mastery[c]),
                gap_without=float(mastery[c] - expected[c]),
                **_effect(found, c, 1.0 - self.level, ("helps", "hurts")),
            )
            for c, wording in enumerate(read.contexts)
        ]
        return tuple(sorted(rows, key=lambda row: -row.difference))

    def subjects(self, result: KnowledgeResult) -> tuple[SubjectEffect, ...]:
        """Return the effects of subjects, the best known first."""
        read = self.predictions
        found = effects_of_rows(self.scores, read.group_weights, read.context_weights, read.sample, self.level)
        answers = top_answers(read.probabilities)
        right = is_true(answers, self.truth) @ read.context_weights
        rows = [
            SubjectEffect(
                subject=group.group,
                gloss=group.gloss,
                truth=group.truth,
                instead=self._instead(answers[x], x),
                right=float(right[x]),
                confidence_gap=group.confidence_gap,
                **_effect(found, x, 1.0 - self.level, ("better", "worse")),
            )
            for x, group in enumerate(result.groups)
        ]
        return tuple(sorted(rows, key=lambda row: -row.difference))

    def _instead(self, answers: NDArray[np.intp], x: int) -> str | None:
        wrong = Counter(int(each) for each in answers if each >= 0 and not self.truth[x, each]).most_common(1)
        return self.predictions.classes[wrong[0][0]] if wrong else None

    def _sampled(self) -> Sampled:
        sample = ContextSample(self.predictions.context_weights, "template")
        return sampled_knowledge(self.predictions.probabilities, self.truth, self.criterion, sample)


def _effect(found: Effects, row: int, alpha: float, decisions: tuple[Decision, Decision]) -> dict[str, Any]:
    fields: dict[str, Any] = {"expected_score": float(found.means[row]), "difference": float(found.differences[row])}
    if found.low is None or found.high is None or found.adjusted_p is None:
        return fields
    higher, lower = decisions
    p = float(found.adjusted_p[row])
    decision = "tied" if p >= alpha else higher if fields["difference"] > 0 else lower
    ends = {"low": float(found.low[row]), "high": float(found.high[row])}
    return {**fields, **ends, "adjusted_p": p, "decision": decision}


def _notes(result: KnowledgeResult, table: _Table, left_out: int) -> Iterator[str]:
    if left_out:
        yield f"without {left_out} wordings in which a subject has no answer"
    if table.predictions.sample is None:
        yield f"subjects are not tested: {result.uncertainty.undefined}"
    if table.subjects_as_sample is None:
        yield f"wordings are not tested: this needs {FEWEST_SUBJECTS} subjects of about equal weight"
