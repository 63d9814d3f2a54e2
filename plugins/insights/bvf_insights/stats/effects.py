"""Effects of properties of contexts, and the variance that each factor of crossed contexts makes.

Contexts differ in known properties: the verb, its family, the tense. A *level* is one value of such a property. A
contrast is the mean of a figure over the contexts of a level minus its mean over the others. All groups are in both
means.

The sampling units are templates here, each with its weight, even if contexts were sampled by other units. With
occurrences as units, a property without any effect would seem significant as soon as one frequent template has it:
its occurrences all have the same figure.

Where every level of each factor stands with every level of all others, and weights are products of those of levels, the
effects of factors are orthogonal: the variance over contexts is the sum of the variances of the means of each factor's
levels, and of what is left, the interactions (Fisher 1925, Statistical Methods for Research Workers).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from bvf.stats import BoolArray, ContextSample, FloatArray, IntArray, student_quantile, student_tail

NO_ERROR = 1e-12
"""Standard errors below this count as 0."""
FEWEST_PAIRS = 100
"""The fewest pairs of contexts with one label from which a variance within labels is estimated."""


@dataclass(frozen=True)
class Contrast:
    """Means of a figure in contexts with and without a property, the interval of their difference, and two-sided p."""

    inside: float
    outside: float
    low: float
    high: float
    p_value: float

    @property
    def difference(self) -> float:
        """``inside`` - ``outside``."""
        return self.inside - self.outside


def contrast(values: FloatArray, inside: BoolArray, weights: FloatArray, level: float) -> Contrast:
    """Test whether the mean of a figure differs between the contexts ``inside`` and all others.

    This is Welch's t test for weighted means: jackknife (HC3) variances, and Satterthwaite's degrees of freedom with
    Kish's effective sample size of each part.

    Args:
        values: The figure in each context, shape (C,).
        inside: Which contexts have the property, shape (C,); at least two have it, and at least two do not have it.
        weights: P(C), shape (C,), > 0.
        level: Level of the interval, such as 0.95.
    """
    (mean, variance, size), (rest, variance_of_rest, size_of_rest) = (
        _mean(values[part], weights[part]) for part in (inside, ~inside)
    )
    error = float(np.sqrt(variance + variance_of_rest))
    if error <= NO_ERROR:
        return Contrast(mean, rest, mean - rest, mean - rest, float(abs(mean - rest) <= NO_ERROR))
    freedom = error**4 / (variance**2 / (size - 1.0) + variance_of_rest**2 / (size_of_rest - 1.0))
    reach = float(student_quantile(0.5 + level / 2.0, freedom)) * error
    p = float(2.0 * student_tail(abs(mean - rest) / error, freedom))
    return Contrast(mean, rest, mean - rest - reach, mean - rest + reach, p)


def _mean(values: FloatArray, weights: FloatArray) -> tuple[float, float, float]:
    """A weighted mean, the variance of this mean, and Kish's effective sample size."""
    share = weights / weights.sum()
    mean = float(share @ values)
    variance = float((share**2) @ ((values - mean) / (1.0 - share)) ** 2)
    return mean, variance, float(1.0 / (share @ share))


def deviation_between(values: FloatArray, levels: Sequence[str], weights: FloatArray) -> float:
    """Return the standard deviation of the means of levels, from values, levels and P(C) by context, (C,)."""
    _, place = np.unique(np.asarray(levels), return_inverse=True)
    share = np.bincount(place, weights)
    means = np.divide(np.bincount(place, weights * values), share, out=np.zeros_like(share), where=share > 0)
    mean = float(weights @ values)
    return float(np.sqrt(share @ (means - mean) ** 2))


def are_crossed(context_weights: FloatArray, levels: Sequence[IntArray]) -> bool:
    """Return whether factors are crossed: each combination of levels is one context, weighted by their product.

    Args:
        context_weights: P(C), shape (C,), sums to 1.
        levels: Index of the level of each context, shape (C,), by factor.
    """
    weights = [np.bincount(each, context_weights) for each in levels]
    combinations = set(zip(*(each.tolist() for each in levels), strict=True))
    if not len(combinations) == len(context_weights) == prod(map(len, weights)):
        return False
    product = np.prod([weight[each] for weight, each in zip(weights, levels, strict=True)], axis=0)
    return bool(np.allclose(context_weights, product))


def main_effects(
    lean: FloatArray, group_weights: FloatArray, context_weights: FloatArray, levels: Sequence[IntArray]
) -> FloatArray:
    """Return the share of each factor, and of all factors together, in the variance over contexts, shape (F + 1,).

    It is the variance of a group's predictions, summed over classes, on average over groups. All shares are 0 if
    nothing varies.

    >>> lean, even = np.array([[[0.1], [0.3], [0.1], [0.3]]]), np.full(4, 0.25)
    >>> main_effects(lean, np.ones(1), even, [np.array([0, 1, 0, 1]), np.array([0, 0, 1, 1])]).round(6).tolist()
    [1.0, 0.0, 0.0]

    Args:
        lean: p - p* of every group in every context, none missing, shape (X, C, Y).
        group_weights: P(X), shape (X,), sums to 1.
        context_weights: P(C), shape (C,), sums to 1.
        levels: Index of the level of each context, shape (C,), for each of F crossed factors (`are_crossed`).
    """
    apart = lean - np.einsum("c,xcy->xy", context_weights, lean)[:, np.newaxis]
    total = float(group_weights @ (apart**2).sum(axis=2) @ context_weights)
    of_factors = []
    for level in levels:
        in_level = np.eye(level.max() + 1)[level] * context_weights[:, np.newaxis]
        weights = in_level.sum(axis=0)
        means = np.einsum("cl,xcy->xly", in_level / weights, apart)
        of_factors.append(float(group_weights @ (means**2).sum(axis=2) @ weights))
    parts = np.array([*of_factors, max(total - sum(of_factors), 0.0)])
    return parts / total if total > NO_ERROR else np.zeros_like(parts)


def share_within(values: FloatArray, weights: FloatArray, labels: IntArray) -> float | None:
    """Return the share of the variance between contexts that is between contexts with one label; None: too few pairs.

    Half the mean squared distance of two draws is a variance: that of draws with one label in that of all.

    Args:
        values: Vectors, shape (C, Y).
        weights: P(C), shape (C,).
        labels: Label of each context, shape (C,), such as its template.
    """
    squared: FloatArray = ((values[:, np.newaxis] - values) ** 2).sum(axis=2)
    pairs = np.triu(np.multiply.outer(weights, weights), 1)
    alike = np.triu(labels[:, np.newaxis] == labels, 1)
    if np.count_nonzero(alike) < FEWEST_PAIRS or (of_all := (pairs * squared).sum() / pairs.sum()) <= NO_ERROR:
        return None
    return min(float((pairs * alike * squared).sum() / (pairs * alike).sum() / of_all), 1.0)


def ends_within(values: FloatArray, labels: IntArray, sample: ContextSample, level: float) -> tuple[float, float]:
    """Return the ends of the interval of the variance between contexts with one label, as shares of its estimate.

    Arguments are as for `share_within`. The influence of a context is how far its mean squared distance from others
    with its label is from that of all.
    """
    squared: FloatArray = ((values[:, np.newaxis] - values) ** 2).sum(axis=2)
    pairs = np.multiply.outer(sample.weights, sample.weights) * (labels[:, np.newaxis] == labels)
    np.fill_diagonal(pairs, 0.0)
    mean = (pairs * squared).sum() / pairs.sum()
    influence = 2.0 * (pairs * (squared - mean)).sum(axis=1) / (pairs.sum() * sample.weights) / mean
    below, above = sample.margins(influence, level)
    error = float(sample.standard_errors(influence))
    return max(1.0 - float(below) * error, 0.0), 1.0 + float(above) * error
