"""What the parts of an analysis add to its result. They are joined, and the result is built once from all of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from bvf.domain.measurement import MeasuredModel, Measurement
from bvf.interfaces.analysis import Choices
from bvf.measuring.kind import as_read, kind_called
from bvf.results.result import ResultBase
from bvf.study.candidate_mass import mass_of_words, notes_of, warnings_of
from bvf.study.predictions import Predictions, chosen_groups, selection_of
from bvf.study.uncertainty import Uncertainty, few_units, uncertainty_of

R = TypeVar("R", bound=ResultBase)
Values = Mapping[str, Any]


@dataclass(frozen=True)
class Contribution:
    """What a part of an analysis adds to a result. Join contributions by ``|``; `built` makes the result.

    Args:
        fields: Values of the result, by field.
        of_groups: Values of each group, by field, in the order of the result; empty: nothing is added to groups.
        uncertainty: Values of its `Uncertainty`, by field.
        notes: What was left out or chosen, one sentence each.
        warnings: What makes figures doubtful, one sentence each.
    """

    fields: Values = field(default_factory=dict)
    of_groups: Sequence[Values] = ()
    uncertainty: Values = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def __or__(self, other: "Contribution") -> "Contribution":
        """Return both as one. Sentences of the first come first; of two values of a field the second is kept."""
        pairs = zip(self.of_groups, other.of_groups, strict=True) if self.of_groups and other.of_groups else ()
        return Contribution(
            fields={**self.fields, **other.fields},
            of_groups=[{**one, **more} for one, more in pairs] or self.of_groups or other.of_groups,
            uncertainty={**self.uncertainty, **other.uncertainty},
            notes=(*self.notes, *other.notes),
            warnings=(*self.warnings, *other.warnings),
        )

    def built(self, kind: type[R]) -> R:
        """Return a result of the class ``kind`` with these values.

        Raises:
            ValidationError: A field is missing or unknown, or a figure is infinite or NaN.
        """
        return kind(
            **{
                **self.fields,
                "groups": self.of_groups,
                "uncertainty": Uncertainty(**self.uncertainty),
                "notes": self.notes,
                "warnings": self.warnings,
            }
        )

    def added_to(self, result: R) -> R:
        """Return a built result with the fields, notes and warnings of what is computed from outside its analysis."""
        notes, warnings = (*result.notes, *self.notes), (*result.warnings, *self.warnings)
        return result.model_copy(update={**self.fields, "notes": notes, "warnings": warnings})


NOTHING = Contribution()


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
    told = kind_called(asked.reading).told(measurement, predictions)
    notes = [*predictions.notes, *record.notes, *notes_of(record), *measurement.remarks]
    if bound:
        notes.append(f"improbable words left out: no class probability is further than {bound:.2g} from the exact one")
    uncertainty = uncertainty_of(measurement, choices)
    few = few_units(uncertainty)
    notes += [] if model.wording == "bare" else [_on_chat(model)]
    if asked.words != record.asked.words:
        notes.append(
            "only some of the words count; their candidate mass is that of all words, times their mean share of it"
        )
    if predictions.missing:
        why = "no sample is a candidate word" if model.samples else "every candidate word has probability 0"
        why = "no text was read" if "texts" in told else why
        notes.append(f"{predictions.missing} of {prompts} prompts are missing: {why} there")
    how = asked.drawn.values()
    notes += [f"{each.described}; {what.described}" for each, what in zip(how, told.values(), strict=True)]
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
        "analysis": choices.analysis,
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
        **asked.drawn,
        **told,
        "reader": choices.reader.name if choices.reader else "",
        "candidate_mass": mass_of_words(measurement, asked),
    }
    return Contribution(
        fields=fields,
        uncertainty=dict(uncertainty),
        notes=tuple(notes),
        warnings=(*warnings_of(measurement, asked), *([few] if few and uncertainty.unit != "template" else [])),
    )


def _on_chat(model: MeasuredModel) -> str:
    turn = {
        "bare": "",
        "chat": "contexts are what the user says in a chat",
        "chat-assistant": f"contexts begin the assistant's answer in a chat, and the user says: {model.user}",
        "by-context": "some contexts are in chats of their own",
    }[model.wording]
    return f"{turn}, and the system says: {model.system}" if model.system else turn
