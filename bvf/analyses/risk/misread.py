"""Risks of texts that a reader with a counted error read: intervals include what is not known of that error."""

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from bvf.analyses.risk.result import Result
from bvf.arrays import FloatArray, IntArray
from bvf.stats.figures.each_group import each_group
from bvf.stats.sampling.reading_error import Confusion, differs_between
from bvf.stats.sampling.sampled_answers import Answers
from bvf.stats.sampling.sampled_risk import SampledRisk
from bvf.stats.sampling.samples import ContextSample
from bvf.study.averages import Names, parts_of_risk
from bvf.study.study import Study
from bvf.study.uncertainty import Interval
from bvf.tables.symbols import symbols
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
    the others are each group's. The reach is the same to both sides, the larger one: near 0, where figures cannot be
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


def on_reading_error(result: Result, study: Study) -> Result:
    """Return the result with intervals that include the error of M, and notes on the correction.

    Unchanged if no error was counted.
    """
    predictions, answers = study.predictions, study.predictions.answers
    confusion = predictions.confusion
    if confusion is None or answers is None or result.texts is None or result.texts.error is None:
        return result
    notes = (*_notes(study, confusion), *result.notes)
    error = differs_between(_by_group(result.texts.error.by_group, predictions.classes))
    warnings = result.warnings
    if error is not None and error < UNEQUAL:
        warnings += (
            f"the reader's error differs between groups of the labelled texts (p = {error:.2g}): the correction takes "
            "it as the same for all, and differences of groups hold the rest",
        )
    elif error is not None:
        notes += (f"no difference of the reader's error between groups of the labelled texts (p = {error:.2g})",)
    if study.holds_noise:
        return result.model_copy(update={"notes": notes, "warnings": warnings})
    sample = study.sample or ContextSample(predictions.context_weights, "template")

    def risk_of(given: Answers) -> SampledRisk:
        return study.sampled_risk(sample, given)

    found = reaches(answers, confusion, risk_of, study.choices.level)
    parts = {part.names: part.of_group for part in parts_of_risk(study.sampled_risk(sample))}
    of_all = {name: float(by) for names, rows in found.items() for name, by in zip(names, rows[:, 0], strict=True)}
    of_group = [
        {
            name: float(by)
            for names, rows in found.items()
            for name, by in zip(parts[names] or (), rows[:, 1 + x], strict=False)
        }
        for x in range(len(result.groups))
    ]
    uncertainty = result.uncertainty
    figures = {name: getattr(result, name) for name in of_all}
    kept = {
        "intervals": _wider(uncertainty.intervals, figures, of_all),
        "as_templates": _wider(uncertainty.as_templates, figures, of_all),
    }
    sampled = result.sampled
    if sampled is not None:
        sampled = sampled.model_copy(update={"intervals": _wider(sampled.intervals, figures, of_all)})
    groups = tuple(
        group.model_copy(update={"intervals": _wider(group.intervals, group.model_dump(), by)})
        for group, by in zip(result.groups, of_group, strict=True)
    )
    return result.model_copy(
        update={
            "uncertainty": uncertainty.model_copy(update=kept),
            "sampled": sampled,
            "groups": groups,
            "notes": notes,
            "warnings": warnings,
        }
    )


def _wider(
    intervals: Mapping[str, Interval], figures: Mapping[str, float | None], by: Mapping[str, float]
) -> dict[str, Interval]:
    """Intervals with a further, independent error of figures."""
    return {name: further(each, figures.get(name), by.get(name, 0.0)) for name, each in intervals.items()}


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
