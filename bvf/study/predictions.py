"""The input of every analysis: predictions p(y | x, c) for the included groups and contexts, weights, and p*; leans."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from bvf.arrays import BoolArray, FloatArray
from bvf.domain.answers import Samples
from bvf.domain.asked import Asked, AskedTemplate
from bvf.domain.context import properties_in
from bvf.domain.groups import Selection
from bvf.domain.measurement import Measurement
from bvf.domain.openings import BARE, OPENING
from bvf.domain.topic import Group
from bvf.errors import BvfError, nearest
from bvf.interfaces.analysis import Choices
from bvf.measuring.kind import as_read, kind_called
from bvf.stats.figures.probabilities import (
    among_candidates,
    mean_over_contexts,
    mean_probabilities,
    mean_reference,
    normalised_context_weights,
)
from bvf.stats.figures.risk import mean_prediction
from bvf.stats.sampling.intervals import Sampled, itself
from bvf.stats.sampling.sampled_answers import Answers, Counted, Drawn, Exact, on_simplex
from bvf.stats.sampling.samples import ContextSample
from bvf.study.margin import Margin, counted, margin_of
from bvf.study.reference import PRIOR, first_of, prior_of, refuse_missing_contexts, rows_in_contexts
from bvf.study.sample import sample_of
from bvf.tables.words import in_a_list

if TYPE_CHECKING:
    import pandas as pd

FEW = 12
"""The most words that an error lists."""
ROUNDING = 1e-12
"""How far weights that were divided by their sum may sum to another number than 1."""


@dataclass(frozen=True, eq=False)
class Predictions:
    """The array p(y | x, c), the names along its axes, their weights, and p*.

    Args:
        asked: The questions of the measurement, restricted to the words that are analysed.
        groups: The groups X.
        templates: The contexts C.
        margin: The classes of the analysis.
        group_weights: P(X), shape (X,), sums to 1.
        context_weights: P(C), shape (C,), sums to 1.
        probabilities: p(y | x, c), shape (X, C, Y); NaN where it is missing.
        chosen_reference: p*, shape (X, 1, Y), or (X, C, Y) where it changes with the context; None: the mean over
            groups.
        sample: The contexts as a sample of their source; None: they are not a sample.
        bounds: Error bound of the probabilities of measured classes, shape (X, C).
        missing: Number of prompts whose probabilities are missing.
        notes: Sentences on what was left out of the analysis.
        basis: What ``probabilities`` rest on: they are exact, shares of counts, or means over thoughts.
    """

    asked: Asked
    groups: tuple[Group, ...]
    templates: tuple[AskedTemplate, ...]
    margin: Margin
    group_weights: FloatArray
    context_weights: FloatArray
    probabilities: FloatArray
    chosen_reference: FloatArray | None
    bounds: FloatArray
    sample: ContextSample | None = None
    missing: int = 0
    notes: tuple[str, ...] = ()
    basis: Exact = field(default_factory=Exact)

    @cached_property
    def random(self) -> Drawn | None:
        """The answers that p(y | x, c) are estimated from, with p*; None: probabilities were computed."""
        return self.basis.random(self.reference)

    @property
    def answers(self) -> Answers | None:
        """The sampled answers whose shares are p(y | x, c); None: there are none."""
        return self.random if isinstance(self.random, Answers) else None

    @property
    def classes(self) -> tuple[str, ...]:
        """The names of the classes Y of the analysis."""
        return self.margin.classes

    @cached_property
    def group_names(self) -> tuple[str, ...]:
        """The names of the groups X."""
        return tuple(group.name for group in self.groups)

    @cached_property
    def contexts(self) -> tuple[str, ...]:
        """The texts of the contexts C, including the names of image or sound files in them."""
        return tuple(each.context.key for each in self.templates)

    @cached_property
    def parts_of_contexts(self) -> Mapping[str, tuple[str, ...]]:
        """The opening and the template of each context, by the name of a column; empty if templates stand bare."""
        parts = (OPENING, BARE) if self.asked.openings is not None else ()
        return {name: tuple(each.columns[name] for each in self.templates) for name in parts}

    @cached_property
    def properties(self) -> tuple[Mapping[str, str], ...]:
        """The properties of each context, such as verb or tense, from further columns of the context file.

        Of an opening it is whether there is one.
        """
        return tuple(properties_in(each.properties) for each in self.templates)

    @cached_property
    def reference(self) -> FloatArray:
        """p*, shape (X, 1, Y) or (X, C, Y).

        It is the chosen reference, or the mean prediction over groups and contexts.

        Raises:
            BvfError: p* is the mean prediction, and that gives a class the probability 0.
        """
        if self.chosen_reference is not None:
            return self.chosen_reference
        mean = mean_prediction(self.probabilities, self.context_weights, self.group_weights)
        if not mean.all():
            raise BvfError(
                f"--reference mean: no group gives the class {self.classes[int(mean.argmin())]} any probability",
                "p* is above 0 for every class: choose another reference",
            )
        return np.tile(mean, (len(self.groups), 1, 1))

    @property
    def reference_in_contexts(self) -> bool:
        """Whether p* depends on the context."""
        return self.chosen_reference is not None and self.chosen_reference.shape[1] > 1

    @property
    def stereotypes(self) -> FloatArray:
        """The stereotypes s = p / p* - 1 (Eq. 1), shape (X, C, Y)."""
        return self.probabilities / self.reference - 1.0

    @property
    def lean(self) -> FloatArray:
        """The leans p - p*, shape (X, C, Y)."""
        return self.probabilities - self.reference

    @property
    def unclipped(self) -> FloatArray:
        """p(y | x, c) without bias, shape (X, C, Y): corrected for errors of reading, it may be below 0 or above 1."""
        return self.basis.unclipped(self.probabilities)

    @cached_property
    def apart(self) -> FloatArray:
        """What a prompt says of an estimate that all contexts of its group share, with mean 0, shape (X, C, Y).

        Added to p, it leaves means over contexts as they are, and gives their variance the whole error.
        """
        apart = (0.0 if self.random is None else self.random.apart) + 0.0 * self.probabilities
        return apart - mean_over_contexts(apart, self.weights_of_group)[:, np.newaxis]

    @property
    def every_answer(self) -> tuple[FloatArray, FloatArray]:
        """The p of every answer, (X, N, Y), and its weight in its group, (X, N).

        There is an answer per context, or where the model thinks, per thought in a context.
        """
        return self.basis.every(self.probabilities, self.weights_of_group)

    @property
    def mean_reference(self) -> FloatArray:
        """E_c[p*], shape (X, Y)."""
        return mean_reference(self.reference, self.probabilities, self.context_weights)

    @property
    def sampled_leans(self) -> list[Sampled] | None:
        """P - (p* - E_c[p*]) of each class, for intervals of leans; None: the contexts are not a sample."""
        if self.sample is None:
            return None
        each = itself(len(self.group_names))
        p = self.probabilities + self.apart - (self.reference - self.mean_reference[:, np.newaxis])
        return [Sampled(p[..., y : y + 1], each, self.sample) for y in range(len(self.classes))]

    @property
    def weights_of_group(self) -> FloatArray:
        """P(C) for each group, normalised over its contexts that are not missing, shape (X, C)."""
        return normalised_context_weights(self.context_weights, self.probabilities)

    def against_mean_reference(self) -> "Predictions":
        """Return predictions p = E_c[p*] (1 + s): the same stereotypes s, but the reference E_c[p*] in all contexts."""
        if not self.reference_in_contexts:
            return self
        p_star = self.mean_reference[:, np.newaxis]
        return replace(
            self,
            probabilities=(self.stereotypes + 1.0) * p_star,
            chosen_reference=p_star,
            basis=self.basis.scaled(p_star / self.reference),
        )

    def of_groups(self, kept: BoolArray) -> "Predictions":
        """Return the predictions p(y | x, c) restricted to the groups in the mask ``kept``, shape (X,)."""
        p_star, weights = self.chosen_reference, self.group_weights[kept]
        return replace(
            self,
            groups=tuple(group for group, stays in zip(self.groups, kept, strict=True) if stays),
            group_weights=weights / weights.sum(),
            chosen_reference=None if p_star is None else p_star[kept],
            probabilities=self.probabilities[kept],
            bounds=self.bounds[kept],
            basis=self.basis.each(lambda values: values[kept]),
        )

    def in_contexts(self, kept: BoolArray) -> "Predictions":
        """Return the predictions p(y | x, c) restricted to the contexts in the mask ``kept``, shape (C,)."""
        p_star = self.chosen_reference
        return replace(
            self,
            templates=tuple(self.templates[c] for c in np.flatnonzero(kept)),
            context_weights=self.context_weights[kept] / self.context_weights[kept].sum(),
            probabilities=self.probabilities[:, kept],
            bounds=self.bounds[:, kept],
            chosen_reference=p_star[:, kept] if p_star is not None and self.reference_in_contexts else p_star,
            sample=None if self.sample is None else self.sample.only(kept),
            basis=self.basis.each(lambda values: values[:, kept]),
        )

    def of_each_group(self, reference: FloatArray | None = None) -> list[dict[str, Any]]:
        """Return for each group the fields that all results have (`GroupResult`), such as E_c[p] and E_c[p*].

        ``reference``, shape (X, Y), (X, 1, Y) or (X, C, Y), replaces the p* of the predictions.
        """
        mean = mean_probabilities(self.unclipped, self.context_weights)
        mean = on_simplex(mean) if (mean < 0.0).any() else mean
        chosen = self.reference if reference is None else reference
        p_star = mean_reference(chosen, self.probabilities, self.context_weights)
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
    """Return the indices of the groups named in the choices (if none, of all) that have a weight above 0 and a p*.

    Raises:
        BvfError: No group has both.
    """
    named = choices.groups or asked.group_names
    names = set(named)
    kept = [
        x
        for x, name in enumerate(asked.group_names)
        if name in names
        and choices.weight_of.get(name, 0.0) > 0
        and (choices.p_star_of is None or name in choices.p_star_of)
    ]
    if not kept:
        whose = f"the groups {first_of(named)}" if choices.groups else asked.topic
        raise BvfError(
            f"--group-weights {choices.group_weights} and --reference {choices.reference} have no group of {whose}",
            f"name groups of the topic, e.g. {asked.group_names[0]}",
        )
    return kept


def selection_of(asked: Asked, choices: Choices) -> Selection | None:
    """Return how the groups of an analysis were selected, by its choices or by the run. None: all are included."""
    if not choices.groups or len(choices.groups) == len(asked.groups):
        return asked.selection
    return Selection(of=len(asked.groups))


def basis_of(measurement: Measurement, choices: Choices, candidates: BoolArray | None = None) -> Predictions:
    """Return a measurement's predictions p(y | x, c) for the groups and words that are included in the analysis.

    Args:
        measurement: Must have stored log p-hat of words if only some words are chosen.
        choices: The choices of the analysis.
        candidates: Mask of each group's candidate classes, shape (X, Y), with all measured groups X; None: all classes.

    Raises:
        BvfError: No group is left, chosen words were not measured, or log p-hat of words was not stored.
    """
    measurement = as_read(measurement, choices.reader, choices.words)
    asked, probabilities, bounds = counted(measurement.record.asked, measurement, choices.words)
    margin = margin_of(asked, choices.margin)
    p, basis = read_basis(measurement, asked, margin, margin.of(probabilities))
    if candidates is not None:
        p = among_candidates(p, candidates)
        basis = basis.scaled(np.ones_like(p))
    if basis.is_corrected and choices.margin:
        raise BvfError(
            f"--margin {choices.margin}: the error of the reader {choices.reader and choices.reader.name} was counted "
            "for all classes",
            "leave --margin out, or take another reader",
        )
    kept = np.isin(np.arange(len(asked.groups)), chosen_groups(asked, choices))
    everyone = Predictions(
        asked=asked,
        groups=asked.groups,
        templates=asked.in_order,
        margin=margin,
        group_weights=np.array([choices.weight_of.get(name, 0.0) for name in asked.group_names]),
        context_weights=asked.context_weights,
        probabilities=p,
        chosen_reference=_reference(measurement, choices, margin),
        bounds=bounds,
        sample=sample_of(measurement, choices),
        notes=choices.notes,
        basis=basis,
    )
    chosen = _without(*_named(everyone, choices, kept), "without a weight or a reference")
    there = ~np.isnan(chosen.probabilities).any(axis=2)
    answered: BoolArray = np.any(there & (chosen.context_weights > 0), axis=1)
    if not answered.any():
        model, none = measurement.record.model, "so no group has an answer"
        if measurement.answers.way == "texts":
            raise BvfError(f"{model.name}: no text was read, {none}", "choose other groups or another reader")
        sentences = ", or read its sentences: --reading generated" if model.samples else ""
        hint = f"choose other words with --words, or another model{sentences}"
        if 0 < len(others := _words_with_a_probability(measurement)) <= FEW:
            only = f"of all words that were asked, it gives a probability to {in_a_list(others)} only"
            hint = f"{only}: choose these with --words, or ask it about your words alone: bvf run --words"
        raise BvfError(f"{model.name} gives every candidate word the probability 0 in every prompt, {none}", hint)
    predictions = _without(chosen, answered, "as none of their prompts has an answer")
    return replace(predictions, group_weights=_summing_to_1(predictions.group_weights), missing=int((~there).sum()))


def read_basis(measurement: Measurement, asked: Asked, margin: Margin, p: FloatArray) -> tuple[FloatArray, Exact]:
    """Return p(y | x, c), corrected for errors of reading, and what it rests on; ``p`` is as it was read."""
    kept = np.isin(measurement.record.asked.words, asked.words)
    answers = measurement.answers.of_words(measurement.word_logprobs, kept)
    counts, generation = answers.counts(p), measurement.record.asked.generation
    if counts is None:
        return p, kind_called(measurement.record.asked.reading).basis(answers, margin.of)
    error = answers.summary.error if answers.summary else None
    if generation and not generation.temperature and error is None:
        return p, Exact()  # another text would be the same
    vectors = answers.vectors if isinstance(answers, Samples) else None
    matrix, vectors = np.array(error.rates) if error else None, None if vectors is None else margin.of(vectors)
    basis = Counted(counts, matrix, vectors)
    return (p if matrix is None and vectors is None else on_simplex(basis.unclipped(p))), basis


def _words_with_a_probability(measurement: Measurement) -> list[str]:
    """The words with a probability above 0 in some prompt, of all that were asked; empty if this was not stored."""
    if measurement.word_logprobs is None:
        return []
    there: BoolArray = np.any(np.isfinite(measurement.word_logprobs), axis=(0, 1))
    return [word for word, known in zip(measurement.record.asked.words, there, strict=True) if known]


def _summing_to_1(weights: FloatArray) -> FloatArray:
    """The weights divided by their sum. Those of a stored result stay as they are, to the last digit."""
    total = float(weights.sum())
    return weights if abs(total - 1.0) <= ROUNDING else weights / total


def _named(predictions: Predictions, choices: Choices, kept: BoolArray) -> tuple[Predictions, BoolArray]:
    """The predictions of the groups named in the choices, and their elements of ``kept``. A note gives their number."""
    named, selection = np.isin(predictions.group_names, choices.groups), selection_of(predictions.asked, choices)
    if selection is None or not named.any() or named.all():
        return predictions, kept
    note = f"{len(choices.groups)} of {selection.of} groups, {selection}"
    return replace(predictions.of_groups(named), notes=(*predictions.notes, note)), kept[named]


def _without(predictions: Predictions, kept: BoolArray, why: str) -> Predictions:
    """The predictions of the groups in the mask ``kept``. A note names the others, and has ``why``."""
    if kept.all():
        return predictions
    others = [name for name, stays in zip(predictions.group_names, kept, strict=True) if not stays]
    note = f"{len(others)} of {len(kept)} groups left out, {why}: {first_of(others)}"
    return replace(predictions.of_groups(kept), notes=(*predictions.notes, note))


def _reference(measurement: Measurement, choices: Choices, margin: Margin) -> FloatArray | None:
    asked, unknown = measurement.record.asked, np.full(len(margin.classes), np.nan)
    if choices.reference == PRIOR:
        p_star = margin.of(prior_of(measurement, choices.words, choices.reader))
        return np.broadcast_to(p_star, (len(asked.groups), *p_star.shape))
    if choices.p_star_of is None:
        return None
    if not choices.p_star_in:
        return np.array([[choices.p_star_of.get(name, unknown)] for name in asked.group_names])
    refuse_missing_contexts(choices.p_star_in, asked, choices.reference)
    return rows_in_contexts(choices.p_star_in, asked.group_names, asked)


def lean_in_probability(read: Predictions, name: str) -> tuple[FloatArray, FloatArray]:
    """Return E_c[p - p*] of the named class, (X,), and the influence of each context on it, (X, C)."""
    return mean_in_contexts((read.lean + read.apart)[..., read.classes.index(name)], read)


def mean_in_contexts(values: FloatArray, read: Predictions) -> tuple[FloatArray, FloatArray]:
    """Return E_c of values, (X, C), where they are known, (X,), and the influence of each context on it, (X, C)."""
    each = values[..., np.newaxis]
    mean = mean_over_contexts(each, normalised_context_weights(read.context_weights, each))[:, 0]
    there = ~np.isnan(values)
    known = there / (there @ read.context_weights)[:, np.newaxis]
    return mean, known * (np.where(there, values, 0.0) - mean[:, np.newaxis])


@dataclass(frozen=True, eq=False, repr=False)
class Probabilities:
    """The array p(y | x, c), with names along its axes. numpy and `bvf.decompose` take it as an array.

    Args:
        values: Shape (X, C, Y), 0 to 1, sums to 1 over Y; NaN where it is missing.
        groups: Names of the groups X.
        contexts: Texts of the contexts C.
        classes: Names of the classes Y.
        context_weights: P(C), shape (C,), sums to 1.
        group_weights: P(X), shape (X,), sums to 1.
    """

    values: FloatArray
    groups: tuple[str, ...]
    contexts: tuple[str, ...]
    classes: tuple[str, ...]
    context_weights: FloatArray
    group_weights: FloatArray

    @property
    def shape(self) -> tuple[int, ...]:
        """The numbers of groups, contexts and classes."""
        return self.values.shape

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> FloatArray:
        return np.array(self.values, dtype=dtype, copy=copy)

    def __getitem__(self, place: Any) -> Any:
        return self.values[place]

    def __repr__(self) -> str:
        groups, contexts, classes = self.shape
        return f"Probabilities({groups} groups, {contexts} contexts, {classes} classes: {', '.join(self.classes)})"

    def of(self, group: str = "", context: str = "", attribute: str = "") -> FloatArray:
        """Return the values of a named group, context or class (attribute). The named axes are dropped.

        Raises:
            BvfError: There is no such group, context or class.
        """
        places = (
            _place(group, self.groups, "group"),
            _place(context, self.contexts, "context"),
            _place(attribute, self.classes, "class"),
        )
        return self.values[places]

    def to_series(self) -> "pd.Series[float]":
        """Return the values as a series indexed by ``group``, ``context`` and ``attribute``."""
        import pandas as pd

        names = ["group", "context", "attribute"]
        index = pd.MultiIndex.from_product([self.groups, self.contexts, self.classes], names=names)
        return pd.Series(self.values.ravel(), index=index, name="probability")


def _place(name: str, names: tuple[str, ...], what: str) -> int | slice:
    if not name:
        return slice(None)
    if name not in names:
        raise BvfError(f'there is no {what} "{name}"', nearest(name, list(names)[:1000]))
    return names.index(name)
