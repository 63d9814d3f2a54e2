"""From the answers of a model to a result: risk, or knowledge."""

from collections import Counter
from typing import Any

import numpy as np

from bvf.analyse.result import AnyResult, GroupKnowledge, GroupRisk, KnowledgeResult, Result
from bvf.arrays import BoolArray, FloatArray
from bvf.errors import BvfError
from bvf.interfaces.criterion import Criterion, KnowledgeCriterion
from bvf.measure.checks import ScoreCheck
from bvf.measure.plan import Plan
from bvf.measure.scoring import LoadedModel
from bvf.measure.store import Scored
from bvf.stats.candidates import among_candidates
from bvf.stats.knowledge import consistency, decompose_knowledge, top_answers
from bvf.stats.probabilities import mean_probabilities
from bvf.stats.risk import Parts, decompose_risk, mean_prediction


def decompose_run(laid_out: Plan, scored: Scored, model: LoadedModel, check: ScoreCheck) -> AnyResult:
    """Return the result of a run from the scores of all its questions.

    Raises:
        BvfError: p* is the mean over groups, and no group gives some class any probability.
    """
    weights = laid_out.contexts.weights()
    probabilities = scored.probabilities.reshape(len(laid_out.groups), len(weights), -1)
    if laid_out.candidates is not None:
        probabilities = among_candidates(probabilities, laid_out.candidates)
    missing = int(np.isnan(probabilities).any(axis=2).sum())
    asked = laid_out.size
    laid_out, probabilities, without_answer = _answered(laid_out, probabilities, model)
    common = {
        "model": model.name,
        "backend": model.backend_name,
        "wording": model.backend.wording,
        "system": laid_out.config.system,
        "topic": laid_out.topic.name,
        "language": laid_out.language.code,
        "criterion": laid_out.config.criterion,
        "reference": laid_out.config.reference,
        "contexts": laid_out.contexts.name,
        "number_of_contexts": len(weights),
        "effective_contexts": float(1.0 / (weights**2).sum()),
        "prompts": asked,
        "missing": missing,
        "word_boundary": laid_out.config.word_boundary,
        "tolerance": laid_out.config.tolerance,
        "deviation_bound": float(scored.bounds.max()),
        "candidate_mass": check.candidate_mass,
        "warnings": tuple(check.warnings()),
    }
    told = _notes(laid_out, scored, model)
    if missing:
        told.append(f"{missing} of {asked} prompts are missing: every candidate word has probability 0 there")
    notes = [*laid_out.notes, *check.notes(), *told, *without_answer]
    if isinstance(laid_out.criterion, KnowledgeCriterion):
        return _knowledge_result(laid_out, probabilities, laid_out.criterion, {**common, "notes": tuple(notes)})
    return _risk_result(laid_out, probabilities, laid_out.criterion, common, notes)


def _answered(laid_out: Plan, probabilities: FloatArray, model: LoadedModel) -> tuple[Plan, FloatArray, list[str]]:
    """Leave out groups without any answer; raises `BvfError` where none is left."""
    there = ~np.isnan(probabilities).any(axis=2)
    answered: BoolArray = np.any(there & (laid_out.contexts.weights() > 0), axis=1)
    if answered.all():
        return laid_out, probabilities, []
    if not answered.any():
        raise BvfError(
            f"{model.name} gives every candidate word the probability 0 in every prompt, so no group has an answer",
            "choose other words with --words, or another model",
        )
    kept, note = laid_out.with_groups(answered, "as every candidate word has probability 0 in all their prompts")
    return kept, probabilities[answered], [note]


def _notes(laid_out: Plan, scored: Scored, model: LoadedModel) -> list[str]:
    notes = list(scored.remarks)
    reached = float(scored.bounds.max())
    if reached:
        notes.append(
            f"improbable words left out: no class probability is further than {reached:.2g} from the exact one"
        )
    if model.backend.wording == "chat":
        system = laid_out.config.system
        notes.append(f"contexts are what the user says in a chat{f', and the system says: {system}' if system else ''}")
    return notes


def _risk_result(
    laid_out: Plan, probabilities: FloatArray, criterion: Criterion, common: dict[str, Any], notes: list[str]
) -> Result:
    reference = _reference(laid_out, probabilities)
    found = decompose_risk(
        probabilities,
        criterion,
        context_weights=laid_out.contexts.weights(),
        group_weights=laid_out.group_weights,
        reference=reference,
        scale=laid_out.config.scale,
    )
    if found.parts is None:
        notes = [*notes, f"what groups share and what sets them apart is undefined: {_undefined(laid_out, criterion)}"]
    groups = tuple(
        GroupRisk(
            r=float(found.r[x]),
            r_bias=float(found.r_bias[x]),
            r_volatility=float(found.r_volatility[x]),
            spread=float(found.spread[x]),
            changes_sides=bool(found.changes_sides[x]),
            **_particular(found.parts, x, laid_out.classes),
            **shared,
        )
        for x, shared in enumerate(_each_group(laid_out, probabilities, reference))
    )
    return Result(
        **common,
        notes=tuple(notes),
        scale=laid_out.config.scale,
        divisor=found.divisor,
        R=found.R,
        R_bias=found.R_bias,
        R_volatility=found.R_volatility,
        spread=float(found.group_weights @ found.spread),
        groups_changing_sides=int(found.changes_sides.sum()),
        **_parts(found.parts),
        groups=groups,
    )


def _reference(laid_out: Plan, probabilities: FloatArray) -> FloatArray:
    """p*(y | x), shape (X, Y)."""
    if laid_out.reference is not None:
        return laid_out.reference
    mean = mean_prediction(probabilities, laid_out.contexts.weights(), laid_out.group_weights)
    if not mean.all():
        raise BvfError(
            f"--reference mean: no group gives the class {laid_out.classes[int(mean.argmin())]} any probability",
            "p* is above 0 for every class: choose another reference",
        )
    return np.tile(mean, (len(laid_out.groups), 1))


def _undefined(laid_out: Plan, criterion: Criterion) -> str:
    if not criterion.sublinear:
        return f"the criterion {laid_out.config.criterion} is not sublinear, so R <= shared + particular need not hold"
    return "there is one group"


def _parts(parts: Parts | None) -> dict[str, float | None]:
    names = (
        *("shared", "shared_bias", "shared_volatility"),
        *("particular", "particular_bias", "particular_volatility"),
    )
    return {name: None if parts is None else getattr(parts, name) for name in names}


def _particular(parts: Parts | None, x: int, classes: tuple[str, ...]) -> dict[str, Any]:
    names = ("particular", "particular_bias", "particular_volatility")
    if parts is None:
        return dict.fromkeys((*names, "apart"))
    figures = {name: float(getattr(parts, f"x_{name}")[x]) for name in names}
    return {**figures, "apart": dict(zip(classes, parts.x_apart[x].tolist(), strict=True))}


def _knowledge_result(
    laid_out: Plan, probabilities: FloatArray, criterion: KnowledgeCriterion, common: dict[str, Any]
) -> KnowledgeResult:
    if laid_out.truth is None:
        raise BvfError(f"topic {laid_out.topic.name} names no true attributes")
    weights = laid_out.contexts.weights()
    found = decompose_knowledge(
        probabilities,
        laid_out.truth,
        criterion,
        context_weights=weights,
        group_weights=laid_out.group_weights,
    )
    answers = top_answers(mean_probabilities(probabilities, weights))
    agreement = consistency(probabilities)
    uniform = np.full((len(laid_out.groups), len(laid_out.classes)), 1.0 / len(laid_out.classes))
    groups = tuple(
        GroupKnowledge(
            truth=laid_out.classes[laid_out.truth[x]],
            says=laid_out.classes[answers[x]] if answers[x] >= 0 else None,
            mastery=float(found.x_mastery[x]),
            expected_score=float(found.x_expected_score[x]),
            confidence_gap=float(found.x_confidence_gap[x]),
            consistency=_number(float(agreement[x])),
            **shared,
        )
        for x, shared in enumerate(_each_group(laid_out, probabilities, uniform))
    )
    said = Counter(group.says for group in groups if group.says is not None).most_common(1)
    most_frequent, subjects = said[0] if said else (None, 0)
    return KnowledgeResult(
        **common,
        mastery=found.mastery,
        expected_score=found.expected_score,
        confidence_gap=found.confidence_gap,
        accuracy=float(laid_out.group_weights @ (answers == laid_out.truth)),
        consistency=_number(float(laid_out.group_weights @ agreement)),
        distractors=laid_out.config.distractors,
        chance=1.0 / (laid_out.config.distractors + 1 if laid_out.config.distractors else len(laid_out.classes)),
        most_frequent_answer=most_frequent,
        subjects_with_it=subjects,
        groups=groups,
    )


def _number(value: float) -> float | None:
    """JSON has no NaN."""
    return None if np.isnan(value) else value


def _each_group(laid_out: Plan, probabilities: FloatArray, reference: FloatArray) -> list[dict[str, Any]]:
    mean = mean_probabilities(probabilities, laid_out.contexts.weights())
    return [
        {
            "group": group,
            "gloss": laid_out.topic.glosses.get(group, ""),
            "weight": float(laid_out.group_weights[x]),
            "mean_probabilities": dict(zip(laid_out.classes, mean[x].tolist(), strict=True)),
            "reference_probabilities": dict(zip(laid_out.classes, reference[x].tolist(), strict=True)),
        }
        for x, group in enumerate(laid_out.groups)
    ]
