"""The analysis of knowledge: mastery, expected score, confidence gap and consistency (Appendix E.1)."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import compress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bvf import (
    Analysis,
    BvfError,
    Choices,
    Criterion,
    KnowledgeCriterion,
    Measurement,
    Picture,
    Predictions,
    Section,
    Study,
    Verdict,
    View,
    basis_of,
)
from bvf.domain import Asked
from bvf.results import Contribution, common_to_all, intervals_of, number, side_tables
from bvf.stats import BoolArray, ContextSample, FloatArray, among_candidates, mean_probabilities
from bvf.study import Averages, chosen_groups
from bvf.tables import named
from bvf_knowledge.decompose import Knowledge, decompose_knowledge
from bvf_knowledge.explained.result import KnowledgeExplanation
from bvf_knowledge.result import (
    CORRECTED,
    SCORES,
    SHARES,
    KnowledgeResult,
    KnowledgeRow,
    models_section,
    overview,
    subject_section,
)
from bvf_knowledge.stats.candidates import draw_candidates, is_true, without_prior
from bvf_knowledge.stats.knowledge import consistency, sampled_knowledge, top_answers
from bvf_knowledge.verdict import intervals_of_answers, over_subjects, verdicts

NAMES = ("expected_score", "mastery", "confidence_gap")


class KnowledgeAnalysis(Analysis[KnowledgeResult]):
    """Splits mastery, the score of the mean answer, into the mean score in a single context and the confidence gap."""

    results = KnowledgeResult
    figures = named((*SCORES, *SHARES, CORRECTED))
    compared = (*SCORES, CORRECTED)

    def applies(self, criterion: Criterion | KnowledgeCriterion) -> bool:
        return isinstance(criterion, KnowledgeCriterion)

    def check(self, asked: Asked, choices: Choices, view: View) -> None:
        _candidates(asked, choices, [asked.group_names[x] for x in chosen_groups(asked, choices)])
        _criterion(choices)
        if choices.reference != "uniform":
            raise BvfError(
                f"--reference {choices.reference}: the criterion {choices.criterion_name} scores true answers and "
                "knows no p*",
                "leave --reference out, or choose a criterion of risk such as linf",
            )
        _refuse_rank(choices.criterion_name, view)

    def run(self, measurement: Measurement, choices: Choices) -> KnowledgeResult:
        study = _among_candidates(measurement, choices)
        criterion, predictions = _criterion(choices), study.predictions
        truth = _truth(predictions.asked, predictions.group_names)
        known = decompose_knowledge(
            predictions.probabilities,
            truth,
            criterion,
            context_weights=predictions.context_weights,
            group_weights=predictions.group_weights,
        )
        candidates = _candidates(predictions.asked, choices, predictions.group_names)
        rows = knowledge_rows(criterion, truth, candidates, predictions.group_weights)
        answers = top_answers(mean_probabilities(predictions.probabilities, predictions.context_weights))
        agreement = consistency(predictions.probabilities)
        corrected = _corrected(study, criterion, truth)
        groups = _subjects(predictions, truth, known, answers, agreement, corrected)
        for subject, asked in zip(groups, candidates, strict=True):
            subject["chance"] = len(subject["truths"]) / asked.sum()
            subject["mean_probabilities"] = dict(compress(subject["mean_probabilities"].items(), asked))
        given = Counter(group["says"] for group in groups if group["says"] is not None).most_common(1)
        most_frequent, subjects = given[0] if given else (None, 0)
        fields = {
            "mastery": known.mastery,
            "expected_score": known.expected_score,
            "confidence_gap": known.confidence_gap,
            "accuracy": float(predictions.group_weights @ is_true(answers, truth)),
            "consistency": number(float(predictions.group_weights @ agreement)),
            "corrected_mastery": None if corrected is None else corrected.known.mastery,
            "seed": choices.seed,
            "distractors": choices.distractors,
            "chance": rows[0].accuracy,
            "most_frequent_answer": most_frequent,
            "subjects_with_it": subjects,
            "references": rows,
            "over_subjects": over_subjects(study, groups),
        }
        figures = Contribution(fields, groups)
        intervals = intervals_of(study, self, figures)
        intervals = replace(intervals, of_all={**intervals.of_all, **intervals_of_answers(study, truth)})
        common = common_to_all(measurement, predictions, choices)
        return (common | figures | intervals.as_contribution()).built(KnowledgeResult)

    def sampled(self, study: Study, sample: ContextSample) -> Sequence[Averages]:
        among = _among_candidates(study.measurement, study.choices)
        predictions, criterion = among.predictions, _criterion(study.choices)
        truth = _truth(predictions.asked, predictions.group_names)
        averages = [Averages(sampled_knowledge(predictions.probabilities, truth, criterion, sample), NAMES, NAMES)]
        if (corrected := _corrected(among, criterion, truth)) is not None:
            known = sampled_knowledge(corrected.probabilities, truth, criterion, sample)
            averages.append(Averages(known, ("", CORRECTED, ""), ("", CORRECTED, "")))
        return averages

    def by_chance(self, study: Study) -> dict[str, float]:
        asked, names = study.predictions.asked, study.predictions.group_names
        truth, candidates = _truth(asked, names), _candidates(asked, study.choices, names)
        guesser, *_ = knowledge_rows(_criterion(study.choices), truth, candidates, study.predictions.group_weights)
        return {field: getattr(guesser, field) for field in (*SCORES, *SHARES, CORRECTED)}

    def explained(self, result: KnowledgeResult, study: Study) -> KnowledgeExplanation:
        from bvf_knowledge.explained.analysis import explain_knowledge

        among = _among_candidates(study.measurement, study.choices)
        truth = _truth(among.predictions.asked, among.predictions.group_names)
        return explain_knowledge(result, among, truth, _criterion(study.choices))

    def rows(self, results: Sequence[KnowledgeResult], view: View) -> list[Section]:
        _refuse_rank(results[0].criterion, view)
        return [models_section(results), *(subject_section(result, view.show) for result in results)]

    def overview(self, results: Sequence[KnowledgeResult], view: View) -> list[Section]:
        _refuse_rank(results[0].criterion, view)
        return overview(results, view.show)

    def verdicts(self, result: KnowledgeResult) -> Sequence[Verdict]:
        return verdicts(result)

    def beside(self, results: Sequence[KnowledgeResult], view: View) -> list[Section]:
        return side_tables(results, "mastery", "subjects side by side: mastery, highest on average first", view.show)

    def pictures(self, results: Sequence[KnowledgeResult]) -> Sequence[Picture]:
        from bvf_knowledge.pictures.subjects import subjects
        from bvf_knowledge.pictures.truths import certainty, truths_of, wordings

        read = [(result, truths_of(result)) for result in results]
        return [
            picture
            for result, truths in read
            for picture in (subjects(result), certainty(result, truths), wordings(result, truths))
        ]

    def pictures_of_topics(self, results: Sequence[KnowledgeResult]) -> Sequence[Picture]:
        from bvf_knowledge.pictures.confidence import confidence, mastery

        return [mastery(results), confidence(results)]


def _refuse_rank(criterion: str, view: View) -> None:
    if view.rank is not None:
        raise BvfError(f"--rank {view.rank}: {criterion} scores knowledge; subjects stand in the order of their scores")


def knowledge_rows(
    criterion: KnowledgeCriterion, truth: BoolArray, candidates: BoolArray, group_weights: FloatArray
) -> tuple[KnowledgeRow, ...]:
    """Return the reference models: a guesser, a model that always gives the most frequent true answer, and a knower.

    ``truth`` says which answers of each subject are true, and ``candidates`` which it chooses among, shape (X, Y).
    """
    numbers = candidates.sum(axis=1)
    chances = truth.sum(axis=1) / numbers
    guessed, chance, same = (float(group_weights @ each) for each in (criterion(chances), chances, 1.0 / numbers))
    share = min(float((group_weights @ truth).max()), 1.0)
    rows = (
        ("guesser", guessed, guessed - chance, chance, same, guessed),
        ("always the same", share, 0.0, share, 1.0, guessed),
        ("knower", 1.0, 0.0, 1.0, 1.0, 1.0),
    )
    return tuple(KnowledgeRow.model_validate(dict(zip(KnowledgeRow.model_fields, row, strict=True))) for row in rows)


def _among_candidates(measurement: Measurement, choices: Choices) -> Study:
    """The arrays to analyse, with probabilities renormalised over each subject's candidate answers."""
    asked = measurement.record.asked
    chosen = chosen_groups(asked, choices)
    if not choices.distractors:
        return Study.of(measurement, choices)
    everyone = np.ones((len(asked.groups), len(asked.classes)), dtype=np.bool_)
    everyone[chosen] = _candidates(asked, choices, [asked.group_names[x] for x in chosen])
    return Study(measurement, choices, basis_of(measurement, choices, everyone))


def _criterion(choices: Choices) -> KnowledgeCriterion:
    if not isinstance(choices.criterion, KnowledgeCriterion):
        raise BvfError(
            f"the analysis of knowledge needs a criterion of knowledge, and {choices.criterion_name} is not one",
            "choose one, such as --criterion knowledge:sqrt, or leave --analysis out",
        )
    return choices.criterion


def _truth(asked: Asked, groups: Sequence[str]) -> BoolArray:
    """Which answers of each subject are true, shape (X, Y)."""
    without = [group for group in groups if group not in asked.truth]
    if without:
        raise BvfError(
            "the analysis of knowledge needs the true attribute of every group; "
            f'{asked.topic} has none for "{without[0]}"',
            "add it under [truth] in the topic file, or choose --analysis risk --criterion linf",
        )
    return np.array([np.isin(asked.classes, asked.truth[group]) for group in groups])


def _candidates(asked: Asked, choices: Choices, groups: Sequence[str]) -> BoolArray:
    """A mask of the candidate answers of each subject, shape (X, Y)."""
    truth = _truth(asked, groups)
    return (
        np.ones_like(truth)
        if not choices.distractors
        else draw_candidates(groups, truth, choices.distractors, choices.seed)
    )


@dataclass(frozen=True)
class _Corrected:
    """Probabilities without what the model prefers to answer, their scores, and the most probable answers, (X,)."""

    probabilities: FloatArray
    known: Knowledge
    answers: NDArray[np.intp]


def _corrected(study: Study, criterion: KnowledgeCriterion, truth: BoolArray) -> _Corrected | None:
    """P(y | x, c) divided by the prior of the answer, which is fitted to all answers of the relation, and its scores.

    None if that is undefined. Each subject then chooses among its candidates alone.
    """
    predictions = every = study.predictions
    if study.choices.distractors:
        every = Study.of(study.measurement, study.choices).predictions
        every = every.of_groups(np.isin(every.group_names, predictions.group_names))
    corrected = without_prior(every.probabilities, truth)
    if corrected is None:
        return None
    if study.choices.distractors:
        candidates = _candidates(predictions.asked, study.choices, predictions.group_names)
        corrected = among_candidates(corrected, candidates)
    weights = {"context_weights": predictions.context_weights, "group_weights": predictions.group_weights}
    known = decompose_knowledge(corrected, truth, criterion, **weights)
    return _Corrected(corrected, known, top_answers(mean_probabilities(corrected, predictions.context_weights)))


def _subjects(
    predictions: Predictions,
    truth: BoolArray,
    known: Knowledge,
    answers: NDArray[np.intp],
    agreement: FloatArray,
    corrected: _Corrected | None,
) -> list[dict[str, Any]]:
    right = (is_true(top_answers(predictions.probabilities), truth) * predictions.weights_of_group).sum(axis=1)
    uniform = np.full((len(predictions.groups), 1, len(predictions.classes)), 1.0 / len(predictions.classes))
    return [
        {
            **fields,
            "truth": " or ".join(compress(predictions.classes, truth[x])),
            "truths": tuple(compress(predictions.classes, truth[x])),
            "says": _named(answers[x], predictions),
            "mastery": float(known.x_mastery[x]),
            "expected_score": float(known.x_expected_score[x]),
            "confidence_gap": float(known.x_confidence_gap[x]),
            "consistency": number(float(agreement[x])),
            "right": float(right[x]),
            "corrected_mastery": None if corrected is None else float(corrected.known.x_mastery[x]),
            "corrected_says": None if corrected is None else _named(corrected.answers[x], predictions),
        }
        for x, fields in enumerate(predictions.of_each_group(uniform))
    ]


def _named(answer: int, predictions: Predictions) -> str | None:
    """The answer with this index; None for a tie."""
    return predictions.classes[answer] if answer >= 0 else None
