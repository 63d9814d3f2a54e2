"""Intervals of the shares of variance components, for other contexts: the jackknife of their logits."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from bvf.stats import ContextSample, FloatArray, student_quantile, variance_components

NEAREST = 1e-3
"""Shares nearer to 0 or 1 than this count as this near: a logit has no end."""
FEWEST_CONTEXTS = 10


class ShareWithEnds(NamedTuple):
    """A share of the variance, its standard deviation, and the ends of its interval; None: contexts are no sample."""

    share: float
    deviation: float
    low: float | None = None
    high: float | None = None


def component_shares(
    values: FloatArray,
    group_weights: FloatArray,
    context_weights: FloatArray,
    sample: ContextSample | None,
    level: float,
) -> tuple[ShareWithEnds, ShareWithEnds, ShareWithEnds]:
    """Return what groups, contexts and their interaction add to the variance of values, none missing, shape (X, C).

    There are intervals for contexts that are a sample and of equal weight, ten or more.
    """
    vectors = values[..., np.newaxis]
    parts = variance_components(vectors, group_weights, context_weights, sample)
    deviations = np.sqrt([parts.group, parts.context, parts.interaction]).tolist()
    contexts = values.shape[1]
    ends: Sequence[tuple[float | None, float | None]] = [(None, None)] * 3
    if sample is not None and contexts >= FEWEST_CONTEXTS and np.ptp(sample.counts) == 0.0 and parts.total > 0.0:
        without = [_shares(values[:, np.arange(contexts) != c], group_weights) for c in range(contexts)]
        ends = _ends(np.array(parts.shares[:3]), np.array(without), level)
    first, second, third = (
        ShareWithEnds(share, deviation, *both)
        for share, deviation, both in zip(parts.shares[:3], deviations, ends, strict=True)
    )
    return first, second, third


def _shares(values: FloatArray, group_weights: FloatArray) -> tuple[float, float, float]:
    even = np.ones(values.shape[1])
    parts = variance_components(
        values[..., np.newaxis], group_weights, even / len(even), ContextSample(even, "template")
    )
    return parts.shares[:3]


def _ends(shares: FloatArray, without: FloatArray, level: float) -> Sequence[tuple[float, float]]:
    contexts, logits = len(without), _logit(without)
    errors = np.sqrt((contexts - 1.0) / contexts * ((logits - logits.mean(axis=0)) ** 2).sum(axis=0))
    reach = float(student_quantile(0.5 + level / 2.0, contexts - 1.0)) * errors
    low, high = (1.0 / (1.0 + np.exp(-(_logit(shares) + side * reach))) for side in (-1.0, 1.0))
    low, high = np.where(shares <= NEAREST, 0.0, low), np.where(shares >= 1.0 - NEAREST, 1.0, high)
    return list(zip(np.minimum(low, shares).tolist(), np.maximum(high, shares).tolist(), strict=True))


def _logit(shares: FloatArray) -> FloatArray:
    kept = np.clip(shares, NEAREST, 1.0 - NEAREST)
    return np.log(kept / (1.0 - kept))
