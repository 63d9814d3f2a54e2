"""How often thinking changes the answer: the leading class after a thought, beside that of a run without thought."""

from collections.abc import Sequence

import numpy as np

from bvf.analyses.compare.result import ChangedByThought
from bvf.arrays import FloatArray
from bvf.stats.sampling.samples import ContextSample
from bvf.study.study import Study

SHARE = "share"


def changed_by_thought(studies: Sequence[Study], names: Sequence[str]) -> ChangedByThought | None:
    """Return how often another class leads after a thought than without; None unless one of two models thinks."""
    thinks = [each.measurement.answers.way == "thoughts" for each in studies]
    if sorted(thinks) != [False, True]:
        return None
    after, without = (studies[thinks.index(which)] for which in (True, False))
    sample, level, predictions = after.sample, after.choices.level, after.predictions
    before = _leading(without.predictions.stereotypes)

    def differs(stereotypes: FloatArray) -> FloatArray:
        now = _leading(stereotypes)
        other: FloatArray = (now != before.repeat(now.shape[1] // before.shape[1], axis=1)).astype(np.float64)
        return other

    shares = predictions.basis.mean_of(differs, predictions.probabilities, predictions.reference)
    in_these = ContextSample(predictions.context_weights, "template")
    averaged = after.average(SHARE, shares, sample or in_these).sampled
    estimate = averaged.estimates(predictions.group_weights, level).total
    return ChangedByThought(
        with_thought=names[thinks.index(True)],
        without=names[thinks.index(False)],
        share=float(estimate.value),
        low=None if sample is None else float(estimate.low),
        high=None if sample is None else float(estimate.high),
        level=level,
    )


def _leading(stereotypes: FloatArray) -> FloatArray:
    """The index of the class with the largest p / p*, on the last axis; 0 where p is missing."""
    leading: FloatArray = np.nan_to_num(stereotypes, nan=-2.0).argmax(axis=-1)
    return leading
