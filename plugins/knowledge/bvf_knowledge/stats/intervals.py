"""Intervals of means over wordings and subjects, of shares of variance; and effects of rows of a table.

Axes: X subjects, C wordings of one question, Y candidate answers.

Rows are wordings and columns subjects, or the other way round. All columns are in both means: differences are paired.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from bvf.stats import (
    NO_ERROR,
    BoolArray,
    ContextSample,
    FloatArray,
    holm,
    mean_probabilities,
    student_quantile,
    variance_components,
)
from bvf_knowledge.stats.candidates import is_true
from bvf_knowledge.stats.knowledge import consistency, top_answers

DRAWS = 1000
"""How many times the means over wordings are drawn around those that were measured."""
AS_MUCH_AGAIN = 3.0**0.5
"""Noise of this many standard deviations, added to noise of one, gives noise of two."""
OF_BOTH = 2.0**0.5
"""How many standard deviations two independent noises of one have together."""
FEWEST_SUBJECTS = 24
"""The fewest subjects for which there are intervals over subjects; with ten, too few of them hold."""
NEAREST = 1e-3
"""Shares nearer to 0 or 1 than this count as this near: a logit has no end."""
FEWEST_CONTEXTS = 10


class Ends(NamedTuple):
    """The lower and the upper end of an interval."""

    low: float
    high: float


def accuracy_ends(
    probabilities: FloatArray, truth: BoolArray, group_weights: FloatArray, sample: ContextSample, level: float
) -> Ends:
    """Return the interval over wordings of the share of subjects whose true answer is on top of E_c[p].

    The share is a step function of the means E_c[p], so no tangent describes it. The means are drawn `DRAWS` times
    around those measured, as a normal distribution with the covariances of the sample. The standard deviation of the
    share over draws is that of the share itself, as these hold noise around a mean that holds noise too: the interval
    reaches `OF_BOTH` times as far. Noise also moves the share: the measured one holds noise, and as much again is added
    by drawing with `AS_MUCH_AGAIN` times the deviation. The interval reaches as far to the other side of the share as
    this moves it.

    Args:
        probabilities: p(y | x, c), shape (X, C, Y); NaN where a prompt is missing.
        truth: Which answers of each subject are true, shape (X, Y).
        group_weights: P(X), shape (X,), sums to 1.
        sample: The wordings as a sample.
        level: Level of the interval, such as 0.95.
    """
    means = mean_probabilities(probabilities, sample.weights)
    share = float(group_weights @ is_true(top_answers(means), truth))
    noise, drawn, noisier = np.random.default_rng(sample.seed), np.zeros(DRAWS), np.zeros(DRAWS)
    directions = None
    for x, mean in enumerate(means):
        scores = _scores_of_means(probabilities[x], mean, sample)
        directions = noise.standard_normal((DRAWS, scores.shape[1])) if directions is None else directions
        away = directions @ scores.T
        drawn += group_weights[x] * is_true(top_answers(mean + away)[np.newaxis], truth[[x]])[0]
        noisier += group_weights[x] * is_true(top_answers(mean + AS_MUCH_AGAIN * away)[np.newaxis], truth[[x]])[0]
    reach = OF_BOTH * float(student_quantile(0.5 + level / 2.0, sample.freedom)) * float(drawn.std(ddof=1))
    moved = float(noisier.mean()) - share
    if reach + abs(moved) <= NO_ERROR:
        return Ends(share, share)
    return Ends(max(share - max(moved, 0.0) - reach, 0.0), min(share - min(moved, 0.0) + reach, 1.0))


def _scores_of_means(probabilities: FloatArray, mean: FloatArray, sample: ContextSample) -> FloatArray:
    """Numbers whose sums of products are the covariances of the means of one subject's answers, shape (Y, K)."""
    there = np.isfinite(probabilities[:, 0])
    influence = np.where(there[:, np.newaxis], probabilities - mean, 0.0) / (there @ sample.weights)
    return sample.scores(influence.T)


def consistency_ends(
    probabilities: FloatArray, group_weights: FloatArray, sample: ContextSample, level: float
) -> Ends | None:
    """Return the interval over wordings of the share of pairs of wordings with the same answer on top.

    The share is a mean over pairs (a U statistic), in which all wordings count alike. A wording's influence on it is
    twice the distance of the share of its own pairs from that of all. If wordings all agree alike, the interval
    allows for wordings that were not seen. Other arguments are those of `accuracy_ends`.
    None: wordings do not count alike or are fewer than three, or some subject has fewer than two.
    """
    agreement = consistency(probabilities)
    if np.isnan(agreement).any() or np.ptp(sample.counts) > 0.0 or len(sample.counts) < 3:
        return None
    share = float(group_weights @ agreement)
    influence = np.zeros(probabilities.shape[1])
    for x, answers in enumerate(top_answers(probabilities)):
        there = ~np.isnan(probabilities[x]).any(axis=-1)
        same = (answers[:, np.newaxis] == answers) & (answers >= 0)
        pairs = (same[:, there].sum(axis=1) - (answers >= 0)) / (there.sum() - 1.0)
        influence += np.where(there, float(group_weights[x]) * (pairs - agreement[x]) * len(there) / there.sum(), 0.0)
    wordings = len(influence)
    jackknife = (wordings - 1.0) / (wordings - 2.0)
    error = jackknife * float(sample.standard_errors(2.0 * influence))
    reach = float(student_quantile(0.5 + level / 2.0, sample.freedom)) * error
    if error > NO_ERROR:
        return Ends(max(share - reach, 0.0), min(share + reach, 1.0))
    seen = (1.0 - sample.at_most(level)) ** 2
    return Ends(share * seen, share * seen + 1.0 - seen)


def ends_over_subjects(values: FloatArray, group_weights: FloatArray, level: float) -> Ends | None:
    """Return the interval of a weighted mean over subjects, as if these had been drawn from others of their kind.

    None: there are too few (`FEWEST_SUBJECTS`, in Kish's effective number), or some subject has no value.

    Args:
        values: One value from 0 to 1 per subject, shape (X,).
        group_weights: P(X), shape (X,), sums to 1.
        level: Level of the interval, such as 0.95.
    """
    subjects = ContextSample(group_weights, "template")
    if np.isnan(values).any() or subjects.size < FEWEST_SUBJECTS - NO_ERROR:
        return None
    mean = float(group_weights @ values)
    influence = values - mean
    error, unseen = float(subjects.standard_errors(influence)), subjects.at_most(level)
    if error <= NO_ERROR:
        return Ends(mean * (1.0 - unseen), mean + (1.0 - mean) * unseen)
    below, above = (float(each) * error for each in subjects.margins(influence, level))
    return Ends(max(mean - below, 0.0), min(mean + above, 1.0))


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


@dataclass(frozen=True)
class Effects:
    """Of each row: mean, difference from the other rows, interval, p by Holm, (R,); None: no sample."""

    means: FloatArray
    differences: FloatArray
    low: FloatArray | None = None
    high: FloatArray | None = None
    adjusted_p: FloatArray | None = None


def effects_of_rows(
    values: FloatArray, row_weights: FloatArray, column_weights: FloatArray, sample: ContextSample | None, level: float
) -> Effects:
    """Return the effects of the rows of a table, two rows or more, with no value missing.

    Args:
        values: A score from 0 to 1 for each row and column, shape (R, K).
        row_weights: Weights of rows, shape (R,), each above 0.
        column_weights: Weights of columns, shape (K,), sums to 1.
        sample: The columns as a sample; None: there are no tests.
        level: Level of the intervals, such as 0.95.
    """
    of_all, total = row_weights @ values, row_weights.sum()
    own = row_weights[:, np.newaxis]
    apart = values - (of_all - own * values) / (total - own)
    means, differences = values @ column_weights, apart @ column_weights
    if sample is None:
        return Effects(means, differences)
    influence = apart - differences[:, np.newaxis]
    errors, (below, above) = sample.standard_errors(influence), sample.margins(influence, level)
    p_values = np.where(
        errors > NO_ERROR, sample.p_values(differences, influence), (np.abs(differences) <= NO_ERROR).astype(np.float64)
    )
    low, high = np.maximum(differences - below * errors, -1.0), np.minimum(differences + above * errors, 1.0)
    return Effects(means, differences, low, high, holm(p_values))
