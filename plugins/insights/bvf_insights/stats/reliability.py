"""The placebo share of volatility, and split-half reliability over contexts.

Contexts that differ in a full stop, in a year, or in *that* for *the* are variants of one origin. By the law of total
variance the variance of predictions over contexts is the mean variance within origins plus the variance between their
means. Volatility splits in the same way:

    R^v = E_o[E_c|o[J(s)] - J(E_c|o[s])] + E_o[J(E_c|o[s])] - J(E_c[s])

Both terms are 0 or more for a convex J. The placebo share is the first term over the whole.

Contexts are split into two halves, a figure of every group is computed from each half, and the two lists are correlated
over groups. Half as many contexts are less reliable, so the correlation c of the halves is extrapolated to the whole
set by the Spearman-Brown formula (Spearman 1910, British Journal of Psychology 3, 271; Brown 1910, ibid., 296):

    reliability = 2 c / (1 + |c|)

For c < 0 the formula is mirrored here, as 2 c / (1 + c) has no lower bound.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from bvf.stats import BoolArray, FloatArray, IntArray, without_rounding

DRAWS, SEED = 1000, 0
FEWEST_ORIGINS = 5
"""The fewest origins for which there is an interval."""
NO_VARIANCE = 1e-16
"""A variance of probabilities below this is rounding."""
NO_RISK = 1e-9
SPLITS = 200
FEWEST_CONTEXTS = 8
"""The fewest contexts; this many can be split into halves in eight ways."""
FEWEST_GROUPS = 5
NO_SPREAD = 1e-9
"""A standard deviation of figures over groups below this counts as 0."""


@dataclass(frozen=True)
class Variants:
    """Predictions in contexts that are variants of common templates (origins)."""

    p: FloatArray  # p(y | x, c), none missing, shape (X, C, Y)
    risks: FloatArray  # J(s) of these predictions, shape (X, C)
    # maps any predictions of the groups, shape (X, N, Y), to J(s), shape (X, N)
    risk: Callable[[FloatArray], FloatArray]
    weights: FloatArray  # P(C), shape (C,), > 0
    origins: IntArray  # index of the origin of each context, 0 to O - 1, shape (C,)
    group_weights: FloatArray  # P(X), shape (X,), sums to 1


@dataclass(frozen=True)
class Share:
    """A placebo share, 0 to 1, and the ends of its interval; NaN where undefined."""

    value: float
    low: float
    high: float


def placebo_shares(variants: Variants, level: float) -> tuple[Share, Share]:
    """Return two placebo shares: the fractions of the variance and of the volatility R^v within variants of a template.

    Intervals of ``level`` are bootstrap percentiles: origins are resampled with all their variants. They are NaN for
    fewer than `FEWEST_ORIGINS` origins. A share is NaN if there is no variance, or R^v is 0.
    """
    number = int(variants.origins.max()) + 1
    drawn = np.random.default_rng(SEED).multinomial(number, np.full(number, 1.0 / number), size=DRAWS)
    variance, volatility = _shares(variants, np.vstack([np.ones((1, number)), drawn]))
    return _with_ends(variance, number, level), _with_ends(volatility, number, level)


def share_by_chance(weights: FloatArray, origins: IntArray) -> float:
    """Return the fraction of variance expected within origins if variants were as independent as unrelated templates.

    ``weights`` is P(C), and ``origins`` the index of the origin of each context, shape (C,).

    >>> share_by_chance(np.full(4, 0.25), np.array([0, 0, 1, 1]))  # two variants of two: half in two, 3/4 in four
    0.6666666666666666
    """
    share = weights / weights.sum()
    squares, totals = np.bincount(origins, share**2), np.bincount(origins, share)
    within = float((totals - squares / totals).sum())
    return within / (1.0 - float(squares.sum()))


def _shares(variants: Variants, times: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The placebo shares of variance and of R^v in B samples, (B,) each. ``times``, (B, O), counts their origins."""
    summed = csr_array((variants.weights, (variants.origins, np.arange(len(variants.weights)))))
    W = summed.sum(axis=1)
    groups, contexts, classes = variants.p.shape
    by_context = variants.p.transpose(1, 0, 2).reshape(contexts, -1)
    means = (summed @ by_context / W[:, np.newaxis]).reshape(-1, groups, classes).transpose(1, 0, 2)
    total_weight = (times @ W)[:, np.newaxis]
    middle = np.einsum("o,xoy->xy", W, means)[:, np.newaxis] / W.sum()
    off = means - middle
    mean_off = np.einsum("bo,xoy->xby", times * W, off, optimize=True) / total_weight
    within = summed @ ((variants.p - means[:, variants.origins]) ** 2).sum(axis=2).T
    within = times @ within / total_weight
    between = times @ (W * (off**2).sum(axis=2)).T / total_weight - (mean_off**2).sum(axis=2).T
    variance = _share(within @ variants.group_weights, between @ variants.group_weights, NO_VARIANCE)
    of_origins, risks = W * variants.risk(means), (summed @ variants.risks.T).T
    inside = times @ without_rounding(risks - of_origins, risks).T / total_weight
    outside = times @ of_origins.T / total_weight - variants.risk(middle + mean_off).T
    return variance, _share(inside @ variants.group_weights, outside @ variants.group_weights, NO_RISK)


def _share(within: FloatArray, between: FloatArray, nothing: float) -> FloatArray:
    total = within + between
    share: FloatArray = np.divide(within, total, out=np.full_like(total, np.nan), where=total > nothing)
    return np.clip(share, 0.0, 1.0)


def _with_ends(shares: FloatArray, origins: int, level: float) -> Share:
    """A placebo share and its interval. ``shares`` has its value in the sample, then in each bootstrap resample."""
    value, drawn = float(shares[0]), shares[1:][~np.isnan(shares[1:])]
    if origins < FEWEST_ORIGINS or np.isnan(value) or not len(drawn):
        return Share(value, np.nan, np.nan)
    low, high = np.quantile(drawn, [(1.0 - level) / 2.0, (1.0 + level) / 2.0])
    return Share(value, float(low), float(high))


@dataclass(frozen=True)
class Reliability:
    """The split-half reliability of a figure of groups: its mean and range over many random splits."""

    mean: float  # -1 to 1; 1: the figures of both halves are perfectly correlated
    low: float
    high: float
    splits: int  # the number of splits in which groups differ in both halves


def halves(weights: FloatArray) -> BoolArray:
    """Return a mask of the contexts in the first half of each of S splits, shape (S, C).

    Contexts are paired by weight, and a random one of every pair goes to each half, so that both have about the same
    weight.
    """
    rng, contexts = np.random.default_rng(SEED), len(weights)
    side = rng.random((SPLITS, (contexts + 1) // 2)) < 0.5
    taken = np.stack([side, ~side], axis=2).reshape(SPLITS, -1)[:, :contexts]
    first = np.empty((SPLITS, contexts), dtype=bool)
    first[:, np.argsort(-weights, kind="stable")] = taken
    return first


def split_half(first: FloatArray, second: FloatArray, level: float) -> Reliability | None:
    """Return the split-half reliability of a figure of groups (Spearman-Brown); None if no split has a correlation.

    Splits in which all groups have the same figure in one half have no correlation, and are left out.

    Args:
        first: The figure of each group, computed from the first half of each split, shape (S, X).
        second: The same figure, computed from the second half, shape (S, X).
        level: Share of the splits between the ends of the range, such as 0.95.

    >>> split_half(np.array([[1.0, 2.0, 3.0]]), np.array([[1.0, 3.0, 2.0]]), 0.95).mean  # correlated by 0.5
    0.6666666666666666
    """
    found = correlations(first, second)
    found = found[~np.isnan(found)]
    if not len(found):
        return None
    lifted = 2.0 * found / (1.0 + np.abs(found))
    low, high = np.quantile(lifted, [(1.0 - level) / 2.0, (1.0 + level) / 2.0])
    return Reliability(float(lifted.mean()), float(low), float(high), len(lifted))


def correlations(first: FloatArray, second: FloatArray) -> FloatArray:
    """Return Pearson's correlations along the last axis; NaN where values are missing or all the same."""
    one, other = (values - values.mean(axis=-1, keepdims=True) for values in (first, second))
    differ = (one.std(axis=-1) > NO_SPREAD) & (other.std(axis=-1) > NO_SPREAD)
    products = np.sqrt((one**2).sum(axis=-1) * (other**2).sum(axis=-1))
    found: FloatArray = np.divide((one * other).sum(axis=-1), products, out=np.full(differ.shape, np.nan), where=differ)
    return np.clip(found, -1.0, 1.0)
