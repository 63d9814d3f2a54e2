"""What of the volatility is noise: placebo share, split-half reliability."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from bvf import Predictions
from bvf.domain import ORIGIN, PLACEBO
from bvf.stats import BoolArray, FloatArray, IntArray
from bvf_insights.explain.drivers import Judgement
from bvf_insights.explain.frames import Complete, frames_of
from bvf_insights.explain.result import FigureReliability, PlaceboShare
from bvf_insights.stats.reliability import (
    FEWEST_CONTEXTS,
    FEWEST_GROUPS,
    SPLITS,
    Share,
    Variants,
    halves,
    placebo_shares,
    share_by_chance,
    split_half,
)


def origins_of(predictions: Predictions) -> IntArray | None:
    """Return the index of the template that each context is a variant of, (C,); None if there are no variants."""
    if not all(any(name in row for row in predictions.properties) for name in (ORIGIN, PLACEBO)):
        return None
    names = [row.get(ORIGIN) or text for row, text in zip(predictions.properties, predictions.contexts, strict=True)]
    return _places(names)


def without_placebo(predictions: Predictions) -> str:
    """Return why a placebo set (templates and variants) has no placebo share; empty if it has, or is no such set."""
    there = {name for row in predictions.properties for name in row if name in (ORIGIN, PLACEBO)}
    if PLACEBO in there and ORIGIN not in there:
        return f"no placebo share: the contexts have a column {PLACEBO} and no column {ORIGIN}"
    origins = origins_of(predictions)
    if origins is None:
        return ""
    if origins.max() == 0:
        return f"no placebo share: all contexts have one {ORIGIN}, so there is nothing to compare swaps with"
    return "" if _with_variants(origins).any() else f"no placebo share: no {ORIGIN} has a second context"


def placebo_of(found: Complete) -> Iterator[PlaceboShare]:
    """Yield the placebo share of all swaps of words together, then of each kind; nothing without a placebo set."""
    origins = origins_of(found.read)
    if origins is None or without_placebo(found.read):
        return
    swaps = np.array([row.get(PLACEBO, "") for row in found.read.properties])
    for swap in ("", *dict.fromkeys(name for name in swaps.tolist() if name)):
        chosen = np.isin(swaps, ["", swap]) if swap else np.ones(len(swaps), dtype=bool)
        chosen[chosen] = _with_variants(origins[chosen])
        if len(set(origins[chosen])) > 1:
            kept = found.read.in_contexts(chosen).against_mean_reference()
            risk = partial(_risk, found.judged, kept.reference)
            of_kept = kept.context_weights, _places(origins[chosen])
            variants = Variants(kept.probabilities, found.risks[:, chosen], risk, *of_kept, found.p_x)
            variance, volatility = placebo_shares(variants, found.level)
            yield PlaceboShare(
                swap=swap,
                origins=int(variants.origins.max()) + 1,
                contexts=len(variants.origins),
                by_chance=share_by_chance(variants.weights, variants.origins),
                **_fields("variance", variance),
                **_fields("volatility", volatility),
            )


def _risk(judged: Judgement, p_star: FloatArray, p: FloatArray) -> FloatArray:
    return judged.risk(p / p_star - 1.0)


def _fields(name: str, share: Share) -> dict[str, float | None]:
    values = {name: share.value, f"{name}_low": share.low, f"{name}_high": share.high}
    return {field: None if np.isnan(value) else value for field, value in values.items()}


def _places(names: ArrayLike) -> IntArray:
    return np.unique(names, return_inverse=True)[1]


def _with_variants(origins: IntArray) -> BoolArray:
    """A mask of the contexts that are a template with variants, or its variant, shape (C,)."""
    return np.bincount(origins)[origins] > 1


def too_few(predictions: Predictions) -> str:
    """Return why the reliability of figures of groups cannot be computed; empty if it can."""
    groups, contexts = len(predictions.group_names), len(set(halved_together(predictions).tolist()))
    if groups >= FEWEST_GROUPS and contexts >= FEWEST_CONTEXTS:
        return ""
    return (
        f"no split-half reliability: it needs {FEWEST_GROUPS} groups and {FEWEST_CONTEXTS} contexts in which all have "
        f"an answer, and here are {groups} and {contexts}"
    )


def reliabilities(found: Complete) -> tuple[FigureReliability, ...]:
    """Return the split-half reliability of r, r^b, r^v and the lean of groups; empty if `too_few` has a reason.

    All variants of a template, and all of its frames, are in the same half. The level of intervals is the share of the
    splits between the ends of a range.
    """
    if too_few(found.read):
        return ()
    origins, weights = halved_together(found.read), found.read.context_weights
    of_origins: FloatArray = np.bincount(origins, weights).astype(np.float64)
    first = halves(of_origins)[:, origins]
    rows = list[FigureReliability]()
    for (figure, one), (_, other) in zip(*(_figures(found, half * weights) for half in (first, ~first)), strict=True):
        fields: dict[str, Any] = {"splits": 0}
        if (split := split_half(one, other, found.level)) is not None:
            fields = {"splits": split.splits, "reliability": split.mean, "low": split.low, "high": split.high}
        rows.append(FigureReliability(figure=figure, of=SPLITS, **fields))
    return tuple(rows)


def halved_together(predictions: Predictions) -> IntArray:
    """Return the index of the template that each context varies, or has in a frame, else its own index, (C,)."""
    frames, origins = frames_of(predictions), origins_of(predictions)
    if frames.levels:
        return frames.origins
    return np.arange(len(predictions.contexts)) if origins is None else origins


def _figures(found: Complete, weights: FloatArray) -> Iterator[tuple[str, FloatArray]]:
    """Yield names and values, (S, X), of group figures in one half of each of S splits, by P(C) in it, (S, C)."""
    weights = weights / weights.sum(axis=1, keepdims=True)
    lean = np.einsum("sc,xcy->xsy", weights, found.read.lean, optimize=True)
    r = weights @ found.risks.T
    r_bias = found.judged.risk(np.einsum("sc,xcy->xsy", weights, found.read.stereotypes, optimize=True)).T
    yield from (("r", r), ("r_bias", r_bias), ("r_volatility", r - r_bias))
    yield from ((name, lean[..., y].T) for y, name in enumerate(found.leaning))
