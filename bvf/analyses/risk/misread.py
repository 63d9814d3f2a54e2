"""Risks of texts that a reader with a counted error read: intervals include what is not known of that error."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from bvf.arrays import FloatArray, IntArray
from bvf.results.contribution import NOTHING, Contribution
from bvf.results.intervals import Intervals
from bvf.stats.figures.each_group import each_group
from bvf.stats.sampling.reading_error import Confusion, differs_between
from bvf.stats.sampling.sampled_answers import Answers
from bvf.stats.sampling.sampled_risk import SampledRisk
from bvf.stats.sampling.samples import ContextSample
from bvf.study.averages import Names, parts_of_risk
from bvf.study.study import Study
from bvf.study.uncertainty import Interval
from bvf.tables.quantities import symbols
from bvf.tables.words import in_a_list

SPLITS = 2
"""Splits of the answers into halves for each matrix that is drawn."""
UNEQUAL = 0.05
"""Errors that differ between groups with this p value are a warning."""


def reaches(
    answers: Answers, confusion: Confusion, risk_of: Callable[[Answers], SampledRisk], level: float
) -> dict[Names, FloatArray]:
    """Return how far each figure may be off by the error of the counted matrix M, shape (3, 1 + X), by their names.

    Matrices are drawn around the counted one, and figures computed with each. The first column is that of all groups,
    the others are each group's. The reach is the same to both sides: the larger one, because near 0 a figure
    cannot fall further.
    """

    def figures(matrix: FloatArray | None) -> list[FloatArray]:
        found = risk_of(replace(answers, matrix=matrix, splits=SPLITS))
        of_all, of_each = found.group_weights, each_group(len(found.group_weights))
        values = [[part.sampled.values(p_x) for p_x in (of_all, of_each)] for part in parts_of_risk(found)]
        return [np.column_stack([np.stack(every), np.stack(each)]) for every, each in values]

    names = [part.names for part in parts_of_risk(risk_of(answers))]
    here, drawn = figures(answers.matrix), [figures(matrix) for matrix in confusion.drawn_again()]
    outer = 0.5 - level / 2.0, 0.5 + level / 2.0
    ends = [np.quantile(np.stack(each), outer, axis=0) for each in zip(*drawn, strict=True)]
    return {
        name: np.maximum(np.maximum(value - low, high - value), 0.0)
        for name, value, (low, high) in zip(names, here, ends, strict=True)
    }


@dataclass(frozen=True)
class ReadingError:
    """What is not known of the error of a reader: sentences on it, and how far figures may be off by it.

    Args:
        correction: Notes on what was corrected; they come first in the result.
        doubt: A note or warning on differences between groups.
        of_all: How far each figure over all groups may be off, by field; empty: no error was counted.
        of_groups: The same of the figures of each group.
    """

    correction: Contribution = NOTHING
    doubt: Contribution = NOTHING
    of_all: Mapping[str, float] = field(default_factory=dict)
    of_groups: Sequence[Mapping[str, float]] = ()

    def widened(self, intervals: Intervals, figures: Contribution) -> Intervals:
        """Return intervals that hold this error too; ``figures`` has the values that they are of."""
        if not self.of_all:
            return intervals

        def wider(name: str, interval: Interval, x: int | None) -> Interval:
            values, by = (figures.fields, self.of_all) if x is None else (figures.of_groups[x], self.of_groups[x])
            return further(interval, values.get(name), by.get(name, 0.0))

        as_templates = {name: wider(name, each, None) for name, each in intervals.as_templates.items()}
        return replace(intervals.changed(wider), as_templates=as_templates)


def reading_error_of(study: Study) -> ReadingError:
    """Return what is not known of the error of the reader of a study's texts; nothing if no error was counted."""
    predictions, answers, texts = study.predictions, study.predictions.answers, study.measurement.answers.summary
    confusion = predictions.basis.confusion
    if confusion is None or answers is None or texts is None or texts.error is None:
        return ReadingError()
    correction, doubt = Contribution(notes=tuple(_notes(study, confusion))), NOTHING
    error = differs_between(_by_group(texts.error.by_group, predictions.classes))
    if error is not None and error < UNEQUAL:
        warning = (
            f"the reader's error differs between groups of the labelled texts (p = {error:.2g}): the correction takes "
            "it as the same for all, and differences of groups hold the rest"
        )
        doubt = Contribution(warnings=(warning,))
    elif error is not None:
        note = f"no difference of the reader's error between groups of the labelled texts (p = {error:.2g})"
        doubt = Contribution(notes=(note,))
    if study.holds_noise:
        return ReadingError(correction, doubt)
    sample = study.sample or ContextSample(predictions.context_weights, "template")
    found = reaches(answers, confusion, lambda given: study.sampled_risk(sample, given), study.choices.level)
    of_all, of_groups = dict[str, float](), [dict[str, float]() for _ in predictions.groups]
    for part in parts_of_risk(study.sampled_risk(sample)):
        rows = found[part.names]
        of_all |= zip(part.names, map(float, rows[:, 0]), strict=True)
        for of_group, column in zip(of_groups, rows[:, 1:].T, strict=True):
            of_group |= zip(part.of_group or (), map(float, column), strict=False)
    return ReadingError(correction, doubt, of_all, of_groups)


def further(interval: Interval, value: float | None, by: float) -> Interval:
    """Return the interval of a figure with a further, independent error; None, a figure that is not there: the same."""
    if value is None:
        return interval
    low = value - float(np.hypot(max(value - interval.low, 0.0), by))
    high = value + float(np.hypot(max(interval.high - value, 0.0), by))
    return interval.model_copy(update={"low": min(max(low, 0.0), interval.low), "high": max(high, interval.high)})


def _notes(study: Study, confusion: Confusion) -> list[str]:
    """Sentences on the correction, and on what was clipped by it."""
    predictions = study.predictions
    outside = int((np.nan_to_num(predictions.unclipped) < 0.0).any(axis=2).sum())
    prompts = predictions.unclipped[..., 0].size
    all_of_them = in_a_list(symbols("R", "R_bias", "R_volatility"))
    notes = [
        "p is corrected for the error of the reader, which is taken as the same in all groups; intervals of "
        f"{all_of_them} hold what its labelled texts leave open"
    ]
    if outside:
        notes.append(
            f"corrected shares of {outside} of {prompts} prompts are below 0 or above 1: single ones are shown as the "
            "nearest possible, and the figures take them as they are"
        )
    return notes


def _by_group(counts: Mapping[str, Mapping[str, tuple[int, int]]], classes: tuple[str, ...]) -> IntArray:
    """How often texts of a group with a label were read wrongly and rightly, shape (G, Y, 2)."""
    rows = [[of_group.get(name, (0, 0)) for name in classes] for of_group in counts.values()]
    return np.array(rows, dtype=np.intp).reshape(-1, len(classes), 2)
