"""The predictions that a stored result rests on, as arrays."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

import numpy as np

from bvf.arrays import BoolArray, FloatArray
from bvf.domain.measurement import Asked, Measurement
from bvf.errors import BvfError
from bvf.measuring.folder import Folder, read_record
from bvf.stats.probabilities import mean_reference, normalised_context_weights
from bvf.stats.samples import ContextSample
from bvf.study.margin import Margin, counted, margin_of
from bvf.study.reference import PRIOR, chosen_reference, prior_of, rows_in_contexts
from bvf.study.sample import sample_by
from bvf.study.uncertainty import Uncertainty


class StoredGroup(Protocol):
    """What is read of a group in a result."""

    @property
    def group(self) -> str: ...

    @property
    def reference_probabilities(self) -> Mapping[str, float]: ...


class StoredResult(Protocol):
    """What is read of a result to find what it rests on."""

    @property
    def folder(self) -> Path | None: ...

    @property
    def measurement(self) -> str: ...

    @property
    def words(self) -> dict[str, tuple[str, ...]]: ...

    @property
    def margin(self) -> str: ...

    @property
    def reference(self) -> str: ...

    @property
    def reference_in_contexts(self) -> bool: ...

    @property
    def uncertainty(self) -> Uncertainty: ...

    @property
    def groups(self) -> Sequence[StoredGroup]: ...


@dataclass(frozen=True)
class Distribution:
    """The predictions that a result rests on, read from its folder.

    Args:
        groups: X, those of the result.
        contexts: C.
        properties: What the context file says of each context, by the name of its column: verb, family, tense.
        classes: Y.
        weights: P(C), shape (C,).
        p: p(y | x, c), shape (X, C, Y); NaN where it is missing.
        p_star: p*, shape (X, 1, Y), or (X, C, Y) where it changes with the context.
        sample: What the contexts are a sample of; None: they are no sample.
    """

    groups: tuple[str, ...]
    contexts: tuple[str, ...]
    properties: tuple[dict[str, str], ...]
    classes: tuple[str, ...]
    weights: FloatArray
    p: FloatArray
    p_star: FloatArray
    sample: ContextSample | None

    def only(self, kept: BoolArray) -> "Distribution":
        """Return the predictions in some of the contexts.

        Args:
            kept: Which of them stay, shape (C,); one at least.
        """
        places = np.flatnonzero(kept)
        return replace(
            self,
            contexts=tuple(self.contexts[c] for c in places),
            properties=tuple(self.properties[c] for c in places),
            weights=self.weights[kept] / self.weights[kept].sum(),
            p=self.p[:, kept],
            p_star=self.p_star if self.p_star.shape[1] == 1 else self.p_star[:, kept],
            sample=None if self.sample is None else self.sample.only(kept),
        )

    @property
    def s(self) -> FloatArray:
        """Stereotypes (Eq. 1), shape (X, C, Y)."""
        stereotypes: FloatArray = self.p / self.p_star - 1.0
        return stereotypes

    @property
    def lean(self) -> FloatArray:
        """How far each prediction is from p*, in probability, shape (X, C, Y)."""
        lean: FloatArray = self.p - self.p_star
        return lean

    def against_mean_p_star(self) -> "Distribution":
        """Return the same stereotypes with E_c[p*] as p*, for uses that need one p* in all contexts."""
        if self.p_star.shape[1] == 1:
            return self
        p_star = self.mean_p_star[:, np.newaxis]
        return replace(self, p=(self.s + 1.0) * p_star, p_star=p_star)

    @property
    def mean_p_star(self) -> FloatArray:
        """E_c[p*], shape (X, Y)."""
        return mean_reference(self.p_star, self.p, self.weights)

    @property
    def weights_of_group(self) -> FloatArray:
        """P(C) over the contexts that are there for each group, shape (X, C)."""
        return normalised_context_weights(self.weights, self.p)


def measurement_of(result: StoredResult) -> Measurement:
    """Return the measurement that a result rests on; with log p-hat of words only where not all of them count.

    Raises:
        BvfError: The result was not stored, its folder is gone, or not all of its own probabilities are there.
    """
    if result.folder is None or not result.folder.is_dir():
        raise BvfError("this result has no folder with probabilities", "read it with bvf.read_result(FOLDER)")
    record = read_record(result.folder)
    if record.digest != result.measurement:
        raise BvfError(f"{result.folder} holds another measurement than that of this result")
    return Folder(result.folder).measurement(record, words=bool(words_chosen(result, record.asked)))


def words_chosen(result: StoredResult, asked: Asked) -> dict[str, tuple[str, ...]]:
    """Return the words that count for each class; empty: all that were asked."""
    fewer = any(set(each.words) != set(result.words[each.name]) for each in asked.attributes)
    return result.words if fewer else {}


def distribution_of(result: StoredResult, measurement: Measurement | None = None) -> Distribution:
    """Return the predictions that a result rests on.

    Args:
        result: Of any analysis.
        measurement: That of the result, where it has been read; None: it is read.

    Raises:
        BvfError: As `measurement_of`.
    """
    measurement = measurement or measurement_of(result)
    asked, classes = counted(measurement.record.asked, measurement, result.words)
    margin = margin_of(asked, result.margin)
    names = tuple(group.group for group in result.groups)
    unit = result.uncertainty.unit
    return Distribution(
        groups=names,
        contexts=tuple(each.context.key for each in asked.in_order),
        properties=tuple(dict(each.columns) for each in asked.in_order),
        classes=margin.classes,
        weights=asked.context_weights,
        p=margin.of(classes)[[asked.group_names.index(name) for name in names]],
        p_star=_reference(result, measurement, margin),
        sample=sample_by(measurement, unit) if unit else None,
    )


def _reference(result: StoredResult, measurement: Measurement, margin: Margin) -> FloatArray:
    """p* of a result, shape (X, 1, Y); where it changes with the context it is worked out again, shape (X, C, Y)."""
    if not result.reference_in_contexts:
        return np.array([[[g.reference_probabilities[name] for name in margin.classes]] for g in result.groups])
    if result.reference == PRIOR:
        p_star = margin.of(prior_of(measurement, result.words))
        return np.broadcast_to(p_star, (len(result.groups), *p_star.shape))
    asked = measurement.record.asked
    table = chosen_reference(result.reference, asked).in_contexts
    return margin.of(rows_in_contexts(table, [group.group for group in result.groups], asked))
