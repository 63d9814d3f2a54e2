"""Intervals of accuracy and consistency over wordings, and of all figures over subjects."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bvf import Interval, Study
from bvf_knowledge.stats.answers import Ends, accuracy_ends, consistency_ends, ends_over_subjects
from bvf_knowledge.tables import SCORES


def intervals_of_answers(study: Study, truth: NDArray[np.intp]) -> dict[str, Interval]:
    """Return the intervals of accuracy and consistency over wordings, by field; empty if contexts are no sample.

    ``truth`` is the index of the true answer of each subject, shape (X,).
    """
    if study.sample is None:
        return {}
    p, weights, level = study.predictions.probabilities, study.predictions.group_weights, study.choices.level
    return _intervals(
        {
            "accuracy": accuracy_ends(p, truth, weights, study.sample, level),
            "consistency": consistency_ends(p, weights, study.sample, level),
        }
    )


def over_subjects(study: Study, subjects: Sequence[Mapping[str, Any]]) -> dict[str, Interval]:
    """Return the intervals of all figures over subjects, whose values by field are in ``subjects``."""
    values: dict[str, list[float | None]] = {
        **{name: [each[name] for each in subjects] for name in SCORES},
        "accuracy": [float(each["says"] == each["truth"]) for each in subjects],
        "consistency": [np.nan if each["consistency"] is None else each["consistency"] for each in subjects],
    }
    if subjects[0]["corrected_mastery"] is not None:
        values["corrected_mastery"] = [each["corrected_mastery"] for each in subjects]
    of_each = {name: np.array(of, dtype=np.float64) for name, of in values.items()}
    weights, level = study.predictions.group_weights, study.choices.level
    return _intervals({name: ends_over_subjects(of, weights, level) for name, of in of_each.items()})


def _intervals(ends: dict[str, Ends | None]) -> dict[str, Interval]:
    return {name: Interval(low=both.low, high=both.high) for name, both in ends.items() if both is not None}
