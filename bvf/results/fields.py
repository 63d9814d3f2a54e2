"""The fields that all results of analyses have."""

from typing import Any

from bvf.domain.answers import AfterThoughts
from bvf.domain.measurement import MeasuredModel, Measurement
from bvf.domain.thought import ThoughtsRead
from bvf.interfaces.analysis import Choices
from bvf.results.contribution import Contribution
from bvf.stats.sampling.thoughts import share_of_other_class
from bvf.study.candidate_mass import notes_of, warnings_of
from bvf.study.predictions import Predictions, chosen_groups, selection_of
from bvf.study.said import as_read
from bvf.study.uncertainty import Uncertainty, few_units, uncertainty_of

OF_MODEL = {
    *("revision", "backend", "wording", "system", "user", "chat_variables", "chat_date"),
    *("word_boundary", "tolerance", "samples"),
}
"""Fields of a model that a result has under the same names."""


def common_fields(measurement: Measurement, predictions: Predictions, choices: Choices) -> dict[str, Any]:
    """Return the values of the fields of `ResultBase`, which the results of all analyses have, by field name."""
    common = common_to_all(measurement, predictions, choices)
    uncertainty = Uncertainty(**common.uncertainty)
    return {**common.fields, "uncertainty": uncertainty, "notes": common.notes, "warnings": common.warnings}


def common_to_all(measurement: Measurement, predictions: Predictions, choices: Choices) -> Contribution:
    """Return what the results of all analyses have: the fields of `ResultBase`, and those of each of their groups."""
    measurement = as_read(measurement, choices.reader, choices.words)
    record = measurement.record
    asked, model = predictions.asked, record.model
    prompts = len(chosen_groups(asked, choices)) * len(predictions.context_weights)
    bounds = measurement.bounds if asked.words == record.asked.words else predictions.bounds
    bound = min(1.0, float(bounds.max()) * predictions.margin.most_classes)
    notes = [*predictions.notes, *record.notes, *notes_of(record), *measurement.remarks]
    if bound:
        notes.append(f"improbable words left out: no class probability is further than {bound:.2g} from the exact one")
    uncertainty = uncertainty_of(measurement, choices)
    few = few_units(uncertainty)
    notes += [] if model.wording == "bare" else [_on_chat(model)]
    if asked.words != record.asked.words:
        notes.append("only some of the words count; the candidate mass is that of all words that were asked")
    if predictions.missing:
        why = "no sample is a candidate word" if model.samples else "every candidate word has probability 0"
        why = why if measurement.answers.summary is None else "no text was read"
        notes.append(f"{predictions.missing} of {prompts} prompts are missing: {why} there")
    if asked.generation and measurement.answers.summary:
        notes.append(f"{asked.generation.described}; {measurement.answers.summary.described}")
    thoughts = _thoughts(measurement, predictions)
    if asked.thinking and thoughts:
        notes.append(f"{asked.thinking.described}; {thoughts.described}")
    fields = {
        "measurement": record.digest,
        "model": model.name,
        "model_path": model.path,
        **model.model_dump(include=OF_MODEL),
        "labels": record.labels,
        "topic": asked.topic,
        "selection": selection_of(asked, choices),
        "margin": choices.margin,
        "language": asked.language,
        "criterion": choices.criterion_name,
        "reference": choices.reference,
        "reference_in_contexts": predictions.reference_in_contexts,
        "group_weights": choices.group_weights,
        "words": {attribute.name: attribute.words for attribute in asked.attributes},
        "contexts": asked.contexts,
        "example": record.check.first_prompt,
        "number_of_contexts": len(predictions.context_weights),
        "effective_contexts": float(1.0 / (predictions.context_weights**2).sum()),
        "prompts": prompts,
        "missing": predictions.missing,
        "deviation_bound": bound,
        "generation": asked.generation,
        "reader": choices.reader.name if choices.reader else "",
        "texts": measurement.answers.summary,
        "thinking": asked.thinking,
        "thoughts": thoughts,
        "candidate_mass": record.check.candidate_mass,
    }
    return Contribution(
        fields=fields,
        uncertainty=dict(uncertainty),
        notes=tuple(notes),
        warnings=(*warnings_of(record), *([few] if few and uncertainty.unit != "template" else [])),
    )


def _on_chat(model: MeasuredModel) -> str:
    turn = {
        "bare": "",
        "chat": "contexts are what the user says in a chat",
        "chat-assistant": f"contexts begin the assistant's answer in a chat, and the user says: {model.user}",
        "by-context": "some contexts are in chats of their own",
    }[model.wording]
    return f"{turn}, and the system says: {model.system}" if model.system else turn


def _thoughts(measurement: Measurement, predictions: Predictions) -> ThoughtsRead | None:
    """What the thoughts of a measurement did; None: there are none."""
    thoughts, after = measurement.answers, predictions.after_thoughts
    if not isinstance(thoughts, AfterThoughts) or after is None:
        return None
    weights, p_x = predictions.weights_of_group, predictions.group_weights
    return ThoughtsRead(
        thought=thoughts.ended.size,
        ended=int(thoughts.ended.sum()),
        other_class=share_of_other_class(after, weights, p_x),
    )
