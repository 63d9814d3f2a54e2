"""The classes that groups lean to: how many groups per class, and how many significantly."""

import numpy as np

from bvf.analyses.risk.result import Result, Side
from bvf.arrays import FloatArray
from bvf.results.restore import predictions_of
from bvf.stats.comparing.adjusting import holm
from bvf.stats.sampling.intervals import Sampled
from bvf.stats.sampling.judged import itself
from bvf.study.predictions import Predictions
from bvf.study.study import Study
from bvf.tables.words import NOTHING


def sampled_classes(result: Result, predictions: Predictions | None) -> list[Sampled] | None:
    """Return p - (p* - E_c[p*]) per class as `Sampled`, for intervals of leans. None: contexts are not a random sample.

    ``predictions``, p(y | x, c) of the result, are read from its folder if they are not given.
    """
    return _sampled(predictions or predictions_of(result)) if result.uncertainty.intervals else None


def _sampled(read: Predictions) -> list[Sampled] | None:
    if read.sample is None:
        return None
    each = itself(len(read.group_names))
    p = read.probabilities - (read.reference - read.mean_reference[:, np.newaxis])
    return [Sampled(p[..., y : y + 1], each, read.sample) for y in range(len(read.classes))]


def sides_of(study: Study) -> tuple[Side, ...]:
    """Count the groups that lean to each class. For two classes, also count those whose lean is significant.

    ``surely`` is None where contexts are not a sample, or with more than two classes. Classes to which no group leans
    are left out.
    """
    predictions, classes = study.predictions, study.predictions.classes
    groups = list(predictions.of_each_group())
    mean, p_star = (
        np.array([[group[field][name] for name in classes] for group in groups])
        for field in ("mean_probabilities", "reference_probabilities")
    )
    lean: FloatArray = mean - p_star
    led = lean.argmax(axis=1) if len(classes) == 2 else (mean / p_star).argmax(axis=1)
    leans = np.abs(lean).max(axis=1) >= NOTHING
    sampled = _sampled(predictions) if study.criterion.curvature != "neither" else None
    sure = None
    if sampled and len(classes) == 2:
        sure = holm(sampled[0].sample.p_values(lean[:, 0], sampled[0].influences[0])) < 1.0 - study.choices.level
    return tuple(
        Side(name=name, groups=int(leaning.sum()), surely=None if sure is None else int((leaning & sure).sum()))
        for y, name in enumerate(classes)
        if (leaning := leans & (led == y)).any()
    )
