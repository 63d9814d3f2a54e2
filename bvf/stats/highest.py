"""Which groups may have the highest figure: paired tests against the group that is highest in the sample."""

import numpy as np

from bvf.arrays import BoolArray, FloatArray
from bvf.stats.comparison import paired_p_values
from bvf.stats.each_group import each_group
from bvf.stats.estimates import Decomposition, Estimate, Moved
from bvf.stats.intervals import Sampled
from bvf.stats.quantiles import student_tail
from bvf.stats.samples import NO_ERROR


def may_be_highest(sampled: Sampled, of_groups: Decomposition, level: float) -> tuple[BoolArray, BoolArray]:
    """Return masks of the groups that may have the highest E_c[J(v)], and the highest J(E_c[v]), shape (X,) each.

    The group a with the highest figure in the sample is compared with every other group x: groups have the same
    contexts, so the test is about the influence of each context on the difference. Because a was chosen as the highest
    of X groups, each p value counts for all X (X - 1) / 2 pairs of groups (Bonferroni): group x is below a if
    p X (X - 1) / 2 < 1 - level. The probability that any group is wrongly found below a is at most 1 - level.

    p is the larger one of `paired_p_values` and of Student's t without a correction for skewness. Such small p values
    lie where the correction, which is one for the middle of the distribution, finds too much: of 20 equal groups that
    are nearly certain it alone told some apart in 17 % of samples of 400 contexts, both in 2 %.

    Args:
        sampled: The vectors v of each group, and J.
        of_groups: The estimates of each group.
        level: 1 minus that probability, such as 0.95.
    """
    total, of_mean, _ = sampled.moved_by_unseen(each_group(len(sampled.vectors)))
    sign = -1.0 if sampled.J.concave else 1.0
    on_total, on_mean, _ = sampled.influences
    return (
        _not_below(sampled, of_groups.total, sign * on_total, total, level),
        _not_below(sampled, of_groups.of_mean, sign * on_mean, of_mean, level),
    )


def _not_below(sampled: Sampled, estimate: Estimate, influence: FloatArray, moved: Moved, level: float) -> BoolArray:
    first = int(np.argmax(estimate.value))
    apart = [point[first] - point for point in estimate.bracket]
    unseen = np.maximum(moved.up[first] + moved.down, moved.down[first] + moved.up)
    on_difference, sample = influence[first] - influence, sampled.sample
    error = sample.standard_errors(on_difference)
    moves = error > NO_ERROR
    t = np.divide(np.minimum(*np.abs(apart)), error, out=np.zeros_like(error), where=moves)
    of_t = np.where(moves, 2.0 * student_tail(t, sample.freedom), 0.0)
    p_values = np.maximum(paired_p_values(apart, on_difference, unseen, sample), of_t)
    pairs = len(p_values) * (len(p_values) - 1) / 2.0
    below: BoolArray = p_values * pairs < 1.0 - level
    return ~below
