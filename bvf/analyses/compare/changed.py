"""How often thinking changes the answer: the leading class after a thought, beside that of a run without thought."""

from collections.abc import Sequence

import numpy as np

from bvf.analyses.compare.result import ChangedByThought
from bvf.arrays import FloatArray
from bvf.stats.sampling.samples import ContextSample
from bvf.study.basis import ByThought
from bvf.study.study import Study

SHARE = "share"


def changed_by_thought(studies: Sequence[Study], names: Sequence[str]) -> ChangedByThought | None:
    """Return how often another class leads after a thought than without; None unless one of two models thinks."""
    thinks = [isinstance(each.predictions.basis, ByThought) for each in studies]
    if sorted(thinks) != [False, True]:
        return None
    after, without = (studies[thinks.index(which)] for which in (True, False))
    basis, sample, level = after.predictions.basis, after.sample, after.choices.level
    assert isinstance(basis, ByThought)
    p_star = after.predictions.reference
    leads = _leading(basis.probabilities / p_star[:, :, np.newaxis])
    before = _leading(without.predictions.probabilities / without.predictions.reference)
    shares = (leads != before[..., np.newaxis]).mean(axis=2)
    in_these = ContextSample(after.predictions.context_weights, "template")
    averaged = after.average(SHARE, shares, sample or in_these).sampled
    estimate = averaged.estimates(after.predictions.group_weights, level).total
    return ChangedByThought(
        with_thought=names[thinks.index(True)],
        without=names[thinks.index(False)],
        share=float(estimate.value),
        low=None if sample is None else float(estimate.low),
        high=None if sample is None else float(estimate.high),
        level=level,
    )


def _leading(ratios: FloatArray) -> FloatArray:
    """The index of the class with the largest p / p*, on the last axis; 0 where p is missing."""
    leading: FloatArray = np.nan_to_num(ratios).argmax(axis=-1)
    return leading
