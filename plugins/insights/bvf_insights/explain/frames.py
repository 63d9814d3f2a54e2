"""What frames change: contexts that differ in a frame (a year, a place) alone, compared template by template.

The contexts with one level of a frame are a sample of templates, and those with another level the same templates. So
two levels are compared as two models are, by paired tests on the influence of each template: see
`bvf.stats.comparing.comparison`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from bvf import Criterion, Predictions, Result
from bvf.domain import ORIGIN, PLACEBO, Frame
from bvf.stats import (
    ContextSample,
    Difference,
    FloatArray,
    IntArray,
    Sampled,
    differences,
    holm,
    itself,
    mean_over_contexts,
    sampled_risk,
    variance_components,
)
from bvf.study import RISK
from bvf_insights.explain.drivers import Judgement
from bvf_insights.explain.result import CrossedShare, FrameDifference, FrameShare, decided
from bvf_insights.stats.effects import are_crossed, main_effects

MOST_COMPARED = 10
"""The most levels of a frame that are compared pair by pair."""
TEMPLATES, TOGETHER = "template", "together"
"""Names of what varies beside frames: templates, and interactions."""


@dataclass(frozen=True)
class Frames:
    """The templates and the levels of frames that contexts are made of."""

    origins: IntArray  # index of the template of each context, shape (C,)
    levels: dict[str, tuple[str, ...]]  # the level of each context, length C, by frame

    def pairs(self, frame: str, first: str, second: str) -> tuple[IntArray, IntArray]:
        """Return the indices of contexts with two levels of a frame, (N,) each, that are otherwise alike."""
        others = [levels for name, levels in self.levels.items() if name != frame]
        of_level: dict[str, dict[tuple[object, ...], int]] = {first: {}, second: {}}
        for c, level in enumerate(self.levels[frame]):
            if level in of_level:
                of_level[level][(int(self.origins[c]), *(levels[c] for levels in others))] = c
        alike = [key for key in of_level[first] if key in of_level[second]]
        one, other = (np.array([of_level[level][key] for key in alike], dtype=np.int64) for level in (first, second))
        return one, other


def frames_of(predictions: Predictions) -> Frames:
    """Return the frames: the columns that differ between contexts with one ``origin``; there may be none."""
    rows = predictions.properties
    if not all(ORIGIN in row for row in rows) or any(PLACEBO in row for row in rows):
        return Frames(np.zeros(0, dtype=np.int64), {})
    origins = np.unique([row[ORIGIN] for row in rows], return_inverse=True)[1]
    names = dict.fromkeys(name for row in rows for name in row if name != ORIGIN)
    levels = {name: tuple(row.get(name, "") for row in rows) for name in names}
    every = origins.tolist()
    varying = {name: of for name, of in levels.items() if len(set(zip(every, of, strict=True))) > len(set(every))}
    return Frames(origins, varying)


@dataclass(frozen=True)
class Complete:
    """What a result says in the contexts in which every group has an answer, which may be templates in frames."""

    result: Result
    read: Predictions  # in these contexts
    judged: Judgement  # of all contexts
    risks: FloatArray  # J(s) of each group in each of these contexts, shape (X, C)
    criterion: Criterion  # J for the classes of the predictions

    @cached_property
    def p_x(self) -> FloatArray:
        """P(X), shape (X,)."""
        return np.array([group.weight for group in self.result.groups])

    @property
    def level(self) -> float:
        """Of the intervals."""
        return self.result.uncertainty.level

    @property
    def leaning(self) -> tuple[str, ...]:
        """The first classes, whose leans are figures: all; of two, the first, as the second has the opposite lean."""
        return self.read.classes if len(self.read.classes) > 2 else self.read.classes[:1]

    @cached_property
    def figures(self) -> dict[str, FloatArray]:
        """Means over groups in each context, (C,), by figure: J, and the lean to each class (of two, to the first)."""
        leans = {name: self.p_x @ self.read.lean[..., y] for y, name in enumerate(self.leaning)}
        return {"R": self.p_x @ self.risks, **leans}

    @cached_property
    def frames(self) -> Frames:
        """The frames of these contexts."""
        return frames_of(self.read)

    def frame_levels(self, *, compared: bool) -> dict[str, tuple[str, ...]]:
        """Return the level of each context, by frame: of those whose levels are compared pair by pair, or of others."""
        return {name: of for name, of in self.frames.levels.items() if (len(set(of)) <= MOST_COMPARED) == compared}


def frame_differences(found: Complete) -> tuple[FrameDifference, ...]:
    """Return how figures differ between levels of frames in the same templates. p: by Holm, over all of them."""
    rows = [
        row
        for name, levels in found.frame_levels(compared=True).items()
        for first, second in combinations(sorted(dict.fromkeys(levels), key=Frame.NONE.__ne__), 2)
        for row in _between(found, name, first, second)
    ]
    tested = [row.adjusted_p for row in rows if row.adjusted_p is not None]
    adjusted = iter(holm(np.array(tested)).tolist() if tested else [])
    return tuple(row if row.adjusted_p is None else decided(row, next(adjusted), found.level) for row in rows)


def _between(found: Complete, name: str, first: str, second: str) -> Iterator[FrameDifference]:
    """Yield the differences of all figures between two levels of a frame. P values are not adjusted yet."""
    contexts = found.frames.pairs(name, first, second)
    if not len(contexts[0]):
        return
    origins = found.frames.origins[contexts[0]]
    sample, is_enough = ContextSample.of_templates(found.read.context_weights[contexts[0]], origins)
    for figure, (in_first, in_second), apart in _figures(found, contexts, sample):
        yield FrameDifference(
            frame=name,
            first=first,
            second=second,
            figure=figure,
            templates=len(set(origins.tolist())),
            in_first=in_first,
            in_second=in_second,
            difference=float(apart.value),
            low=float(apart.low) if is_enough else None,
            high=float(apart.high) if is_enough else None,
            adjusted_p=float(apart.p_value) if is_enough else None,
            decision=None,
        )


def _figures(
    found: Complete, contexts: tuple[IntArray, IntArray], sample: ContextSample
) -> Iterator[tuple[str, tuple[float, float], Difference]]:
    """Yield the name of each figure, its two values, and the second less the first."""
    read, p_x = found.read.against_mean_reference(), found.p_x
    parts = [read.probabilities[:, chosen] for chosen in contexts]
    answers = read.random
    asked = parts if answers is None else [answers.in_contexts(chosen) for chosen in contexts]
    if found.criterion.curvature != "neither":
        how: dict[str, Any] = {"group_weights": p_x, "reference": read.reference, "scale": found.result.scale}
        one, other = (sampled_risk(p, found.criterion, sample, **how).risk for p in asked)
        apart = differences(other, one, p_x, found.level)
        values = zip(*(map(float, each.values(p_x)) for each in (one, other)), strict=True)
        yield from zip(RISK, values, (apart.total, apart.of_mean, apart.rest), strict=True)
    for y, name in enumerate(found.leaning):
        one, other = (Sampled((p - read.reference)[..., y : y + 1], itself(len(p), -1.0, 1.0), sample) for p in parts)
        in_first, in_second = (float(each.values(p_x)[0]) for each in (one, other))
        yield name, (in_first, in_second), differences(other, one, p_x, found.level).total


def frame_shares(found: Complete) -> Iterator[FrameShare]:
    """Yield, for each frame, how much of R^v is within its levels and between them, and its share of the variance.

    R^v = E_l[E_c|l[J(s)] - J(E_c|l[s])] + E_l[J(E_c|l[s])] - J(E_c[s]) for levels l, both 0 or more for a convex J.
    """
    read, p_x, weights = found.read, found.p_x, found.read.context_weights
    noise = None if read.answers is None else read.answers.variances.sum(axis=2)
    total = variance_components(read.lean, p_x, weights, read.sample, noise).total or 1.0
    for name, levels in found.frames.levels.items():
        indices = np.unique(levels, return_inverse=True)[1]
        alike, by_group = factor_components(read.lean, p_x, weights, indices, noise)
        between, of_levels = _volatility_of_means(found, indices)
        yield FrameShare(
            frame=name,
            levels=len(set(levels)),
            within=max(float(p_x @ (found.risks @ weights - of_levels)), 0.0),
            between=max(float(p_x @ between), 0.0),
            variance=min(alike / total, 1.0),
            variance_by_group=min(by_group / total, 1.0),
        )


def crossed_shares(found: Complete) -> tuple[CrossedShare, ...]:
    """Return how much of what varies over contexts is due to templates, frames and both; empty: not crossed."""
    of_frames = {name: np.unique(levels, return_inverse=True)[1] for name, levels in found.frames.levels.items()}
    places = {TEMPLATES: found.frames.origins, **of_frames}
    weights = found.read.context_weights
    if not of_frames or not are_crossed(weights, list(places.values())):
        return ()
    *alone, together = main_effects(found.read.lean, found.p_x, weights, list(places.values())).tolist()
    rows = [
        CrossedShare(
            what=name,
            levels=int(levels.max()) + 1,
            variance=share,
            volatility=max(float(found.p_x @ _volatility_of_means(found, levels)[0]), 0.0),
        )
        for (name, levels), share in zip(places.items(), alone, strict=True)
    ]
    return (*rows, CrossedShare(what=TOGETHER, levels=None, variance=together, volatility=None))


def _volatility_of_means(found: Complete, levels: IntArray) -> tuple[FloatArray, FloatArray]:
    """E_l[J(E_c|l[s])] - J(E_c[s]) of each group, (X,), and its first term, by the level of each context, (C,)."""
    read, weights, judged = found.read.against_mean_reference(), found.read.context_weights, found.judged
    s = read.probabilities / read.reference - 1.0
    shape = s.shape[:2]
    of_all = judged.risk(mean_over_contexts(s, np.broadcast_to(weights, shape))[:, np.newaxis])[:, 0]
    of_levels = np.zeros(len(s))
    for level in range(levels.max() + 1):
        share = np.where(levels == level, weights, 0.0)
        mean = mean_over_contexts(s, np.broadcast_to(share / share.sum(), shape))
        of_levels += share.sum() * judged.risk(mean[:, np.newaxis])[:, 0]
    return of_levels - of_all, of_levels


def factor_components(
    lean: FloatArray,
    group_weights: FloatArray,
    context_weights: FloatArray,
    levels: IntArray,
    noise: FloatArray | None = None,
) -> tuple[float, float]:
    """Return the variance that a factor of contexts makes in all groups alike, and by group, both >= 0.

    They are the main effect of the factor and its interaction with the groups, as in an analysis of variance, summed
    over classes: parts of the components ``context`` and ``interaction``.

    Args:
        lean: p - p* of every group in every context, none missing, shape (X, C, Y).
        group_weights: P(X), shape (X,), sums to 1.
        context_weights: P(C), shape (C,), sums to 1.
        levels: Index of the level that each context has, shape (C,).
        noise: Variance of each prediction due to the sampling of answers, as in `variance_components`.
    """
    shares = np.bincount(levels, context_weights)
    within = (levels == np.arange(len(shares))[:, np.newaxis]) * context_weights / shares[:, np.newaxis]
    of_level = np.einsum("lc,xcy->xly", within, lean)
    in_all = np.einsum("x,xly->ly", group_weights, of_level)
    of_group = np.einsum("l,xly->xy", shares, of_level)
    mean = group_weights @ of_group
    left = of_level - of_group[:, np.newaxis] - in_all + mean
    alike = float(shares @ ((in_all - mean) ** 2).sum(axis=1))
    by_group = float(group_weights @ (left**2).sum(axis=2) @ shares)
    if noise is not None:
        of_means = noise @ (within**2).T @ shares - noise @ context_weights**2
        in_all_means = float(group_weights**2 @ of_means)
        alike, by_group = alike - in_all_means, by_group - float(group_weights @ of_means) + in_all_means
    return max(alike, 0.0), max(by_group, 0.0)
