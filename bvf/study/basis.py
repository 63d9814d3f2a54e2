"""What an analysis rests on: groups with a weight and a p*, and the probabilities of those that have an answer."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from bvf.arrays import BoolArray, FloatArray
from bvf.domain.measurement import Asked, MeasuredModel, Measurement
from bvf.domain.topic import Group
from bvf.errors import BvfError
from bvf.interfaces.analysis import Choices
from bvf.stats.candidates import among_candidates
from bvf.stats.probabilities import mean_probabilities, mean_reference
from bvf.study.margin import Margin, counted, margin_of
from bvf.study.reference import PRIOR, first_of, prior_of, refuse_missing_contexts, rows_in_contexts
from bvf.study.trust import notes_of, warnings_of
from bvf.study.uncertainty import uncertainty_of


@dataclass(frozen=True)
class Basis:
    """The groups, weights and answers that an analysis uses.

    Args:
        asked: The questions.
        groups: X.
        group_weights: P(X), shape (X,), sums to 1.
        context_weights: P(C), shape (C,), sums to 1.
        reference: p*, shape (X, 1, Y), or (X, C, Y) where it changes with the context; None: the mean over groups.
        probabilities: p(y | x, c), shape (X, C, Y); NaN where it is missing.
        margin: The classes of the analysis.
        missing: How many prompts are missing.
        notes: What was left out, one sentence each.
    """

    asked: Asked
    groups: tuple[Group, ...]
    group_weights: FloatArray
    context_weights: FloatArray
    reference: FloatArray | None
    probabilities: FloatArray
    margin: Margin
    missing: int = 0
    notes: tuple[str, ...] = ()

    @property
    def classes(self) -> tuple[str, ...]:
        """Y."""
        return self.margin.classes

    def only(self, kept: BoolArray, why: str) -> "Basis":
        """Return the basis with some of its groups; a note names the others and says why they are left out."""
        if kept.all():
            return self
        others = [group.name for group, stays in zip(self.groups, kept, strict=True) if not stays]
        weights = self.group_weights[kept]
        return replace(
            self,
            groups=tuple(group for group, stays in zip(self.groups, kept, strict=True) if stays),
            group_weights=weights / weights.sum(),
            reference=None if self.reference is None else self.reference[kept],
            probabilities=self.probabilities[kept],
            notes=(*self.notes, f"{len(others)} of {len(self.groups)} groups left out, {why}: {first_of(others)}"),
        )

    def of_each_group(self, reference: FloatArray) -> list[dict[str, Any]]:
        """Return what every analysis says about each group, as fields of its result.

        Args:
            reference: p*, shape (X, Y), (X, 1, Y) or (X, C, Y); a result has its mean over contexts.
        """
        mean = mean_probabilities(self.probabilities, self.context_weights)
        p_star = mean_reference(reference, self.probabilities, self.context_weights)
        return [
            {
                "group": group.name,
                "gloss": group.gloss,
                "factors": group.factors,
                "weight": float(self.group_weights[x]),
                "mean_probabilities": dict(zip(self.classes, mean[x].tolist(), strict=True)),
                "reference_probabilities": dict(zip(self.classes, p_star[x].tolist(), strict=True)),
            }
            for x, group in enumerate(self.groups)
        ]


def chosen_groups(asked: Asked, choices: Choices) -> list[int]:
    """Return the places of the groups that have a weight and a p*.

    Raises:
        BvfError: No group has.
    """
    kept = [
        x
        for x, name in enumerate(asked.group_names)
        if choices.weight_of.get(name, 0.0) > 0 and (choices.p_star_of is None or name in choices.p_star_of)
    ]
    if not kept:
        raise BvfError(
            f"--group-weights {choices.group_weights} and --reference {choices.reference} have no group of "
            f"{asked.topic}",
            f"name groups of the topic, e.g. {asked.group_names[0]}",
        )
    return kept


def basis_of(measurement: Measurement, choices: Choices, candidates: BoolArray | None = None) -> Basis:
    """Return the part of a measurement that the choices keep.

    Args:
        measurement: With log p-hat of words, where only some words count.
        choices: How it is analysed.
        candidates: Per group, the classes that it chooses among, shape (X, Y) for all groups asked; None: all.

    Raises:
        BvfError: No group is left, or words are chosen that were not asked or not kept.
    """
    asked = measurement.record.asked
    asked, probabilities = counted(asked, measurement, choices.words)
    margin = margin_of(asked, choices.margin)
    if candidates is not None:
        probabilities = among_candidates(probabilities, candidates)
    kept = np.isin(np.arange(len(asked.groups)), chosen_groups(asked, choices))
    everyone = Basis(
        asked=asked,
        groups=asked.groups,
        group_weights=np.array([choices.weight_of.get(name, 0.0) for name in asked.group_names]),
        context_weights=asked.context_weights,
        reference=_reference(measurement, choices, margin),
        probabilities=margin.of(probabilities),
        margin=margin,
        notes=choices.notes,
    ).only(kept, "without a weight or a reference")
    there = ~np.isnan(everyone.probabilities).any(axis=2)
    answered: BoolArray = np.any(there & (everyone.context_weights > 0), axis=1)
    if not answered.any():
        raise BvfError(
            f"{measurement.record.model.name} gives every candidate word the probability 0 in every prompt, so no "
            "group has an answer",
            "choose other words with --words, or another model",
        )
    basis = everyone.only(answered, "as every candidate word has probability 0 in all their prompts")
    return replace(
        basis,
        group_weights=basis.group_weights / basis.group_weights.sum(),
        missing=int((~there).sum()),
    )


def common_fields(measurement: Measurement, basis: Basis, choices: Choices) -> dict[str, Any]:
    """Return the fields that every result has."""
    record = measurement.record
    asked, model = basis.asked, record.model
    prompts = len(chosen_groups(asked, choices)) * len(basis.context_weights)
    bound = min(1.0, float(measurement.bounds.max()) * basis.margin.most_classes)
    notes = [*basis.notes, *record.notes, *notes_of(record.check), *measurement.remarks]
    if bound:
        notes.append(f"improbable words left out: no class probability is further than {bound:.2g} from the exact one")
    if model.wording != "bare":
        system = f", and the system says: {model.system}" if model.system else ""
        notes.append(f"{_whose_turn(model)}{system}")
    if asked.words != record.asked.words:
        notes.append("only some of the words count; the candidate mass is that of all words that were asked")
    if basis.missing:
        why = "no sample is a candidate word" if model.samples else "every candidate word has probability 0"
        notes.append(f"{basis.missing} of {prompts} prompts are missing: {why} there")
    return {
        "measurement": record.digest,
        "model": model.name,
        "model_path": model.path,
        "revision": model.revision,
        "labels": record.labels,
        "backend": model.backend,
        "wording": model.wording,
        "system": model.system,
        "user": model.user,
        "topic": asked.topic,
        "margin": choices.margin,
        "language": asked.language,
        "criterion": choices.criterion_name,
        "reference": choices.reference,
        "reference_in_contexts": basis.reference is not None and basis.reference.shape[1] > 1,
        "group_weights": choices.group_weights,
        "words": {attribute.name: attribute.words for attribute in asked.attributes},
        "contexts": asked.contexts,
        "number_of_contexts": len(basis.context_weights),
        "effective_contexts": float(1.0 / (basis.context_weights**2).sum()),
        "prompts": prompts,
        "missing": basis.missing,
        "word_boundary": model.word_boundary,
        "tolerance": model.tolerance,
        "samples": model.samples,
        "deviation_bound": bound,
        "candidate_mass": record.check.candidate_mass,
        "uncertainty": uncertainty_of(measurement, choices),
        "warnings": tuple(warnings_of(record.check)),
        "notes": tuple(notes),
    }


def _whose_turn(model: MeasuredModel) -> str:
    if model.wording == "chat":
        return "contexts are what the user says in a chat"
    return f"contexts begin the assistant's answer in a chat, and the user says: {model.user}"


def _reference(measurement: Measurement, choices: Choices, margin: Margin) -> FloatArray | None:
    asked, nobody = measurement.record.asked, np.full(len(margin.classes), np.nan)
    if choices.reference == PRIOR:
        p_star = margin.of(prior_of(measurement, choices.words))
        return np.broadcast_to(p_star, (len(asked.groups), *p_star.shape))
    if choices.p_star_of is None:
        return None
    if not choices.p_star_in:
        return np.array([[choices.p_star_of.get(name, nobody)] for name in asked.group_names])
    refuse_missing_contexts(choices.p_star_in, asked, choices.reference)
    return rows_in_contexts(choices.p_star_in, asked.group_names, asked)
