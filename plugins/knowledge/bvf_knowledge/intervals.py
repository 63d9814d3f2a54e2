"""Intervals of accuracy and consistency over wordings, and of all figures over subjects."""

import numpy as np
from numpy.typing import NDArray

from bvf.stats.sampling.answers import Ends, accuracy_ends, consistency_ends, ends_over_subjects
from bvf.study.study import Study
from bvf.study.uncertainty import Interval
from bvf_knowledge.result import KnowledgeResult
from bvf_knowledge.tables import SCORES


def with_intervals_of_answers(result: KnowledgeResult, study: Study, truth: NDArray[np.intp]) -> KnowledgeResult:
    """Return the result with intervals of accuracy and consistency, and of every figure over subjects.

    ``truth`` is the index of the true answer of each subject, shape (X,).
    """
    uncertainty, over_subjects = result.uncertainty, _over_subjects(result, study.predictions.group_weights)
    if study.sample is not None:
        weights, level = study.predictions.group_weights, study.choices.level
        p = study.predictions.probabilities
        ends = {
            "accuracy": accuracy_ends(p, truth, weights, study.sample, level),
            "consistency": consistency_ends(p, weights, study.sample, level),
        }
        uncertainty = uncertainty.model_copy(update={"intervals": uncertainty.intervals | _intervals(ends)})
    return result.model_copy(update={"uncertainty": uncertainty, "over_subjects": over_subjects})


def _over_subjects(result: KnowledgeResult, weights: NDArray[np.float64]) -> dict[str, Interval]:
    subjects, level = result.groups, result.uncertainty.level
    values: dict[str, list[float | None]] = {
        **{name: [getattr(each, name) for each in subjects] for name in SCORES},
        "accuracy": [float(each.says == each.truth) for each in subjects],
        "consistency": [np.nan if each.consistency is None else each.consistency for each in subjects],
    }
    if result.corrected_mastery is not None:
        values["corrected_mastery"] = [each.corrected_mastery for each in subjects]
    of_each = {name: np.array(of, dtype=np.float64) for name, of in values.items()}
    return _intervals({name: ends_over_subjects(of, weights, level) for name, of in of_each.items()})


def _intervals(ends: dict[str, Ends | None]) -> dict[str, Interval]:
    return {name: Interval(low=both.low, high=both.high) for name, both in ends.items() if both is not None}
