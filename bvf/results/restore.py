"""Restores what a stored result was computed from.

These are the measurement (read from its folder), the choices of the analysis (criterion, weights, reference p*; from
the result), and the predictions: the array p(y | x, c) that was analysed.
"""

from dataclasses import replace

import numpy as np

from bvf.arrays import FloatArray
from bvf.domain.asked import Asked
from bvf.domain.measurement import Measurement, MeasurementRecord
from bvf.errors import BvfError
from bvf.hooks.loader import Plugins, load
from bvf.interfaces.analysis import Choices
from bvf.interfaces.criterion import Criterion, KnowledgeCriterion
from bvf.interfaces.texts import NamedReader
from bvf.measuring.folder import RunFolder, read_record
from bvf.measuring.kind import as_read, kind_called
from bvf.results.result import ResultBase
from bvf.results.unknown import refuse_missing
from bvf.study.choices import choices_by
from bvf.study.config import AnalysisConfig
from bvf.study.margin import Margin, counted, margin_of
from bvf.study.predictions import Predictions, read_basis
from bvf.study.reference import OWN, PRIOR, InContexts, chosen_reference, not_opened, prior_of, rows_in_contexts
from bvf.study.sample import sample_by
from bvf.study.study import Study


def measurement_of(result: ResultBase, read: Measurement | MeasurementRecord | None = None) -> Measurement:
    """Return the measurement that a result was computed from: questions, model, and probabilities, from its folder.

    Log p-hat of words is in it only if some words are left out of the analysis. What is given in ``read`` is not read
    again: the record, or the whole measurement with log p-hat of words.

    Raises:
        BvfError: The result was not stored, or its folder is gone, incomplete, or holds another measurement.
    """
    if result.folder is None or not result.folder.is_dir():
        raise BvfError("this result has no folder with probabilities", "read it with bvf.read_result(FOLDER)")
    record = record_of(read) or read_record(result.folder)
    if record.digest != result.measurement:
        raise BvfError(f"{result.folder} holds another measurement than that of this result")
    words = bool(words_chosen(result, record.asked))
    if isinstance(read, Measurement):
        measurement = read if words else replace(read, word_logprobs=None)
    else:
        measurement = RunFolder(result.folder).measurement(record, words=words)
    return as_analysed(result, measurement)


def record_of(read: Measurement | MeasurementRecord | None) -> MeasurementRecord | None:
    """Return the record of what was read of a folder; None if nothing was."""
    return read.record if isinstance(read, Measurement) else read


def as_analysed(result: ResultBase, measurement: Measurement) -> Measurement:
    """Return the measurement of a result with the contexts that were drawn when the result was computed."""
    return measurement.first_draws(result.uncertainty.draws)


def words_chosen(result: ResultBase, asked: Asked) -> dict[str, tuple[str, ...]]:
    """Return the words of each class that are included in the analysis; empty if all measured words are."""
    fewer = any(set(each.words) != set(result.words[each.name]) for each in asked.attributes)
    return result.words if fewer else {}


def predictions_of(
    result: ResultBase, measurement: Measurement | None = None, plugins: Plugins | None = None
) -> Predictions:
    """Return the array p(y | x, c) that a result was computed from, with its weights and the reference p*.

    The measurement of the result is read if it is not given, which raises the errors of `measurement_of`. ``plugins``
    have the reader of generated texts; None: the installed ones.
    """
    measurement = as_analysed(result, measurement) if measurement else measurement_of(result)
    measurement = _as_read(result, measurement, plugins)
    asked, classes, bounds = counted(measurement.record.asked, measurement, result.words)
    margin, unit = margin_of(asked, result.margin), result.uncertainty.unit
    rows = [asked.row_of[group.group] for group in result.groups]
    probabilities = margin.of(classes)
    p, basis = read_basis(measurement, asked, margin, probabilities)
    return Predictions(
        asked=asked,
        groups=tuple(asked.groups[x] for x in rows),
        templates=asked.in_order,
        margin=margin,
        group_weights=np.array([group.weight for group in result.groups]),
        context_weights=asked.context_weights,
        probabilities=p[rows],
        chosen_reference=_reference(result, measurement, margin, plugins),
        bounds=bounds[rows],
        sample=sample_by(measurement, unit) if unit else None,
        basis=basis.each(lambda values: values[rows]),
    )


def study_of(result: ResultBase, plugins: Plugins, measurement: Measurement | None = None) -> Study:
    """Return a result's `Study`: its measurement (read if not given), choices of analysis, and p(y | x, c).

    Raises:
        BvfError: The measurement cannot be read (see `measurement_of`), or the criterion is not installed.
    """
    measurement = as_analysed(result, measurement) if measurement else measurement_of(result)
    choices = choices_of(result, measurement.record.asked, plugins)
    measurement = _as_read(result, measurement, plugins)
    return Study(measurement, choices, predictions_of(result, measurement, plugins))


def _as_read(result: ResultBase, measurement: Measurement, plugins: Plugins | None) -> Measurement:
    """The measurement with p from the texts, as the reader of the result reads them. Unchanged if there are none."""
    return as_read(measurement, _reader_of(result, measurement.record.asked, plugins), result.words)


def _reader_of(result: ResultBase, asked: Asked, plugins: Plugins | None) -> NamedReader | None:
    kind = kind_called(asked.reading)
    return kind.reader(kind.reader_of(result), asked, plugins or load()) if kind.needs_reader else None


def choices_of(result: ResultBase, asked: Asked, plugins: Plugins) -> Choices:
    """Return the choices of the analysis that gave a result: criterion J, scale, weights, reference p*, words.

    J is made from its name; weights and p* are read from the result.

    Raises:
        BvfError: The criterion is not installed.
    """
    in_contexts = result.reference_in_contexts and result.reference != PRIOR
    p_star = {group.group: np.array(list(group.reference_probabilities.values())) for group in result.groups}
    return choices_by(
        AnalysisConfig(**{**result.method_fields(asked), "words": result.words, "reader": result.reader_again(asked)}),
        asked,
        plugins,
        criterion=_criterion_of(result, margin_of(asked, result.margin).classes, plugins),
        weight_of={group.group: group.weight for group in result.groups},
        p_star_of=None if result.reference in OWN else p_star,
        p_star_in=_in_contexts(result, asked) if in_contexts else {},
    )


def _criterion_of(result: ResultBase, classes: tuple[str, ...], plugins: Plugins) -> Criterion | KnowledgeCriterion:
    refuse_missing(result, plugins)
    criterion: Criterion | KnowledgeCriterion = plugins.criteria.make(result.criterion)
    return criterion.for_classes(classes) if isinstance(criterion, Criterion) else criterion


def risk_criterion_of(result: ResultBase, classes: tuple[str, ...], plugins: Plugins) -> Criterion:
    """Return the criterion J of a risk result, made for classes with the names ``classes``.

    Raises:
        BvfError: The criterion is not installed, or is not a criterion of risk.
    """
    criterion = _criterion_of(result, classes, plugins)
    if not isinstance(criterion, Criterion):
        raise BvfError(f"{result.criterion} is not a criterion of risk")
    return criterion


def _reference(result: ResultBase, measurement: Measurement, margin: Margin, plugins: Plugins | None) -> FloatArray:
    """The p* of a result: stored, (X, 1, Y), or computed again, (X, C, Y), if it depends on the context."""
    if not result.reference_in_contexts:
        return np.array([[[g.reference_probabilities[name] for name in margin.classes]] for g in result.groups])
    if result.reference == PRIOR:
        reader = _reader_of(result, measurement.record.asked, plugins)
        p_star = margin.of(prior_of(measurement, result.words, reader))
        return np.broadcast_to(p_star, (len(result.groups), *p_star.shape))
    asked = measurement.record.asked
    return margin.of(rows_in_contexts(_in_contexts(result, asked), [group.group for group in result.groups], asked))


def _in_contexts(result: ResultBase, asked: Asked) -> InContexts:
    """The p* of a result in each context, from the file that the user names."""
    choices = result._given.choices
    file = result.reference if choices is None else choices.get("reference", "")
    table = chosen_reference(file, asked).in_contexts if file else {}
    if not table:
        raise not_opened(result, "--reference", result.reference)
    return table
